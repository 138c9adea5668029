package circuit

import (
	"math/bits"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
)

// Const is an integer of w bits.
func Const(w int, n uint64) []Bit {
	out := make([]Bit, w)
	for i := range out {
		out[i] = Of(i < 64 && n>>i&1 == 1)
	}
	return out
}

// map2 does f to the bits at each place.
func map2(a, b []Bit, f func(a, b Bit) Bit) []Bit {
	out := make([]Bit, len(a))
	for i := range out {
		out[i] = f(a[i], b[i])
	}
	return out
}

// AndWords, OrWords and XorWords work on the bits at each place.
func (c *Circuit) AndWords(a, b []Bit) []Bit { return map2(a, b, c.And) }
func (c *Circuit) OrWords(a, b []Bit) []Bit  { return map2(a, b, c.Or) }
func (c *Circuit) XorWords(a, b []Bit) []Bit { return map2(a, b, c.Xor) }

// NotWord is the complement.
func NotWord(a []Bit) []Bit { return map2(a, a, func(b, _ Bit) Bit { return b.Not() }) }

// IfWord is a where cond is true, else b.
func (c *Circuit) IfWord(cond Bit, a, b []Bit) []Bit {
	return map2(a, b, func(x, y Bit) Bit { return c.If(cond, x, y) })
}

// Equal is true where two integers are.
func (c *Circuit) Equal(a, b []Bit) Bit { return c.Any(c.XorWords(a, b)...).Not() }

// AddCarry is the sum with a carry in, and the carry out.
func (c *Circuit) AddCarry(a, b []Bit, carry Bit) ([]Bit, Bit) {
	out := make([]Bit, len(a))
	for i := range out {
		x := c.Xor(a[i], b[i])
		out[i] = c.Xor(x, carry)
		carry = c.Or(c.And(a[i], b[i]), c.And(x, carry))
	}
	return out, carry
}

// Add is the sum modulo 2^width.
func (c *Circuit) Add(a, b []Bit) []Bit {
	s, _ := c.AddCarry(a, b, False)
	return s
}

// Sub is the difference modulo 2^width.
func (c *Circuit) Sub(a, b []Bit) []Bit {
	s, _ := c.AddCarry(a, NotWord(b), True)
	return s
}

// Neg is the negation modulo 2^width.
func (c *Circuit) Neg(a []Bit) []Bit { return c.Sub(Const(len(a), 0), a) }

// Less is a < b, unsigned.
func (c *Circuit) Less(a, b []Bit) Bit {
	_, carry := c.AddCarry(a, NotWord(b), True)
	return carry.Not()
}

// LessSigned is a < b in two's complement.
func (c *Circuit) LessSigned(a, b []Bit) Bit { return c.Less(flipSign(a), flipSign(b)) }

// Inside is a < n, unsigned, of a number n that may need more bits than a has.
func (c *Circuit) Inside(a []Bit, n int) Bit {
	if bits.Len(uint(n)) > len(a) {
		return True
	}
	return c.Less(a, Const(len(a), uint64(n)))
}

// flipSign orders integers with a sign as those without.
func flipSign(a []Bit) []Bit {
	n := len(a) - 1
	return append(append([]Bit{}, a[:n]...), a[n].Not())
}

// Sign is the highest bit.
func Sign(a []Bit) Bit { return a[len(a)-1] }

// Extend is an integer in w bits, with zeros or copies of the sign; or its lowest w bits.
func Extend(a []Bit, w int, signed bool) []Bit {
	out := make([]Bit, w)
	fill := False
	if signed {
		fill = Sign(a)
	}
	for i := range out {
		if out[i] = fill; i < len(a) {
			out[i] = a[i]
		}
	}
	return out
}

// Mul is the product modulo 2^width. It is one circuit for both orders of its factors: that they are equal is hard to find
// by search.
func (c *Circuit) Mul(a, b []Bit) []Bit {
	if slices.Compare(a, b) < 0 {
		a, b = b, a // what is known comes second, where its zeros leave rows out
	}
	w := len(a)
	sum := Const(w, 0)
	for i := range w {
		row := Const(w, 0)
		for j := i; j < w; j++ {
			row[j] = c.And(a[j-i], b[i])
		}
		sum = c.Add(sum, row)
	}
	return sum
}

// DivRem divides unsigned, as on paper. Of a divisor of zero it gives all ones and the dividend.
func (c *Circuit) DivRem(a, b []Bit) (quotient, remainder []Bit) {
	w := len(a)
	quotient = Const(w, 0)
	rest := Const(w+1, 0)
	wide := Extend(b, w+1, false)
	for i := w - 1; i >= 0; i-- {
		rest = append([]Bit{a[i]}, rest[:w]...)
		fits := c.Less(rest, wide).Not()
		rest = c.IfWord(fits, c.Sub(rest, wide), rest)
		quotient[i] = fits
	}
	return quotient, rest[:w]
}

// DivRemSigned divides towards zero; the remainder has the sign of the dividend. Of the least number and -1 the quotient
// is the least number.
func (c *Circuit) DivRemSigned(a, b []Bit) (quotient, remainder []Bit) {
	q, r := c.DivRem(c.Abs(a), c.Abs(b))
	return c.IfWord(c.Xor(Sign(a), Sign(b)), c.Neg(q), q), c.IfWord(Sign(a), c.Neg(r), r)
}

// Abs is the magnitude, of the least number itself.
func (c *Circuit) Abs(a []Bit) []Bit { return c.IfWord(Sign(a), c.Neg(a), a) }

// ShiftLeft shifts zeros in, by an amount that is less than the width.
func (c *Circuit) ShiftLeft(a, by []Bit) []Bit {
	return c.shift(a, by, func(a []Bit, n int) []Bit { return append(Const(n, 0), a[:len(a)-n]...) })
}

// ShiftRight shifts zeros or copies of the sign in, by an amount that is less than the width.
func (c *Circuit) ShiftRight(a, by []Bit, signed bool) []Bit {
	return c.shift(a, by, func(a []Bit, n int) []Bit { return Extend(append([]Bit{}, a[n:]...), len(a), signed) })
}

func (c *Circuit) shift(a, by []Bit, step func(a []Bit, n int) []Bit) []Bit {
	for i := 0; i < len(by) && 1<<i < len(a); i++ {
		a = c.IfWord(by[i], step(a, 1<<i), a)
	}
	return a
}

// LeadingZeros counts them, in the width of the integer.
func (c *Circuit) LeadingZeros(a []Bit) []Bit {
	w := len(a)
	out := Const(w, uint64(w))
	for i := range a {
		out = c.IfWord(a[i], Const(w, uint64(w-1-i)), out)
	}
	return out
}

// TrailingZeros counts them.
func (c *Circuit) TrailingZeros(a []Bit) []Bit {
	w := len(a)
	out := Const(w, uint64(w))
	for i := w - 1; i >= 0; i-- {
		out = c.IfWord(a[i], Const(w, uint64(i)), out)
	}
	return out
}

// Ones counts the bits that are set.
func (c *Circuit) Ones(a []Bit) []Bit {
	out := Const(len(a), 0)
	for _, b := range a {
		out = c.Add(out, Extend([]Bit{b}, len(a), false))
	}
	return out
}

// Compare is a comparison in one bit. Of the two orders there is the one below; the others are it with the operands
// exchanged, or negated.
func (c *Circuit) Compare(p arith.CmpIPredicate, a, b []Bit) Bit {
	switch p {
	case arith.EQ:
		return c.Equal(a, b)
	case arith.NE:
		return c.Equal(a, b).Not()
	case arith.SLT:
		return c.LessSigned(a, b)
	case arith.SLE:
		return c.LessSigned(b, a).Not()
	case arith.SGT:
		return c.LessSigned(b, a)
	case arith.SGE:
		return c.LessSigned(a, b).Not()
	case arith.ULT:
		return c.Less(a, b)
	case arith.ULE:
		return c.Less(b, a).Not()
	case arith.UGT:
		return c.Less(b, a)
	}
	return c.Less(a, b).Not()
}
