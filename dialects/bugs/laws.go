package bugs

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special"
)

// A law is a distribution whose log density is written once over calc.
type law[T, B any] struct {
	rules []rule[T, B] // for the parameters
	// logp is the log density; rules hold, and x may be anything but NaN.
	logp func(k calc[T, B], x T, p []T) T
}

// A rule is what parameters must obey, and the error where they do not.
type rule[T, B any] struct {
	why   string
	holds func(k calc[T, B], p []T) B
}

// finite holds for positive parameters below infinity.
func finite[T, B any](i int, name string) rule[T, B] {
	return rule[T, B]{name + " must be positive and finite", func(k calc[T, B], p []T) B {
		return k.and(k.holds(arith.OGT, p[i], k.num(0)), k.holds(arith.OLT, p[i], k.num(inf)))
	}}
}

// real holds for numbers that are not infinite.
func real[T, B any](i int, name string) rule[T, B] {
	return rule[T, B]{name + " must be finite", func(k calc[T, B], p []T) B {
		return k.holds(arith.OLT, k.abs(p[i]), k.num(inf))
	}}
}

// wholeNumber holds for counts that a sum over them ends for.
func wholeNumber[T, B any](i int, name string) rule[T, B] {
	return rule[T, B]{name + " must be a whole number, at most 1e7", func(k calc[T, B], p []T) B {
		ok := k.and(k.holds(arith.OGE, p[i], k.num(0)), k.holds(arith.OLE, p[i], k.num(1e7)))
		return k.and(ok, k.holds(arith.OEQ, p[i], k.floor(p[i])))
	}}
}

func impossible[T, B any](k calc[T, B]) T { return k.num(gomath.Inf(-1)) }

// onCounts is f where x is a whole number in lo..hi.
func onCounts[T, B any](k calc[T, B], x, lo, hi T, f func(x T) T) T {
	in := k.and(k.holds(arith.OGE, x, lo), k.holds(arith.OLE, x, hi))
	in = k.and(in, k.holds(arith.OEQ, x, k.floor(x)))
	return k.pick(in, f(k.pick(in, x, lo)), impossible(k))
}

func exactly[T, B any](k calc[T, B], x, want T) T {
	return k.pick(k.holds(arith.OEQ, x, want), k.num(0), impossible(k))
}

// laws are the distributions that are written once, by the table's name.
func laws[T, B any]() map[string]law[T, B] {
	type rules = []rule[T, B]
	type density = func(k calc[T, B], x T, p []T) T
	shifted := rules{real[T, B](0, "mu"), finite[T, B](1, "sigma"), real[T, B](2, "eta")}
	return map[string]law[T, B]{
		"df": {rules{finite[T, B](0, "n"), finite[T, B](1, "m"), optional(real[T, B](2, "mu"), 2), optional(finite[T, B](3, "tau"), 3)},
			density(fisher[T, B])},
		"dscaled.gamma": {rules{finite[T, B](0, "the scale"), finite[T, B](1, "the degrees of freedom")},
			func(k calc[T, B], x T, p []T) T {
				y := k.mul(k.mul(x, p[0]), p[0])
				return k.add(fisher(k, y, []T{p[1], k.num(1)}), k.mul(k.num(2), k.log(p[0])))
			}},
		"dgev": {shifted, func(k calc[T, B], x T, p []T) T {
			t, inside := extreme(k, x, p)
			t = greater(k, t, k.num(-700)) // e^-t stays finite, and the density is 0 there
			body := k.sub(k.neg(k.mul(k.add(k.num(1), p[2]), t)), k.exp(k.neg(t)))
			in := k.and(inside, k.holds(arith.OLT, k.abs(x), k.num(inf)))
			return k.pick(in, k.sub(body, k.log(p[1])), impossible(k))
		}},
		"dgpar": {shifted, func(k calc[T, B], x T, p []T) T {
			t, inside := extreme(k, x, p)
			in := k.and(k.and(inside, k.holds(arith.OGE, x, p[0])), k.holds(arith.OLT, x, k.num(inf)))
			return k.pick(in, k.neg(k.add(k.mul(k.add(k.num(1), p[2]), t), k.log(p[1]))), impossible(k))
		}},
		"dloglik": {rules{{"the log density must be below infinity", func(k calc[T, B], p []T) B {
			return k.holds(arith.OLT, p[0], k.num(inf))
		}}}, func(k calc[T, B], x T, p []T) T { return p[0] }},
		"dbetabin": {rules{finite[T, B](0, "a"), finite[T, B](1, "b"), wholeNumber[T, B](2, "the size")},
			func(k calc[T, B], x T, p []T) T {
				return onCounts(k, x, k.num(0), p[2], func(x T) T { return betaBinomial(k, x, p) })
			}},
		"dhyper": {rules{wholeNumber[T, B](0, "n1"), wholeNumber[T, B](1, "n2"), wholeNumber[T, B](2, "m1"), finite[T, B](3, "psi"),
			{"m1 must be at most n1 + n2", func(k calc[T, B], p []T) B { return k.holds(arith.OLE, p[2], k.add(p[0], p[1])) }}},
			func(k calc[T, B], x T, p []T) T {
				lo, hi := hyperRange(k, p)
				whole := logSum(k, lo, hi, k.num(1), func(j T) T { return hyperWeight(k, j, p) })
				return onCounts(k, x, lo, hi, func(x T) T { return k.sub(hyperWeight(k, x, p), whole) })
			}},
		"dnt": {rules{real[T, B](0, "mu"), finite[T, B](1, "the precision"), finite[T, B](2, "the degrees of freedom")},
			density(noncentralStudent[T, B])},
		"dnchisqr": {rules{finite[T, B](0, "the degrees of freedom"), {"the noncentrality must not be negative", func(k calc[T, B], p []T) B {
			return k.and(k.holds(arith.OGE, p[1], k.num(0)), k.holds(arith.OLT, p[1], k.num(inf)))
		}}}, density(noncentralChisqr[T, B])},
		"dpick": {rules{{"the probability must be between 0 and 1", func(k calc[T, B], p []T) B {
			return k.and(k.holds(arith.OGE, p[0], k.num(0)), k.holds(arith.OLE, p[0], k.num(1)))
		}}}, func(k calc[T, B], x T, p []T) T {
			first := k.pick(k.holds(arith.OEQ, x, p[1]), p[0], k.num(0))
			return k.log(k.add(first, k.pick(k.holds(arith.OEQ, x, p[2]), k.sub(k.num(1), p[0]), k.num(0))))
		}},
		"dround": {rules{real[T, B](0, "t"), real[T, B](1, "the number of digits")}, func(k calc[T, B], x T, p []T) T {
			return exactly(k, x, rounded(k, p[0], p[1]))
		}},
		"dsum": {nil, func(k calc[T, B], x T, p []T) T {
			s := p[0]
			for _, y := range p[1:] {
				s = k.add(s, y)
			}
			near := k.holds(arith.OLE, k.abs(k.sub(x, s)), k.mul(k.num(1e-14), greater(k, k.num(1), k.abs(s))))
			return k.pick(near, k.num(0), impossible(k))
		}},
	}
}

// optional is a rule for a parameter that may be left out.
func optional[T, B any](r rule[T, B], i int) rule[T, B] {
	return rule[T, B]{r.why, func(k calc[T, B], p []T) B {
		if i >= len(p) {
			return k.holds(arith.OEQ, k.num(0), k.num(0))
		}
		return r.holds(k, p)
	}}
}

// rounded is t to a number of digits, halves up as in the function round.
func rounded[T, B any](k calc[T, B], t, digits T) T {
	e := lesser(k, greater(k, k.floor(k.add(digits, k.num(0.5))), k.num(-300)), k.num(300))
	up := k.holds(arith.OGE, e, k.num(0))
	f := k.pow(k.num(10), k.abs(e))
	y := k.floor(k.add(k.pick(up, k.mul(t, f), k.div(t, f)), k.num(0.5)))
	big := k.holds(arith.OGE, k.abs(k.mul(t, f)), k.num(1<<52))
	return k.pick(k.and(up, big), t, k.pick(up, k.div(y, f), k.mul(y, f)))
}

// fisher is the log density of F with n and m degrees of freedom, and of OpenBUGS's
// four parameters.
func fisher[T, B any](k calc[T, B], x T, p []T) T {
	half, one := k.num(0.5), k.num(1)
	y := fisherScale(k, x, p)
	n, m := p[0], p[1]
	scale := k.num(0)
	if len(p) > 3 {
		scale = k.mul(half, k.log(p[3]))
	}
	in := k.and(k.holds(arith.OGE, y, k.num(0)), k.holds(arith.OLT, y, k.num(inf)))
	cy := orElse(k, in, y, 1)
	r, a, b := k.div(n, m), k.mul(half, n), k.mul(half, m)
	lbeta := k.fn(special.Lbeta, a, b)
	origin := k.sub(k.add(k.mul(a, k.log(r)), k.fn(special.Xlogy, k.sub(a, one), cy)), lbeta)
	w := k.mul(r, cy)
	some := k.and(k.holds(arith.OGT, w, k.num(0)), k.holds(arith.OLT, w, k.num(inf)))
	cw := orElse(k, some, w, 1)
	// y f(y) B(a, b) = (1 + 1/w)^-a (1 + w)^-b with w = n y/m.
	body := k.add(k.mul(a, k.log1p(k.div(one, cw))), k.mul(b, k.log1p(cw)))
	small := k.pick(some, k.neg(k.add(k.add(body, k.log(orElse(k, some, cy, 1))), lbeta)), k.sub(origin, k.mul(k.add(a, b), k.log1p(w))))
	// With large parameters a beta of w = a y/(a y + b), where a - (a + b) w is known.
	ay := k.mul(a, cy)
	sum := k.add(ay, b)
	d := k.div(k.mul(k.mul(a, k.sub(one, cy)), b), sum)
	large := k.sub(betaKernelFrom(k, a, b, k.div(ay, sum), k.div(b, sum), d), k.log(cy))
	big := k.and(k.and(k.holds(arith.OGE, a, k.num(100)), k.holds(arith.OGE, b, k.num(100))), k.holds(arith.OGT, cy, k.num(0)))
	return k.pick(in, k.add(scale, k.pick(big, large, small)), impossible(k))
}
