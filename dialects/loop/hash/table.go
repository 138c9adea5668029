package hash

import (
	"slices"

	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
)

// Sizes of tables.
const (
	firstGroups = 16      // that memory is made for at first, a power of two
	perGroup    = 4       // slots for each group that there is memory for, a power of two
	maxGroups   = 1 << 30 // that memory is made for: 32 bits number them and tell the slots apart
)

// Options of a table.
type Options struct {
	Kinds []kit.Kind // the components of its keys
	// Values are what memory by group begins with, for each new group.
	Values []ir.Value
	// Groups is about how many there will be, an index; 0 if nobody knows. It costs
	// memory and saves time.
	Groups ir.Value
}

// A Table is where the memory of a table is in the program that is built.
type Table struct {
	Options
	shape shape

	slots ir.Value   // memref<?xi32>, or <?xi64> if tagged: group + 1, or 0
	home  ir.Value   // i64: by how much a hash is shifted, or the smallest key
	count ir.Value   // index: the number of groups
	keys  []ir.Value // of numbers the numbers, of strings where their bytes begin
	vals  []ir.Value
	bytes []ir.Value // of the strings of each component, one behind the other

	reader kit.Reader // if there are strings
}

// shape is how keys become places.
type shape int

const (
	exact  shape = iota // the key is one number, which is compared
	tagged              // half a hash is compared before the key
	dense               // the key is one number, and its own place
)

// New makes an empty table.
func New(b *ir.Builder, o Options) Table {
	k := kit.Kit{Builder: b}
	t := Table{Options: o, shape: exact}
	if !fits(k, o.Kinds) {
		t.shape = tagged
	}
	groups, shift := k.Index(firstGroups), k.Int(ir.I64, shiftFor(firstGroups*perGroup))
	if o.Groups != 0 {
		most := k.Min(o.Groups, k.Index(maxGroups))
		s := k.While([]ir.Value{groups, shift}, func(s []ir.Value) ir.Value { return k.Less(s[0], most) }, func(s []ir.Value) []ir.Value {
			return []ir.Value{k.Add(s[0], s[0]), k.Last(s[1])}
		})
		groups, shift = s[0], s[1]
	}
	t.home = shift
	t.slots = k.Zeros(t.slotType(), k.Mul(groups, k.Index(perGroup)))
	t.allocate(k, groups)
	t.allocateBytes(k)
	return t
}

// shiftFor is by how much a hash is shifted to be a place in n slots.
func shiftFor(n int) int64 {
	s := int64(64)
	for ; n > 1; n /= 2 {
		s--
	}
	return s
}

// allocate makes the memory by group, and says that there are none.
func (t *Table) allocate(k kit.Kit, groups ir.Value) {
	t.count = k.Index(0)
	groups = t.elements(k, groups)
	for _, elem := range t.columns(k) {
		t.keys = append(t.keys, k.Alloc(elem, groups))
	}
	for _, v := range t.Values {
		t.vals = append(t.vals, k.Alloc(k.Graph().Type(v), groups))
	}
}

func (t *Table) slotType() ir.Type {
	if t.shape == tagged {
		return ir.I64
	}
	return ir.I32
}

// State lists what a loop carries.
func (t Table) State() []ir.Value {
	return slices.Concat([]ir.Value{t.slots, t.home, t.count}, t.keys, t.vals, t.bytes)
}

// With is the table with another state. The memory by group is equally large: that all of
// it is as large as the first makes of several checks of bounds one.
func (t Table) With(b *ir.Builder, state []ir.Value) Table {
	k := kit.Kit{Builder: b}
	t.slots, t.home, t.count = state[0], state[1], state[2]
	rest := slices.Clone(state[3:])
	n, m := len(t.keys), len(t.keys)+len(t.vals)
	for i := range m - 1 {
		rest[1+i] = k.Prefix(rest[1+i], k.Len(rest[0]))
	}
	t.keys, t.vals, t.bytes = rest[:n:n], rest[n:m:m], rest[m:]
	return t
}

// Count is the number of groups, an index.
func (t Table) Count() ir.Value { return t.count }

// Value is the memory of Values[i] by group, which is larger than there are groups.
func (t Table) Value(i int) ir.Value { return t.vals[i] }

// Take is an array of the elements of Values[i], one for each group. It is the caller's
// to free; the table has it no more.
func (t Table) Take(b *ir.Builder, i int) ir.Value {
	return kit.Kit{Builder: b}.Prefix(t.vals[i], t.count)
}

// FreeSlots frees what finds keys, and no memory by group.
func (t Table) FreeSlots(b *ir.Builder) { kit.Kit{Builder: b}.Free(t.slots) }
