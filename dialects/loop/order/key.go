package order

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
)

// A Key is what rows are sorted by.
type Key struct {
	Kind kit.Kind
	Desc bool // the largest first
	// At makes the values of the key of a row, as many as the kind has.
	At func(row ir.Value) []ir.Value
}

// word is the key of a row as a number that orders rows when it is compared without a
// sign: of a string its first bytes.
func (s sorter) word(key Key, row ir.Value) ir.Value {
	k, vals := s.Kit, key.At(row)
	if key.Kind.IsString() {
		w := s.head(vals)
		if key.Desc {
			w = k.Xor(w, k.Int(ir.I64, -1))
		}
		return w
	}
	return s.number(key, vals[0])
}

// number is word of a number: a signed one with its sign flipped, of a float that is
// negative all bits flipped. It has no more bits than the number.
func (s sorter) number(key Key, x ir.Value) ir.Value {
	k, t := s.Kit, key.Kind.Type()
	info := k.Ctx().Info(t)
	x = k.Canonical(x)
	bits := k.Bits(x)
	u := k.Graph().Type(bits)
	sign, ones := k.Int(u, -1<<(info.Width-1)), k.Int(u, -1)
	w := bits
	switch {
	case k.Ctx().IsFloat(t):
		flip := k.Choose(k.Less(bits, k.Int(u, 0)), ones, sign)
		w = k.Xor(bits, flip)
	case t != ir.I1:
		w = k.Xor(bits, sign)
	}
	if key.Desc {
		w = k.Xor(w, ones)
	}
	return k.Widen(w, ir.I64)
}

// head is the first bytes of a string as a number, the first byte on top.
func (s sorter) head(text []ir.Value) ir.Value {
	k := s.Kit
	return k.Where(k.IsZero(text[2]), func() ir.Value { return k.Int(ir.I64, 0) }, func() ir.Value {
		return k.Swap(s.reader.Word(k, text[0], text[1], k.Min(text[2], k.Index(kit.WordBytes))))
	})
}

// compare is below 0 where row x comes before row y, 0 where no key tells them apart, and
// above 0 where y comes first.
func (s sorter) compare(keys []Key, x, y ir.Value) ir.Value {
	k, key := s.Kit, keys[0]
	var c ir.Value
	if key.Kind.IsString() {
		a, b := key.At(x), key.At(y)
		if key.Desc {
			a, b = b, a
		}
		c = s.compareText(a, b)
	} else {
		c = s.sign(s.word(key, x), s.word(key, y))
	}
	if len(keys) == 1 {
		return c
	}
	return k.Where(k.IsZero(c), func() ir.Value { return s.compare(keys[1:], x, y) }, func() ir.Value { return c })
}

// sign compares numbers without a sign: -1, 0 or 1.
func (s sorter) sign(x, y ir.Value) ir.Value {
	k := s.Kit
	above := k.Widen(k.Is(arith.UGT, x, y), ir.I64)
	return k.Sub(above, k.Widen(k.Is(arith.ULT, x, y), ir.I64))
}

// compareText compares strings by the first word that differs, else by their lengths.
func (s sorter) compareText(x, y []ir.Value) ir.Value {
	k := s.Kit
	both := k.Min(x[2], y[2])
	zero := k.Int(ir.I64, 0)
	found := k.Until([]ir.Value{k.Index(0)}, func(c []ir.Value) (ir.Value, []ir.Value) {
		left := k.Sub(both, c[0])
		words := k.If(k.Less(k.Index(0), left), func() []ir.Value {
			n := k.Min(left, k.Index(kit.WordBytes))
			a := s.reader.Word(k, x[0], k.Add(x[1], c[0]), n)
			b := s.reader.Word(k, y[0], k.Add(y[1], c[0]), n)
			return []ir.Value{a, b, k.Is(arith.EQ, a, b)}
		}, func() []ir.Value { return []ir.Value{zero, zero, arith.ConstBool(k.Builder, false)} })
		return words[2], []ir.Value{c[0], words[0], words[1]}
	}, func(c []ir.Value) []ir.Value { return []ir.Value{k.Add(c[0], k.Index(kit.WordBytes))} })
	same := k.Is(arith.EQ, found[1], found[2])
	lengths := s.sign(k.Widen(x[2], ir.I64), k.Widen(y[2], ir.I64))
	return k.Choose(same, lengths, s.sign(k.Swap(found[1]), k.Swap(found[2])))
}
