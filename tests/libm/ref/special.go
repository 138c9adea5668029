package ref

import "math"

// Phi is the distribution function of the standard normal distribution.
func Phi(x F) F { return Scale(Erfc(Neg(Mul(x, Sqrt(half)))), -1) }

// LogPhi is its logarithm.
func LogPhi(x F) F {
	if x.Sign() > 0 {
		return Log1p(Neg(Phi(Neg(x))))
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

// Lbeta is the logarithm of the beta function, for arguments up to 2^200.
func Lbeta(a, b F) F { return Sub(Add(Lgamma(a), Lgamma(b)), Lgamma(at(2*Prec).Add(a, b))) }
