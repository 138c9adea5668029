package hash

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
)

// Insert gives the group of a key, whether it is new, and the table then. The memory by
// group of a new one holds the key and Values. What use makes, if it is not nil, is done
// with the group and the table: it is made twice, for a group that was found and for a
// new one, and where it was found no check of its bounds is left.
func (t Table) Insert(b *ir.Builder, vals []ir.Value, use func(t Table, group ir.Value)) (group, isNew ir.Value, next Table) {
	k := kit.Kit{Builder: b}
	x := t.key(k, vals)
	at, content := t.probe(k, x)
	isNew = k.IsZero(content)
	found := k.Last(t.groupOf(k, content))
	if use == nil {
		use = func(Table, ir.Value) {}
	}
	state := k.If(isNew, func() []ir.Value {
		more := t.add(k, x, at)
		use(more, t.count)
		return more.State()
	}, func() []ir.Value {
		use(t, found)
		return t.State()
	})
	return k.Choose(isNew, t.count, found), isNew, t.With(state)
}

// Find gives the group of a key, or -1.
func (t Table) Find(b *ir.Builder, vals []ir.Value) ir.Value {
	k := kit.Kit{Builder: b}
	x := t.key(k, vals)
	look := func() ir.Value {
		_, content := t.probe(k, x)
		return k.Last(t.groupOf(k, content))
	}
	if t.shape != dense {
		return look()
	}
	at := k.Sub(x.word, t.home)
	inside := k.Is(arith.ULT, at, k.Widen(k.Len(t.slots), ir.I64))
	return k.Where(inside, look, func() ir.Value { return k.Index(-1) })
}

// groupOf is the group that a slot holds, from 1; 0 if that is empty.
func (t *Table) groupOf(k kit.Kit, content ir.Value) ir.Value {
	if t.shape == tagged {
		content = k.And(content, k.Int(ir.I64, 1<<32-1))
	}
	return k.Widen(content, ir.Index)
}

// probe finds the slot of a key, or the empty one where it belongs, and what it holds.
func (t *Table) probe(k kit.Kit, x key) (at, content ir.Value) {
	if t.shape == dense {
		at = k.Widen(k.Sub(x.word, t.home), ir.Index)
		return at, k.Load(t.slots, at)
	}
	found := k.Until([]ir.Value{t.place(k, x.hash)}, func(s []ir.Value) (ir.Value, []ir.Value) {
		content := k.Load(t.slots, s[0])
		return t.another(k, x, content), []ir.Value{s[0], content}
	}, func(found []ir.Value) []ir.Value { return []ir.Value{t.after(k, found[0])} })
	return found[0], found[1]
}

// another reports a slot that holds another key.
func (t *Table) another(k kit.Kit, x key, content ir.Value) ir.Value {
	no, yes := arith.ConstBool(k.Builder, false), arith.ConstBool(k.Builder, true)
	compare := func() ir.Value { return k.Not(t.same(k, x, k.Last(t.groupOf(k, content)))) }
	return k.Where(k.IsZero(content), func() ir.Value { return no }, func() ir.Value {
		if t.shape != tagged {
			return compare()
		}
		half := k.Shr(k.Xor(content, x.hash), k.Int(ir.I64, 32))
		return k.Where(k.IsZero(half), compare, func() ir.Value { return yes })
	})
}

// place is the slot where the search for a hash begins.
func (t *Table) place(k kit.Kit, hash ir.Value) ir.Value {
	return k.Widen(k.Shr(hash, t.home), ir.Index)
}

// after is the slot behind one, the first behind the last.
func (t *Table) after(k kit.Kit, at ir.Value) ir.Value {
	return k.And(k.Next(at), k.Last(k.Len(t.slots)))
}
