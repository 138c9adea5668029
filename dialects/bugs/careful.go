package bugs

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special"
)

// Densities of large counts and shapes. Their formulas as they are written cancel all
// but a few digits of terms like x log x; these are Loader's (2000, Fast and accurate
// computation of binomial probabilities), in deviances and the rests of Stirling's
// formula.

// deviance is x log(x/m) - x + m for x, m >= 0, where d is x - m: at least 0.
func deviance[T, B any](k calc[T, B], x, m, d T) T {
	sum := k.add(x, m)
	v := k.div(d, orElse(k, k.holds(arith.OGT, sum, k.num(0)), sum, 1))
	w := k.mul(v, v)
	// Where they are close, d v + 2 x (v^3/3 + v^5/5 + ...).
	s := k.num(1. / 19)
	for n := 17.; n >= 3; n -= 2 {
		s = k.add(k.mul(s, w), k.num(1/n))
	}
	near := k.add(k.mul(d, v), k.mul(k.mul(k.num(2), x), k.mul(k.mul(w, v), s)))
	r := k.div(x, m)
	plain := k.and(k.holds(arith.OGT, r, k.num(0x1p-1022)), k.holds(arith.OLT, r, k.num(inf)))
	some := k.holds(arith.OGT, x, k.num(0))
	log := k.pick(plain, k.log(orElse(k, plain, r, 1)), k.sub(k.log(orElse(k, some, x, 1)), k.log(m)))
	far := k.pick(some, k.sub(k.mul(x, log), d), m)
	return k.pick(k.holds(arith.OLT, w, k.num(0.01)), near, far)
}

// stirling is lgamma(x) - (x - 1/2) log x + x - log(2 pi)/2 for x > 0.
func stirling[T, B any](k calc[T, B], x T) T {
	big := k.holds(arith.OGE, x, k.num(10))
	direct := k.add(k.sub(k.fn(special.Lgamma, x), k.mul(k.sub(x, k.num(0.5)), k.log(x))), k.sub(x, k.num(0.5*log2Pi)))
	return k.pick(big, stirlingRest(k, orElse(k, big, x, 10)), direct)
}

// poissonMass is log P(X = x) of a Poisson distribution with mean m, x >= 0.
func poissonMass[T, B any](k calc[T, B], x, m T) T {
	some := k.holds(arith.OGT, x, k.num(0))
	cx := orElse(k, some, x, 1)
	c := k.mul(k.num(-0.5), k.add(k.num(log2Pi), k.log(cx)))
	return k.pick(some, k.sub(k.sub(c, stirling(k, cx)), deviance(k, cx, m, k.sub(cx, m))), k.neg(m))
}

// binomialMass is log C(n, x) + x log p + y log(1 - p) with n = x + y, which need be no
// whole numbers.
func binomialMass[T, B any](k calc[T, B], x, y, p T) T {
	q, n := k.sub(k.num(1), p), k.add(x, y)
	// The difference from the mean, by the smaller of p and q, which is exact.
	d := k.pick(k.holds(arith.OLT, p, k.num(0.5)), k.sub(x, k.mul(n, p)), k.sub(k.mul(n, q), y))
	return binomialMassFrom(k, x, y, p, q, d)
}

// binomialMassFrom is given q = 1 - p and d = x - n p.
func binomialMassFrom[T, B any](k calc[T, B], x, y, p, q, d T) T {
	zero := k.num(0)
	inner := k.and(k.holds(arith.OGT, x, zero), k.holds(arith.OGT, y, zero))
	cx, cy := orElse(k, inner, x, 1), orElse(k, inner, y, 1)
	n := k.add(cx, cy)
	c := k.sub(k.mul(k.num(0.5), k.sub(k.sub(k.log(k.div(n, cx)), k.log(cy)), k.num(log2Pi))), k.add(stirling(k, cx), stirling(k, cy)))
	body := k.sub(k.add(c, stirling(k, n)), k.add(deviance(k, cx, k.mul(n, p), d), deviance(k, cy, k.mul(n, q), k.neg(d))))
	few := k.holds(arith.OLT, p, k.num(0.5))
	ends := k.add(k.pick(few, k.fn(special.Xlogy, x, p), k.fn(special.Xlog1py, x, k.neg(q))),
		k.pick(few, k.fn(special.Xlog1py, y, k.neg(p)), k.fn(special.Xlogy, y, q)))
	return k.pick(inner, body, ends)
}

// binomialAtLogit is binomialMass for p = ilogit(eta), of which neither p nor 1 - p has
// lost digits. Far out, where they are 0, the other terms do not cancel.
func binomialAtLogit[T, B any](k calc[T, B], x, y, eta T) T {
	p, q, n := k.fn(special.Ilogit, eta), k.fn(special.Ilogit, k.neg(eta)), k.add(x, y)
	d := k.pick(k.holds(arith.OLT, p, k.num(0.5)), k.sub(x, k.mul(n, p)), k.sub(k.mul(n, q), y))
	logs := k.add(k.mul(x, k.fn(special.Log1pexp, k.neg(eta))), k.mul(y, k.fn(special.Log1pexp, eta)))
	far := k.sub(k.fn(special.Lchoose, n, x), logs)
	return k.pick(k.holds(arith.OLT, k.abs(eta), k.num(600)), binomialMassFrom(k, x, y, p, q, d), far)
}

// negativeMass is log P(x failures before the r-th success) for x >= 0, r > 0, p > 0.
func negativeMass[T, B any](k calc[T, B], x, p, r T) T {
	some := k.holds(arith.OGT, x, k.num(0))
	cx := orElse(k, some, x, 1)
	q := k.sub(k.num(1), p)
	n := k.add(cx, r)
	d := k.sub(k.mul(r, q), k.mul(cx, p))
	// The binomial of r in n, times r/n.
	c := k.sub(k.mul(k.num(0.5), k.sub(k.sub(k.log(k.div(r, n)), k.log(cx)), k.num(log2Pi))), k.add(stirling(k, cx), stirling(k, r)))
	body := k.sub(k.add(c, stirling(k, n)), k.add(deviance(k, r, k.mul(n, p), d), deviance(k, cx, k.mul(n, q), k.neg(d))))
	return k.pick(some, body, k.mul(r, k.log(p)))
}

// gammaKernel is a log x - x - lgamma(a), for large a without its cancellation.
func gammaKernel[T, B any](k calc[T, B], a, x T) T {
	big := k.and(k.holds(arith.OGE, a, k.num(10)), k.holds(arith.OGT, x, k.num(0)))
	small := k.sub(k.sub(k.mul(a, k.log(x)), x), k.fn(special.Lgamma, a))
	ca, cx := orElse(k, big, a, 10), orElse(k, big, x, 10)
	c := k.mul(k.num(0.5), k.sub(k.log(ca), k.num(log2Pi)))
	return k.pick(big, k.sub(k.sub(c, stirlingRest(k, ca)), deviance(k, ca, cx, k.sub(ca, cx))), small)
}

// betaKernel is a log x + b log y - lbeta(a, b), with x + y = 1; for large a and b
// without its cancellation.
func betaKernel[T, B any](k calc[T, B], a, b, x, y T) T {
	// a - (a + b) x, by the smaller of x and y, which is exact.
	d := k.pick(k.holds(arith.OLT, x, y), k.sub(a, k.mul(k.add(a, b), x)), k.sub(k.mul(k.add(a, b), y), b))
	return betaKernelFrom(k, a, b, x, y, d)
}

// betaKernelFrom is given d = a - (a + b) x.
func betaKernelFrom[T, B any](k calc[T, B], a, b, x, y, d T) T {
	inside := k.and(k.holds(arith.OGT, x, k.num(0)), k.holds(arith.OGT, y, k.num(0)))
	big := k.and(k.and(k.holds(arith.OGE, a, k.num(10)), k.holds(arith.OGE, b, k.num(10))), inside)
	few := k.holds(arith.OLT, x, k.num(0.5))
	logX := k.pick(few, k.log(x), k.log1p(k.neg(y)))
	logY := k.pick(few, k.log1p(k.neg(x)), k.log(y))
	small := k.sub(k.add(k.mul(a, logX), k.mul(b, logY)), k.fn(special.Lbeta, a, b))
	ca, cb := orElse(k, big, a, 10), orElse(k, big, b, 10)
	sum := k.add(ca, cb)
	c := k.mul(k.num(0.5), k.sub(k.add(k.log(ca), k.log(k.div(cb, sum))), k.num(log2Pi)))
	rest := k.sub(stirlingRest(k, sum), k.add(stirlingRest(k, ca), stirlingRest(k, cb)))
	both := k.add(deviance(k, ca, k.mul(sum, x), d), deviance(k, cb, k.mul(sum, y), k.neg(d)))
	return k.pick(big, k.sub(k.add(c, rest), both), small)
}

// betaBinomialMass takes the beta-binomial for a binomial times a ratio of betas at the
// mean of the larger of them, where all terms are small.
func betaBinomialMass[T, B any](k calc[T, B], x, a, b, n T) T {
	y, s := k.sub(n, x), k.add(a, b)
	p, q := k.div(k.add(a, x), k.add(s, n)), k.div(k.add(b, y), k.add(s, n))
	d := k.div(k.sub(k.mul(a, y), k.mul(b, x)), k.add(s, n)) // a - s p
	ends := k.sub(betaKernelFrom(k, a, b, p, q, d), betaKernelFrom(k, k.add(a, x), k.add(b, y), p, q, k.num(0)))
	return k.add(binomialMassFrom(k, x, y, p, q, k.neg(d)), ends)
}

// studentConstant is lgamma((n+1)/2) - lgamma(n/2) - log(n pi)/2.
func studentConstant[T, B any](k calc[T, B], n T) T {
	half := k.num(0.5)
	h := k.mul(half, n)
	big := k.and(k.holds(arith.OGE, h, k.num(10)), k.holds(arith.OLT, h, k.num(inf)))
	direct := k.sub(k.sub(k.fn(special.Lgamma, k.add(h, half)), k.fn(special.Lgamma, h)), k.mul(half, k.add(k.log(n), k.num(gomath.Log(gomath.Pi)))))
	ch := orElse(k, big, h, 10)
	rest := k.sub(stirlingRest(k, k.add(ch, half)), stirlingRest(k, ch))
	far := k.sub(k.add(k.sub(k.mul(ch, k.log1p(k.div(half, ch))), half), rest), k.num(0.5*log2Pi))
	return k.pick(big, far, direct)
}

// logOnePlusSquare is log(1 + (z s/t)^2) for s, t > 0, where a square may overflow.
func logOnePlusSquare[T, B any](k calc[T, B], z, s, t T) T {
	u := k.mul(k.abs(z), k.div(s, t))
	big := k.holds(arith.OGT, u, k.num(1e8))
	l := k.log1p(k.pick(big, k.sub(u, k.num(1)), k.mul(u, u)))
	return k.pick(big, k.add(l, l), l)
}

// The log mass of a multinomial of size n > 0 is the sum of the terms of its counts and
// a constant.
func multinomialTerm[T, B any](k calc[T, B], x, n, p T) T {
	some := k.holds(arith.OGT, x, k.num(0))
	cx, m := orElse(k, some, x, 1), k.mul(n, p)
	c := k.add(k.mul(k.num(0.5), k.add(k.num(log2Pi), k.log(cx))), stirling(k, cx))
	return k.pick(some, k.neg(k.add(c, deviance(k, cx, m, k.sub(cx, m)))), k.neg(m))
}

func multinomialConstant[T, B any](k calc[T, B], n T) T {
	some := k.holds(arith.OGT, n, k.num(0))
	cn := orElse(k, some, n, 1)
	return orElse(k, some, k.add(k.mul(k.num(0.5), k.add(k.num(log2Pi), k.log(cn))), stirling(k, cn)), 0)
}

// The log density of a Dirichlet distribution is the sum of the terms of its components
// and a constant. The sum of the components may differ a little from 1.
func dirichletTerm[T, B any](k calc[T, B], x, a, sum T) T {
	big := k.and(k.holds(arith.OGE, a, k.num(10)), k.holds(arith.OGT, x, k.num(0)))
	ca, m := orElse(k, big, a, 10), k.mul(sum, x)
	careful := k.add(k.add(deviance(k, ca, m, k.sub(ca, m)), stirlingRest(k, ca)), k.mul(k.num(-0.5), k.log(ca)))
	careful = k.neg(k.add(careful, k.add(k.num(0.5*log2Pi), k.log(orElse(k, big, x, 1)))))
	share := k.sub(m, k.mul(a, k.log(sum))) // what the constant adds up
	plain := k.sub(k.sub(k.fn(special.Xlogy, k.sub(a, k.num(1)), x), k.fn(special.Lgamma, a)), share)
	return k.pick(big, careful, plain)
}

// dirichletConstant is given by how much the sum of the components exceeds 1.
func dirichletConstant[T, B any](k calc[T, B], sum, excess T) T {
	c := k.add(k.mul(k.num(0.5), k.sub(k.num(log2Pi), k.log(sum))), stirling(k, sum))
	return k.add(k.mul(sum, excess), c)
}

// added is a sum s + rest and one more number, with what rounding loses kept in rest
// (Knuth's two-sum).
func added[T, B any](k calc[T, B], s, rest, x T) (T, T) {
	t := k.plus(s, x)
	b := k.minus(t, s)
	return t, k.plus(rest, k.plus(k.minus(s, k.minus(t, b)), k.minus(x, b)))
}
