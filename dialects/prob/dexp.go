package prob

import (
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// Exponential has rate lambda.
var Exponential = &family.Law{Name: "dexp", Params: "lambda", Origin: family.Both,
	Named: []family.Named{{Name: "rate", Of: 0, Power: 1}, {Name: "scale", Of: 0, Power: -1}},
	Doc:   "exponential with rate lambda", Support: support.PositiveLine, Functions: family.AllFunctions,
	Elsewhere: forms.AtPoint(0, forms.Zero),
	Conjugate: []family.Conjugate{{Param: 0, Of: "dgamma"}},
	Draw:      func(r *rand.Rand, p []float64) float64 { return r.ExpFloat64() / p[0] },
	Centre:    func(p []float64) float64 { return 1 / p[0] },
	Go:        exponentialLaw[float64, bool](), Ops: exponentialLaw[ir.Value, ir.Value](),
}

func exponentialLaw[T, B any]() family.Formulas[T, B] {
	return family.Formulas[T, B]{
		Rules: []family.Rule[T, B]{family.Above[T, B](0, "the rate")},
		LogDensity: func(k kit.Calc[T, B], x T, p []T) T {
			return kit.Guarded(k, kit.Positive(k, p[0]), k.Log(p[0]), kit.Nonnegative(k, x), k.Neg(k.Mul(p[0], x)))
		},
		Tails: func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
			return cumulative.Decaying(k, x, k.Num(0), k.Neg(k.Mul(p[0], x)))
		},
		Quantile: func(k kit.Calc[T, B], u T, p []T) T { return k.Div(decay(k, u), p[0]) },
	}
}

// decay is minus the logarithm of the upper tail at the quantile u.
func decay[T, B any](k kit.Calc[T, B], u T) T { return k.Neg(k.Log1p(k.Neg(u))) }
