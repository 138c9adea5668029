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
	denseBits   = 16      // of keys that have a slot each in any case
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
	rows  ir.Value   // memref<?xNxi64>: of each group its keys and values, see rows.go
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

// New makes an empty table: a dense one where keys have denseBits at most.
func New(b *ir.Builder, o Options) Table {
	k := kit.Kit{Builder: b}
	t := Table{Options: o, shape: exact}
	bits, numbers := t.width(k)
	switch {
	case !numbers || bits > 64:
		t.shape = tagged
	case bits <= denseBits:
		low, high := int64(0), int64(1)<<bits-1
		if len(o.Kinds) == 1 {
			low, high = low-1<<(bits-1), high-1<<(bits-1)
		}
		return Dense(b, k.Int(ir.I64, low), k.Int(ir.I64, high), o)
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
	t.rows = t.allocateRows(k, t.elements(k, groups))
}

func (t *Table) slotType() ir.Type {
	if t.shape == tagged {
		return ir.I64
	}
	return ir.I32
}

// State lists what a loop carries.
func (t Table) State() []ir.Value {
	return append([]ir.Value{t.slots, t.home, t.count, t.rows}, t.bytes...)
}

// With is the table with another state.
func (t Table) With(state []ir.Value) Table {
	t.slots, t.home, t.count, t.rows, t.bytes = state[0], state[1], state[2], state[3], slices.Clone(state[4:])
	return t
}

// Count is the number of groups, an index.
func (t Table) Count() ir.Value { return t.count }

// Value is Values[i] of a group, as it is now.
func (t Table) Value(b *ir.Builder, i int, group ir.Value) ir.Value {
	k := kit.Kit{Builder: b}
	return t.cell(k, group, len(t.columns(k))+i, b.Graph().Type(t.Values[i]))
}

// SetValue sets Values[i] of a group.
func (t Table) SetValue(b *ir.Builder, i int, group, v ir.Value) {
	k := kit.Kit{Builder: b}
	t.setCell(k, group, len(t.columns(k))+i, v)
}

// Take is an array of Values[i], one for each group, in memory that alloc makes.
func (t Table) Take(b *ir.Builder, i int, alloc Alloc) ir.Value {
	k := kit.Kit{Builder: b}
	return t.column(k, len(t.columns(k))+i, b.Graph().Type(t.Values[i]), t.count, alloc)
}

// Free frees the memory of the table.
func (t Table) Free(b *ir.Builder) {
	kit.Kit{Builder: b}.Free(append([]ir.Value{t.slots, t.rows}, t.bytes...)...)
}
