package libm

import "math"

// probit of q <= 1/2 by two steps of Halley's method: in the tail for log phi, whose
// slope 1/m does not overflow, from Abramowitz and Stegun 26.2.23; between the quartiles
// for phi - 1/2 from the series of the inverse.
func probit(e *env, x []val) val {
	p := x[0]
	inside := e.and(e.gt(p, 0), e.lt(p, 1))
	upper := e.gt(p, 0.5)
	q := e.pick(inside, e.pick(upper, e.sub(e.num(1), p), p), e.num(0.125))
	near := e.gt(q, 0.25)
	tail := e.tailProbit(e.pick(near, e.num(0.125), q))
	centre := e.centreProbit(e.pick(near, e.sub(q, e.num(0.5)), e.num(-0.125)))
	y := e.pick(near, centre, tail)
	y = e.pick(upper, e.neg(y), y)
	y = e.pick(e.eq(p, 0.5), e.num(0), y)
	y = e.pick(inside, y, e.nan())
	y = e.pick(e.eq(p, 0), e.num(math.Inf(-1)), y)
	return e.pick(e.eq(p, 1), e.inf(), y)
}

// tailProbit is for q <= 1/4.
func (e *env) tailProbit(q val) val {
	lq := e.logD(e.single(q))
	t := e.sqrt(e.times(lq.h, -2))
	x := e.sub(e.div(e.hornerOf(t, []float64{2.515517, 0.802853, 0.010328}),
		e.hornerOf(t, []float64{1, 1.432788, 0.189269, 0.001308})), t)
	for range 2 {
		h, square := e.phiArgument(x, 64)
		tail := e.erfcTail(h)
		l := e.logD(tail) // log 2 phi = this - x^2/2
		miss := e.addD(e.addD(l, e.negD(e.constD(ln2Full))), e.negD(e.addD(square, lq)))
		m := e.times(tail.h, math.Sqrt(math.Pi/2))
		r := e.round1(miss)
		bend := e.fma(e.times(r, 0.5), e.fma(x, m, e.num(1)), e.num(1))
		x = e.sub(x, e.div(e.mul(r, m), bend))
	}
	return x
}

// centreProbit is for c = q - 1/2 from -1/4 to 0.
func (e *env) centreProbit(c val) val {
	w := e.times(c, math.Sqrt(2*math.Pi))
	z := e.mul(w, w)
	x := e.mul(w, e.hornerOf(z, []float64{1, 1. / 6, 7. / 120, 127. / 5040})) // DLMF 7.17.2
	for range 2 {
		h, square := e.phiArgument(x, 1)
		s := e.erfSmall(h) // erf(x/sqrt 2) / 2 - c
		miss := e.round1(e.addTo(dd{e.times(s.h, -0.5), e.times(s.l, -0.5)}, e.neg(c)))
		u := e.times(e.div(miss, exp(e, []val{e.neg(square.h)})), math.Sqrt(2*math.Pi))
		x = e.sub(x, e.div(u, e.fma(e.times(x, 0.5), u, e.num(1))))
	}
	return x
}
