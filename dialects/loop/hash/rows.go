package hash

import (
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// What a group has lies in a row of words of 64 bits: its key, or of each component the number
// or where the string begins, and Values. So a group that is not in a cache costs one line of
// it, and the check of one index is that of all.

// Alloc makes memory for n elements of a type.
type Alloc func(elem ir.Type, n ir.Value) ir.Value

func (t *Table) rowsType(k kit.Kit) ir.Type {
	return k.Ctx().MemRef([]int64{ir.Dynamic, int64(len(t.columns(k)) + len(t.Values))}, ir.I64)
}

func (t *Table) allocateRows(k kit.Kit, n ir.Value) ir.Value {
	return k.Must(ir.Call{Def: memref.Alloc, Args: []ir.Value{n}, Type: t.rowsType(k)})
}

// moreRows is memory for n rows with what there was.
func (t *Table) moreRows(k kit.Kit, n ir.Value) ir.Value {
	more := t.allocateRows(k, n)
	width := len(t.columns(k)) + len(t.Values)
	k.Each(k.Index(0), k.Len(t.rows), func(i ir.Value) {
		for j := range width {
			k.Op(memref.Store, k.Op(memref.Load, t.rows, i, k.Index(int64(j))), more, i, k.Index(int64(j)))
		}
	})
	k.Free(t.rows)
	return more
}

// cell is word j of a group, as a number of a type.
func (t *Table) cell(k kit.Kit, group ir.Value, j int, of ir.Type) ir.Value {
	word := k.Op(memref.Load, t.rows, group, k.Index(int64(j)))
	if info := k.Ctx().Info(of); info.Kind == ir.KindFloat {
		word = k.Widen(word, k.Ctx().Int(info.Width))
	}
	return k.FromBits(word, of)
}

func (t *Table) setCell(k kit.Kit, group ir.Value, j int, v ir.Value) {
	k.Op(memref.Store, k.Widen(k.Bits(v), ir.I64), t.rows, group, k.Index(int64(j)))
}

// column is word j of the first n rows as an array.
func (t *Table) column(k kit.Kit, j int, of ir.Type, n ir.Value, alloc Alloc) ir.Value {
	out := alloc(of, n)
	k.Each(k.Index(0), n, func(g ir.Value) { k.Store(t.cell(k, g, j, of), out, g) })
	return out
}
