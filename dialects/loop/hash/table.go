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
	maxGroups   = 1 << 30 // that memory is made for: 32 bits number their rows
)

// DenseBits is how many bits keys have at most that have a slot each in any case.
const DenseBits = 16

// Options of a table.
type Options struct {
	Kinds []kit.Kind // the components of its keys
	// Values are what memory by group begins with, for each new group.
	Values []ir.Value
	// Numbered says that Group and Find are asked for.
	Numbered bool
	// Extra is for how many more groups Reserve allocates; 0 is 1.
	Extra int
	// Range makes what gives the smallest and the largest of all keys there will be, of one
	// integer or index, as i64, and how many rows have them, an index; nil if nobody knows.
	Range func() (low, high, rows ir.Value)
}

// A Table is where the memory of a table is in the program that is built.
type Table struct {
	Options
	Keys Keys

	rows  rows     // keys and values, see rows.go
	index ir.Value // memref<?xi32>: of each group its row; if dense of each key its group + 1, or 0
	count ir.Value // index: the number of groups
	to    places
	// texts are, of each component that is a string, the bytes of all groups and how many
	// they are.
	texts []ir.Value
}

// shape is how keys become places.
type shape int

const (
	exact  shape = iota // the key is one number, which is compared
	tagged              // a hash is compared before the key
	dense               // the key is one number, and its own place
)

// New makes an empty table: a dense one where keys have DenseBits at most.
func New(b *ir.Builder, o Options) Table {
	k := kit.Kit{Builder: b}
	o.Extra = max(o.Extra, 1)
	t := Table{Options: o, Keys: Keys{kinds: o.Kinds, shape: exact}, count: k.Index(0)}
	bits, numbers := t.Keys.width(k)
	switch {
	case !numbers || bits > 64:
		t.Keys.shape = tagged
	case bits <= DenseBits:
		t.Keys.shape = dense
	}
	t.rows = rows{key: t.Keys.words(), numbered: o.Numbered && t.Keys.shape != dense, values: len(o.Values)}
	if t.Keys.shape == dense {
		t.index = k.Zeros(ir.I32, k.Index(1<<bits))
		t.rows.mem = t.rows.alloc(k, k.Index(t.first()))
		return t
	}
	t.to = hashed(k, t.first())
	t.rows.mem, t.index = t.rows.allocEmpty(k, t.to), k.Alloc(ir.I32, k.Index(t.first()))
	t.allocateTexts(k)
	return t
}

// first is for how many groups there is memory at first: for all that are reserved at once.
func (t *Table) first() int64 {
	n := int64(firstGroups)
	for n < int64(t.Extra) {
		n *= 2
	}
	return n
}

// ranged says that the range of keys decides on the places once there are many groups.
func (t *Table) ranged() bool { return t.Keys.shape == exact && t.Range != nil && len(t.Kinds) == 1 }

// State lists what a loop carries.
func (t Table) State() []ir.Value {
	out := []ir.Value{t.rows.mem, t.index, t.count}
	if t.Keys.shape != dense {
		out = append(out, t.to.state(&t)...)
	}
	return append(out, t.texts...)
}

// With is the table with another state.
func (t Table) With(state []ir.Value) Table {
	t.rows.mem, t.index, t.count, state = state[0], state[1], state[2], state[3:]
	if t.Keys.shape != dense {
		state = t.to.set(&t, state)
	}
	t.texts = slices.Clone(state)
	return t
}

// Count is the number of groups, an index.
func (t Table) Count() ir.Value { return t.count }

// Value is Values[i] of a group, whose row is given, as it is now.
func (t Table) Value(b *ir.Builder, i int, row ir.Value) ir.Value {
	return t.rows.cell(kit.Kit{Builder: b}, row, t.rows.valuesAt()+i, b.Graph().Type(t.Values[i]))
}

// SetValue sets Values[i] of a group, whose row is given.
func (t Table) SetValue(b *ir.Builder, i int, row, v ir.Value) {
	t.rows.setCell(kit.Kit{Builder: b}, row, t.rows.valuesAt()+i, v)
}

// Group is the number of a group whose row is given. The table is to be Numbered.
func (t Table) Group(b *ir.Builder, row ir.Value) ir.Value {
	if t.Keys.shape == dense {
		return row
	}
	return t.rows.cell(kit.Kit{Builder: b}, row, t.rows.numberAt(), ir.Index)
}

// Free frees the memory of the table.
func (t Table) Free(b *ir.Builder) {
	k := kit.Kit{Builder: b}
	k.Free(t.rows.mem, t.index)
	for i := 0; i < len(t.texts); i += 2 {
		k.Free(t.texts[i])
	}
}
