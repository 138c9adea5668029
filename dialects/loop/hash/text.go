package hash

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
)

// The strings of a component lie one behind the other: that of group g from at[g] up to
// at[g+1]. The memory by group has one element more if there are any. Behind the last string
// there are zeros, as many as a word may reach to.

// firstBytes is what memory of strings is made for at first.
const firstBytes = 256

// strings is how many components are strings.
func (t *Table) strings() (n int) {
	for _, kind := range t.Kinds {
		if kind.IsString() {
			n++
		}
	}
	return n
}

// elements is how many elements the memory by group has, for so many groups.
func (t *Table) elements(k kit.Kit, groups ir.Value) ir.Value {
	if t.strings() == 0 {
		return groups
	}
	return k.Next(groups)
}

// groups is for how many groups there is memory.
func (t *Table) groups(k kit.Kit) ir.Value {
	if n := k.Len(t.rows); t.strings() == 0 {
		return n
	} else {
		return k.Last(n)
	}
}

// allocateBytes makes the memory of strings.
func (t *Table) allocateBytes(k kit.Kit) {
	if t.strings() == 0 {
		return
	}
	t.reader = k.NewReader()
	for i, kind := range t.Kinds {
		if kind.IsString() {
			t.bytes = append(t.bytes, k.Zeros(ir.I8, k.Index(firstBytes)))
			t.setCell(k, k.Index(0), i, k.Index(0))
		}
	}
}

// text is the string of a group in component i, the s-th of the strings: bytes, where it
// begins and how long it is.
func (t *Table) text(k kit.Kit, i, s int, group ir.Value) []ir.Value {
	at := t.cell(k, group, i, ir.Index)
	return []ir.Value{t.bytes[s], at, k.Sub(t.cell(k, k.Next(group), i, ir.Index), at)}
}

// append makes a string that of the next group, in component i, the s-th of the strings.
func (t *Table) append(k kit.Kit, i, s int, text []ir.Value) {
	at := t.cell(k, t.count, i, ir.Index)
	end := k.Add(at, text[2])
	size, need := k.Len(t.bytes[s]), k.Add(end, k.Index(kit.WordBytes))
	t.bytes[s] = k.Where(k.Less(size, need), func() ir.Value {
		n := k.Max(k.Add(size, size), need)
		more := k.Resize(t.bytes[s], n)
		k.Each(size, n, func(i ir.Value) { k.Store(k.Int(ir.I8, 0), more, i) })
		return more
	}, func() ir.Value { return t.bytes[s] })
	k.CopyBytes(text[0], text[1], t.bytes[s], at, text[2])
	t.setCell(k, k.Next(t.count), i, end)
}

// sameText compares strings: lengths, and bytes where those are equal.
func (t *Table) sameText(k kit.Kit, x, y []ir.Value) ir.Value {
	return k.Where(k.Is(arith.EQ, x[2], y[2]), func() ir.Value {
		return t.reader.SameText(k, x, y, x[2])
	}, func() ir.Value { return arith.ConstBool(k.Builder, false) })
}

// mixText is the hash of a string, after another.
func (t *Table) mixText(k kit.Kit, hash ir.Value, text []ir.Value) ir.Value {
	hash = k.Xor(hash, k.Widen(text[2], ir.I64))
	return k.Words(text[2], []ir.Value{hash}, func(at, n ir.Value, s []ir.Value) []ir.Value {
		word := t.reader.Word(k, text[0], k.Add(text[1], at), n)
		return []ir.Value{mix(k, k.Xor(s[0], word))}
	})[0]
}
