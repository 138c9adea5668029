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

// rows are the memory of groups, and where in each row of it things are.
type rows struct {
	mem      ir.Value // memref<?xNxi64>
	key      int      // words of the key, with its mark
	numbered bool     // there is a word for the number of the group
	values   int      // how many there are
}

// words is how many words a key has in a row, with its mark.
func (ks *Keys) words() int {
	n := 1
	if ks.shape == tagged {
		for _, kind := range ks.kinds {
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
func (r rows) numberAt() int { return r.key }

// valuesAt is where Values begin.
func (r rows) valuesAt() int {
	if r.numbered {
		return r.key + 1
	}
	return r.key
}

// width is how many words a row has.
func (r rows) width() int { return r.valuesAt() + r.values }

// lineBytes is the size of a line of a cache: rows of a size that divides it are in one each.
const lineBytes = 64

// alloc is memory for n rows.
func (r rows) alloc(k kit.Kit, n ir.Value) ir.Value {
	return memref.BuildAlloc(k.Builder, k.Ctx().MemRef([]int64{ir.Dynamic, int64(r.width())}, ir.I64), lineBytes, n)
}

// allocEmpty is memory for empty rows: the places, and that of the key 0.
func (r rows) allocEmpty(k kit.Kit, to places) ir.Value {
	n := k.Next(to.zero(k))
	mem, zero := r.alloc(k, n), k.Int(ir.I64, 0)
	k.Each(k.Index(0), n, func(row ir.Value) {
		for j := range r.width() {
			k.Op(memref.Store, zero, mem, row, k.Index(int64(j)))
		}
	})
	return mem
}

// copy copies all words of a row.
func (r rows) copy(k kit.Kit, from, row, to, at ir.Value) {
	k.Op(memref.Copy, r.wordsOf(k, from, row), r.wordsOf(k, to, at))
}

// wordsOf is a row as an array of its words.
func (r rows) wordsOf(k kit.Kit, rows, row ir.Value) ir.Value {
	c, n := k.Ctx(), int64(r.width())
	attr := c.Props([]ir.NamedAttr{
		{Name: "operandSegmentSizes", Value: c.DenseArray(ir.I32, 1, 1, 0, 0)},
		{Name: "static_offsets", Value: c.DenseArray(ir.I64, ir.Dynamic, 0)},
		{Name: "static_sizes", Value: c.DenseArray(ir.I64, 1, n)},
		{Name: "static_strides", Value: c.DenseArray(ir.I64, 1, 1)},
	}, nil)
	words := c.Type(ir.TypeInfo{Kind: ir.KindMemRef, Shape: []int64{n}, Elem: ir.I64, Layout: c.Attr(ir.AttrInfo{Kind: ir.AttrStrided, Shape: []int64{1}, Int: ir.Dynamic})})
	return k.Must(ir.Call{Def: memref.Subview, Attr: attr, Args: []ir.Value{rows, row}, Type: words})
}

// word is word j of a row, and set sets it.
func (r rows) word(k kit.Kit, row ir.Value, j int) ir.Value {
	return k.Op(memref.Load, r.mem, row, k.Index(int64(j)))
}

func (r rows) set(k kit.Kit, row ir.Value, j int, x ir.Value) {
	k.Op(memref.Store, x, r.mem, row, k.Index(int64(j)))
}

// cell is word j of a row, as a number of a type.
func (r rows) cell(k kit.Kit, row ir.Value, j int, of ir.Type) ir.Value {
	word := r.word(k, row, j)
	if info := k.Ctx().Info(of); info.Kind == ir.KindFloat {
		word = k.Widen(word, k.Ctx().Int(info.Width))
	}
	return k.FromBits(word, of)
}

func (r rows) setCell(k kit.Kit, row ir.Value, j int, v ir.Value) {
	r.set(k, row, j, k.Widen(k.Bits(v), ir.I64))
}

// row is that of a group.
func (t *Table) row(k kit.Kit, group ir.Value) ir.Value {
	if t.Keys.shape == dense {
		return group
	}
	return k.Widen(k.Load(t.index, group), ir.Index)
}
