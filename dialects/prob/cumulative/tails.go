package cumulative

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/special"
)

// Decaying are the tails of which the upper is at most 0 from x = lo on.
func Decaying[T, B any](k kit.Calc[T, B], x, lo, above T) Tails[T] {
	return OnSupport(k, x, lo, k.Num(kit.Inf), FromAbove(k, kit.Lesser(k, above, k.Num(0))))
}

// Counted are the tails at the count n = floor(x), lo <= n < hi; elsewhere all
// of the mass is on one side.
func Counted[T, B any](k kit.Calc[T, B], x T, lo float64, hi T, f func(n T) Tails[T]) Tails[T] {
	n := k.Floor(x)
	in := k.And(k.Holds(arith.OGE, n, k.Num(lo)), k.Holds(arith.OLT, n, hi))
	return OnSupport(k, n, k.Num(lo-1), hi, f(kit.OrElse(k, in, n, lo)))
}

// Summed adds the masses e^term(j) for j from lo to hi on the two sides of x.
func Summed[T, B any](k kit.Calc[T, B], x, lo, hi T, term func(j T) T) Tails[T] {
	n := kit.Lesser(k, kit.Greater(k, k.Floor(x), k.Sub(lo, k.Num(1))), hi)
	return Tails[T]{kit.LogSum(k, lo, n, k.Num(1), term), kit.LogSum(k, k.Add(n, k.Num(1)), hi, k.Num(1), term)}
}

// tails are log P(X <= x) and log P(X > x).
type Tails[T any] struct{ Below, Above T }

// FromBelow and fromAbove make both from the one that is known to full precision.
func FromBelow[T, B any](k kit.Calc[T, B], x T) Tails[T] {
	return Tails[T]{x, k.Fn(special.Log1mexp, x)}
}

func FromAbove[T, B any](k kit.Calc[T, B], x T) Tails[T] {
	return Tails[T]{k.Fn(special.Log1mexp, x), x}
}

func PickTails[T, B any](k kit.Calc[T, B], p B, x, y Tails[T]) Tails[T] {
	return Tails[T]{k.Pick(p, x.Below, y.Below), k.Pick(p, x.Above, y.Above)}
}

// OnSupport is x where lo < at < hi; at or below lo there is nothing below, at or
// above hi nothing above.
func OnSupport[T, B any](k kit.Calc[T, B], at, lo, hi T, x Tails[T]) Tails[T] {
	none, all := k.Num(math.Inf(-1)), k.Num(0)
	x = PickTails(k, k.Holds(arith.OLE, at, lo), Tails[T]{none, all}, x)
	return PickTails(k, k.Holds(arith.OGE, at, hi), Tails[T]{all, none}, x)
}
