package ref

import (
	"math"
	"math/big"
	"sync"
)

func logApprox(x float64) float64 { return math.Log(x) }

// reduce is x - n pi/2 with |result| <= pi/4, and n mod 4.
func reduce(x F) (F, int) {
	prec := uint(Prec + 64 + max(0, x.MantExp(nil)))
	quarter := at(constPrec).SetMantExp(Pi(), -1)
	n := round(at(prec).Quo(x, quarter))
	r := at(prec+64).Sub(x, at(prec+64).Mul(at(prec).SetInt(n), quarter))
	return at(Prec).Set(r), int(new(big.Int).And(n, big.NewInt(3)).Int64())
}

// nodes is how many arguments from 0 on, 1/nodes apart, sinCosAt knows in each unit.
const nodes = 32

// sinCosAt are both at k / nodes, for k from 0 to nodes * pi / 2.
var sinCosAt = sync.OnceValue(func() (at [2*nodes + 1][2]F) {
	for k := range at {
		const halvings = 8
		y := Quo(New(float64(k)), New(nodes<<halvings))
		s, c := sinCosSeries(y)
		v := Sub(one, c)
		for range halvings { // sin 2y = 2 sin y cos y; 1 - cos 2y = 2 sin^2 y
			s, v = Scale(Mul(s, Sub(one, v)), 1), Scale(sqr(s), 1)
		}
		at[k] = [2]F{s, Sub(one, v)}
	}
	return at
})

// sinCosTaylor is for |x| <= 2: by the sum of two angles, of which one is small and one a node.
func sinCosTaylor(x F) (s, c F) {
	f, _ := x.Float64()
	k := int(math.Round(math.Abs(f) * nodes))
	if k == 0 {
		return sinCosSeries(x)
	}
	y := Sub(Abs(x), New(float64(k)/nodes))
	s, c = sinCosSeries(y)
	at := sinCosAt()[k]
	s, c = Add(Mul(at[0], c), Mul(at[1], s)), Sub(Mul(at[1], c), Mul(at[0], s))
	if f < 0 {
		s = Neg(s)
	}
	return s, c
}

// sinCosSeries is the sum of their Taylor series, for small x.
func sinCosSeries(x F) (s, c F) {
	z := Neg(sqr(x))
	sum := func(first F, k int) F {
		sum, power := first, first
		for ; ; k += 2 {
			power = Mul(power, z)
			term := Mul(power, inverseFactorials()[k])
			if term.Sign() == 0 || term.MantExp(nil) < first.MantExp(nil)-Prec-8 {
				return sum
			}
			sum = Add(sum, term)
		}
	}
	return sum(x, 3), sum(one, 2)
}

// SinCos is both.
func SinCos(x F) (sin, cos F) {
	r, n := reduce(x)
	s, c := sinCosTaylor(r)
	switch n {
	case 0:
		return s, c
	case 1:
		return c, Neg(s)
	case 2:
		return Neg(s), Neg(c)
	}
	return Neg(c), s
}

// Sin is the sine.
func Sin(x F) F { s, _ := SinCos(x); return s }

// Cos is the cosine.
func Cos(x F) F { _, c := SinCos(x); return c }

// Tan is the tangent.
func Tan(x F) F { s, c := SinCos(x); return Quo(s, c) }

// sinPi and cosPi are of pi x, x reduced exactly.
func sinCosPi(x F) (s, c F) {
	n := round(Scale(x, -1))
	r := at(max(Prec, x.Prec())).Sub(x, at(2100).SetMantExp(at(2100).SetInt(n), 1))
	return SinCos(at(2*Prec).Mul(r, Pi()))
}

// Atan is the arc tangent: the angle between x and its approximation is small.
func Atan(x F) F {
	if x.Sign() == 0 {
		return x
	}
	if small(x, -60) { // atan x = x - x^3/3 + x^5/5 - x^7/7
		z := sqr(x)
		t := Sub(Quo(one, New(5)), Quo(z, New(7)))
		return Mul(x, Sub(one, Mul(z, Sub(Quo(one, New(3)), Mul(z, t)))))
	}
	if !small(x, 1) { // pi/2 - atan(1/x)
		q := Scale(Pi(), -1)
		if x.Sign() < 0 {
			q = Neg(q)
		}
		return at(Prec).Sub(q, Atan(Quo(one, x)))
	}
	f, _ := x.Float64()
	y := New(math.Atan(f))
	for range 3 { // tan(atan x - y) = (x cos y - sin y) / (cos y + x sin y) = d; atan d = d - d^3/3
		s, c := sinCosTaylor(y)
		d := Quo(Sub(Mul(x, c), s), Add(c, Mul(x, s)))
		y = Add(y, Sub(d, Quo(Mul(d, sqr(d)), New(3))))
	}
	return y
}

// Atan2 is the angle of (x, y); not both are 0.
func Atan2(y, x F) F {
	switch {
	case x.Sign() > 0:
		return Atan(Quo(y, x))
	case x.Sign() == 0:
		return Scale(Mul(Pi(), New(float64(y.Sign()))), -1)
	case y.Signbit():
		return at(Prec).Sub(Atan(Quo(y, x)), Pi())
	}
	return at(Prec).Add(Atan(Quo(y, x)), Pi())
}

// Asin is the arc sine.
func Asin(x F) F {
	c := Mul(at(2*Prec).Sub(one, x), at(2*Prec).Add(one, x))
	if c.Sign() == 0 {
		return Scale(Mul(Pi(), x), -1)
	}
	return Atan(Quo(x, Sqrt(c)))
}

// Acos is the arc cosine.
func Acos(x F) F {
	c := Mul(at(2*Prec).Sub(one, x), at(2*Prec).Add(one, x))
	if x.Sign() > 0 {
		return Atan(Quo(Sqrt(c), x))
	}
	return Sub(Scale(Pi(), -1), Asin(x))
}
