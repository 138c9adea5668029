package functions

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/special"
)

// Densities of large counts and shapes. Their formulas as they are written cancel all
// but a few digits of terms like x log x; these are Loader's (2000, Fast and accurate
// computation of binomial probabilities), in deviances and the rests of Stirling's
// formula.

// Deviance is x log(x/m) - x + m for x, m >= 0, where d is x - m: at least 0.
func Deviance[T, B any](k kit.Calc[T, B], x, m, d T) T {
	sum := k.Add(kit.Half(k, x), kit.Half(k, m)) // x + m may be infinite
	v := k.Div(kit.Half(k, d), kit.OrElse(k, k.Holds(arith.OGT, sum, k.Num(0)), sum, 1))
	w := k.Mul(v, v)
	// Where they are close, d v + 2 x (v^3/3 + v^5/5 + ...).
	s := k.Num(1. / 19)
	for n := 17.; n >= 3; n -= 2 {
		s = k.Add(k.Mul(s, w), k.Num(1/n))
	}
	near := k.Add(k.Mul(d, v), k.Mul(x, k.Mul(k.Num(2), k.Mul(k.Mul(w, v), s))))
	r := k.Div(x, m)
	plain := k.And(k.Holds(arith.OGT, r, k.Num(0x1p-1022)), k.Holds(arith.OLT, r, k.Num(kit.Inf)))
	some := k.Holds(arith.OGT, x, k.Num(0))
	log := k.Pick(plain, k.Log(kit.OrElse(k, plain, r, 1)), k.Sub(k.Log(kit.OrElse(k, some, x, 1)), k.Log(m)))
	far := k.Pick(some, k.Sub(k.Mul(x, log), d), m)
	return k.Pick(k.Holds(arith.OLT, w, k.Num(0.01)), near, far)
}

// Stirling is lgamma(x) - (x - 1/2) log x + x - log(2 pi)/2 for x > 0.
func Stirling[T, B any](k kit.Calc[T, B], x T) T {
	big := k.Holds(arith.OGE, x, k.Num(10))
	direct := k.Add(k.Sub(k.Fn(special.Lgamma, x), k.Mul(k.Sub(x, k.Num(0.5)), k.Log(x))), k.Sub(x, k.Num(0.5*kit.Log2Pi)))
	return k.Pick(big, StirlingRest(k, kit.OrElse(k, big, x, 10)), direct)
}

// PoissonMass is log P(X = x) of a Poisson distribution with mean m, x >= 0.
func PoissonMass[T, B any](k kit.Calc[T, B], x, m T) T {
	some := k.Holds(arith.OGT, x, k.Num(0))
	cx := kit.OrElse(k, some, x, 1)
	c := k.Mul(k.Num(-0.5), k.Add(k.Num(kit.Log2Pi), k.Log(cx)))
	return k.Pick(some, k.Sub(k.Sub(c, Stirling(k, cx)), Deviance(k, cx, m, k.Sub(cx, m))), k.Neg(m))
}

// BinomialMass is log C(n, x) + x log p + y log(1 - p) with n = x + y, which need be no
// whole numbers.
func BinomialMass[T, B any](k kit.Calc[T, B], x, y, p T) T {
	q, n := k.Sub(k.Num(1), p), k.Add(x, y)
	// The difference from the mean, by the smaller of p and q, which is exact.
	d := k.Pick(k.Holds(arith.OLT, p, k.Num(0.5)), k.Sub(x, k.Mul(n, p)), k.Sub(k.Mul(n, q), y))
	return BinomialMassFrom(k, x, y, p, q, d)
}

// BinomialMassFrom is given q = 1 - p and d = x - n p.
func BinomialMassFrom[T, B any](k kit.Calc[T, B], x, y, p, q, d T) T {
	zero := k.Num(0)
	inner := k.And(k.Holds(arith.OGT, x, zero), k.Holds(arith.OGT, y, zero))
	cx, cy := kit.OrElse(k, inner, x, 1), kit.OrElse(k, inner, y, 1)
	n := k.Add(cx, cy)
	c := k.Sub(k.Mul(k.Num(0.5), k.Sub(k.Sub(k.Log(k.Div(n, cx)), k.Log(cy)), k.Num(kit.Log2Pi))), k.Add(Stirling(k, cx), Stirling(k, cy)))
	body := k.Sub(k.Add(c, Stirling(k, n)), k.Add(Deviance(k, cx, k.Mul(n, p), d), Deviance(k, cy, k.Mul(n, q), k.Neg(d))))
	few := k.Holds(arith.OLT, p, k.Num(0.5))
	ends := k.Add(k.Pick(few, k.Fn(special.Xlogy, x, p), k.Fn(special.Xlog1py, x, k.Neg(q))),
		k.Pick(few, k.Fn(special.Xlog1py, y, k.Neg(p)), k.Fn(special.Xlogy, y, q)))
	return k.Pick(inner, body, ends)
}

// NegativeMassFrom is given q = 1 - p.
func NegativeMassFrom[T, B any](k kit.Calc[T, B], x, p, q, r T) T {
	some := k.Holds(arith.OGT, x, k.Num(0))
	cx := kit.OrElse(k, some, x, 1)
	n := k.Add(cx, r)
	d := k.Sub(k.Mul(r, q), k.Mul(cx, p))
	// The binomial of r in n, times r/n.
	c := k.Sub(k.Mul(k.Num(0.5), k.Sub(k.Sub(k.Log(k.Div(r, n)), k.Log(cx)), k.Num(kit.Log2Pi))), k.Add(Stirling(k, cx), Stirling(k, r)))
	body := k.Sub(k.Add(c, Stirling(k, n)), k.Add(Deviance(k, r, k.Mul(n, p), d), Deviance(k, cx, k.Mul(n, q), k.Neg(d))))
	return k.Pick(some, body, k.Mul(r, k.Log(p)))
}

// BinomialAtLogit is binomialMass for p = ilogit(eta), of which neither p nor 1 - p has
// lost digits. Far out, where they are 0, the other terms do not cancel.
func BinomialAtLogit[T, B any](k kit.Calc[T, B], x, y, eta T) T {
	p, q, n := k.Fn(special.Ilogit, eta), k.Fn(special.Ilogit, k.Neg(eta)), k.Add(x, y)
	d := k.Pick(k.Holds(arith.OLT, p, k.Num(0.5)), k.Sub(x, k.Mul(n, p)), k.Sub(k.Mul(n, q), y))
	logs := k.Add(k.Mul(x, k.Fn(special.Log1pexp, k.Neg(eta))), k.Mul(y, k.Fn(special.Log1pexp, eta)))
	far := k.Sub(k.Fn(special.Lchoose, n, x), logs)
	return k.Pick(k.Holds(arith.OLT, k.Abs(eta), k.Num(600)), BinomialMassFrom(k, x, y, p, q, d), far)
}

// NegativeMass is log P(x failures before the r-th success) for x >= 0, r > 0, p > 0.
func NegativeMass[T, B any](k kit.Calc[T, B], x, p, r T) T {
	return NegativeMassFrom(k, x, p, k.Sub(k.Num(1), p), r)
}

// GammaKernel is a log x - x - lgamma(a), for large a without its cancellation.
func GammaKernel[T, B any](k kit.Calc[T, B], a, x T) T {
	big := k.And(k.Holds(arith.OGE, a, k.Num(10)), k.Holds(arith.OGT, x, k.Num(0)))
	small := k.Sub(k.Sub(k.Mul(a, k.Log(x)), x), k.Fn(special.Lgamma, a))
	ca, cx := kit.OrElse(k, big, a, 10), kit.OrElse(k, big, x, 10)
	c := k.Mul(k.Num(0.5), k.Sub(k.Log(ca), k.Num(kit.Log2Pi)))
	return k.Pick(big, k.Sub(k.Sub(c, StirlingRest(k, ca)), Deviance(k, ca, cx, k.Sub(ca, cx))), small)
}

// BetaKernel is a log x + b log y - lbeta(a, b), with x + y = 1; for large a and b
// without its cancellation.
func BetaKernel[T, B any](k kit.Calc[T, B], a, b, x, y T) T {
	// a - (a + b) x, by the smaller of x and y, which is exact.
	d := k.Pick(k.Holds(arith.OLT, x, y), k.Sub(a, k.Mul(k.Add(a, b), x)), k.Sub(k.Mul(k.Add(a, b), y), b))
	return BetaKernelFrom(k, a, b, x, y, d)
}

// BetaKernelFrom is given d = a - (a + b) x.
func BetaKernelFrom[T, B any](k kit.Calc[T, B], a, b, x, y, d T) T {
	inside := k.And(k.Holds(arith.OGT, x, k.Num(0)), k.Holds(arith.OGT, y, k.Num(0)))
	big := k.And(k.And(k.Holds(arith.OGE, a, k.Num(10)), k.Holds(arith.OGE, b, k.Num(10))), inside)
	few := k.Holds(arith.OLT, x, k.Num(0.5))
	logX := k.Pick(few, k.Log(x), k.Log1p(k.Neg(y)))
	logY := k.Pick(few, k.Log1p(k.Neg(x)), k.Log(y))
	small := k.Sub(k.Add(k.Mul(a, logX), k.Mul(b, logY)), k.Fn(special.Lbeta, a, b))
	ca, cb := kit.OrElse(k, big, a, 10), kit.OrElse(k, big, b, 10)
	sum := k.Add(ca, cb)
	c := k.Mul(k.Num(0.5), k.Sub(k.Add(k.Log(ca), k.Log(k.Div(cb, sum))), k.Num(kit.Log2Pi)))
	rest := k.Sub(StirlingRest(k, sum), k.Add(StirlingRest(k, ca), StirlingRest(k, cb)))
	both := k.Add(Deviance(k, ca, k.Mul(sum, x), d), Deviance(k, cb, k.Mul(sum, y), k.Neg(d)))
	return k.Pick(big, k.Sub(k.Add(c, rest), both), small)
}

// StirlingRest is lgamma(x) - (x - 1/2) log x + x - log(2 pi)/2 for x >= 10 (DLMF 5.11.1).
func StirlingRest[T, B any](k kit.Calc[T, B], x T) T {
	z := k.Div(k.Num(1), k.Mul(x, x))
	s := k.Num(-3617. / 122400)
	for _, c := range []float64{1. / 156, -691. / 360360, 1. / 1188, -1. / 1680, 1. / 1260, -1. / 360, 1. / 12} {
		s = k.Add(k.Mul(s, z), k.Num(c))
	}
	return k.Div(s, x)
}
