package prob

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
)

// studentTails are those of Student's t with n degrees of freedom where t has the
// sign of z and t^2/n = s.
func studentTails[T, B any](k Calc[T, B], z, s, n T) Tails[T] {
	one, half := k.Num(1), k.Num(0.5)
	both := betaTails(k, k.Mul(half, n), half, k.Div(one, k.Add(one, s)), k.Div(one, k.Add(one, k.Div(one, s))))
	far := k.Add(k.Num(-math.Ln2), both.Below)
	return pickTails(k, k.Holds(arith.OLE, z, k.Num(0)), fromBelow(k, far), fromAbove(k, far))
}

// decaying are the tails of which the upper is at most 0 from x = lo on.
func decaying[T, B any](k Calc[T, B], x, lo, above T) Tails[T] {
	return onSupport(k, x, lo, k.Num(inf), fromAbove(k, Lesser(k, above, k.Num(0))))
}

// counted are the tails at the count n = floor(x), lo <= n < hi; elsewhere all
// of the mass is on one side.
func counted[T, B any](k Calc[T, B], x T, lo float64, hi T, f func(n T) Tails[T]) Tails[T] {
	n := k.Floor(x)
	in := k.And(k.Holds(arith.OGE, n, k.Num(lo)), k.Holds(arith.OLT, n, hi))
	return onSupport(k, n, k.Num(lo-1), hi, f(orElse(k, in, n, lo)))
}

// summed adds the masses e^term(j) for j from lo to hi on the two sides of x.
func summed[T, B any](k Calc[T, B], x, lo, hi T, term func(j T) T) Tails[T] {
	n := Lesser(k, Greater(k, k.Floor(x), k.Sub(lo, k.Num(1))), hi)
	return Tails[T]{logSum(k, lo, n, k.Num(1), term), logSum(k, k.Add(n, k.Num(1)), hi, k.Num(1), term)}
}
