package prob

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special"
)

// Densities of large counts and shapes. Their formulas as they are written cancel all
// but a few digits of terms like x log x; these are Loader's (2000, Fast and accurate
// computation of binomial probabilities), in deviances and the rests of Stirling's
// formula.

// deviance is x log(x/m) - x + m for x, m >= 0, where d is x - m: at least 0.
func deviance[T, B any](k Calc[T, B], x, m, d T) T {
	sum := k.Add(x, m)
	v := k.Div(d, orElse(k, k.Holds(arith.OGT, sum, k.Num(0)), sum, 1))
	w := k.Mul(v, v)
	// Where they are close, d v + 2 x (v^3/3 + v^5/5 + ...).
	s := k.Num(1. / 19)
	for n := 17.; n >= 3; n -= 2 {
		s = k.Add(k.Mul(s, w), k.Num(1/n))
	}
	near := k.Add(k.Mul(d, v), k.Mul(k.Mul(k.Num(2), x), k.Mul(k.Mul(w, v), s)))
	r := k.Div(x, m)
	plain := k.And(k.Holds(arith.OGT, r, k.Num(0x1p-1022)), k.Holds(arith.OLT, r, k.Num(inf)))
	some := k.Holds(arith.OGT, x, k.Num(0))
	log := k.Pick(plain, k.Log(orElse(k, plain, r, 1)), k.Sub(k.Log(orElse(k, some, x, 1)), k.Log(m)))
	far := k.Pick(some, k.Sub(k.Mul(x, log), d), m)
	return k.Pick(k.Holds(arith.OLT, w, k.Num(0.01)), near, far)
}

// stirling is lgamma(x) - (x - 1/2) log x + x - log(2 pi)/2 for x > 0.
func stirling[T, B any](k Calc[T, B], x T) T {
	big := k.Holds(arith.OGE, x, k.Num(10))
	direct := k.Add(k.Sub(k.Fn(special.Lgamma, x), k.Mul(k.Sub(x, k.Num(0.5)), k.Log(x))), k.Sub(x, k.Num(0.5*log2Pi)))
	return k.Pick(big, stirlingRest(k, orElse(k, big, x, 10)), direct)
}

// poissonMass is log P(X = x) of a Poisson distribution with mean m, x >= 0.
func poissonMass[T, B any](k Calc[T, B], x, m T) T {
	some := k.Holds(arith.OGT, x, k.Num(0))
	cx := orElse(k, some, x, 1)
	c := k.Mul(k.Num(-0.5), k.Add(k.Num(log2Pi), k.Log(cx)))
	return k.Pick(some, k.Sub(k.Sub(c, stirling(k, cx)), deviance(k, cx, m, k.Sub(cx, m))), k.Neg(m))
}

// binomialMass is log C(n, x) + x log p + y log(1 - p) with n = x + y, which need be no
// whole numbers.
func binomialMass[T, B any](k Calc[T, B], x, y, p T) T {
	q, n := k.Sub(k.Num(1), p), k.Add(x, y)
	// The difference from the mean, by the smaller of p and q, which is exact.
	d := k.Pick(k.Holds(arith.OLT, p, k.Num(0.5)), k.Sub(x, k.Mul(n, p)), k.Sub(k.Mul(n, q), y))
	return binomialMassFrom(k, x, y, p, q, d)
}

// binomialMassFrom is given q = 1 - p and d = x - n p.
func binomialMassFrom[T, B any](k Calc[T, B], x, y, p, q, d T) T {
	zero := k.Num(0)
	inner := k.And(k.Holds(arith.OGT, x, zero), k.Holds(arith.OGT, y, zero))
	cx, cy := orElse(k, inner, x, 1), orElse(k, inner, y, 1)
	n := k.Add(cx, cy)
	c := k.Sub(k.Mul(k.Num(0.5), k.Sub(k.Sub(k.Log(k.Div(n, cx)), k.Log(cy)), k.Num(log2Pi))), k.Add(stirling(k, cx), stirling(k, cy)))
	body := k.Sub(k.Add(c, stirling(k, n)), k.Add(deviance(k, cx, k.Mul(n, p), d), deviance(k, cy, k.Mul(n, q), k.Neg(d))))
	few := k.Holds(arith.OLT, p, k.Num(0.5))
	ends := k.Add(k.Pick(few, k.Fn(special.Xlogy, x, p), k.Fn(special.Xlog1py, x, k.Neg(q))),
		k.Pick(few, k.Fn(special.Xlog1py, y, k.Neg(p)), k.Fn(special.Xlogy, y, q)))
	return k.Pick(inner, body, ends)
}

// binomialAtLogit is binomialMass for p = ilogit(eta), of which neither p nor 1 - p has
// lost digits. Far out, where they are 0, the other terms do not cancel.
func binomialAtLogit[T, B any](k Calc[T, B], x, y, eta T) T {
	p, q, n := k.Fn(special.Ilogit, eta), k.Fn(special.Ilogit, k.Neg(eta)), k.Add(x, y)
	d := k.Pick(k.Holds(arith.OLT, p, k.Num(0.5)), k.Sub(x, k.Mul(n, p)), k.Sub(k.Mul(n, q), y))
	logs := k.Add(k.Mul(x, k.Fn(special.Log1pexp, k.Neg(eta))), k.Mul(y, k.Fn(special.Log1pexp, eta)))
	far := k.Sub(k.Fn(special.Lchoose, n, x), logs)
	return k.Pick(k.Holds(arith.OLT, k.Abs(eta), k.Num(600)), binomialMassFrom(k, x, y, p, q, d), far)
}

// negativeMass is log P(x failures before the r-th success) for x >= 0, r > 0, p > 0.
func negativeMass[T, B any](k Calc[T, B], x, p, r T) T {
	some := k.Holds(arith.OGT, x, k.Num(0))
	cx := orElse(k, some, x, 1)
	q := k.Sub(k.Num(1), p)
	n := k.Add(cx, r)
	d := k.Sub(k.Mul(r, q), k.Mul(cx, p))
	// The binomial of r in n, times r/n.
	c := k.Sub(k.Mul(k.Num(0.5), k.Sub(k.Sub(k.Log(k.Div(r, n)), k.Log(cx)), k.Num(log2Pi))), k.Add(stirling(k, cx), stirling(k, r)))
	body := k.Sub(k.Add(c, stirling(k, n)), k.Add(deviance(k, r, k.Mul(n, p), d), deviance(k, cx, k.Mul(n, q), k.Neg(d))))
	return k.Pick(some, body, k.Mul(r, k.Log(p)))
}

// gammaKernel is a log x - x - lgamma(a), for large a without its cancellation.
func gammaKernel[T, B any](k Calc[T, B], a, x T) T {
	big := k.And(k.Holds(arith.OGE, a, k.Num(10)), k.Holds(arith.OGT, x, k.Num(0)))
	small := k.Sub(k.Sub(k.Mul(a, k.Log(x)), x), k.Fn(special.Lgamma, a))
	ca, cx := orElse(k, big, a, 10), orElse(k, big, x, 10)
	c := k.Mul(k.Num(0.5), k.Sub(k.Log(ca), k.Num(log2Pi)))
	return k.Pick(big, k.Sub(k.Sub(c, stirlingRest(k, ca)), deviance(k, ca, cx, k.Sub(ca, cx))), small)
}

// betaKernel is a log x + b log y - lbeta(a, b), with x + y = 1; for large a and b
// without its cancellation.
func betaKernel[T, B any](k Calc[T, B], a, b, x, y T) T {
	// a - (a + b) x, by the smaller of x and y, which is exact.
	d := k.Pick(k.Holds(arith.OLT, x, y), k.Sub(a, k.Mul(k.Add(a, b), x)), k.Sub(k.Mul(k.Add(a, b), y), b))
	return betaKernelFrom(k, a, b, x, y, d)
}

// betaKernelFrom is given d = a - (a + b) x.
func betaKernelFrom[T, B any](k Calc[T, B], a, b, x, y, d T) T {
	inside := k.And(k.Holds(arith.OGT, x, k.Num(0)), k.Holds(arith.OGT, y, k.Num(0)))
	big := k.And(k.And(k.Holds(arith.OGE, a, k.Num(10)), k.Holds(arith.OGE, b, k.Num(10))), inside)
	few := k.Holds(arith.OLT, x, k.Num(0.5))
	logX := k.Pick(few, k.Log(x), k.Log1p(k.Neg(y)))
	logY := k.Pick(few, k.Log1p(k.Neg(x)), k.Log(y))
	small := k.Sub(k.Add(k.Mul(a, logX), k.Mul(b, logY)), k.Fn(special.Lbeta, a, b))
	ca, cb := orElse(k, big, a, 10), orElse(k, big, b, 10)
	sum := k.Add(ca, cb)
	c := k.Mul(k.Num(0.5), k.Sub(k.Add(k.Log(ca), k.Log(k.Div(cb, sum))), k.Num(log2Pi)))
	rest := k.Sub(stirlingRest(k, sum), k.Add(stirlingRest(k, ca), stirlingRest(k, cb)))
	both := k.Add(deviance(k, ca, k.Mul(sum, x), d), deviance(k, cb, k.Mul(sum, y), k.Neg(d)))
	return k.Pick(big, k.Sub(k.Add(c, rest), both), small)
}

// studentConstant is lgamma((n+1)/2) - lgamma(n/2) - log(n pi)/2.
func studentConstant[T, B any](k Calc[T, B], n T) T {
	half := k.Num(0.5)
	h := k.Mul(half, n)
	big := k.And(k.Holds(arith.OGE, h, k.Num(10)), k.Holds(arith.OLT, h, k.Num(inf)))
	direct := k.Sub(k.Sub(k.Fn(special.Lgamma, k.Add(h, half)), k.Fn(special.Lgamma, h)), k.Mul(half, k.Add(k.Log(n), k.Num(math.Log(math.Pi)))))
	ch := orElse(k, big, h, 10)
	rest := k.Sub(stirlingRest(k, k.Add(ch, half)), stirlingRest(k, ch))
	far := k.Sub(k.Add(k.Sub(k.Mul(ch, k.Log1p(k.Div(half, ch))), half), rest), k.Num(0.5*log2Pi))
	return k.Pick(big, far, direct)
}

// logOnePlusSquare is log(1 + (z s/t)^2) for s, t > 0, where a square may overflow.
func logOnePlusSquare[T, B any](k Calc[T, B], z, s, t T) T {
	u := k.Mul(k.Abs(z), k.Div(s, t))
	big := k.Holds(arith.OGT, u, k.Num(1e8))
	l := k.Log1p(k.Pick(big, k.Sub(u, k.Num(1)), k.Mul(u, u)))
	return k.Pick(big, k.Add(l, l), l)
}
