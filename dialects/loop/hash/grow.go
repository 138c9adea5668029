package hash

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// Reserve is the table with room for as many more groups as the options say.
func (t Table) Reserve(b *ir.Builder) Table {
	k := kit.Kit{Builder: b}
	full := k.Less(t.capacity(k), k.Add(t.count, k.Index(int64(t.Extra))))
	return t.With(k.Results(scf.BuildRareIf(b, full, func() []ir.Value { return t.grow(k).State() }, t.State)))
}

// capacity is for how many groups there is memory.
func (t *Table) capacity(k kit.Kit) ir.Value {
	if t.Keys.shape == dense {
		return k.Len(t.rows.mem)
	}
	return k.Len(t.index)
}

// add makes a key the next group, in an empty row, and gives that.
func (t Table) add(k kit.Kit, x Key, at ir.Value) (Table, ir.Value) {
	t.texts = append([]ir.Value(nil), t.texts...)
	row := at
	if t.Keys.shape == dense {
		row = t.count
		k.Store(k.Widen(k.Next(t.count), ir.I32), t.index, at)
	} else {
		k.Store(k.Widen(at, ir.I32), t.index, t.count)
	}
	t.rows.set(k, row, 0, x.mark)
	if t.Keys.shape == tagged {
		t.setKey(k, x, row)
	}
	if t.rows.valuesAt() > t.Keys.words() {
		t.rows.setCell(k, row, t.rows.numberAt(), t.count)
	}
	for i, v := range t.Values {
		t.SetValue(k.Builder, i, row, v)
	}
	t.count = k.Next(t.count)
	return t, row
}

// grow doubles the memory, or takes a row for each key. Of more than maxGroups it makes none:
// the allocation of less than nothing traps.
func (t Table) grow(k kit.Kit) Table {
	room := t.capacity(k)
	groups := k.Add(room, room)
	groups = k.Choose(k.Is(arith.SGT, groups, k.Index(maxGroups)), k.Index(-1), groups)
	old := t
	if t.Keys.shape == dense {
		t.rows.mem = t.rows.alloc(k, groups)
		k.Each(k.Index(0), t.count, func(g ir.Value) { t.rows.copy(k, old.rows.mem, g, t.rows.mem, g) })
		k.Free(old.rows.mem)
		return t
	}
	t.to = t.to.doubled(k)
	if t.ranged() {
		groups = t.widen(k, room, groups)
	}
	t.rows.mem, t.index = t.rows.allocEmpty(k, t.to), k.Resize(t.index, groups)
	k.Each(k.Index(0), t.count, func(g ir.Value) {
		from := t.row(k, g)
		mark := old.rows.word(k, from, 0)
		at := t.to.of(k, mark)
		if t.Keys.shape == exact {
			at = k.Choose(k.Is(arith.EQ, from, old.to.zero(k)), t.to.zero(k), t.to.of(k, t.to.hash(k, mark)))
		}
		at = t.empty(k, at)
		t.rows.copy(k, old.rows.mem, from, t.rows.mem, at)
		k.Store(k.Widen(at, ir.I32), t.index, g)
	})
	k.Free(old.rows.mem)
	return t
}

// widen decides at manyGroups on a row for each key, and gives for how many groups there is to
// be memory.
func (t *Table) widen(k kit.Kit, room, groups ir.Value) ir.Value {
	is := append(t.to.state(t), groups)
	is = k.If(k.Is(arith.EQ, room, k.Index(manyGroups)), func() []ir.Value {
		p, all, pays := t.onePerKey(k)
		out := append(p.state(t), all)
		for i, v := range out {
			out[i] = k.Choose(pays, v, is[i])
		}
		return out
	}, func() []ir.Value { return is })
	return t.to.set(t, is)[0]
}

// empty is the first empty row from one on.
func (t *Table) empty(k kit.Kit, at ir.Value) ir.Value {
	return k.While([]ir.Value{at}, func(s []ir.Value) ir.Value {
		return k.Not(k.IsZero(t.rows.word(k, s[0], 0)))
	}, func(s []ir.Value) []ir.Value { return []ir.Value{t.to.after(k, s[0])} })[0]
}
