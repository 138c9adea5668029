package prob

import (
	"math/rand/v2"

	"github.com/irc-lang/irc/ir"
)

// Exponential has rate lambda.
var Exponential = &Law{Name: "dexp", Params: "lambda", Origin: Both,
	Named: []Named{{"rate", 0, 1}, {"scale", 0, -1}},
	Doc:   "exponential with rate lambda", Support: positiveLine, Functions: AllFunctions,
	Elsewhere: atPoint(0, zero),
	Conjugate: []Conjugate{{0, "dgamma"}},
	Draw:      func(r *rand.Rand, p []float64) float64 { return r.ExpFloat64() / p[0] },
	Centre:    func(p []float64) float64 { return 1 / p[0] },
	Go:        exponentialLaw[float64, bool](), Ops: exponentialLaw[ir.Value, ir.Value](),
}

func exponentialLaw[T, B any]() Formulas[T, B] {
	return Formulas[T, B]{
		Rules: []Rule[T, B]{above[T, B](0, "the rate")},
		LogDensity: func(k Calc[T, B], x T, p []T) T {
			return guarded(k, positive(k, p[0]), k.Log(p[0]), nonnegative(k, x), k.Neg(k.Mul(p[0], x)))
		},
		Tails:    func(k Calc[T, B], x T, p []T) Tails[T] { return decaying(k, x, k.Num(0), k.Neg(k.Mul(p[0], x))) },
		Quantile: func(k Calc[T, B], u T, p []T) T { return k.Div(decay(k, u), p[0]) },
	}
}

// decay is minus the logarithm of the upper tail at the quantile u.
func decay[T, B any](k Calc[T, B], u T) T { return k.Neg(k.Log1p(k.Neg(u))) }
