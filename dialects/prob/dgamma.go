package prob

import (
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// Gamma has shape r and rate lambda.
var Gamma = &Law{Name: "dgamma", Params: "r lambda", Origin: Both,
	Named: []Named{{"shape", 0, 1}, {"rate", 1, 1}, {"scale", 1, -1}},
	Doc:   "gamma with shape r and rate lambda", Support: positiveLine, Functions: AllFunctions,
	Elsewhere: atPoint(1, zero),
	Conjugate: []Conjugate{{1, "dgamma"}},
	Draw:      func(r *rand.Rand, p []float64) float64 { return gammaDraw(r, p[0], p[1]) },
	Centre:    func(p []float64) float64 { return p[0] / p[1] },
	Early:     func(p []float64) bool { return p[0] > 100 },
	Go:        gammaLaw[float64, bool](), Ops: gammaLaw[ir.Value, ir.Value](),
}

func gammaLaw[T, B any]() Formulas[T, B] {
	return Formulas[T, B]{
		Rules:      []Rule[T, B]{above[T, B](0, "the shape"), above[T, B](1, "the rate")},
		LogDensity: func(k Calc[T, B], x T, p []T) T { return gammaDensity(k, x, p[0], p[1]) },
		Careful: &Careful[T, B]{
			Sizes: sizeOfFirst[T], SmallNode: sizeOfFirst[T],
			Inside: func(k Calc[T, B], x T, p []T) B { return finitePositive(k, p[0], p[1], x, k.Mul(p[1], x)) },
			Body: func(k Calc[T, B], x T, p []T) T {
				return k.Sub(gammaKernel(k, p[0], k.Mul(p[1], x)), k.Log(x))
			},
		},
		Tails: func(k Calc[T, B], x T, p []T) Tails[T] { return GammaTails(k, p[0], k.Mul(p[1], x)) },
	}
}

func gammaDensity[T, B any](k Calc[T, B], x, r, rate T) T {
	c := k.Sub(k.Mul(r, k.Log(rate)), k.Fn(special.Lgamma, r))
	body := k.Sub(k.Xlogy(k.Sub(r, k.Num(1)), x), k.Mul(rate, x))
	return guarded(k, k.And(positive(k, r), positive(k, rate)), c, nonnegative(k, x), body)
}
