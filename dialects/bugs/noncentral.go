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
	w := k.mul(d, hx)
	b := k.mul(half, k.sub(n, one))
	top := k.sub(k.sqrt(k.add(k.mul(b, b), w)), b)
	// Near the top the terms are like a normal density with a width of sqrt(top/2) at
	// least. Where that is large every step-th will do, as in the trapezoidal rule.
	wide := k.sqrt(k.add(top, one))
	step := k.pick(k.holds(arith.OGT, top, k.num(1000)), k.floor(k.mul(k.num(0.35), wide)), one)
	width := k.add(k.mul(k.num(12), wide), k.num(40))
	lo := upper(k, k.floor(k.sub(top, width)), k.num(0))
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
	in := k.holds(arith.OLT, k.abs(k.mul(x, root)), k.num(1e150))
	t, d, n := k.mul(orElse(k, in, x, 0), root), k.mul(p[0], root), p[2]
	s := k.div(t, k.sqrt(n))
	// A u^2/2 - B u + d^2/2 = (u^2 + (s u - d)^2)/2
	b := k.mul(s, d)
	a := k.add(one, k.mul(s, s))
	m := k.add(n, one)
	disc := k.sqrt(k.add(k.mul(b, b), k.mul(k.num(4), k.mul(a, m))))
	top := k.pick(k.holds(arith.OGT, b, k.num(0)), k.div(k.add(b, disc), k.mul(two, a)), k.div(k.mul(two, m), k.sub(disc, b)))
	v0 := k.log(top)
	f := func(v T) T {
		u := k.exp(v)
		e := k.sub(k.mul(s, u), d)
		return k.sub(k.mul(m, v), k.mul(half, k.add(k.mul(u, u), k.mul(e, e))))
	}
	// Minus the second derivative in v at the top: 2 A u^2 - B u = A u^2 + m.
	curve := k.add(k.mul(a, k.mul(top, top)), m)
	h := lower(k, k.num(0.1), k.div(half, k.sqrt(curve)))
	peak := f(v0)
	side := func(step T) T {
		return k.repeat([]T{v0, one, k.num(0)}, func(st []T) B { return k.holds(arith.OGT, st[1], k.num(1e-19)) }, func(st []T) []T {
			v := k.add(st[0], step)
			e := k.exp(k.sub(f(v), peak))
			return []T{v, e, k.add(st[2], e)}
		})[2]
	}
	sum := k.add(one, k.add(side(h), side(k.neg(h))))
	c := k.sub(k.add(k.fn(special.Lgamma, k.mul(half, n)), k.mul(k.sub(k.mul(half, n), one), k.num(gomath.Ln2))), k.log(root))
	c = k.add(c, k.mul(half, k.add(k.num(log2Pi), k.log(n))))
	return k.pick(in, k.sub(k.add(peak, k.log(k.mul(h, sum))), c), impossible(k))
}
