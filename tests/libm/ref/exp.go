package ref

// Expm1 is exp(x) - 1.
func Expm1(x F) F {
	if x.Sign() == 0 {
		return x
	}
	if !small(x, -1) {
		return Sub(Exp(x), one)
	}
	return taylorExpm1(x)
}

// taylorExpm1 is for |x| < 1/2; it halves the argument first.
func taylorExpm1(x F) F {
	if x.Sign() == 0 {
		return x
	}
	const halvings = 8
	z := Scale(x, -halvings)
	sum, power := New(0), at(Prec).Set(z)
	for k := 1; ; k++ {
		term := Mul(power, inverseFactorials()[k])
		if sum = Add(sum, term); term.MantExp(nil) < z.MantExp(nil)-Prec-8 {
			break
		}
		power = Mul(power, z)
	}
	for range halvings { // e^2z - 1 = (e^z - 1)(e^z + 1)
		sum = Mul(sum, Add(sum, two))
	}
	return sum
}

// Exp is e^x.
func Exp(x F) F {
	if limit := New(1e6); x.Cmp(limit) > 0 {
		x = limit
	} else if limit = New(-1e6); x.Cmp(limit) < 0 {
		x = limit
	}
	k := round(Quo(x, Ln2()))
	r := at(2*Prec).Sub(x, at(2*Prec).Mul(at(64).SetInt(k), Ln2()))
	return Scale(Add(one, taylorExpm1(at(Prec).Set(r))), int(k.Int64()))
}

// Exp2 is 2^x.
func Exp2(x F) F { return Exp(at(2*Prec).Mul(x, Ln2())) }

// Log1p is log(1 + x).
func Log1p(x F) F {
	if !small(x, -2) {
		return Log(at(4*Prec).Add(x, one))
	}
	if x.Sign() == 0 {
		return x
	}
	s := Quo(x, Add(x, two)) // log(1+x) = 2 atanh(x/(2+x))
	z, sum, power := sqr(s), New(0), s
	for k := 1.0; ; k += 2 {
		t := Quo(power, New(k))
		sum = Add(sum, t)
		if t.MantExp(nil) < s.MantExp(nil)-Prec-8 {
			return Scale(sum, 1)
		}
		power = Mul(power, z)
	}
}

// Log is the natural logarithm: Newton's method for exp, of third order (Halley).
func Log(x F) F {
	if d := at(4*Prec).Sub(x, one); small(d, -2) {
		return Log1p(d)
	}
	m := at(max(Prec, x.Prec()))
	k := x.MantExp(m)
	f, _ := m.Float64()
	y := New(logApprox(f))
	for range 3 {
		e := Exp(y)
		y = Add(y, Quo(Scale(Sub(m, e), 1), Add(m, e)))
	}
	return Add(y, at(2*Prec).Mul(at(64).SetInt64(int64(k)), Ln2()))
}

// Log2 is the logarithm to base 2.
func Log2(x F) F { return Quo(Log(x), Ln2()) }

// Log10 is the logarithm to base 10.
func Log10(x F) F { return Quo(Log(x), Ln10()) }

// Pow is x^y for x > 0.
func Pow(x, y F) F { return Exp(Mul(y, Log(x))) }

// Cbrt is the cube root.
func Cbrt(x F) F {
	if x.Sign() == 0 {
		return x
	}
	r := Exp(Quo(Log(Abs(x)), New(3)))
	if x.Sign() < 0 {
		return Neg(r)
	}
	return r
}

// Rsqrt is 1 / sqrt(x).
func Rsqrt(x F) F { return Quo(one, Sqrt(x)) }

// Sinh is the hyperbolic sine.
func Sinh(x F) F {
	e := Expm1(Abs(x)) // for large negative arguments e + 1 has no bits left
	r := Scale(Add(e, Quo(e, Add(e, one))), -1)
	if x.Sign() < 0 {
		return Neg(r)
	}
	return r
}

// Cosh is the hyperbolic cosine.
func Cosh(x F) F {
	e := Exp(x)
	return Scale(Add(e, Quo(one, e)), -1)
}

// Tanh is the hyperbolic tangent.
func Tanh(x F) F {
	e := Expm1(Scale(x, 1))
	return Quo(e, Add(e, two))
}

// Asinh is the inverse hyperbolic sine.
func Asinh(x F) F {
	a := Abs(x)
	s := sqr(a)
	r := Log1p(Add(a, Quo(s, Add(one, Sqrt(Add(one, s))))))
	if x.Sign() < 0 {
		return Neg(r)
	}
	return r
}

// Acosh is the inverse hyperbolic cosine, for x >= 1.
func Acosh(x F) F {
	t := Sub(x, one)
	return Log1p(Add(t, Sqrt(Mul(t, Add(t, two)))))
}

// Atanh is the inverse hyperbolic tangent, for |x| < 1.
func Atanh(x F) F { return Scale(Log1p(Quo(Scale(x, 1), Sub(one, x))), -1) }
