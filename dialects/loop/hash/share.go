package hash

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
)

// Several tables, each of its own keys or of its own rows, are made at once, one on each core, and then are one: their rows
// are copied to memory that all of them share.

// Classes is how many classes of keys there are, by the upper half of Hash16: 0 is that of no key.
const Classes = 256

// classFactor is 2^64 by the square root of 3, made odd.
const classFactor = -0x6c32c5d37e671d97

// Hash16 is a number that is the same for equal keys, an i16 of Classes or more. It has little to do with the places of a table, so
// that the keys of some classes are spread over all of one.
func (ks *Keys) Hash16(b *ir.Builder, vals []ir.Value) ir.Value {
	k := kit.Kit{Builder: b}
	x := ks.parts(k, vals)
	hash := k.Int(ir.I64, 0)
	if ks.shape != tagged {
		hash = ks.one(k, x.parts)
	} else {
		for i, kind := range ks.kinds {
			p := x.parts[i]
			if !kind.IsString() {
				hash = mix(k, k.Xor(hash, k.Widen(k.Bits(p[0]), ir.I64)))
				continue
			}
			ends := ks.reader.Ends(k, p)
			hash = mix(k, k.Xor(k.Xor(hash, k.Widen(p[2], ir.I64)), ends[0]))
			hash = mix(k, k.Xor(hash, ends[1]))
		}
	}
	top := k.Shr(k.Mul(hash, k.Int(ir.I64, classFactor)), k.Int(ir.I64, 48))
	return k.Widen(k.Max(top, k.Int(ir.I64, Classes)), ir.I16)
}

// Elsewhere is the table where another core looks at keys: it reads strings by memory of its own.
func (t Table) Elsewhere(b *ir.Builder) Table {
	if len(t.texts) > 0 {
		t.Keys.reader = kit.Kit{Builder: b}.NewReader()
	}
	return t
}

// Slots is how many places have to be made for a table with a slot for each key, and 0 of other tables.
func (t Table) Slots(c *ir.Context) int {
	if t.Keys.shape != dense {
		return 0
	}
	bits := 0
	for _, kind := range t.Kinds {
		bits += kind.Bits(c)
	}
	return 1 << bits
}

// Capacity is for how many groups there is memory.
func (t Table) Capacity(b *ir.Builder) ir.Value { return t.capacity(kit.Kit{Builder: b}) }

// Rows is memory for n rows, and CopyRow copies one of a group there. The table that rows are copied from may have more Values,
// behind those of this one.
func (t Table) Rows(b *ir.Builder, n ir.Value) ir.Value { return t.rows.alloc(kit.Kit{Builder: b}, n) }

// CopyRow copies a row of another table.
func (t Table) CopyRow(b *ir.Builder, from Table, row, rows, at ir.Value) {
	t.rows.copy(kit.Kit{Builder: b}, from.rows.mem, row, rows, at)
}

// EachRow visits the groups of a table and the rows where they are.
func (t Table) EachRow(b *ir.Builder, inits []ir.Value, visit func(group, row ir.Value, carried []ir.Value) []ir.Value) []ir.Value {
	k := kit.Kit{Builder: b}
	return k.For(k.Index(0), t.count, inits, func(g ir.Value, s []ir.Value) []ir.Value { return visit(g, t.row(k, g), s) })
}

// IsZeroKey is an i1: a row is that of the key 0, which has a place of its own. (Where keys are no numbers, none is.)
func (t Table) IsZeroKey(b *ir.Builder, row ir.Value) ir.Value {
	k := kit.Kit{Builder: b}
	if t.Keys.shape != exact {
		return arith.ConstBool(b, false)
	}
	return k.Is(arith.EQ, row, t.to.zero(k))
}

// Placed is a table for Columns alone whose groups are in given rows, as CopyRow made them; index says in which, i32. The key 0 is
// in row zero, or in none if that is -1. Strings are those that SetTexts has set. The memory of t is freed.
func (t Table) Placed(b *ir.Builder, rows, index, count, zero ir.Value) Table {
	k := kit.Kit{Builder: b}
	k.Free(t.rows.mem, t.index)
	t.rows.mem, t.index, t.count = rows, index, count
	t.to.last = k.Last(zero)
	return t
}

// HasTexts reports strings in keys.
func (t Table) HasTexts() bool { return len(t.texts) > 0 }

// SetTexts adds the strings of a key, whose group is in a row, to those of the table.
func (t Table) SetTexts(b *ir.Builder, vals []ir.Value, row ir.Value) Table {
	k := kit.Kit{Builder: b}
	t.texts = append([]ir.Value(nil), t.texts...)
	at, x := 1, t.Keys.parts(k, vals)
	for i, kind := range t.Kinds {
		if p := x.parts[i]; kind.IsString() {
			t.setText(k, row, at, i, append(p[:3:3], t.Keys.reader.Ends(k, p)...))
		}
		at += words(kind)
	}
	return t
}

// RowOf is the row of a group.
func (t Table) RowOf(b *ir.Builder, group ir.Value) ir.Value {
	return t.row(kit.Kit{Builder: b}, group)
}

// In is the table with other rows, whose Value is asked for.
func (t Table) In(rows ir.Value) Table {
	t.rows.mem = rows
	return t
}
