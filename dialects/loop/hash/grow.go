package hash

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
)

// add makes a key the next group, in an empty slot.
func (t Table) add(k kit.Kit, x key, at ir.Value) Table {
	full := k.Is(arith.UGE, t.count, t.groups(k))
	state := k.If(full, func() []ir.Value {
		grown, at := t.grow(k, x, at)
		return append(grown.State(), at)
	}, func() []ir.Value { return append(t.State(), at) })
	t, at = t.With(state[:len(state)-1]), state[len(state)-1]
	texts := 0
	for i, p := range x.parts {
		if len(p) == 1 {
			t.setCell(k, t.count, i, p[0])
		} else {
			t.append(k, i, texts, p)
			texts++
		}
	}
	for i, v := range t.Values {
		t.SetValue(k.Builder, i, t.count, v)
	}
	t.count = k.Next(t.count)
	k.Store(t.content(k, x.hash, t.count), t.slots, at)
	return t
}

// content is what a slot holds of a group, from 1, and its hash.
func (t *Table) content(k kit.Kit, hash, number ir.Value) ir.Value {
	content := k.Widen(number, t.slotType())
	if t.shape == tagged {
		content = k.Or(content, k.And(hash, k.Int(ir.I64, -1<<32)))
	}
	return content
}

// grow makes twice as much memory, and finds the empty slot of a key in it. Of more than
// maxGroups it makes none: the allocation of less than nothing traps.
func (t Table) grow(k kit.Kit, x key, at ir.Value) (Table, ir.Value) {
	t = t.With(t.State()) // lists of its own
	groups := k.Mul(t.count, k.Index(2))
	groups = k.Choose(k.Is(arith.SGT, groups, k.Index(maxGroups)), k.Index(-1), groups)
	t.rows = t.moreRows(k, t.elements(k, groups))
	if t.shape == dense {
		return t, at
	}
	old := t.slots
	t.slots = k.Zeros(t.slotType(), k.Mul(groups, k.Index(perGroup)))
	t.home = k.Last(t.home)
	if t.shape == tagged {
		t.moveSlots(k, old)
	} else {
		t.hashAgain(k)
	}
	k.Free(old)
	return t, t.empty(k, x.hash)
}

// hashAgain fills empty slots with all groups.
func (t *Table) hashAgain(k kit.Kit) {
	k.Each(k.Index(0), t.count, func(g ir.Value) {
		hash := mix(k, t.word(k, t.cell(k, g, 0, t.columns(k)[0])))
		k.Store(t.content(k, hash, k.Next(g)), t.slots, t.empty(k, hash))
	})
}

// moveSlots fills empty slots with what others held: half a hash is more than the bits
// that give a place.
func (t *Table) moveSlots(k kit.Kit, old ir.Value) {
	k.Each(k.Index(0), k.Len(old), func(i ir.Value) {
		content := k.Load(old, i)
		k.IfOnly(k.Not(k.IsZero(content)), func() {
			k.Store(content, t.slots, t.empty(k, content))
		})
	})
}

// empty is the first empty slot for a hash.
func (t *Table) empty(k kit.Kit, hash ir.Value) ir.Value {
	return k.While([]ir.Value{t.place(k, hash)}, func(s []ir.Value) ir.Value {
		return k.Not(k.IsZero(k.Load(t.slots, s[0])))
	}, func(s []ir.Value) []ir.Value { return []ir.Value{t.after(k, s[0])} })[0]
}
