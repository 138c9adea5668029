package cumulative

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/kit"
)

// Truncation is log P(lo <= X <= hi): the difference of the tails on the side where
// it cancels less. counts says that X is a whole number.
func Truncation[T, B any](k kit.Calc[T, B], counts bool, at func(x T) Tails[T], lo, hi *T) T {
	var from, to Tails[T]
	if lo != nil {
		x := *lo
		if counts { // P(X >= x) = P(X > ceil(x) - 1)
			x = k.Sub(k.Neg(k.Floor(k.Neg(x))), k.Num(1))
		}
		from = at(x)
	}
	if hi != nil {
		to = at(*hi)
	}
	switch {
	case lo == nil && hi == nil:
		return k.Num(0)
	case lo == nil:
		return to.Below
	case hi == nil:
		return from.Above
	}
	low := k.Holds(arith.OLT, from.Below, k.Num(-math.Ln2))
	return k.Pick(low, kit.LogDiff(k, to.Below, from.Below), kit.LogDiff(k, from.Above, to.Above))
}
