package libm

// A dd is the unevaluated sum h + l of two floats, |l| at most an ulp of h
// (Dekker 1971). Its ops are those of Knuth, Dekker, and Joldes, Muller and
// Popescu (2017), with fma; they want finite operands far from overflow.
type dd struct{ h, l val }

// twoSum is a + b exactly (Knuth).
func (e *env) twoSum(a, b val) dd {
	s := e.add(a, b)
	v := e.sub(s, a)
	return dd{s, e.add(e.sub(a, e.sub(s, v)), e.sub(b, v))}
}

// fastSum is a + b exactly if |a| >= |b| or a = 0 (Dekker).
func (e *env) fastSum(a, b val) dd {
	s := e.add(a, b)
	return dd{s, e.sub(b, e.sub(s, a))}
}

// twoProd is a * b exactly.
func (e *env) twoProd(a, b val) dd {
	p := e.mul(a, b)
	return dd{p, e.fma(a, b, e.neg(p))}
}

func (e *env) negD(x dd) dd          { return dd{e.neg(x.h), e.neg(x.l)} }
func (e *env) round1(x dd) val       { return e.add(x.h, x.l) }
func (e *env) single(x val) dd       { return dd{x, e.num(0)} }
func (e *env) scaleD(x dd, s val) dd { return dd{e.mul(x.h, s), e.mul(x.l, s)} }

func (e *env) addD(x, y dd) dd {
	s := e.twoSum(x.h, y.h)
	return e.fastSum(s.h, e.add(s.l, e.add(x.l, y.l)))
}

// addTo is x + a.
func (e *env) addTo(x dd, a val) dd {
	s := e.twoSum(x.h, a)
	return e.fastSum(s.h, e.add(s.l, x.l))
}

func (e *env) mulD(x, y dd) dd {
	p := e.twoProd(x.h, y.h)
	return e.fastSum(p.h, e.fma(x.h, y.l, e.fma(x.l, y.h, p.l)))
}

// mulTo is x * a.
func (e *env) mulTo(x dd, a val) dd {
	p := e.twoProd(x.h, a)
	return e.fastSum(p.h, e.fma(x.l, a, p.l))
}

func (e *env) divD(x, y dd) dd {
	q := e.div(x.h, y.h)
	r := e.fma(e.neg(q), y.h, x.h)
	r = e.fma(e.neg(q), y.l, e.add(r, x.l))
	return e.fastSum(q, e.div(r, y.h))
}

// sqrtD is the root of x > 0.
func (e *env) sqrtD(x dd) dd {
	s := e.sqrt(x.h)
	r := e.add(e.fma(e.neg(s), s, x.h), x.l)
	return e.fastSum(s, e.div(r, e.times(s, 2)))
}

func (e *env) pickD(c val, x, y dd) dd { return dd{e.pick(c, x.h, y.h), e.pick(c, x.l, y.l)} }

// constD is a constant to twice the precision.
func (e *env) constD(p parts) dd { return dd{e.part(p, 0), e.part(p, 1)} }

// hornerD is a polynomial whose last step is exact.
func (e *env) hornerD(z val, p poly) dd {
	c, lo := e.coefs(p)
	q := e.hornerOf(z, c[1:])
	t := e.twoProd(z, q)
	s := e.twoSum(e.num(c[0]), t.h)
	return e.fastSum(s.h, e.add(s.l, e.add(t.l, e.num(lo))))
}
