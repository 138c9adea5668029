package libm

import "math"

// arcParts is s and t with asin of the smaller root = s + t: of a itself to 1/2, of
// sqrt((1-a)/2) above.
func (e *env) arcParts(a val) (big, s, t val) {
	big = e.gt(a, 0.5)
	z := e.pick(big, e.times(e.sub(e.num(1), a), 0.5), e.mul(a, a))
	root := e.sqrt(z)
	lost := e.div(e.fma(e.neg(root), root, z), e.times(root, 2))
	lost = e.pick(e.and(big, e.gt(root, 0)), lost, e.num(0))
	s = e.pick(big, root, a)
	return big, s, e.fma(e.mul(s, z), e.horner(z, asinPoly), lost)
}

// asin a = pi/2 - 2 asin sqrt((1-a)/2) above 1/2.
func asin(e *env, x []val) val {
	a := e.abs(x[0])
	big, s, t := e.arcParts(a)
	sum := e.fastSum(e.part(halfPi, 0), e.times(s, -2))
	large := e.add(sum.h, e.add(sum.l, e.fma(e.num(-2), t, e.part(halfPi, 1))))
	return e.copysign(e.pick(big, large, e.add(s, t)), x[0])
}

// acos x is 2 asin sqrt((1-x)/2) above 1/2, pi less that below -1/2, and pi/2 - asin x between.
func acos(e *env, x []val) val {
	big, s, t := e.arcParts(e.abs(x[0]))
	minus := e.lt(x[0], 0)
	angle := e.pickD(big, dd{e.times(s, 2), e.times(t, 2)}, dd{s, t})
	angle = e.pickD(minus, angle, e.negD(angle)) // c - asin a is c + this; beyond -1/2 it is turned again
	angle = e.pickD(e.and(big, minus), e.negD(angle), angle)
	c := e.pickD(big, e.constD(piParts), e.constD(halfPi))
	sum := e.fastSum(c.h, angle.h)
	y := e.add(sum.h, e.add(sum.l, e.add(c.l, angle.l)))
	return e.pick(e.and(big, e.cmpGE(x[0], 0)), e.times(e.add(s, t), 2), y)
}

func (e *env) cmpGE(x val, y float64) val { return e.ge(x, y) }

// octant is atan(a/b) for 0 <= a <= b, b > 0: above tan(pi/8) it is pi/4 + atan((a-b)/(a+b)).
func (e *env) octant(a, b val) dd {
	far := e.less(e.times(b, math.Sqrt2-1), a)
	num := e.pickD(far, e.twoSum(a, e.neg(b)), e.single(a))
	den := e.pickD(far, e.twoSum(b, a), e.single(b))
	q := e.divD(num, den)
	z := e.mul(q.h, q.h)
	t := e.fma(e.mul(q.h, z), e.horner(z, atanPoly), e.fma(e.neg(q.l), z, q.l))
	base := e.pickD(far, e.constD(quarterPi), e.single(e.num(0)))
	sum := e.fastSum(base.h, q.h)
	return e.fastSum(sum.h, e.add(sum.l, e.add(base.l, t)))
}

// turned is c - x where cond holds.
func (e *env) turned(cond val, c parts, x dd) dd {
	k := e.constD(c)
	s := e.fastSum(k.h, e.neg(x.h))
	return e.pickD(cond, e.fastSum(s.h, e.add(s.l, e.sub(k.l, x.l))), x)
}

func atan(e *env, x []val) val {
	a := e.abs(x[0])
	steep := e.gt(a, 1)
	inf := e.eq(a, math.Inf(1))
	num := e.pick(steep, e.pick(inf, e.num(0), e.num(1)), a)
	den := e.pick(steep, e.pick(inf, e.num(1), a), e.num(1))
	y := e.round1(e.turned(steep, halfPi, e.octant(num, den)))
	return e.copysign(e.pick(e.lt(a, e.tiny), a, y), x[0])
}

// atan2 scales so that neither sums overflow nor remainders underflow.
func atan2(e *env, x []val) val {
	ay, ax := e.abs(x[0]), e.abs(x[1])
	steep := e.less(ax, ay)
	a, b := e.pick(steep, ax, ay), e.pick(steep, ay, ax)
	top := float64(e.maxExp)
	scale := e.pick(e.gt(b, math.Ldexp(1, int(top)-8)), e.num(math.Ldexp(1, -16)), e.num(1))
	scale = e.pick(e.lt(b, math.Ldexp(1, -int(top)/2)), e.num(math.Ldexp(1, int(top)/2-1)), scale)
	sa, sb := e.mul(a, scale), e.mul(b, scale)
	inf, zero := e.eq(b, math.Inf(1)), e.eq(b, 0)
	corner := e.pick(e.eq(a, math.Inf(1)), e.num(1), e.num(0))
	sa = e.pick(inf, corner, sa)
	sb = e.pick(e.or(inf, zero), e.num(1), sb)
	angle := e.turned(steep, halfPi, e.octant(sa, sb))
	back := e.bit(e.bits(x[1]), e.width()-1)
	y := e.copysign(e.round1(e.turned(back, piParts, angle)), x[0])
	return e.pick(e.or(e.isNaN(x[0]), e.isNaN(x[1])), e.nan(), y)
}
