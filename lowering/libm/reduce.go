package libm

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
)

// reduce is x = n pi/2 + r with |r| <= pi/4; the low two bits of n count. Small
// arguments take Cody and Waite's reduction with pi/2 in four parts, large ones
// Payne and Hanek's in integers.
func (e *env) reduce(x val) (r dd, n val) {
	limit := e.by(1000, 0x1p20)
	out := e.branch(e.lt(e.abs(x), limit), func() []val {
		r, n := e.codyWaite(e.clamp(x, -limit, limit))
		return []val{r.h, r.l, n}
	}, func() []val {
		r, n := e.payneHanek(e.abs(x))
		minus := e.lt(x, 0)
		r = e.pickD(minus, e.negD(r), r)
		return []val{r.h, r.l, e.pick(minus, e.subi(e.int(0), n), n)}
	})
	return dd{out[0], out[1]}, out[2]
}

func (e *env) codyWaite(x val) (dd, val) {
	n, bits := e.round(x, e.part(invHalfPi, 0))
	minus := e.neg(n)
	r := e.fma(minus, e.part(halfPiTrim, 0), x) // this product and the next two are exact
	s := e.twoSum(r, e.mul(minus, e.part(halfPiTrim, 1)))
	t := e.twoSum(s.h, e.mul(minus, e.part(halfPiTrim, 2)))
	return e.fastSum(t.h, e.add(e.add(s.l, t.l), e.mul(minus, e.part(halfPiTrim, 3)))), bits
}

// payneHanek: x = M 2^E for an integer M. Of 2/pi only the bits that give fractions
// of four quadrants matter: three words from bit E-2 on, times M.
func (e *env) payneHanek(x val) (dd, val) {
	bits := e.bits(x)
	m := e.addi(e.mask(bits, e.fraction), e.int(int64(e.fraction)+1))
	first := e.int(e.bias + int64(e.mant) + 2 - int64(e.width())) // a word of zeros stands before the point
	at := e.subi(e.shr(bits, e.mant), first)
	var quadrants dd
	var n val
	if e.double {
		quadrants, n = e.fraction64(m, e.window(at, twoOverPi64, 6, 16))
	} else {
		quadrants, n = e.fraction32(m, e.window(at, twoOverPi32, 5, 4))
	}
	return e.mulD(quadrants, e.constD(halfPi)), n
}

func (e *env) width() int {
	if e.double {
		return 64
	}
	return 32
}

// window is three words of the table (after a word of zeros) from bit at on: a
// shifter over the bits of the index of the word, the highest being top.
func (e *env) window(at val, table []uint64, log2Width, top int) [3]val {
	words := []val{e.int(0)}
	for _, w := range table {
		words = append(words, e.int(int64(w)))
	}
	for step := top; step >= 1; step /= 2 {
		cond := e.bit(at, log2Width+bitsOf(step))
		next := make([]val, min(len(words), step+3))
		for i := range next {
			next[i] = words[i]
			if i+step < len(words) {
				next[i] = e.pick(cond, words[i+step], words[i])
			}
		}
		words = next
	}
	shift := e.mask(at, uint64(e.width()-1))
	back := e.subi(e.int(int64(e.width()-1)), shift)
	var out [3]val
	for i := range out { // the shift right is by width - shift, which may be the width
		low := e.b.Op(arith.Shrui, e.shr(words[i+1], 1), back)
		out[i] = e.b.Op(arith.Ori, arith.Int(e.b, arith.Shli, 0, words[i], shift), low)
	}
	return out
}

func bitsOf(step int) int {
	n := 0
	for ; step > 1; step /= 2 {
		n++
	}
	return n
}

// fraction64 is the fraction of m * w, in quadrants from the nearest one.
func (e *env) fraction64(m val, w [3]val) (dd, val) {
	low0 := e.muli(m, w[0])
	p1 := e.b.Results(e.b.Op(arith.MuluiExtended, m, w[1]))
	p2 := e.b.Results(e.b.Op(arith.MuluiExtended, m, w[2]))
	mid := e.addi(p1[0], p2[1])
	carry := e.pick(arith.CmpI(e.b, arith.ULT, mid, p1[0]), e.int(1), e.int(0))
	top := e.addi(e.addi(low0, p1[1]), carry)
	n := e.shr(e.addi(top, e.int(1<<61)), 62)
	top = e.subi(top, e.shl(n, 62))
	const half = 1<<32 - 1
	s := e.fastSum(e.times(e.toFloat(e.sar(top, 32)), 0x1p-30), e.times(e.toFloat(e.mask(top, half)), 0x1p-62))
	low := e.add(e.times(e.toFloat(e.shr(mid, 32)), 0x1p-94), e.times(e.toFloat(e.mask(mid, half)), 0x1p-126))
	t := e.fastSum(s.h, low)
	return e.fastSum(t.h, e.add(s.l, t.l)), n
}

// fraction32 does so with integers of 64 bits.
func (e *env) fraction32(m val, w [3]val) (dd, val) {
	wide := *e
	wide.it = elementwise.WithElem(e.b.Ctx(), e.t, ir.I64)
	wide.double = true // for constants
	long := func(x val) val { return arith.Cast(e.b, arith.Extui, x, wide.it) }
	part := func(x val) val { // at most 24 bits, signed
		return arith.Cast(e.b, arith.Sitofp, arith.Cast(e.b, arith.Trunci, x, e.it), e.t)
	}
	m = long(m)
	f := wide.addi(wide.shl(wide.muli(m, long(w[0])), 32), wide.muli(m, long(w[1])))
	f = wide.addi(f, wide.shr(wide.muli(m, long(w[2])), 32))
	n := wide.shr(wide.addi(f, wide.int(1<<61)), 62)
	f = wide.subi(f, wide.shl(n, 62))
	high := e.times(part(wide.sar(f, 40)), 0x1p-22)
	middle := e.times(part(wide.mask(wide.shr(f, 16), 1<<24-1)), 0x1p-46)
	s := e.fastSum(high, middle)
	t := e.fastSum(s.h, e.times(part(wide.mask(f, 1<<16-1)), 0x1p-62))
	return e.fastSum(t.h, e.add(s.l, t.l)), arith.Cast(e.b, arith.Trunci, n, e.it)
}

// sinCos are the sine and cosine of a reduced angle.
func (e *env) sinCos(r dd) (sin, cos dd) {
	z := e.twoProd(r.h, r.h)
	half := e.times(z.h, 0.5)
	low := e.mul(r.l, e.sub(e.num(1), half))
	sin = dd{r.h, e.fma(e.mul(r.h, z.h), e.horner(z.h, sinPoly), low)}
	w := e.sub(e.num(1), half)
	lost := e.sub(e.sub(e.num(1), w), half)
	rest := e.sub(e.fma(e.mul(z.h, z.h), e.horner(z.h, cosPoly), lost), e.fma(r.h, r.l, e.times(z.l, 0.5)))
	return sin, dd{w, rest}
}

func (e *env) finite(x, y val) val { return e.pick(e.lt(e.abs(x), math.Inf(1)), y, e.nan()) }

// sineOf is the sine of x plus turn quadrants.
func (e *env) sineOf(x val, turn int64) val {
	r, n := e.reduce(x)
	s, c := e.sinCos(r)
	n = e.addi(n, e.int(turn))
	y := e.round1(e.pickD(e.bit(n, 0), c, s))
	return e.finite(x, e.pick(e.bit(n, 1), e.neg(y), y))
}

func sin(e *env, x []val) val {
	return e.pick(e.lt(e.abs(x[0]), e.by(0x1p-14, 0x1p-30)), x[0], e.sineOf(x[0], 0))
}

func cos(e *env, x []val) val { return e.sineOf(x[0], 1) }

// tan divides them in dd.
func tan(e *env, x []val) val {
	r, n := e.reduce(x[0])
	s, c := e.sinCos(r)
	odd := e.bit(n, 0)
	s, c = e.fastSum(s.h, s.l), e.fastSum(c.h, c.l)
	y := e.round1(e.divD(e.pickD(odd, c, s), e.pickD(odd, s, c)))
	y = e.finite(x[0], e.pick(odd, e.neg(y), y))
	return e.pick(e.lt(e.abs(x[0]), e.by(0x1p-14, 0x1p-30)), x[0], y)
}
