package hash

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
)

// A string is in a row as the two words of its ends (kit.Reader.Ends), where it begins in the bytes
// of its component, and how long it is. The strings of a component lie one behind the other, by
// group.

const (
	textWords  = 4
	firstBytes = 256 // that memory of strings is made for at first
)

// texts of component i are at this place of Table.texts.
func (t *Table) textAt(i int) (at int) {
	for _, kind := range t.Kinds[:i] {
		if kind.IsString() {
			at += 2
		}
	}
	return at
}

// allocateTexts makes the memory of strings.
func (t *Table) allocateTexts(k kit.Kit) {
	for _, kind := range t.Kinds {
		if kind.IsString() {
			t.texts = append(t.texts, k.Alloc(ir.I8, k.Index(firstBytes)), k.Index(0))
		}
	}
	if len(t.texts) > 0 {
		t.Keys.reader = k.NewReader()
	}
}

// sameEnds compares what a row has of a string, from word at on, with one.
func (t *Table) sameEnds(k kit.Kit, row ir.Value, at int, text []ir.Value) ir.Value {
	all := k.Is(arith.EQ, t.rows.word(k, row, at), text[3])
	all = k.And(all, k.Is(arith.EQ, t.rows.word(k, row, at+1), text[4]))
	return k.And(all, k.Is(arith.EQ, t.rows.word(k, row, at+3), k.Widen(text[2], ir.I64)))
}

// sameInner compares two strings of one length between their ends.
func (t *Table) sameInner(k kit.Kit, row ir.Value, at, i int, text []ir.Value) ir.Value {
	own := []ir.Value{t.texts[t.textAt(i)], t.rows.cell(k, row, at+2, ir.Index), text[2]}
	return t.Keys.reader.SameInner(k, own, text)
}

// setText makes a string that of the next group, in component i.
func (t *Table) setText(k kit.Kit, row ir.Value, at, i int, text []ir.Value) {
	bytes, used := t.texts[t.textAt(i)], t.texts[t.textAt(i)+1]
	end := k.Add(used, text[2])
	size := k.Len(bytes)
	bytes = k.Where(k.Less(size, end), func() ir.Value { return k.Resize(bytes, k.Max(k.Add(size, size), end)) },
		func() ir.Value { return bytes })
	k.CopyBytes(text[0], text[1], bytes, used, text[2])
	t.rows.set(k, row, at, text[3])
	t.rows.set(k, row, at+1, text[4])
	t.rows.setCell(k, row, at+2, used)
	t.rows.setCell(k, row, at+3, text[2])
	t.texts[t.textAt(i)], t.texts[t.textAt(i)+1] = bytes, end
}

// mixText is the hash of a string, after another.
func (ks *Keys) mixText(k kit.Kit, hash ir.Value, text []ir.Value) ir.Value {
	hash = mix(k, k.Xor(k.Xor(hash, k.Widen(text[2], ir.I64)), text[3]))
	hash = mix(k, k.Xor(hash, text[4]))
	return ks.reader.Inner(k, text, []ir.Value{hash}, func(word ir.Value, s []ir.Value) []ir.Value {
		return []ir.Value{mix(k, k.Xor(s[0], word))}
	})[0]
}
