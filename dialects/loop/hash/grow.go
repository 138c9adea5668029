package hash

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
)

// add makes a key the next group, in an empty row, and gives that.
func (t Table) add(k kit.Kit, x key, at ir.Value) (Table, ir.Value) {
	full := k.Is(arith.UGE, t.count, t.room(k))
	state := k.If(full, func() []ir.Value {
		grown, at := t.grow(k, x, at)
		return append(grown.State(), at)
	}, func() []ir.Value { return append(t.State(), at) })
	t, at = t.With(state[:len(state)-1]), state[len(state)-1]
	row := at
	if t.shape == dense {
		row = t.count
		k.Store(k.Widen(k.Next(t.count), ir.I32), t.index, at)
	} else {
		k.Store(k.Widen(at, ir.I32), t.index, t.count)
	}
	t.setWord(k, row, 0, x.mark)
	if t.shape == tagged {
		t.setKey(k, x, row)
	}
	if t.valuesAt() > t.keyWords() {
		t.setCell(k, row, t.numberAt(), t.count)
	}
	for i, v := range t.Values {
		t.SetValue(k.Builder, i, row, v)
	}
	t.count = k.Next(t.count)
	return t, row
}

// room is for how many groups there is memory.
func (t *Table) room(k kit.Kit) ir.Value {
	if t.shape == dense {
		return k.Len(t.rows)
	}
	return k.Len(t.index)
}

// grow makes twice as much memory, and finds the empty row of a key in it. Of more than
// maxGroups it makes none: the allocation of less than nothing traps.
func (t Table) grow(k kit.Kit, x key, at ir.Value) (Table, ir.Value) {
	t = t.With(t.State()) // lists of its own
	groups := k.Mul(t.count, k.Index(2))
	groups = k.Choose(k.Is(arith.SGT, groups, k.Index(maxGroups)), k.Index(-1), groups)
	old := t
	if t.shape == dense {
		t.rows = t.newRows(k, groups)
		k.Each(k.Index(0), t.count, func(g ir.Value) { t.copyRow(k, old.rows, g, t.rows, g) })
		k.Free(old.rows)
		return t, at
	}
	t.home = k.Last(t.home)
	t.allocate(k, groups)
	k.Each(k.Index(0), t.count, func(g ir.Value) {
		from := old.row(k, g)
		mark := old.word(k, from, 0)
		to := t.placeOf(k, t.hashOf(k, mark))
		if t.shape == exact {
			to = k.Choose(k.Is(arith.EQ, from, old.zeroRow(k)), t.zeroRow(k), to)
		}
		to = t.empty(k, to)
		t.copyRow(k, old.rows, from, t.rows, to)
		k.Store(k.Widen(to, ir.I32), t.index, g)
	})
	k.Free(old.rows, old.index)
	return t, t.empty(k, t.place(k, x))
}

// hashOf is what gives the place of a mark.
func (t *Table) hashOf(k kit.Kit, mark ir.Value) ir.Value {
	if t.shape == tagged {
		return mark
	}
	return mix(k, mark)
}

// empty is the first empty row from one on.
func (t *Table) empty(k kit.Kit, at ir.Value) ir.Value {
	return k.While([]ir.Value{at}, func(s []ir.Value) ir.Value {
		return k.Not(k.IsZero(t.word(k, s[0], 0)))
	}, func(s []ir.Value) []ir.Value { return []ir.Value{t.after(k, s[0])} })[0]
}
