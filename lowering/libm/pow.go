package libm

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
)

// powAbs is a^(y.h + y.l) for a >= 0: exp(y log a), with the logarithm to more than
// the 11 bits that the product takes away.
func (e *env) powAbs(a val, y dd) val {
	l := e.logD(e.single(a))
	low := e.fma(l.l, y.h, e.mul(l.h, y.l))
	h := e.pick(e.eq(a, 0), e.num(math.Inf(-1)), e.pick(e.lt(a, math.Inf(1)), l.h, a))
	p := e.mul(y.h, h)
	lo, hi := e.by(-105, -746), e.by(89, 710)
	inside := e.and(e.gt(p, lo), e.lt(p, hi))
	low = e.add(low, e.fma(y.h, h, e.neg(p)))
	r, k := e.expD(dd{e.clamp(p, lo, hi), e.pick(inside, low, e.num(0))})
	return e.ldexp(e.round1(r), k)
}

// powf follows annex F of C99: 1 to any power and any number to the power of 0 are 1.
func powf(e *env, x []val) val {
	a, y := e.abs(x[0]), x[1]
	v := e.powAbs(a, e.single(y))
	whole := arith.CmpF(e.b, arith.OEQ, e.floor(y), y)
	half := e.times(y, 0.5)
	odd := e.and(whole, arith.CmpF(e.b, arith.UNE, e.floor(half), half))
	v = e.pick(e.eq(a, 1), e.num(1), v)
	v = e.pick(odd, e.copysign(v, x[0]), v)
	bad := e.and(e.lt(x[0], 0), e.and(arith.CmpF(e.b, arith.UNE, e.floor(y), y), e.cmp(arith.OGT, a, 0)))
	bad = e.and(bad, e.cmp(arith.OLT, a, math.Inf(1)))
	v = e.pick(e.or(bad, e.or(e.isNaN(x[0]), e.isNaN(y))), e.nan(), v)
	return e.pick(e.or(e.eq(x[0], 1), e.eq(y, 0)), e.num(1), v)
}

// rsqrt rounds twice.
func rsqrt(e *env, x []val) val { return e.div(e.num(1), e.sqrt(x[0])) }

// cbrt: x = m 2^3q with m in [1, 8); y = m^(-1/3) by a polynomial and steps of third
// order, then m y^2 with one more step, whose remainder is exact.
func cbrt(e *env, x []val) val {
	a := e.abs(x[0])
	n := 24
	if e.double {
		n = 54
	}
	small := e.lt(a, e.minNorm)
	a = e.pick(small, e.times(a, math.Ldexp(1, n)), a)
	bits := e.bits(a)
	shift := 3*((e.bias+2)/3) - e.bias
	biased := e.addi(e.shr(bits, e.mant), e.int(shift))
	third := e.shr(e.muli(biased, e.int(43691)), 17) // a third of a number below 2^12
	rest := e.subi(biased, e.muli(third, e.int(3)))
	m := e.float(e.b.Op(arith.Ori, e.mask(bits, e.fraction), e.shl(e.addi(rest, e.int(e.bias)), e.mant)))
	y := e.horner(m, cbrtGuess)
	steps := 1
	if e.double {
		steps = 2
	}
	for range steps { // h = 1 - m y^3; m^(-1/3) = y (1 - h)^(-1/3) = y (1 + h/3 + 2h^2/9 ...)
		h := e.fma(e.neg(e.mul(m, y)), e.mul(y, y), e.num(1))
		y = e.fma(y, e.mul(h, e.fma(h, e.num(2./9), e.num(1./3))), y)
	}
	square := e.mul(y, y)
	c := e.mul(m, square)
	cc := e.twoProd(c, c)
	miss := e.sub(e.fma(e.neg(cc.h), c, m), e.mul(cc.l, c))
	c = e.fma(miss, e.times(square, 1./3), c)
	c = e.mul(c, e.pow2(e.subi(third, e.int((e.bias+2)/3))))
	c = e.pick(small, e.times(c, math.Ldexp(1, -n/3)), c)
	c = e.pick(e.and(e.gt(a, 0), e.lt(a, math.Inf(1))), c, a)
	return e.copysign(c, x[0])
}
