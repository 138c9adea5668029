package cumulative

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/kit"
)

// short says P(X <= x) < u, by the smaller tail.
func short[T, B any](k kit.Calc[T, B], t Tails[T], u T) B {
	low := k.Holds(arith.OLE, u, k.Num(0.5))
	// below < log u, or log(1-u) < above
	x := k.Pick(low, t.Below, k.Log1p(k.Neg(u)))
	return k.Holds(arith.OLT, x, k.Pick(low, k.Log(u), t.Above))
}

// Quantile is where the distribution function reaches u: for counts the least
// number, else by bisection of log |x| on the side of 0 where that is.
func Quantile[T, B any](k kit.Calc[T, B], counts bool, at func(x T) Tails[T], u T) T {
	ok := k.And(k.Holds(arith.OGE, u, k.Num(0)), k.Holds(arith.OLE, u, k.Num(1)))
	cu := kit.OrElse(k, ok, u, 0.5)
	if counts {
		return kit.OrElse(k, ok, countQuantile(k, at, cu), math.NaN())
	}
	one := k.Num(1)
	right := short(k, at(k.Num(0)), cu)
	sign := k.Pick(right, one, k.Num(-1))
	s := k.Repeat([]T{k.Num(-745), k.Num(709.7), k.Num(0)}, func(s []T) B { return k.Holds(arith.OLT, s[2], k.Num(64)) }, func(s []T) []T {
		mid := k.Mul(k.Num(0.5), k.Add(s[0], s[1]))
		x := k.Mul(sign, k.Exp(mid))
		// On the left |x| grows as the function falls.
		less := short(k, at(x), cu)
		lo, hi := k.Pick(less, mid, s[0]), k.Pick(less, s[1], mid)
		return []T{k.Pick(right, lo, k.Pick(less, s[0], mid)), k.Pick(right, hi, k.Pick(less, mid, s[1])), k.Add(s[2], one)}
	})
	x := k.Mul(sign, k.Exp(k.Mul(k.Num(0.5), k.Add(s[0], s[1]))))
	none := math.Inf(-1)
	atZero, atOne := at(k.Num(0)), at(one)
	first := k.Pick(k.Holds(arith.OEQ, atZero.Below, k.Num(none)), k.Num(0), k.Num(none))
	last := k.Pick(k.Holds(arith.OEQ, atOne.Above, k.Num(none)), one, k.Num(kit.Inf))
	x = k.Pick(k.Holds(arith.OEQ, cu, k.Num(0)), first, x)
	return kit.OrElse(k, ok, k.Pick(k.Holds(arith.OEQ, cu, one), last, x), math.NaN())
}

// countQuantile allows for the rounding of u, so that q(p(n)) is n.
func countQuantile[T, B any](k kit.Calc[T, B], at func(x T) Tails[T], u T) T {
	one := k.Num(1)
	cu := k.Mul(u, k.Num(1-0x1p-46))
	s := k.Repeat([]T{k.Num(-1), one}, func(s []T) B {
		return k.And(short(k, at(s[1]), cu), k.Holds(arith.OLT, s[1], k.Num(1<<53)))
	}, func(s []T) []T { return []T{s[1], k.Mul(k.Num(2), s[1])} })
	s = k.Repeat(s, func(s []T) B { return k.Holds(arith.OGT, k.Sub(s[1], s[0]), one) }, func(s []T) []T {
		mid := k.Floor(k.Mul(k.Num(0.5), k.Add(s[0], s[1])))
		less := short(k, at(mid), cu)
		return []T{k.Pick(less, mid, s[0]), k.Pick(less, s[1], mid)}
	})
	return s[1]
}
