package hash

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// Insert gives the row of a key's group, whether that is new, and the table then. The row of
// a new one holds the key and Values. What use makes, if it is not nil, is done with the row
// and the table: it is made twice, for a group that was found and for a new one, and where it
// was found no check of its bounds is left.
func (t Table) Insert(b *ir.Builder, vals []ir.Value, use func(t Table, row ir.Value)) (row, isNew ir.Value, next Table) {
	k := kit.Kit{Builder: b}
	x := t.key(k, vals)
	at, content := t.probe(k, x)
	isNew = k.IsZero(content)
	if use == nil {
		use = func(Table, ir.Value) {}
	}
	state := k.If(isNew, func() []ir.Value {
		more, row := t.add(k, x, at)
		use(more, row)
		return append(more.State(), row)
	}, func() []ir.Value {
		row := at
		if t.shape == dense {
			row = k.Last(content)
		}
		use(t, row)
		return append(t.State(), row)
	})
	last := len(state) - 1
	return state[last], isNew, t.With(state[:last])
}

// Find gives the group of a key, or -1. The table is to be Numbered.
func (t Table) Find(b *ir.Builder, vals []ir.Value) ir.Value {
	k := kit.Kit{Builder: b}
	x := t.key(k, vals)
	none := func() ir.Value { return k.Index(-1) }
	if t.shape != dense {
		at, mark := t.probe(k, x)
		return k.Where(k.IsZero(mark), none, func() ir.Value { return t.Group(b, at) })
	}
	at := k.Sub(x.word, t.home)
	inside := k.Is(arith.ULT, at, k.Widen(k.Len(t.index), ir.I64))
	return k.Where(inside, func() ir.Value {
		_, content := t.probe(k, x)
		return k.Last(content)
	}, none)
}

// CanPrefetch reports a table that is not dense.
func (t Table) CanPrefetch() bool { return t.shape != dense }

// cached is how many bytes of rows are taken to lie in a cache that is fast: to look for a key
// twice costs more there than to wait for it.
const cached = 1 << 18

// PrefetchPays is an i1: there are more rows than a fast cache holds.
func (t Table) PrefetchPays(b *ir.Builder) ir.Value {
	k := kit.Kit{Builder: b}
	return k.Less(t.home, k.Int(ir.I64, shiftFor(cached/(8*t.rowWords()))))
}

// Prefetch asks for the row of a key that is soon inserted or found.
func (t Table) Prefetch(b *ir.Builder, vals []ir.Value) {
	k := kit.Kit{Builder: b}
	c := k.Ctx()
	attr := c.Props([]ir.NamedAttr{
		{Name: "isDataCache", Value: c.BoolAttr(true)},
		{Name: "isWrite", Value: c.BoolAttr(true)},
		{Name: "localityHint", Value: c.IntAttr(3, ir.I32)},
	}, nil)
	k.Must(ir.Call{Def: memref.Prefetch, Attr: attr, Args: []ir.Value{t.rows, t.place(k, t.key(k, vals)), k.Index(0)}})
}

// probe finds the row of a key, or the empty one where it belongs, and its mark; in a dense
// table the place of the key, and its group + 1.
func (t *Table) probe(k kit.Kit, x key) (at, content ir.Value) {
	if t.shape == dense {
		at = k.Widen(k.Sub(x.word, t.home), ir.Index)
		return at, k.Widen(k.Load(t.index, at), ir.Index)
	}
	found := k.Until([]ir.Value{t.place(k, x)}, func(s []ir.Value) (ir.Value, []ir.Value) {
		mark := t.word(k, s[0], 0)
		return t.another(k, x, s[0], mark), []ir.Value{s[0], mark}
	}, func(found []ir.Value) []ir.Value { return []ir.Value{t.after(k, found[0])} })
	return found[0], found[1]
}

// another reports a row that holds another key.
func (t *Table) another(k kit.Kit, x key, row, mark ir.Value) ir.Value {
	differs, taken := k.Is(arith.NE, mark, x.mark), k.Not(k.IsZero(mark))
	if t.shape != tagged {
		return k.And(differs, taken)
	}
	return k.Where(differs, func() ir.Value { return taken }, func() ir.Value { return k.Not(t.same(k, x, row)) })
}

// place is the row where the search for a key begins.
func (t *Table) place(k kit.Kit, x key) ir.Value {
	at := t.placeOf(k, x.hash)
	if t.shape == exact {
		at = k.Choose(k.IsZero(x.word), t.zeroRow(k), at)
	}
	return at
}

// placeOf is the row where the search for a hash begins.
func (t *Table) placeOf(k kit.Kit, hash ir.Value) ir.Value {
	return k.Widen(k.Shr(hash, t.home), ir.Index)
}

// zeroRow is the row of the key 0: the one behind those that a hash may give.
func (t *Table) zeroRow(k kit.Kit) ir.Value { return k.Next(t.mask(k)) }

// mask is the last row that a hash may give.
func (t *Table) mask(k kit.Kit) ir.Value { return t.placeOf(k, k.Int(ir.I64, -1)) }

// after is the row behind one, the first behind the last.
func (t *Table) after(k kit.Kit, at ir.Value) ir.Value { return k.And(k.Next(at), t.mask(k)) }
