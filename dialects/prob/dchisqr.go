package prob

import (
	"math/rand/v2"

	"github.com/irc-lang/irc/ir"
)

// ChiSquare has k degrees of freedom.
var ChiSquare = &Law{Name: "dchisqr", Aliases: []string{"dchisq"}, Params: "k", Origin: Both,
	Named: []Named{{"df", 0, 1}},
	Doc:   "chi-square with k degrees of freedom", Support: positiveLine, Functions: AllFunctions,
	Draw:   func(r *rand.Rand, p []float64) float64 { return gammaDraw(r, p[0]/2, 0.5) },
	Centre: first,
	Early:  func(p []float64) bool { return p[0]/2 > 100 },
	Go:     chiSquareLaw[float64, bool](), Ops: chiSquareLaw[ir.Value, ir.Value](),
}

func chiSquareLaw[T, B any]() Formulas[T, B] {
	return Formulas[T, B]{
		Rules:      []Rule[T, B]{above[T, B](0, "the degrees of freedom")},
		LogDensity: func(k Calc[T, B], x T, p []T) T { return gammaDensity(k, x, half(k, p[0]), k.Num(0.5)) },
		Careful: &Careful[T, B]{
			Sizes: sizesOfParams[T], SmallNode: sizesOfParams[T],
			Inside: func(k Calc[T, B], x T, p []T) B { return finitePositive(k, p[0], half(k, x)) },
			Body: func(k Calc[T, B], x T, p []T) T {
				return k.Sub(gammaKernel(k, half(k, p[0]), half(k, x)), k.Log(x))
			},
		},
		Tails: func(k Calc[T, B], x T, p []T) Tails[T] {
			return GammaTails(k, k.Mul(p[0], k.Num(0.5)), k.Mul(x, k.Num(0.5)))
		},
	}
}
