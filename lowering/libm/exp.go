package libm

import "math"

// expReduce is x = k log 2 + r with |r| <= log(2)/2; k is an integer.
func (e *env) expReduce(x dd) (r dd, k val) {
	kf, bits := e.round(x.h, e.part(log2e, 0))
	minus := e.neg(kf)
	r = e.twoSum(e.fma(minus, e.part(ln2, 0), x.h), e.mul(minus, e.part(ln2, 1)))
	return e.fastSum(r.h, e.add(r.l, e.fma(minus, e.part(ln2, 2), x.l))), e.toInt(bits)
}

// expm1Small is e^r - 1 - r.h for a reduced r.
func (e *env) expm1Small(r dd) val {
	return e.fma(e.mul(r.h, r.h), e.horner(r.h, expPoly), e.fma(r.h, r.l, r.l))
}

// expD is e^x as p * 2^k, to about 4 more bits than the format has.
func (e *env) expD(x dd) (p dd, k val) {
	r, k := e.expReduce(x)
	s := e.fastSum(e.num(1), r.h)
	return e.fastSum(s.h, e.add(s.l, e.expm1Small(r))), k
}

// expRange clamps an argument of exp: beyond it the result overflows, or is 0.
func (e *env) expRange(x val) val { return e.clamp(x, e.by(-105, -746), e.by(89, 710)) }

// exp: x = k log 2 + r; e^r = 1 + r + r^2 P(r), times 2^k. This is scaled by 2^(k-1) and by 2, so that only
// what is infinite overflows; or, where 2^k may be subnormal, by 2^(k+63) and by 2^-63. The first product is exact.
func exp(e *env, x []val) val {
	a := e.expRange(x[0])
	kf, bits := e.round(a, e.part(log2e, 0))
	minus := e.neg(kf)
	r := e.fma(minus, e.part(ln2, 0), a) // exact
	r = e.fma(minus, e.num(e.raw(ln2, 1)+e.raw(ln2, 2)), r)
	p := e.fma(e.mul(r, r), e.horner(r, expPoly), r)
	small := e.lt(a, e.by(-80, -700))
	biased := e.pick(small, e.int((e.bias+63)<<e.mant), e.int((e.bias-1)<<e.mant))
	scale := e.float(e.addi(e.shl(bits, e.mant), biased)) // the shift drops what round added
	return e.mul(e.fma(p, scale, scale), e.pick(small, e.num(0x1p-63), e.num(2)))
}

// exp2: the fraction of x times log 2 in two parts.
func exp2(e *env, x []val) val {
	a := e.clamp(x[0], e.by(-151, -1077), e.by(129, 1025))
	kf, bits := e.round(a, e.num(1))
	r := e.mulTo(e.constD(ln2Full), e.sub(a, kf))
	return e.ldexp(e.add(e.num(1), e.add(r.h, e.expm1Small(r))), e.toInt(bits))
}

// expm1D is e^x - 1, relatively accurate, for x <= limit of overflow.
func (e *env) expm1D(x dd) dd {
	r, k := e.expReduce(x)
	t := e.expm1Small(r)
	half := e.pow2(e.subi(k, e.int(1))) // 2^k may overflow where the result does not
	s := e.twoSum(e.sub(half, e.num(0.5)), e.mul(half, r.h))
	out := e.fastSum(s.h, e.fma(half, t, s.l))
	return dd{e.times(out.h, 2), e.times(out.l, 2)}
}

// expm1 has the constants -1 below and infinity above.
func expm1(e *env, x []val) val {
	top := e.by(88.75, 709.79)
	a := e.clamp(x[0], e.by(-20, -40), top)
	y := e.round1(e.expm1D(e.single(a)))
	y = e.pick(e.gt(x[0], top), e.inf(), y)
	return e.pick(e.lt(e.abs(x[0]), e.tiny), x[0], y)
}

// quarters is e^a / 4 and e^-a / 4 for a >= 0.
func (e *env) quarters(a val) (up dd, down val) {
	p, k := e.expD(e.single(e.clamp(a, 0, e.by(90, 711))))
	up = e.scaleD(p, e.pow2(e.subi(k, e.int(2))))
	return up, e.div(e.num(1./16), up.h)
}

// doubled is 2 (x + l), where x may be infinite and l then NaN.
func (e *env) doubled(x dd) val {
	return e.times(e.pick(e.eq(x.h, math.Inf(1)), x.h, e.round1(x)), 2)
}

// cosh = 2 (e^a/4 + e^-a/4).
func cosh(e *env, x []val) val {
	up, down := e.quarters(e.abs(x[0]))
	s := e.fastSum(up.h, down)
	return e.doubled(dd{s.h, e.add(s.l, up.l)})
}

// sinh is an odd polynomial below 1.
func sinh(e *env, x []val) val {
	a := e.abs(x[0])
	up, down := e.quarters(a)
	s := e.fastSum(up.h, e.neg(down))
	large := e.doubled(dd{s.h, e.add(s.l, up.l)})
	small := e.oddPoly(a, sinhPoly)
	return e.copysign(e.pick(e.lt(a, 1), small, large), x[0])
}

// oddPoly is x + x^3 P(x^2).
func (e *env) oddPoly(x val, p poly) val {
	z := e.mul(x, x)
	return e.fma(e.mul(x, z), e.horner(z, p), x)
}

// tanh = m / (m + 2), m = e^2x - 1.
func tanh(e *env, x []val) val {
	a := e.abs(x[0])
	m := e.expm1D(e.single(e.clamp(e.times(a, 2), 0, e.by(24, 48))))
	y := e.round1(e.divD(m, e.addTo(m, e.num(2))))
	y = e.pick(e.lt(a, e.tiny), a, y)
	return e.copysign(y, x[0])
}
