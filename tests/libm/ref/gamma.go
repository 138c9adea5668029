package ref

// Lgamma is log |gamma(x)|, x no pole.
func Lgamma(x F) F {
	if x.Sign() < 0 { // DLMF 5.5.3: gamma(x) gamma(1-x) = pi / sin(pi x)
		s, _ := sinCosPi(x)
		return Sub(Log(Quo(Pi(), Abs(Mul(s, x)))), Lgamma(Neg(x)))
	}
	y, product := at(2*Prec).Set(x), New(1)
	for y.Cmp(New(40)) < 0 {
		product = Mul(product, y)
		y = at(2*Prec).Add(y, one)
	}
	v := Add(Sub(Mul(Sub(y, half), Log(y)), y), Add(halfLog2Pi(), stirling(y)))
	return Sub(v, Log(product))
}

// Digamma is the derivative of Lgamma.
func Digamma(x F) F {
	if x.Sign() < 0 { // DLMF 5.5.4
		s, c := sinCosPi(x)
		return Sub(Digamma(at(2*Prec).Sub(one, x)), Quo(Mul(Pi(), c), s))
	}
	y, sum := at(2*Prec).Set(x), New(0)
	for y.Cmp(New(40)) < 0 {
		sum = Add(sum, Quo(one, y))
		y = at(2*Prec).Add(y, one)
	}
	v := Sub(Log(y), Quo(half, y)) // DLMF 5.11.2
	z := Quo(one, sqr(y))
	power := z
	for k := 2; k <= 100; k += 2 {
		t := Mul(power, Quo(bernoulli(k), New(float64(k))))
		v = Sub(v, t)
		if small(t, -Prec-16) {
			break
		}
		power = Mul(power, z)
	}
	return Sub(v, sum)
}

// Trigamma is the derivative of Digamma.
func Trigamma(x F) F {
	if x.Sign() < 0 { // DLMF 5.15.6
		s, _ := sinCosPi(x)
		return Sub(sqr(Quo(Pi(), s)), Trigamma(at(2*Prec).Sub(one, x)))
	}
	y, sum := at(2*Prec).Set(x), New(0)
	for y.Cmp(New(40)) < 0 {
		sum = Add(sum, Quo(one, sqr(y)))
		y = at(2*Prec).Add(y, one)
	}
	z := Quo(one, sqr(y))
	v := Add(Quo(one, y), Scale(z, -1)) // DLMF 5.15.8
	power := Quo(z, y)
	for k := 2; k <= 100; k += 2 {
		t := Mul(power, bernoulli(k))
		v = Add(v, t)
		if small(t, -Prec-16) {
			break
		}
		power = Mul(power, z)
	}
	return Add(v, sum)
}

// Erf is the error function (DLMF 7.6.2: no term is negative).
func Erf(x F) F {
	if x.Sign() == 0 {
		return x
	}
	if !small(x, 3) {
		c := Sub(one, Erfc(Abs(x)))
		if x.Sign() < 0 {
			return Neg(c)
		}
		return c
	}
	z := Scale(sqr(x), 1)
	sum, term := New(0), at(Prec).Set(x)
	for k := 3.0; term.MantExp(nil) > x.MantExp(nil)-Prec-8; k += 2 {
		sum = Add(sum, term)
		term = Quo(Mul(term, z), New(k))
	}
	return Mul(Mul(sum, Exp(Neg(sqr(x)))), Quo(two, Sqrt(Pi())))
}

// Erfc is 1 - Erf.
func Erfc(x F) F {
	if x.Cmp(New(5)) < 0 {
		return Sub(one, Erf(x))
	}
	return Mul(fraction(x), Exp(Neg(at(2*Prec).Mul(x, x))))
}

// Erfcx is exp(x^2) erfc(x), x >= 0.
func Erfcx(x F) F {
	if x.Cmp(New(5)) < 0 {
		return Mul(Erfc(x), Exp(at(2*Prec).Mul(x, x)))
	}
	return fraction(x)
}

// fraction is Erfcx for x >= 5: Laplace's continued fraction (DLMF 7.9.1).
func fraction(x F) F {
	t := x
	for k := 8 + int(40000/mustFloat(sqr(x))); k >= 1; k-- {
		t = Add(x, Quo(New(float64(k)/2), t))
	}
	return Quo(one, Mul(t, Sqrt(Pi())))
}

func mustFloat(x F) float64 { f, _ := x.Float64(); return f }
