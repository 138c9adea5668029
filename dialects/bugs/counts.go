package bugs

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special"
)

// counted are the tails at the count n = floor(x), lo <= n < hi; elsewhere all
// of the mass is on one side.
func counted[T, B any](k calc[T, B], x T, lo float64, hi T, f func(n T) tails[T]) tails[T] {
	n := k.floor(x)
	in := k.and(k.holds(arith.OGE, n, k.num(lo)), k.holds(arith.OLT, n, hi))
	return onSupport(k, n, k.num(lo-1), hi, f(orElse(k, in, n, lo)))
}

// countTails are the tails of counts.
func countTails[T, B any]() map[string]func(k calc[T, B], x T, p []T) tails[T] {
	geometric := func(from float64) func(k calc[T, B], x T, p []T) tails[T] {
		return func(k calc[T, B], x T, p []T) tails[T] {
			return counted(k, x, from, k.num(inf), func(n T) tails[T] {
				return fromAbove(k, k.mul(k.add(n, k.num(1-from)), k.log1p(k.neg(p[0]))))
			})
		}
	}
	return map[string]func(k calc[T, B], x T, p []T) tails[T]{
		"dgeom": geometric(1), "dgeom0": geometric(0),
		"dbern": func(k calc[T, B], x T, p []T) tails[T] {
			return counted(k, x, 0, k.num(1), func(T) tails[T] { return tails[T]{k.log1p(k.neg(p[0])), k.log(p[0])} })
		},
		// P(X > n) is that of a beta(n+1, size-n) below p.
		"dbin": func(k calc[T, B], x T, p []T) tails[T] {
			return counted(k, x, 0, p[1], func(n T) tails[T] {
				size := greater(k, p[1], k.num(1))
				v := betaTails(k, k.add(n, k.num(1)), greater(k, k.sub(size, n), k.num(1)), p[0], k.sub(k.num(1), p[0]))
				return tails[T]{v.above, v.below}
			})
		},
		// P(X > n) is that of a gamma(n+1, 1) below the mean.
		"dpois": func(k calc[T, B], x T, p []T) tails[T] {
			return counted(k, x, 0, k.num(inf), func(n T) tails[T] {
				v := gammaTails(k, k.add(n, k.num(1)), p[0])
				return tails[T]{v.above, v.below}
			})
		},
		"dnegbin": func(k calc[T, B], x T, p []T) tails[T] {
			return counted(k, x, 0, k.num(inf), func(n T) tails[T] {
				return betaTails(k, p[1], k.add(n, k.num(1)), p[0], k.sub(k.num(1), p[0]))
			})
		},
		"dbetabin": func(k calc[T, B], x T, p []T) tails[T] {
			v := summed(k, x, k.num(0), p[2], func(j T) T { return betaBinomial(k, j, p) })
			v = tails[T]{lesser(k, v.below, k.num(0)), lesser(k, v.above, k.num(0))}
			return onSupport(k, k.floor(x), k.num(-1), p[2], v)
		},
		"dhyper": func(k calc[T, B], x T, p []T) tails[T] {
			lo, hi := hyperRange(k, p)
			v := summed(k, x, lo, hi, func(j T) T { return hyperWeight(k, j, p) })
			whole := logSum(k, lo, hi, k.num(1), func(j T) T { return hyperWeight(k, j, p) })
			scaled := tails[T]{lesser(k, k.sub(v.below, whole), k.num(0)), lesser(k, k.sub(v.above, whole), k.num(0))}
			return onSupport(k, k.floor(x), k.sub(lo, k.num(1)), hi, scaled)
		},
	}
}

// summed adds the masses e^term(j) for j from lo to hi on the two sides of x.
func summed[T, B any](k calc[T, B], x, lo, hi T, term func(j T) T) tails[T] {
	n := lesser(k, greater(k, k.floor(x), k.sub(lo, k.num(1))), hi)
	return tails[T]{logSum(k, lo, n, k.num(1), term), logSum(k, k.add(n, k.num(1)), hi, k.num(1), term)}
}

// betaBinomial is the log mass at j, for 0 <= j <= n.
func betaBinomial[T, B any](k calc[T, B], j T, p []T) T {
	return betaBinomialMass(k, j, p[0], p[1], p[2])
}

// hyperRange is where Fisher's noncentral hypergeometric distribution has mass:
// x of n1 and m1 - x of n2.
func hyperRange[T, B any](k calc[T, B], p []T) (lo, hi T) {
	return greater(k, k.sub(p[2], p[1]), k.num(0)), lesser(k, p[2], p[0])
}

func hyperWeight[T, B any](k calc[T, B], j T, p []T) T {
	c := k.add(k.fn(special.Lchoose, p[0], j), k.fn(special.Lchoose, p[1], k.sub(p[2], j)))
	return k.add(c, k.mul(j, k.log(p[3])))
}

// truncation is log P(lo <= X <= hi): the difference of the tails on the side where
// it cancels less. counts says that X is a whole number.
func truncation[T, B any](k calc[T, B], counts bool, at func(x T) tails[T], lo, hi *T) T {
	var from, to tails[T]
	if lo != nil {
		x := *lo
		if counts { // P(X >= x) = P(X > ceil(x) - 1)
			x = k.sub(k.neg(k.floor(k.neg(x))), k.num(1))
		}
		from = at(x)
	}
	if hi != nil {
		to = at(*hi)
	}
	switch {
	case lo == nil && hi == nil:
		return k.num(0)
	case lo == nil:
		return to.below
	case hi == nil:
		return from.above
	}
	low := k.holds(arith.OLT, from.below, k.num(-gomath.Ln2))
	return k.pick(low, logDiff(k, to.below, from.below), logDiff(k, from.above, to.above))
}
