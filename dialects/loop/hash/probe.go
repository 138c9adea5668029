package hash

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// Insert gives the row of a key's group, whether that is new, and the table then. The row of
// a new one holds the key and Values. There has to be room for it: see Reserve.
func (t Table) Insert(b *ir.Builder, key Key) (row, isNew ir.Value, next Table) {
	k := kit.Kit{Builder: b}
	at, content := t.probe(k, key)
	isNew = k.IsZero(content)
	state := k.Results(scf.BuildRareIf(b, isNew, func() []ir.Value {
		more, row := t.add(k, key, at)
		return append(more.grown(), row)
	}, func() []ir.Value {
		row := at
		if t.Keys.shape == dense {
			row = k.Last(content)
		}
		return append(t.grown(), row)
	}))
	t.texts = append([]ir.Value(nil), state[1:len(state)-1]...)
	t.count = state[0]
	if row = at; t.Keys.shape == dense {
		row = state[len(state)-1]
	}
	return row, isNew, t
}

// grown is the part of the state that a new group changes.
func (t Table) grown() []ir.Value { return append([]ir.Value{t.count}, t.texts...) }

// Find gives the group of a key, or -1. The table is to be Numbered.
func (t Table) Find(b *ir.Builder, key Key) ir.Value {
	k := kit.Kit{Builder: b}
	none := func() ir.Value { return k.Index(-1) }
	found := func() ir.Value {
		at, mark := t.probe(k, key)
		if t.Keys.shape == dense {
			return k.Last(mark)
		}
		return k.Where(k.IsZero(mark), none, func() ir.Value { return t.Group(b, at) })
	}
	if !t.ranged() {
		return found()
	}
	return k.Where(k.Is(arith.ULE, t.place(k, key), t.to.zero(k)), found, none)
}

// CanPrefetch reports a table that is not dense.
func (t Table) CanPrefetch() bool { return t.Keys.shape != dense }

// cached is how many bytes of rows are taken to lie in a cache that is fast: to look for a key
// twice costs more there than to wait for it.
const cached = 1 << 18

// PrefetchPays is an i1: there are more rows than a fast cache holds.
func (t Table) PrefetchPays(b *ir.Builder) ir.Value {
	k := kit.Kit{Builder: b}
	return k.Less(k.Index(int64(cached/(8*t.rows.width()))), t.to.last)
}

// Prefetch asks for the row of a key that is soon inserted or found.
func (t Table) Prefetch(b *ir.Builder, key Key) {
	k := kit.Kit{Builder: b}
	c := k.Ctx()
	attr := c.Props([]ir.NamedAttr{
		{Name: "isDataCache", Value: c.BoolAttr(true)},
		{Name: "isWrite", Value: c.BoolAttr(true)},
		{Name: "localityHint", Value: c.IntAttr(3, ir.I32)},
	}, nil)
	k.Must(ir.Call{Def: memref.Prefetch, Attr: attr, Args: []ir.Value{t.rows.mem, t.likely(k, key), k.Index(0)}})
}

// probe finds the row of a key, or the empty one where it belongs, and its mark; in a dense
// table the place of the key, and its group + 1.
func (t *Table) probe(k kit.Kit, x Key) (at, content ir.Value) {
	if t.Keys.shape == dense {
		at = k.Widen(x.word, ir.Index)
		return at, k.Widen(k.Load(t.index, at), ir.Index)
	}
	found := k.Until([]ir.Value{t.place(k, x)}, func(s []ir.Value) (ir.Value, []ir.Value) {
		mark := t.rows.word(k, s[0], 0)
		return t.another(k, x, s[0], mark), []ir.Value{s[0], mark}
	}, func(found []ir.Value) []ir.Value { return []ir.Value{t.to.after(k, found[0])} })
	return found[0], found[1]
}

// another reports a row that holds another key.
func (t *Table) another(k kit.Kit, x Key, row, mark ir.Value) ir.Value {
	differs, taken := k.Is(arith.NE, mark, x.mark), k.Not(k.IsZero(mark))
	if t.Keys.shape != tagged {
		return k.And(differs, taken)
	}
	return k.Where(differs, func() ir.Value { return taken }, func() ir.Value { return k.Not(t.same(k, x, row)) })
}

// place is the row where the search for a key begins.
func (t *Table) place(k kit.Kit, x Key) ir.Value {
	if t.Keys.shape == exact {
		return k.Choose(k.IsZero(x.word), t.to.zero(k), t.likely(k, x))
	}
	return t.likely(k, x)
}

// likely is the place of a key that is not 0; for 0 it may be no row at all.
func (t *Table) likely(k kit.Kit, x Key) ir.Value {
	if t.Keys.shape == exact {
		return t.to.of(k, t.to.hash(k, x.word))
	}
	return t.to.of(k, x.mark)
}
