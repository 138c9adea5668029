package bugs

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special"
)

// quantiles are those with a formula, by the table's name, for 0 < p < 1 and at the
// ends, where q is 1 - p.
func quantiles[T, B any]() map[string]func(k calc[T, B], u T, p []T) T {
	normal := func(k calc[T, B], u T, p []T) T {
		return k.add(p[0], k.div(k.fn(special.Probit, u), k.sqrt(p[1])))
	}
	decay := func(k calc[T, B], u T) T { return k.neg(k.log1p(k.neg(u))) }
	return map[string]func(k calc[T, B], u T, p []T) T{
		"dnorm":  normal,
		"dlnorm": func(k calc[T, B], u T, p []T) T { return k.exp(normal(k, u, p)) },
		"dlogis": func(k calc[T, B], u T, p []T) T { return k.add(p[0], k.div(k.fn(special.Logit, u), p[1])) },
		"ddexp": func(k calc[T, B], u T, p []T) T {
			low := k.log(k.mul(k.num(2), u))
			high := k.neg(k.log(k.mul(k.num(2), k.sub(k.num(1), u))))
			return k.add(p[0], k.div(k.pick(k.holds(arith.OLE, u, k.num(0.5)), low, high), p[1]))
		},
		"dexp": func(k calc[T, B], u T, p []T) T { return k.div(decay(k, u), p[0]) },
		"dweib": func(k calc[T, B], u T, p []T) T {
			return k.pow(k.div(decay(k, u), p[1]), k.div(k.num(1), p[0]))
		},
		"dpar": func(k calc[T, B], u T, p []T) T { return k.mul(p[1], k.exp(k.div(decay(k, u), p[0]))) },
	}
}

// short says P(X <= x) < u, by the smaller tail.
func short[T, B any](k calc[T, B], t tails[T], u T) B {
	low := k.holds(arith.OLE, u, k.num(0.5))
	// below < log u, or log(1-u) < above
	x := k.pick(low, t.below, k.log1p(k.neg(u)))
	return k.holds(arith.OLT, x, k.pick(low, k.log(u), t.above))
}

// quantile is where the distribution function reaches u: for counts the least
// number, else by bisection of log |x| on the side of 0 where that is.
func quantile[T, B any](k calc[T, B], counts bool, at func(x T) tails[T], u T) T {
	ok := k.and(k.holds(arith.OGE, u, k.num(0)), k.holds(arith.OLE, u, k.num(1)))
	cu := orElse(k, ok, u, 0.5)
	if counts {
		return orElse(k, ok, countQuantile(k, at, cu), gomath.NaN())
	}
	one := k.num(1)
	right := short(k, at(k.num(0)), cu)
	sign := k.pick(right, one, k.num(-1))
	s := k.repeat([]T{k.num(-745), k.num(709.7), k.num(0)}, func(s []T) B { return k.holds(arith.OLT, s[2], k.num(64)) }, func(s []T) []T {
		mid := k.mul(k.num(0.5), k.add(s[0], s[1]))
		x := k.mul(sign, k.exp(mid))
		// On the left |x| grows as the function falls.
		less := short(k, at(x), cu)
		lo, hi := k.pick(less, mid, s[0]), k.pick(less, s[1], mid)
		return []T{k.pick(right, lo, k.pick(less, s[0], mid)), k.pick(right, hi, k.pick(less, mid, s[1])), k.add(s[2], one)}
	})
	x := k.mul(sign, k.exp(k.mul(k.num(0.5), k.add(s[0], s[1]))))
	none := gomath.Inf(-1)
	atZero, atOne := at(k.num(0)), at(one)
	first := k.pick(k.holds(arith.OEQ, atZero.below, k.num(none)), k.num(0), k.num(none))
	last := k.pick(k.holds(arith.OEQ, atOne.above, k.num(none)), one, k.num(inf))
	x = k.pick(k.holds(arith.OEQ, cu, k.num(0)), first, x)
	return orElse(k, ok, k.pick(k.holds(arith.OEQ, cu, one), last, x), gomath.NaN())
}

// countQuantile allows for the rounding of u, so that q(p(n)) is n.
func countQuantile[T, B any](k calc[T, B], at func(x T) tails[T], u T) T {
	one := k.num(1)
	cu := k.mul(u, k.num(1-0x1p-46))
	s := k.repeat([]T{k.num(-1), one}, func(s []T) B {
		return k.and(short(k, at(s[1]), cu), k.holds(arith.OLT, s[1], k.num(1<<53)))
	}, func(s []T) []T { return []T{s[1], k.mul(k.num(2), s[1])} })
	s = k.repeat(s, func(s []T) B { return k.holds(arith.OGT, k.sub(s[1], s[0]), one) }, func(s []T) []T {
		mid := k.floor(k.mul(k.num(0.5), k.add(s[0], s[1])))
		less := short(k, at(mid), cu)
		return []T{k.pick(less, mid, s[0]), k.pick(less, s[1], mid)}
	})
	return s[1]
}
