package libm

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
)

// split is x = m 2^k with m in [sqrt(1/2), sqrt 2), x > 0 and normal; k is a float,
// scale is 2^-k but for subnormal results.
func (e *env) split(x val) (m, k, kInt val) {
	root := int64(math.Float32bits(math.Sqrt2 / 2))
	if e.double {
		root = int64(math.Float64bits(math.Sqrt2 / 2))
	}
	bits := e.bits(x)
	from := e.addi(bits, e.int(e.bias<<e.mant-root)) // m - sqrt(1/2) in the fraction, k above it
	kInt = e.subi(e.shr(from, e.mant), e.int(e.bias))
	return e.float(e.addi(e.mask(from, e.fraction), e.int(root))), e.toFloat(kInt), kInt
}

// normal scales subnormal numbers up by 2^n, and says by how much.
func (e *env) normal(x val, n int) (y, scaled val, small val) {
	small = e.lt(x, e.minNorm)
	s := math.Ldexp(1, n)
	return e.pick(small, e.times(x, s), x), e.pick(small, e.num(float64(n)), e.num(0)), small
}

// log: with f = m - 1 and s = f/(2+f), log m = 2 atanh s = f - f^2/2 + s f^2/2 + 2 s^3 P(s^2):
// the first two terms carry no rounding of s, and P, the last that is there, has few to wait for it.
func log(e *env, x []val) val {
	y, scaled, _ := e.normal(x[0], e.mant+2)
	return e.logEdges(x[0], e.logPlus(y, scaled, 0))
}

// logPlus is log(x / 2^scaled) + c, x > 0 and normal; c is small, or 0: none.
func (e *env) logPlus(x, scaled, c val) val {
	m, k, _ := e.split(x)
	k = e.sub(k, scaled)
	f := e.sub(m, e.num(1))
	s := e.div(f, e.add(f, e.num(2)))
	z := e.mul(s, s)
	half := e.times(e.mul(f, f), 0.5)
	low := e.mul(k, e.num(e.raw(ln2, 1)+e.raw(ln2, 2)))
	if c != 0 {
		low = e.add(low, c)
	}
	low = e.fma(e.mul(s, z), e.estrin(z, logPoly.twice()), e.fma(s, half, low))
	return e.fma(k, e.part(ln2, 0), e.sub(f, e.sub(half, low)))
}

// logEdges is v but for arguments of log that are not positive and finite.
func (e *env) logEdges(x, v val) val {
	v = e.pick(e.cmp(arith.OLT, x, math.Inf(1)), v, x) // infinity and NaN
	v = e.pick(e.eq(x, 0), e.num(math.Inf(-1)), v)
	return e.pick(e.lt(x, 0), e.nan(), v)
}

// logM is log m and k of x = m 2^k, x > 0 and finite, to about twice the precision:
// s + s^3 (1/3 + s^2 P(s^2)) with the first two terms in dd. The sum x.h + x.l need
// not be normalised, but x.l must be small; near 1 the result is relatively accurate.
func (e *env) logM(x dd) (lm dd, k val) {
	y, scaled, small := e.normal(x.h, e.mant+2)
	m, k, kInt := e.split(y)
	k = e.sub(k, scaled)
	low := e.pick(small, e.times(x.l, math.Ldexp(1, e.mant+2)), x.l)
	half := e.sar(kInt, 1)
	low = e.mul(e.mul(low, e.pow2(e.subi(e.int(0), half))), e.pow2(e.subi(half, kInt)))
	f := e.twoSum(e.sub(m, e.num(1)), low)
	den := e.twoSum(e.num(2), f.h)
	s := e.divD(f, e.fastSum(den.h, e.add(den.l, f.l)))
	z := e.mulD(s, s)
	c := e.fastSum(e.part(third, 0), e.fma(z.h, e.horner(z.h, logTail), e.part(third, 1)))
	t := e.mulD(e.mulD(z, s), c)
	sum := e.fastSum(s.h, t.h)
	sum = e.fastSum(sum.h, e.add(sum.l, e.add(s.l, t.l)))
	return dd{e.times(sum.h, 2), e.times(sum.l, 2)}, k
}

// logD is log x in the same way.
func (e *env) logD(x dd) dd {
	lm, k := e.logM(x)
	return e.withK(lm, k, ln2)
}

// withK is lm + k c, c in parts whose products with k are exact.
func (e *env) withK(lm dd, k val, c parts) dd {
	a := e.fastSum(e.mul(k, e.part(c, 0)), e.mul(k, e.part(c, 1)))
	sum := e.addD(dd{a.h, e.fma(k, e.part(c, 2), a.l)}, lm)
	return sum
}

func log2(e *env, x []val) val {
	lm, k := e.logM(e.single(x[0]))
	return e.logEdges(x[0], e.round1(e.addD(e.single(k), e.mulD(lm, e.constD(log2e)))))
}

func log10(e *env, x []val) val {
	lm, k := e.logM(e.single(x[0]))
	return e.logEdges(x[0], e.round1(e.withK(e.mulD(lm, e.constD(log10e)), k, log10of2)))
}

// log1pD is log(1 + u), relatively accurate.
func (e *env) log1pD(u dd) dd {
	s := e.twoSum(e.num(1), u.h)
	return e.logD(dd{s.h, e.add(s.l, u.l)})
}

func log1p(e *env, x []val) val {
	y := e.round1(e.log1pD(e.single(x[0])))
	y = e.pick(e.lt(x[0], math.Inf(1)), y, x[0])
	y = e.pick(e.eq(x[0], -1), e.num(math.Inf(-1)), y)
	y = e.pick(e.lt(x[0], -1), e.nan(), y)
	return e.pick(e.lt(e.abs(x[0]), e.tiny), x[0], y)
}

// asinh = log(a + sqrt(a^2 + 1)), an odd polynomial below 1/2.
func asinh(e *env, x []val) val {
	a := e.abs(x[0])
	huge := e.gt(a, e.by(0x1p30, 0x1p60))
	c := e.pick(huge, e.num(1), a)
	s := e.addTo(e.twoProd(c, c), e.num(1))
	w := e.addTo(e.sqrtD(s), c)
	w = e.pickD(huge, e.single(a), w)
	y := e.logTwice(w, huge)
	y = e.pick(e.lt(a, 0.5), e.oddPoly(a, asinhPoly), y)
	return e.copysign(e.pick(e.lt(a, math.Inf(1)), y, a), x[0])
}

// logTwice is log w, or log 2w where twice holds.
func (e *env) logTwice(w dd, twice val) val {
	lm, k := e.logM(w)
	k = e.pick(twice, e.add(k, e.num(1)), k)
	return e.round1(e.withK(lm, k, ln2))
}

// acosh = log(1 + t + sqrt(t (t + 2))), t = x - 1.
func acosh(e *env, x []val) val {
	huge := e.gt(x[0], e.by(0x1p30, 0x1p60))
	t := e.sub(e.pick(huge, e.num(2), x[0]), e.num(1)) // exact up to the last bit of the format
	lost := e.sub(e.pick(huge, e.num(2), x[0]), e.add(t, e.num(1)))
	q := e.addTo(e.twoProd(t, t), e.times(t, 2))
	root := e.sqrtD(dd{e.pick(e.gt(t, 0), q.h, e.num(1)), e.pick(e.gt(t, 0), q.l, e.num(0))})
	root = e.pickD(e.gt(t, 0), root, e.single(e.num(0)))
	u := e.addTo(root, t)
	s := e.twoSum(e.num(1), u.h)
	w := dd{s.h, e.add(s.l, e.add(u.l, lost))}
	y := e.logTwice(e.pickD(huge, e.single(x[0]), w), huge)
	y = e.pick(e.lt(x[0], math.Inf(1)), y, x[0])
	return e.pick(e.lt(x[0], 1), e.nan(), y)
}

// atanh = log(1 + 2a/(1-a)) / 2.
func atanh(e *env, x []val) val {
	a := e.abs(x[0])
	c := e.pick(e.lt(a, 1), a, e.num(0))
	u := e.divD(e.single(e.times(c, 2)), e.twoSum(e.num(1), e.neg(c)))
	y := e.times(e.round1(e.log1pD(u)), 0.5)
	y = e.pick(e.lt(a, e.tiny), a, y)
	y = e.pick(e.lt(a, 1), y, e.pick(e.eq(a, 1), e.inf(), e.nan()))
	return e.copysign(y, x[0])
}
