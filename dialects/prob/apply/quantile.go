package apply

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
)

// quantileOf is where the distribution function reaches u; NaN for u that is no
// probability.
func quantileOf[T, B any](k kit.Calc[T, B], f family.Formulas[T, B], counts bool, u T, p []T) T {
	if f.Quantile != nil {
		ok := k.And(k.Holds(arith.OGE, u, k.Num(0)), k.Holds(arith.OLE, u, k.Num(1)))
		return kit.OrElse(k, ok, f.Quantile(k, u, p), math.NaN())
	}
	return cumulative.Quantile(k, counts, func(x T) cumulative.Tails[T] { return f.Tails(k, x, p) }, u)
}
