package libm

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
)

// stirlingRest is S(1/y^2)/y of Stirling's series, for y >= 8.
func (e *env) stirlingRest(y val) val {
	inv := e.div(e.num(1), y)
	return e.mul(e.horner(e.mul(inv, inv), stirlingPoly), inv)
}

// lbetaD is lbeta for 0 < a <= b < 2^(range-2): the large parts of Stirling's formula
// are taken together before they cancel (Didonato and Morris 1992, ALGDIV).
func (e *env) lbetaD(a, b val) dd {
	bigA, bigB := e.ge(a, stirlingFrom), e.ge(b, stirlingFrom)
	sum := e.twoSum(b, a)
	ratio := e.divD(e.single(a), sum)
	rest := e.log1pD(e.negD(ratio))
	lga := e.lgammaOf(a)
	small := e.pick(bigB, e.num(1), b)
	none := e.addD(e.addD(lga, e.lgammaOf(small)), e.negD(e.lgammaDD(e.pickD(bigB, e.single(e.num(1)), sum))))

	cb := e.pick(bigB, b, e.num(stirlingFrom))
	fix := e.sub(e.stirlingRest(cb), e.stirlingRest(e.add(cb, a)))
	l := e.logD(e.pickD(bigA, ratio, sum)) // log(a/(a+b)) or log(a+b)
	mixed := e.addD(e.addTo(lga, fix), e.addD(e.single(a), e.negD(e.mulTo(l, a))))
	mixed = e.addD(mixed, e.mulD(rest, e.twoSum(cb, e.num(-0.5))))

	ca := e.pick(bigA, a, e.num(stirlingFrom))
	lb := e.logD(e.single(cb))
	large := e.addD(e.constD(halfLog2Pi), dd{e.times(lb.h, -0.5), e.times(lb.l, -0.5)})
	large = e.addTo(large, e.add(fix, e.stirlingRest(ca)))
	large = e.addD(large, e.mulD(l, e.twoSum(ca, e.num(-0.5))))
	large = e.addD(large, e.mulTo(rest, cb))
	return e.pickD(bigA, large, e.pickD(bigB, mixed, none))
}

// lgammaDD is lgamma of a sum of two floats, the second small.
func (e *env) lgammaDD(x dd) dd {
	y := e.lgammaOf(x.h)
	return e.addTo(y, e.mul(x.l, e.slope(x.h)))
}

// slope is digamma(y) for y > 0, roughly: it multiplies rounding errors.
func (e *env) slope(y val) val {
	up := e.add(y, e.num(2))
	return e.sub(e.sub(log(e, []val{up}), e.div(e.num(0.5), up)), e.add(e.div(e.num(1), y), e.div(e.num(1), e.add(y, e.num(1)))))
}

// lbetaOf is lbeta for 0 < a <= b < infinity.
func (e *env) lbetaOf(a, b val) dd {
	limit := math.Ldexp(1, e.maxExp-13)
	tiny := e.minNorm * 0x1p10 // where lbeta is -log a if b is not as small
	good := e.and(e.gt(a, tiny), e.lt(b, limit))
	y := e.lbetaD(e.pick(good, a, e.num(1)), e.pick(good, b, e.num(1)))
	return e.pickD(good, y, e.lbetaEdge(a, b))
}

func lbeta(e *env, x []val) val {
	swap := e.less(x[1], x[0])
	a, b := e.pick(swap, x[1], x[0]), e.pick(swap, x[0], x[1])
	y := e.lbetaOf(a, b)
	r := e.pick(e.lt(e.abs(y.h), math.Inf(1)), e.round1(y), y.h)
	r = e.pick(e.eq(b, math.Inf(1)), e.num(math.Inf(-1)), r)
	r = e.pick(e.eq(a, 0), e.inf(), r)
	bad := e.or(e.lt(a, 0), e.or(e.isNaN(x[0]), e.isNaN(x[1])))
	return e.pick(bad, e.nan(), r)
}

// lbetaEdge is lbeta for a tiny a: log((a + b)/(a b)); or a huge b: lgamma a - a log b,
// and a log(a/(a+b)) + b log(b/(a+b)) if a is large too.
func (e *env) lbetaEdge(a, b val) dd {
	ca, cb := e.pick(e.gt(a, 0), a, e.num(1)), e.pick(e.lt(b, math.Inf(1)), b, e.num(1))
	cb = e.pick(e.gt(cb, 0), cb, e.num(1))
	la, lb := e.logD(e.single(ca)), e.logD(e.single(cb))
	r := e.div(ca, cb)
	lr := e.log1pD(e.single(r))
	tiny := e.addD(e.pickD(e.lt(cb, e.by(0x1p-30, 0x1p-60)), lr, e.single(e.num(0))), e.negD(la))
	moderate := e.lt(ca, e.by(0x1p30, 0x1p60))
	ma := e.pick(moderate, ca, e.num(1))
	less := e.addD(e.lgammaOf(ma), e.negD(e.mulTo(lb, ma)))
	both := e.neg(e.fma(ca, e.round1(e.addD(e.addD(lb, e.negD(la)), lr)), e.mul(cb, lr.h)))
	huge := e.pickD(moderate, less, e.single(both))
	return e.pickD(e.lt(cb, math.Ldexp(1, e.maxExp-13)), tiny, huge)
}

// lchoose = -log1p(n) - lbeta(n - k + 1, k + 1).
func lchoose(e *env, x []val) val {
	n, k := x[0], x[1]
	inside := e.and(e.gt(k, 0), e.and(e.less(k, n), e.lt(n, math.Inf(1))))
	cn, ck := e.pick(inside, n, e.num(2)), e.pick(inside, k, e.num(1))
	p, q := e.add(e.sub(cn, ck), e.num(1)), e.add(ck, e.num(1))
	swap := e.less(q, p)
	b := e.lbetaOf(e.pick(swap, q, p), e.pick(swap, p, q))
	v := e.sub(e.num(0), e.round1(e.addD(e.log1pD(e.single(cn)), b)))
	v = e.pick(e.lt(n, math.Inf(1)), v, e.nan())
	next := e.or(e.eq(k, 1), arith.CmpF(e.b, arith.OEQ, k, e.sub(n, e.num(1))))
	v = e.pick(next, log(e, []val{e.pick(e.gt(n, 0), n, e.num(1))}), v)
	edge := e.or(e.eq(k, 0), arith.CmpF(e.b, arith.OEQ, k, n))
	v = e.pick(edge, e.num(0), v)
	v = e.pick(e.or(e.lt(k, 0), e.less(n, k)), e.num(math.Inf(-1)), v)
	return e.pick(e.or(e.or(e.lt(n, 0), e.isNaN(n)), e.isNaN(k)), e.nan(), v)
}
