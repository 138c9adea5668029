package hash

import (
	"slices"

	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
)

// Sizes of tables.
const (
	firstGroups = 16      // that memory is made for at first, a power of two
	perGroup    = 2       // places for each group that there is memory for, a power of two
	denseBits   = 16      // of keys that have a slot each in any case
	maxGroups   = 1 << 30 // that memory is made for: 32 bits number them and tell the slots apart
)

// Options of a table.
type Options struct {
	Kinds []kit.Kind // the components of its keys
	// Values are what memory by group begins with, for each new group.
	Values []ir.Value
	// Numbered says that Group and Find are asked for.
	Numbered bool
	// Groups is about how many there will be, an index; 0 if nobody knows. It costs
	// memory and saves time.
	Groups ir.Value
}

// A Table is where the memory of a table is in the program that is built.
type Table struct {
	Options
	shape shape

	rows  ir.Value // memref<?xNxi64>: keys and values, see rows.go
	index ir.Value // memref<?xi32>: of each group its row; if dense of each key its group + 1, or 0
	home  ir.Value // i64: by how much a hash is shifted, or the smallest key
	count ir.Value // index: the number of groups
	// texts are, of each component that is a string, the bytes of all groups and how many
	// they are.
	texts []ir.Value

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
	t.home, t.count = shift, k.Index(0)
	t.allocate(k, groups)
	t.allocateTexts(k)
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

// State lists what a loop carries.
func (t Table) State() []ir.Value {
	return append([]ir.Value{t.rows, t.index, t.home, t.count}, t.texts...)
}

// With is the table with another state.
func (t Table) With(state []ir.Value) Table {
	t.rows, t.index, t.home, t.count, t.texts = state[0], state[1], state[2], state[3], slices.Clone(state[4:])
	return t
}

// Count is the number of groups, an index.
func (t Table) Count() ir.Value { return t.count }

// Value is Values[i] of a group, whose row is given, as it is now.
func (t Table) Value(b *ir.Builder, i int, row ir.Value) ir.Value {
	return t.cell(kit.Kit{Builder: b}, row, t.valuesAt()+i, b.Graph().Type(t.Values[i]))
}

// SetValue sets Values[i] of a group, whose row is given.
func (t Table) SetValue(b *ir.Builder, i int, row, v ir.Value) {
	t.setCell(kit.Kit{Builder: b}, row, t.valuesAt()+i, v)
}

// Group is the number of a group whose row is given. The table is to be Numbered.
func (t Table) Group(b *ir.Builder, row ir.Value) ir.Value {
	if t.shape == dense {
		return row
	}
	return t.cell(kit.Kit{Builder: b}, row, t.numberAt(), ir.Index)
}

// Take is an array of Values[i], one for each group, in memory that alloc makes.
func (t Table) Take(b *ir.Builder, i int, alloc Alloc) ir.Value {
	k, of := kit.Kit{Builder: b}, b.Graph().Type(t.Values[i])
	return t.column(k, of, alloc, func(row ir.Value) ir.Value { return t.cell(k, row, t.valuesAt()+i, of) })
}

// Free frees the memory of the table.
func (t Table) Free(b *ir.Builder) {
	k := kit.Kit{Builder: b}
	k.Free(t.rows, t.index)
	for i := 0; i < len(t.texts); i += 2 {
		k.Free(t.texts[i])
	}
}
