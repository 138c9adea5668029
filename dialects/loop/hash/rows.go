package hash

import (
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// What a group has lies in a row of words of 64 bits, at the place where its key is looked
// for: so a group that is not in a cache costs one line of it, and the check of one index is
// that of all. A row has
//
//   - a mark, which is 0 in an empty row: the key that is one number, or the hash of another;
//   - of a key that is not one number each component: the number, or of a string textWords;
//   - the number of the group, if Numbered;
//   - Values.
//
// A dense table has rows by group, and the mark is the key in any case. A key that is 0 is
// marked by 1, in a row of its own behind those that others may have.

// keyWords is how many words the key has, with its mark.
func (t *Table) keyWords() int {
	n := 1
	if t.shape == tagged {
		for _, kind := range t.Kinds {
			n += words(kind)
		}
	}
	return n
}

// words is how many words a component has in a row.
func words(kind kit.Kind) int {
	if kind.IsString() {
		return textWords
	}
	return 1
}

// numberAt is where the number of the group is.
func (t *Table) numberAt() int { return t.keyWords() }

// valuesAt is where Values begin.
func (t *Table) valuesAt() int {
	if t.Numbered && t.shape != dense {
		return t.keyWords() + 1
	}
	return t.keyWords()
}

// rowWords is how many words a row has.
func (t *Table) rowWords() int { return t.valuesAt() + len(t.Values) }

// lineBytes is the size of a line of a cache: rows of a size that divides it are in one each.
const lineBytes = 64

// newRows is memory for n rows.
func (t *Table) newRows(k kit.Kit, n ir.Value) ir.Value {
	return memref.BuildAlloc(k.Builder, k.Ctx().MemRef([]int64{ir.Dynamic, int64(t.rowWords())}, ir.I64), lineBytes, n)
}

// emptyRows is memory for empty rows: the places, and that of the key 0.
func (t *Table) emptyRows(k kit.Kit, to places) ir.Value {
	n := k.Next(to.zero(k))
	rows, zero := t.newRows(k, n), k.Int(ir.I64, 0)
	k.Each(k.Index(0), n, func(row ir.Value) {
		for j := range t.rowWords() {
			k.Op(memref.Store, zero, rows, row, k.Index(int64(j)))
		}
	})
	return rows
}

// copyRow copies all words of a row.
func (t *Table) copyRow(k kit.Kit, from, row, to, at ir.Value) {
	k.Op(memref.Copy, t.wordsOf(k, from, row), t.wordsOf(k, to, at))
}

// wordsOf is a row as an array of its words.
func (t *Table) wordsOf(k kit.Kit, rows, row ir.Value) ir.Value {
	c, n := k.Ctx(), int64(t.rowWords())
	attr := c.Props([]ir.NamedAttr{
		{Name: "operandSegmentSizes", Value: c.DenseArray(ir.I32, 1, 1, 0, 0)},
		{Name: "static_offsets", Value: c.DenseArray(ir.I64, ir.Dynamic, 0)},
		{Name: "static_sizes", Value: c.DenseArray(ir.I64, 1, n)},
		{Name: "static_strides", Value: c.DenseArray(ir.I64, 1, 1)},
	}, nil)
	words := c.Type(ir.TypeInfo{Kind: ir.KindMemRef, Shape: []int64{n}, Elem: ir.I64, Layout: c.Attr(ir.AttrInfo{Kind: ir.AttrStrided, Shape: []int64{1}, Int: ir.Dynamic})})
	return k.Must(ir.Call{Def: memref.Subview, Attr: attr, Args: []ir.Value{rows, row}, Type: words})
}

// word is word j of a row, and setWord sets it.
func (t *Table) word(k kit.Kit, row ir.Value, j int) ir.Value {
	return k.Op(memref.Load, t.rows, row, k.Index(int64(j)))
}

func (t *Table) setWord(k kit.Kit, row ir.Value, j int, x ir.Value) {
	k.Op(memref.Store, x, t.rows, row, k.Index(int64(j)))
}

// cell is word j of a row, as a number of a type.
func (t *Table) cell(k kit.Kit, row ir.Value, j int, of ir.Type) ir.Value {
	word := t.word(k, row, j)
	if info := k.Ctx().Info(of); info.Kind == ir.KindFloat {
		word = k.Widen(word, k.Ctx().Int(info.Width))
	}
	return k.FromBits(word, of)
}

func (t *Table) setCell(k kit.Kit, row ir.Value, j int, v ir.Value) {
	t.setWord(k, row, j, k.Widen(k.Bits(v), ir.I64))
}

// row is that of a group.
func (t *Table) row(k kit.Kit, group ir.Value) ir.Value {
	if t.shape == dense {
		return group
	}
	return k.Widen(k.Load(t.index, group), ir.Index)
}
