package prob

import (
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// ChiSquare has k degrees of freedom.
var ChiSquare = &family.Law{Name: "dchisqr", Aliases: []string{"dchisq"}, Params: "k", Origin: family.Both,
	Named: []family.Named{{Name: "df", Of: 0, Power: 1}},
	Doc:   "chi-square with k degrees of freedom", Support: support.PositiveLine, Functions: family.AllFunctions,
	Draw:        func(r *rand.Rand, p []float64) float64 { return draw.Gamma(r, p[0]/2, 0.5) },
	Centre:      family.First,
	NeedsStable: func(p []float64) bool { return p[0]/2 > 100 },
	Go:          chiSquareLaw[float64, bool](), Ops: chiSquareLaw[ir.Value, ir.Value](),
}

func chiSquareLaw[T, B any]() family.Formulas[T, B] {
	return family.Formulas[T, B]{
		Rules:      []family.Rule[T, B]{family.Above[T, B](0, "the degrees of freedom")},
		LogDensity: func(k kit.Calc[T, B], x T, p []T) T { return gammaDensity(k, x, kit.Half(k, p[0]), k.Num(0.5)) },
		Stable: &family.StableForm[T, B]{
			Sizes: forms.SizesOfParams[T], SmallNode: forms.SizesOfParams[T],
			Inside: func(k kit.Calc[T, B], x T, p []T) B { return kit.FinitePositive(k, p[0], kit.Half(k, x)) },
			Body: func(k kit.Calc[T, B], x T, p []T) T {
				return k.Sub(functions.GammaKernel(k, kit.Half(k, p[0]), kit.Half(k, x)), k.Log(x))
			},
		},
		Tails: func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
			return functions.GammaTails(k, functions.RealShape, k.Mul(p[0], k.Num(0.5)), k.Mul(x, k.Num(0.5)))
		},
	}
}
