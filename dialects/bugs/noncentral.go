package bugs

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special"
)

// noncentralChisqr sums the Poisson mixture of chi-squares about its largest term:
// the ratio of the terms j and j - 1 is (delta x/4)/(j (k/2 + j - 1)).
func noncentralChisqr[T, B any](k calc[T, B], x T, p []T) T {
	half, one := k.num(0.5), k.num(1)
	in := k.and(k.holds(arith.OGE, x, k.num(0)), k.holds(arith.OLT, x, k.num(inf)))
	hx, n, d := orElse(k, in, k.mul(half, x), 1), k.mul(half, p[0]), k.mul(half, p[1])
	b, sw := k.mul(half, k.sub(n, one)), k.mul(k.sqrt(d), k.sqrt(hx))
	// sqrt(b^2 + d x/2) - b, without the overflow of squares.
	q := k.div(sw, orElse(k, k.holds(arith.OGT, b, k.num(0)), b, 1))
	right := k.pick(k.holds(arith.OGT, q, k.num(1e8)), sw, k.div(k.mul(sw, q), k.add(one, k.sqrt(k.add(one, k.mul(q, q))))))
	left := k.pick(k.holds(arith.OGT, sw, k.num(1e100)), sw, k.sub(k.sqrt(k.add(k.mul(b, b), k.mul(sw, sw))), b))
	top := k.pick(k.holds(arith.OGT, b, k.num(0)), right, left)
	// Near the top the terms are like a normal density with a width of sqrt(top/2) at
	// least. Where that is large every step-th will do, as in the trapezoidal rule.
	wide := k.sqrt(k.add(top, one))
	step := k.pick(k.holds(arith.OGT, top, k.num(1000)), k.floor(k.mul(k.num(0.35), wide)), one)
	width := k.add(k.mul(k.num(12), wide), k.num(40))
	lo := greater(k, k.floor(k.sub(top, width)), k.num(0))
	hi := k.add(k.floor(top), width)
	term := func(j T) T {
		// Poisson(j; d), which is that of a gamma(j) over j, times gamma(n + j) at hx
		first := k.holds(arith.OLE, j, k.num(0))
		cj := k.pick(first, one, j)
		poisson := k.pick(first, k.neg(d), k.sub(gammaKernel(k, cj, d), k.log(cj)))
		s := k.add(n, j)
		end := k.holds(arith.OLE, hx, k.num(0))
		body := k.sub(gammaKernel(k, s, k.pick(end, one, hx)), k.log(k.pick(end, one, hx)))
		return k.add(poisson, k.pick(end, k.fn(special.Xlogy, k.sub(s, one), k.num(0)), body))
	}
	sum := k.add(logSum(k, lo, hi, step, term), k.log(step))
	return k.pick(in, k.sub(sum, k.num(gomath.Ln2)), impossible(k))
}

// noncentralStudent integrates over u = sqrt V: with t = x sqrt tau and d = mu sqrt
// tau, the density of t is that of
//
//	u^k exp(-A u^2/2 + B u - d^2/2), A = 1 + t^2/k, B = t d/sqrt k
//
// over sqrt(2 pi k) 2^(k/2-1) gamma(k/2). In v = log u it is analytic and falls
// exponentially on both sides of its only maximum, where the trapezoidal rule
// converges faster than any power of the step (Trefethen and Weideman 2014).
func noncentralStudent[T, B any](k calc[T, B], x T, p []T) T {
	half, one, two := k.num(0.5), k.num(1), k.num(2)
	root := k.sqrt(p[1])
	// Whose square would overflow is taken for impossible.
	fits := func(z T) B { return k.holds(arith.OLT, k.abs(z), k.num(1e150)) }
	in := k.and(k.and(fits(k.mul(x, root)), fits(k.mul(p[0], root))), fits(k.div(k.mul(x, root), k.sqrt(p[2]))))
	t, d, n := k.mul(orElse(k, in, x, 0), root), k.mul(orElse(k, in, p[0], 0), root), p[2]
	s := k.div(t, k.sqrt(n))
	// A u^2/2 - B u + d^2/2 = (u^2 + (s u - d)^2)/2
	b := k.mul(s, d)
	a := k.add(one, k.mul(s, s))
	m := k.add(n, one)
	am := k.mul(k.sqrt(a), k.sqrt(m))
	r := k.div(b, am)
	disc := k.mul(k.sqrt(k.add(k.mul(r, r), k.num(4))), am)
	top := k.pick(k.holds(arith.OGT, b, k.num(0)), k.div(k.add(b, disc), k.mul(two, a)), k.div(k.mul(two, m), k.sub(disc, b)))
	square := k.mul(top, top)
	// The logarithm falls by A u^2 q(2w)/2 - B u q(w) at a distance of w from the top.
	au, bu := k.mul(a, square), k.mul(b, top)
	g := func(w T) T {
		return k.sub(k.mul(bu, expRest(k, w)), k.mul(k.mul(half, au), expRest(k, k.add(w, w))))
	}
	// Minus the second derivative at the top: 2 A u^2 - B u = A u^2 + m.
	h := lesser(k, k.num(0.1), k.div(half, k.sqrt(k.add(au, m))))
	side := func(step T) T {
		return k.repeat([]T{one, one, k.num(0)}, func(st []T) B {
			return k.and(k.holds(arith.OGT, st[1], k.num(1e-19)), k.holds(arith.OLT, st[0], k.num(maxSteps)))
		}, func(st []T) []T {
			e := k.exp(g(k.mul(st[0], step)))
			return []T{k.add(st[0], one), e, k.add(st[2], e)}
		})[2]
	}
	sum := k.add(one, k.add(side(h), side(k.neg(h))))
	// The height of the top, without the cancellation of n log u^2 and lgamma(n/2).
	hn, e := k.mul(half, n), k.sub(k.mul(s, top), d)
	peak := k.sub(k.log(top), k.add(deviance(k, hn, k.mul(half, square), k.mul(half, k.sub(n, square))), k.mul(half, k.mul(e, e))))
	c := k.sub(k.sub(k.num(0.5*gomath.Ln2-log2Pi), stirling(k, hn)), k.neg(k.log(root)))
	return k.pick(in, k.add(k.add(peak, c), k.log(k.mul(h, sum))), impossible(k))
}

// maxSteps bounds the steps to one side, of which the slowest fall takes 440.
const maxSteps = 2000

// expRest is e^w - 1 - w.
func expRest[T, B any](k calc[T, B], w T) T {
	s := k.num(1. / 18)
	for n := 17.; n >= 3; n-- {
		s = k.mul(k.add(k.num(1), k.mul(w, s)), k.num(1/n))
	}
	near := k.mul(k.mul(w, w), k.mul(k.num(0.5), k.add(k.num(1), k.mul(w, s))))
	far := k.sub(k.sub(k.exp(w), k.num(1)), w)
	return k.pick(k.holds(arith.OLT, k.abs(w), k.num(0.5)), near, far)
}
