package hash

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
)

// A string is in a row as the two words of its first headBytes, where it begins in the bytes
// of its component, and how long it is. The strings of a component lie one behind the other, by
// group; behind the last there are zeros, as many as a word may reach to.

const (
	textWords  = 4
	headBytes  = 2 * kit.WordBytes
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
			t.texts = append(t.texts, k.Zeros(ir.I8, k.Index(firstBytes)), k.Index(0))
		}
	}
	if len(t.texts) > 0 {
		t.reader = k.NewReader()
	}
}

// sameHead compares what a row has of a string, from word at on, with one.
func (t *Table) sameHead(k kit.Kit, row ir.Value, at int, text []ir.Value) ir.Value {
	all := k.Is(arith.EQ, t.word(k, row, at), text[3])
	all = k.And(all, k.Is(arith.EQ, t.word(k, row, at+1), text[4]))
	return k.And(all, k.Is(arith.EQ, t.word(k, row, at+3), k.Widen(text[2], ir.I64)))
}

// sameRest compares two strings of one length behind headBytes.
func (t *Table) sameRest(k kit.Kit, row ir.Value, at, i int, text []ir.Value) ir.Value {
	head := k.Index(headBytes)
	begin := k.Add(t.cell(k, row, at+2, ir.Index), head)
	x, y := []ir.Value{t.texts[t.textAt(i)], begin}, []ir.Value{text[0], k.Add(text[1], head)}
	return t.reader.SameText(k, x, y, k.Sub(text[2], head))
}

// setText makes a string that of the next group, in component i.
func (t *Table) setText(k kit.Kit, row ir.Value, at, i int, text []ir.Value) {
	bytes, used := t.texts[t.textAt(i)], t.texts[t.textAt(i)+1]
	end := k.Add(used, text[2])
	size, need := k.Len(bytes), k.Add(end, k.Index(headBytes))
	bytes = k.Where(k.Less(size, need), func() ir.Value {
		n := k.Max(k.Add(size, size), need)
		more := k.Resize(bytes, n)
		k.Each(size, n, func(i ir.Value) { k.Store(k.Int(ir.I8, 0), more, i) })
		return more
	}, func() ir.Value { return bytes })
	k.CopyBytes(text[0], text[1], bytes, used, text[2])
	t.setWord(k, row, at, text[3])
	t.setWord(k, row, at+1, text[4])
	t.setCell(k, row, at+2, used)
	t.setCell(k, row, at+3, text[2])
	t.texts[t.textAt(i)], t.texts[t.textAt(i)+1] = bytes, end
}

// mixText is the hash of a string, after another.
func (t *Table) mixText(k kit.Kit, hash ir.Value, text []ir.Value) ir.Value {
	hash = mix(k, k.Xor(k.Xor(hash, k.Widen(text[2], ir.I64)), text[3]))
	hash = mix(k, k.Xor(hash, text[4]))
	step := k.Index(kit.WordBytes)
	return k.ForStep(k.Index(headBytes), text[2], step, []ir.Value{hash}, func(at ir.Value, s []ir.Value) []ir.Value {
		word := t.reader.Word(k, text[0], k.Add(text[1], at), k.Min(k.Sub(text[2], at), step))
		return []ir.Value{mix(k, k.Xor(s[0], word))}
	})[0]
}
