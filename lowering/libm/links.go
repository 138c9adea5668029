package libm

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
)

// expUnit is e^-|x| as p 2^k, p from 0.7 to 1.5; beyond the range it is 0 to all who
// add it to 1.
func (e *env) expUnit(x val) (p dd, k val) {
	return e.expD(e.single(e.neg(e.clamp(e.abs(x), 0, e.by(105, 746)))))
}

// whole is p 2^k, with an error where it is less than the least normal number.
func (e *env) whole(p dd, k val) dd { return dd{e.ldexp(p.h, k), e.ldexp(p.l, k)} }

// log1mexp: log(-expm1 x) near 0, log1p(-e^x) elsewhere (Maechler 2012).
func log1mexp(e *env, x []val) val {
	p, k := e.expUnit(x[0])
	far := e.whole(e.negD(p), k)
	s := e.twoSum(e.num(1), far.h)
	s.l = e.add(s.l, far.l)
	near := e.gt(x[0], -math.Ln2)
	m := e.negD(e.expm1D(e.single(e.clamp(x[0], -1, 0))))
	zero := e.eq(x[0], 0)
	arg := e.pickD(near, e.pickD(zero, e.single(e.num(1)), m), s)
	y := e.round1(e.logD(arg))
	y = e.pick(e.lt(x[0], e.by(-30, -60)), e.neg(e.ldexp(e.round1(p), k)), y)
	y = e.pick(e.lt(e.abs(x[0]), e.tiny*e.tiny), e.logTiny(x[0]), y)
	y = e.pick(zero, e.num(math.Inf(-1)), y)
	return e.pick(e.or(e.gt(x[0], 0), e.isNaN(x[0])), e.nan(), y)
}

// logTiny is log |x|, x not 0.
func (e *env) logTiny(x val) val { return e.round1(e.logD(e.single(e.abs(x)))) }

// log1pexp = max(x, 0) + log1p(e^-|x|).
func log1pexp(e *env, x []val) val {
	p, k := e.expUnit(x[0])
	l := e.log1pD(e.whole(p, k))
	up := e.pick(e.gt(x[0], 0), e.pick(e.lt(x[0], math.Inf(1)), x[0], e.num(0)), e.num(0))
	y := e.round1(e.addD(e.single(up), l))
	y = e.pick(e.lt(x[0], e.by(-30, -60)), e.ldexp(e.round1(p), k), y)
	return e.pick(e.or(e.eq(x[0], math.Inf(1)), e.isNaN(x[0])), x[0], y)
}

// logit = log(x / (1 - x)), near 1/2 with x/(1-x) = 1 + (2x - 1)/(1 - x).
func logit(e *env, x []val) val {
	inside := e.and(e.gt(x[0], 0), e.lt(x[0], 1))
	c := e.pick(inside, x[0], e.num(0.5))
	den := e.twoSum(e.num(1), e.neg(c))
	middle := e.and(e.gt(c, 0.25), e.lt(c, 0.75))
	top := e.pick(middle, e.sub(e.times(c, 2), e.num(1)), c)
	subnormal := e.lt(top, e.minNorm*0x1p10)
	q := e.divD(e.single(top), den)
	one := e.twoSum(e.num(1), q.h)
	one.l = e.add(one.l, q.l)
	arg := e.pickD(middle, one, e.pickD(e.and(subnormal, e.gt(top, 0)), e.single(top), q))
	y := e.round1(e.logD(arg))
	y = e.pick(inside, y, e.nan())
	y = e.pick(e.eq(x[0], 0), e.num(math.Inf(-1)), y)
	return e.pick(e.eq(x[0], 1), e.inf(), y)
}

// ilogit = 1 / (1 + e^-|x|), times e^-|x| below 0.
func ilogit(e *env, x []val) val {
	p, k := e.expUnit(x[0])
	z := e.whole(p, k)
	s := e.twoSum(e.num(1), z.h)
	den := e.fastSum(s.h, e.add(s.l, z.l))
	minus := e.lt(x[0], 0)
	q := e.round1(e.divD(e.pickD(minus, p, e.single(e.num(1))), den))
	y := e.pick(minus, e.ldexp(q, k), q)
	return e.pick(e.isNaN(x[0]), x[0], y)
}

// cloglog = log(-log1p(-x)).
func cloglog(e *env, x []val) val {
	inside := e.and(e.gt(x[0], 0), e.lt(x[0], 1))
	c := e.pick(inside, x[0], e.num(0.5))
	inner := e.negD(e.log1pD(e.single(e.neg(c))))
	arg := e.pickD(e.lt(c, e.by(0x1p-60, 0x1p-120)), e.single(c), inner)
	y := e.pick(inside, e.round1(e.logD(arg)), e.nan())
	y = e.pick(e.eq(x[0], 0), e.num(math.Inf(-1)), y)
	return e.pick(e.eq(x[0], 1), e.inf(), y)
}

// icloglog = -expm1(-e^x); e^x in dd up to where the result is 1.
func icloglog(e *env, x []val) val {
	p, k := e.expD(e.single(e.clamp(x[0], e.by(-105, -746), 5)))
	z := e.whole(p, k)
	y := e.neg(e.round1(e.expm1D(e.negD(e.pickD(e.gt(z.h, e.by(20, 40)), e.single(e.num(e.by(20, 40))), z)))))
	return e.pick(e.lt(x[0], e.by(-30, -60)), e.ldexp(e.round1(p), k), y)
}

// step is 1 from 0 on; of NaN it is 0.
func step(e *env, x []val) val { return e.pick(e.ge(x[0], 0), e.num(1), e.num(0)) }

// scaledLog is x l, where l is the logarithm; edge is what the logarithm is if it
// is not finite.
func (e *env) scaledLog(x val, l dd, finite val, edge val) val {
	plain := e.mul(x, l.h)
	size := e.abs(plain) // far from the ends of the range, where the low part is wrong
	inside := e.and(e.ge(size, e.minNorm), e.lt(size, math.Ldexp(1, e.maxExp-2)))
	y := e.pick(inside, e.round1(e.mulTo(l, x)), plain)
	return e.pick(finite, y, e.mul(x, edge))
}

func xlogy(e *env, x []val) val {
	finite := e.and(e.gt(x[1], 0), e.lt(x[1], math.Inf(1)))
	l := e.logD(e.single(e.pick(finite, x[1], e.num(1))))
	edge := e.logEdges(x[1], e.num(0))
	return e.zeroTimes(x, e.scaledLog(x[0], l, finite, edge))
}

func xlog1py(e *env, x []val) val {
	finite := e.and(e.gt(x[1], -1), e.lt(x[1], math.Inf(1)))
	c := e.pick(finite, x[1], e.num(0))
	l := e.log1pD(e.single(c))
	l = e.pickD(e.lt(e.abs(c), e.tiny*e.tiny), e.single(c), l)
	edge := e.pick(e.lt(x[1], math.Inf(1)), e.num(math.Inf(-1)), x[1])
	edge = e.pick(e.lt(x[1], -1), e.nan(), edge)
	return e.zeroTimes(x, e.scaledLog(x[0], l, finite, edge))
}

// zeroTimes is 0 where x[0] is and x[1] is a number.
func (e *env) zeroTimes(x []val, y val) val {
	zero := e.and(e.eq(x[0], 0), arith.CmpF(e.b, arith.ORD, x[1], x[1]))
	return e.pick(zero, e.num(0), y)
}
