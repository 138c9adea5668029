package ref

import "math"

// Phi is the distribution function of the standard normal distribution.
func Phi(x F) F { return Scale(Erfc(Neg(Mul(x, Sqrt(half)))), -1) }

// LogPhi is its logarithm.
func LogPhi(x F) F {
	if x.Sign() > 0 {
		return Log1p(Neg(Phi(Neg(x))))
	}
	if x.Cmp(New(-40)) < 0 {
		tail := Log(Scale(fraction(Neg(Mul(x, Sqrt(half)))), -1))
		return Sub(tail, Scale(at(2*Prec).Mul(x, x), -1))
	}
	return Log(Phi(x))
}

// Probit is the inverse of Phi on (0, 1): Newton's method from float64.
func Probit(p F) F {
	if p.Cmp(half) > 0 {
		return Neg(Probit(at(2*Prec).Sub(one, p)))
	}
	if p.Cmp(half) == 0 {
		return New(0)
	}
	lp := Log(p)
	f, _ := lp.Float64()
	x := New(-math.Sqrt(math.Max(0, -2*f-math.Log(math.Max(1, -4*math.Pi*f-12)))) * 0.8)
	for range 60 { // of log Phi, which is concave: it converges from anywhere
		q := Phi(x)
		density := Quo(Exp(Neg(Scale(sqr(x), -1))), Sqrt(Scale(at(Prec).Set(Pi()), 1)))
		step := Quo(Mul(q, Sub(Log(q), lp)), density)
		x = Sub(x, step)
		if step.Sign() == 0 || step.MantExp(nil) < x.MantExp(nil)-Prec/2 {
			break
		}
	}
	return x
}

// Log1mexp is log(1 - exp(x)), x < 0.
func Log1mexp(x F) F {
	if x.Cmp(New(-0.7)) > 0 {
		return Log(Neg(Expm1(x)))
	}
	return Log1p(Neg(Exp(x)))
}

// Log1pexp is log(1 + exp(x)).
func Log1pexp(x F) F {
	if x.Sign() > 0 {
		return Add(x, Log1p(Exp(Neg(x))))
	}
	return Log1p(Exp(x))
}

// Logit is log(x / (1 - x)).
func Logit(x F) F {
	y := at(4*Prec).Sub(one, x)
	if d := at(4*Prec).Sub(x, y); small(d, -2) {
		return Log1p(Quo(d, y))
	}
	return Sub(Log(x), Log1p(Neg(x)))
}

// Ilogit is 1 / (1 + exp(-x)).
func Ilogit(x F) F { return Quo(one, Add(one, Exp(Neg(x)))) }

// Cloglog is log(-log(1 - x)).
func Cloglog(x F) F { return Log(Neg(Log1p(Neg(x)))) }

// Icloglog is 1 - exp(-exp(x)).
func Icloglog(x F) F { return Neg(Expm1(Neg(Exp(x)))) }

// Logfact is lgamma(1 + x).
func Logfact(x F) F {
	if small(x, -100) { // -gamma x + pi^2 x^2/12
		return Mul(x, Add(Digamma(one), Mul(x, Quo(sqr(at(Prec).Set(Pi())), New(12)))))
	}
	return Lgamma(at(4*Prec).Add(x, one))
}

// stirling is lgamma(y) - (y - 1/2) log y + y - log(2 pi)/2 for y >= 40 (DLMF 5.11.1).
func stirling(y F) F {
	v, z, power := New(0), Quo(one, sqr(y)), Quo(one, y)
	for k := 2; k <= 100; k += 2 {
		t := Mul(power, Quo(bernoulli(k), New(float64(k*(k-1)))))
		v = Add(v, t)
		if small(t, -Prec-16) {
			break
		}
		power = Mul(power, z)
	}
	return v
}

func halfLog2Pi() F { return Scale(Log(Scale(at(Prec).Set(Pi()), 1)), -1) }

// Lbeta is the logarithm of the beta function. The large parts of Stirling's formula
// are taken together.
func Lbeta(a, b F) F {
	if a.Cmp(b) > 0 {
		a, b = b, a
	}
	sum := at(4*Prec).Add(a, b)
	if b.Cmp(New(40)) < 0 {
		return Sub(Add(Lgamma(a), Lgamma(b)), Lgamma(sum))
	}
	ratio := Quo(a, sum)
	v := Add(Sub(stirling(b), stirling(sum)), Mul(Sub(b, half), Log1p(Neg(ratio))))
	if a.Cmp(New(40)) < 0 {
		return Add(v, Add(Lgamma(a), Sub(a, Mul(a, Log(sum)))))
	}
	v = Add(v, Add(stirling(a), halfLog2Pi()))
	return Add(v, Sub(Mul(Sub(a, half), Log(ratio)), Scale(Log(sum), -1)))
}
