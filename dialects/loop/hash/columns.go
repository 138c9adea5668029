package hash

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
)

// Alloc makes memory for n elements of a type.
type Alloc func(elem ir.Type, n ir.Value) ir.Value

// A column is an array with an element for each group, made of its row.
type column struct {
	of      ir.Type
	element func(row ir.Value) ir.Value
}

// Columns are the arrays of each component of the keys, by group, in memory that alloc makes: of
// strings two, where each begins and the last ends, and the bytes; and those of Values. One
// loop makes all, since the rows of groups lie anywhere.
func (t Table) Columns(b *ir.Builder, alloc Alloc) (keys, values []ir.Value) {
	k := kit.Kit{Builder: b}
	cols := t.keyColumns(k)
	for i, v := range t.Values {
		of := b.Graph().Type(v)
		cols = append(cols, column{of, func(row ir.Value) ir.Value { return t.rows.cell(k, row, t.rows.valuesAt()+i, of) }})
	}
	out := make([]ir.Value, len(cols))
	at := 0
	for _, kind := range t.Kinds {
		n := t.count
		if kind.IsString() {
			n = k.Next(n)
		}
		out[at] = alloc(cols[at].of, n)
		at++
	}
	for i := at; i < len(cols); i++ {
		out[i] = alloc(cols[i].of, t.count)
	}
	k.Each(k.Index(0), t.count, func(g ir.Value) {
		row := t.row(k, g)
		for i, c := range cols {
			k.Store(c.element(row), out[i], g)
		}
	})
	for i, kind := range t.Kinds {
		keys = append(keys, out[i])
		if kind.IsString() {
			bytes, used := t.texts[t.textAt(i)], t.texts[t.textAt(i)+1]
			k.Store(used, out[i], t.count)
			all := alloc(ir.I8, used)
			k.CopyBytes(bytes, k.Index(0), all, k.Index(0), used)
			keys = append(keys, all)
		}
	}
	return keys, out[at:]
}

// keyColumns are the components of the keys; of strings where they begin.
func (t *Table) keyColumns(k kit.Kit) (out []column) {
	if t.Keys.shape != tagged {
		return t.unpacked(k)
	}
	at := 1
	for _, kind := range t.Kinds {
		of, word := kind.Type(), at
		if kind.IsString() {
			of, word = ir.Index, at+2
		}
		out = append(out, column{of, func(row ir.Value) ir.Value { return t.rows.cell(k, row, word, of) }})
		at += words(kind)
	}
	return out
}

// unpacked are components that are in one number.
func (t *Table) unpacked(k kit.Kit) (out []column) {
	at := 0
	for _, kind := range t.Kinds {
		shift := k.Int(ir.I64, int64(at))
		out = append(out, column{kind.Type(), func(row ir.Value) ir.Value {
			word := t.rows.word(k, row, 0)
			if t.Keys.shape == exact {
				word = k.Choose(k.Is(arith.EQ, row, t.to.zero(k)), k.Int(ir.I64, 0), word)
			}
			return k.FromBits(k.Widen(k.Shr(word, shift), k.Ctx().Int(kind.Bits(k.Ctx()))), kind.Type())
		}})
		at += kind.Bits(k.Ctx())
	}
	return out
}
