package libm

import "math"

const erfcCentre = 4 // of the map in tests/libm/fit

// erfcTail is what erfc(x) e^(x^2) is for x >= 1/2: a polynomial by (x - 4)/(x + 4),
// divided by 1 + 2x (Shepherd and Laframboise 1981).
func (e *env) erfcTail(x dd) dd {
	t := e.div(e.sub(x.h, e.num(erfcCentre)), e.add(x.h, e.num(erfcCentre)))
	den := e.twoSum(e.times(x.h, 2), e.num(1))
	den = e.fastSum(den.h, e.fma(e.num(2), x.l, den.l))
	return e.divD(e.hornerD(t, erfcPoly), den)
}

// erfSmall is erf(a) as a sum, for |a| <= 1.
func (e *env) erfSmall(a dd) dd {
	z := e.mul(a.h, a.h)
	t := e.fma(a.h, e.horner(z, erfPoly), e.times(a.l, 2/math.SqrtPi))
	return e.fastSum(a.h, t)
}

// squareD is x^2, with the error of x.
func (e *env) squareD(x dd) dd {
	s := e.twoProd(x.h, x.h)
	return e.fastSum(s.h, e.fma(e.times(x.h, 2), x.l, s.l))
}

// upper is erfc(a) for a >= 1/2 as p 2^k, given a^2; a is clamped to where it is 0.
func (e *env) upper(a, square dd) (p dd, k val) {
	p, k = e.expD(e.negD(square))
	return e.mulD(p, e.erfcTail(a)), k
}

func erfc(e *env, x []val) val {
	a := e.single(e.clamp(e.abs(x[0]), 0, e.by(10.5, 27.5)))
	near := e.lt(a.h, 0.5)
	far := e.pickD(near, e.single(e.num(0.5)), a)
	p, k := e.upper(far, e.squareD(far))
	tail := e.ldexp(e.round1(p), k)
	full := e.scaleD(p, e.pow2(k)) // exact where 2 - erfc is not 2
	s := e.fastSum(e.num(2), e.neg(full.h))
	reflected := e.add(s.h, e.sub(s.l, full.l))
	reflected = e.pick(e.gt(a.h, e.by(5, 7)), e.num(2), reflected)
	small := e.erfSmall(e.single(e.clamp(x[0], -1, 1)))
	c := e.fastSum(e.num(1), e.neg(small.h))
	y := e.pick(near, e.add(c.h, e.sub(c.l, small.l)), e.pick(e.lt(x[0], 0), reflected, tail))
	return e.pick(e.isNaN(x[0]), x[0], y)
}

// erf is a polynomial to 1, and 1 - erfc above.
func erf(e *env, x []val) val {
	a := e.clamp(e.abs(x[0]), 0, e.by(5, 7))
	near := e.lt(a, 1)
	far := e.single(e.pick(near, e.num(1), a))
	p, k := e.upper(far, e.squareD(far))
	full := e.scaleD(p, e.pow2(k))
	s := e.fastSum(e.num(1), e.neg(full.h))
	large := e.add(s.h, e.sub(s.l, full.l))
	small := e.round1(e.erfSmall(e.single(e.pick(near, a, e.num(0)))))
	return e.copysign(e.pick(near, small, large), x[0])
}

// phiArgument is h = |x|/sqrt 2 in dd for |x| clamped, and h^2 = x^2/2.
func (e *env) phiArgument(x val, top float64) (h, square dd) {
	a := e.clamp(e.abs(x), 0, top)
	s := e.twoProd(a, a)
	return e.mulTo(e.constD(sqrtHalf), a), dd{e.times(s.h, 0.5), e.times(s.l, 0.5)}
}

// phiCentre is phi for |x| < 0.7 as a dd.
func (e *env) phiCentre(h dd, x val) dd {
	t := e.erfSmall(dd{e.clamp(h.h, 0, 1), h.l})
	minus := e.lt(x, 0)
	t = e.pickD(minus, e.negD(t), t)
	s := e.fastSum(e.num(0.5), e.times(t.h, 0.5))
	return dd{s.h, e.fma(e.num(0.5), t.l, s.l)}
}

// phi(x) = erfc(-x / sqrt 2) / 2.
func phi(e *env, x []val) val {
	h, square := e.phiArgument(x[0], e.by(15, 39))
	near := e.lt(h.h, 0.5)
	far := e.pickD(near, e.single(e.num(0.5)), h)
	p, k := e.upper(far, e.pickD(near, e.single(e.num(0.25)), square))
	k = e.subi(k, e.int(1))
	tail := e.ldexp(e.round1(p), k)
	s := e.fastSum(e.num(1), e.neg(tail))
	y := e.pick(e.lt(x[0], 0), tail, e.add(s.h, s.l))
	return e.pick(e.isNaN(x[0]), x[0], e.pick(near, e.round1(e.phiCentre(h, x[0])), y))
}

// logPhi below -0.7 is -x^2/2 + log(erfcTail/2), above 0.7 log1p(-phi(-x)), and
// log phi between.
func logPhi(e *env, x []val) val {
	far := e.by(0x1p30, 0x1p60) // beyond, x^2/2 is all there is
	h, square := e.phiArgument(x[0], far)
	near, minus := e.lt(h.h, 0.5), e.lt(x[0], 0)
	tail := e.erfcTail(e.pickD(near, e.single(e.num(0.5)), h))
	zero := e.by(110, 760) // e^-zero is 0
	exponent := e.pickD(near, e.single(e.num(0.25)), e.pickD(e.gt(square.h, zero), e.single(e.num(zero)), square))
	p, k := e.expD(e.negD(exponent))
	upper := e.scaleD(e.mulD(p, tail), e.num(-0.5)) // -phi(-|x|) / 2^k
	w := e.whole(upper, k)
	arg := e.twoSum(e.num(1), w.h)
	arg.l = e.add(arg.l, w.l)
	arg = e.pickD(near, e.phiCentre(h, x[0]), e.pickD(minus, tail, arg))
	lower := e.and(minus, e.ge(h.h, 0.5))
	lm, kf := e.logM(arg)
	l := e.withK(lm, e.pick(lower, e.sub(kf, e.num(1)), kf), ln2)
	y := e.round1(e.pickD(lower, e.addD(e.negD(square), l), l))
	y = e.pick(e.gt(x[0], e.by(6, 9)), e.ldexp(e.round1(upper), k), y) // log1p(-q) = -q
	y = e.pick(e.lt(x[0], -far), e.mul(e.times(x[0], -0.5), x[0]), y)
	return e.pick(e.isNaN(x[0]), x[0], y)
}
