package libm

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
)

// stirlingFrom is where the asymptotic series begin.
const stirlingFrom = 8

// lgammaOf is log gamma(y) for y > 0 and finite. Below 8 the argument is shifted
// next to 2, where lgamma(2 + d) = d P(d), and the logarithm of a product is added;
// above 8 it is Stirling's series.
func (e *env) lgammaOf(y val) dd {
	large := e.ge(y, stirlingFrom)
	low, unit := e.lt(y, 0.5), e.lt(y, 1.5)
	z, product := y, e.num(1)
	for range stirlingFrom - 2 {
		more := e.ge(z, 2.5)
		z = e.pick(more, e.sub(z, e.num(1)), z)
		product = e.pick(more, e.mul(product, z), product)
	}
	d := e.pick(low, y, e.pick(unit, e.sub(y, e.num(1)), e.sub(z, e.num(2))))
	d = e.pick(large, e.num(0), d)
	near := e.mulTo(e.hornerD(d, lgammaPoly), d)
	square := e.twoProd(y, y)
	rising := e.twoSum(y, square.h) // y (y + 1)
	rising = e.fastSum(rising.h, e.add(rising.l, square.l))
	arg := e.pickD(low, rising, e.single(e.pick(unit, y, product)))
	l := e.logD(e.pickD(large, e.single(y), arg))
	shifted := e.addD(near, e.pickD(unit, e.negD(l), l))

	// (y - 1/2)(log y - 1) + log(2 pi)/2 - 1/2 + S(1/y^2)/y
	c := e.pick(large, y, e.num(stirlingFrom))
	inv := e.div(e.num(1), c)
	rest := e.mul(e.horner(e.mul(inv, inv), stirlingPoly), inv)
	main := e.mulD(e.addTo(l, e.num(-1)), e.twoSum(c, e.num(-0.5)))
	constant := e.addTo(e.constD(halfLog2Pi), e.num(-0.5))
	sum := e.addTo(e.addD(main, constant), rest)
	huge := e.gt(e.mul(c, l.h), math.Ldexp(1, e.maxExp-2)) // the low part may be NaN
	sum = e.pickD(huge, e.single(e.mul(c, e.sub(l.h, e.num(1)))), sum)
	return e.pickD(large, sum, shifted)
}

// sinCosPi are those of pi f for |f| <= 1/2.
func (e *env) sinCosPi(f val) (sin, cos dd) {
	steep := e.gt(e.abs(f), 0.25)
	r := e.mulTo(e.constD(piParts), e.pick(steep, e.sub(e.num(0.5), e.abs(f)), f))
	s, c := e.sinCos(r)
	s, c = e.fastSum(s.h, s.l), e.fastSum(c.h, c.l)
	turned := e.pickD(e.lt(f, 0), e.negD(c), c)
	return e.pickD(steep, turned, s), e.pickD(steep, s, c)
}

// fractionOf is a less the nearest integer, for a >= 0.
func (e *env) fractionOf(a val) val {
	n := e.floor(a)
	f := e.sub(a, n)
	return e.pick(e.gt(f, 0.5), e.sub(f, e.num(1)), f)
}

// lgammaD is lgamma but for NaN and where it is infinite, which is said; below 0 it
// is log(pi / |x sin(pi x)|) - lgamma |x| (DLMF 5.5.3).
func (e *env) lgammaD(x val) (y dd, infinite val) {
	a := e.abs(x)
	least := e.by(0x1p-30, 0x1p-60) // where lgamma is -log |x|
	minus := e.lt(x, -least)
	c := e.pick(e.and(e.gt(a, 0), e.lt(a, math.Inf(1))), a, e.num(1))
	tiny := e.lt(c, least)
	up := e.lgammaOf(e.pick(tiny, e.num(1), c))
	f := e.fractionOf(c)
	whole := e.eq(f, 0)
	s, _ := e.sinCosPi(e.pick(e.or(whole, e.ge(x, 0)), e.num(0.5), f))
	s = e.pickD(e.lt(s.h, 0), e.negD(s), s)
	arg := e.pickD(tiny, e.single(c), e.mulTo(s, e.pick(minus, c, e.num(1))))
	l := e.logD(arg)
	down := e.addD(e.constD(logPi), e.negD(e.addD(l, up)))
	y = e.pickD(tiny, e.negD(l), e.pickD(minus, down, up))
	pole := e.or(e.eq(a, 0), e.and(minus, whole))
	return y, e.or(pole, e.eq(a, math.Inf(1)))
}

func lgamma(e *env, x []val) val {
	y, infinite := e.lgammaD(x[0])
	return e.pick(e.isNaN(x[0]), x[0], e.pick(infinite, e.inf(), e.round1(y)))
}

// logfact is lgamma(1 + x) without rounding 1 + x: next to its zeros 0 and 1 by the
// polynomial, elsewhere lgamma x + log |x|.
func logfact(e *env, x []val) val {
	near := e.and(e.gt(x[0], -0.5), e.lt(x[0], 1.5))
	c := e.pick(near, x[0], e.num(1))
	low := e.lt(c, 0.5)
	d := e.pick(low, c, e.sub(c, e.num(1)))
	p := e.mulTo(e.hornerD(d, lgammaPoly), d)
	g, infinite := e.lgammaD(x[0])
	finite := e.lt(e.abs(x[0]), math.Inf(1))
	one := e.twoSum(e.num(1), c)
	arg := e.pickD(near, one, e.single(e.pick(finite, e.abs(x[0]), e.num(1))))
	l := e.logD(arg)
	none := e.single(e.num(0))
	sum := e.addD(e.pickD(near, p, g), e.pickD(e.and(near, low), e.negD(l), e.pickD(near, none, l)))
	y := e.pick(e.lt(e.abs(g.h), math.Ldexp(1, e.maxExp-2)), e.round1(sum), g.h)
	y = e.pick(near, e.round1(sum), e.pick(infinite, e.inf(), y))
	y = e.pick(e.lt(e.abs(x[0]), e.tiny), e.times(x[0], -0.57721566490153286), y) // Euler's constant
	y = e.pick(e.eq(x[0], 0), e.num(0), y)
	return e.pick(e.isNaN(x[0]), x[0], y)
}

// digamma: on [1, 2] (x - root) P(x), with the root to twice the precision; up to 8
// from there by the recurrence, a sum that is kept as one fraction; beyond the
// asymptotic series. digamma(-a) = digamma(a) + 1/a + pi cot(pi a) (DLMF 5.5.4).
func digamma(e *env, x []val) val {
	a := e.abs(x[0])
	minus := e.lt(x[0], 0)
	good := e.and(e.gt(a, e.by(0x1p-60, 0x1p-120)), e.lt(a, math.Inf(1)))
	c := e.pick(good, a, e.num(1))
	low, large := e.lt(c, 1), e.ge(c, stirlingFrom)
	one, none := e.single(e.num(1)), e.single(e.num(0))

	// psi(c), or psi(1 + c) below 0, is psi of the argument near + num/den.
	num := e.pickD(minus, e.pickD(low, none, one), e.pickD(low, e.negD(one), none))
	den := e.pickD(low, e.pickD(minus, one, e.single(c)), e.pickD(minus, e.single(c), one))
	z := e.pick(large, e.num(1), c)
	for range stirlingFrom - 2 {
		more := e.ge(z, 2)
		z = e.pick(more, e.sub(z, e.num(1)), z)
		num = e.pickD(more, e.addD(e.mulTo(num, z), den), num)
		den = e.pickD(more, e.mulTo(den, z), den)
	}
	h := e.pick(low, c, e.sub(z, e.num(1))) // the argument less 1
	from := e.twoSum(h, e.neg(e.part(psiRoot1, 0)))
	from = e.fastSum(from.h, e.sub(from.l, e.part(psiRoot1, 1)))
	near := e.mulD(from, e.hornerD(e.sub(h, e.num(0.5)), psiPoly))

	inv := e.div(e.num(1), c)
	square := e.mul(inv, inv)
	series := e.fma(square, e.horner(square, psiTail), e.times(inv, 0.5))
	far := e.addTo(e.logD(e.single(c)), e.neg(series))
	v := e.addD(e.pickD(large, far, near), e.divD(num, den))

	f := e.fractionOf(c)
	whole := e.eq(f, 0)
	s, co := e.sinCosPi(e.pick(e.and(minus, e.cmp(arith.UNE, f, 0)), f, e.num(0.25)))
	cot := e.mulD(e.divD(co, s), e.constD(piParts))
	v = e.pickD(minus, e.addD(v, cot), v)
	y := e.pick(e.and(minus, whole), e.nan(), e.round1(v))
	y = e.pick(good, y, e.div(e.num(-1), x[0])) // next to 0
	y = e.pick(e.eq(x[0], math.Inf(1)), x[0], y)
	return e.pick(e.or(e.isNaN(x[0]), e.eq(x[0], math.Inf(-1))), e.nan(), y)
}

// trigamma: terms of the recurrence up to 8, and the asymptotic series there. trigamma(-a) is
// (pi / sin(pi a))^2 - trigamma(1 + a) (DLMF 5.15.6), and next to 0 it is 1/a^2.
func trigamma(e *env, x []val) val {
	a := e.abs(x[0])
	minus := e.lt(x[0], 0)
	good := e.and(e.gt(a, e.by(0x1p-16, 0x1p-32)), e.lt(a, math.Inf(1)))
	c := e.pick(good, a, e.num(1))
	one, v := e.single(e.num(1)), e.single(e.num(0))
	y := e.pickD(minus, e.twoSum(e.num(1), c), e.single(c))
	for range stirlingFrom {
		more, inv := e.lt(y.h, stirlingFrom), e.divD(one, y)
		v = e.pickD(more, e.addD(v, e.mulD(inv, inv)), v)
		y = e.pickD(more, e.addTo(y, e.num(1)), y)
	}
	inv := e.divD(one, y)
	square := e.mul(inv.h, inv.h)
	tail := e.fma(e.mul(square, inv.h), e.horner(square, psi1Tail), e.times(square, 0.5))
	v = e.addD(v, e.addTo(inv, tail))

	f := e.fractionOf(c)
	pole := e.and(minus, e.eq(f, 0))
	s, _ := e.sinCosPi(e.pick(e.and(minus, e.cmp(arith.UNE, f, 0)), f, e.num(0.5)))
	csc := e.divD(e.constD(piParts), s)
	v = e.pickD(minus, e.addD(e.mulD(csc, csc), e.negD(v)), v)

	fits := e.gt(a, math.Ldexp(1, -e.maxExp/2)) // 1/a^2 is finite
	inv = e.divD(one, e.single(e.pick(fits, a, e.num(1))))
	next := e.pick(fits, e.round1(e.mulD(inv, inv)), e.inf())
	r := e.pick(good, e.pick(pole, e.inf(), e.round1(v)), next)
	r = e.pick(e.eq(x[0], math.Inf(1)), e.num(0), r)
	return e.pick(e.or(e.isNaN(x[0]), e.eq(x[0], math.Inf(-1))), e.nan(), r)
}
