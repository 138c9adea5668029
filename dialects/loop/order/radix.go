package order

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
)

// A digit has digitBits bits.
const (
	digitBits = 8
	digits    = 1 << digitBits
)

// digitsOf is how many digits a key has.
func digitsOf(k kit.Kit, key Key) int64 {
	return int64((key.Kind.Bits(k.Ctx()) + digitBits - 1) / digitBits)
}

// radixSort sorts pairs by the lowest digits of their numbers, and gives them and what is
// free. How often each digit occurs is counted once for all.
func (s sorter) radixSort(a, spare pairs, count int64) (sorted, free pairs) {
	zero := s.Index(0)
	places := s.Zeros(ir.Index, s.Index(count*digits))
	s.Each(zero, s.n, func(i ir.Value) {
		w := s.Load(a.words, i)
		for d := range count {
			at := s.digit(w, s.Index(d))
			s.Store(s.Next(s.Load(places, at)), places, at)
		}
	})
	some := s.Choose(s.IsZero(s.n), zero, s.Index(count))
	out := s.For(zero, some, both(a, spare), func(d ir.Value, c []ir.Value) []ir.Value {
		a, spare := split(c)
		first := s.Load(places, s.digit(s.Load(a.words, zero), d))
		return s.If(s.Is(arith.EQ, first, s.n), func() []ir.Value { return c }, func() []ir.Value {
			s.begins(places, d)
			s.distribute(a, spare, places, d)
			return both(spare, a)
		})
	})
	s.Free(places)
	return split(out)
}

// digit is where digit d of a word has its count.
func (s sorter) digit(word, d ir.Value) ir.Value {
	shift := s.Widen(s.Mul(d, s.Index(digitBits)), ir.I64)
	low := s.And(s.Shr(word, shift), s.Int(ir.I64, digits-1))
	return s.Add(s.Mul(d, s.Index(digits)), s.Widen(low, ir.Index))
}

// begins makes of the counts of digit d where each value of it begins.
func (s sorter) begins(places, d ir.Value) {
	low := s.Mul(d, s.Index(digits))
	s.For(low, s.Add(low, s.Index(digits)), []ir.Value{s.Index(0)}, func(i ir.Value, c []ir.Value) []ir.Value {
		n := s.Load(places, i)
		s.Store(c[0], places, i)
		return []ir.Value{s.Add(c[0], n)}
	})
}

// distribute moves pairs to the places of their digit d.
func (s sorter) distribute(from, to pairs, places, d ir.Value) {
	s.Each(s.Index(0), s.n, func(i ir.Value) {
		word, row := s.load(from, i)
		at := s.digit(word, d)
		place := s.Load(places, at)
		s.Store(s.Next(place), places, at)
		s.store(word, row, to, place)
	})
}
