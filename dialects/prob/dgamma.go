package prob

import (
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// Gamma has shape r and rate lambda.
var Gamma = &family.Law{Name: "dgamma", Params: "r lambda", Origin: family.Both,
	Named: []family.Named{{Name: "shape", Of: 0, Power: 1}, {Name: "rate", Of: 1, Power: 1}, {Name: "scale", Of: 1, Power: -1}},
	Forms: []family.Form{{Names: []string{"mean", "sd"}, Params: []string{"(mean / sd)^2", "mean / sd^2"}}},
	Doc:   "gamma with shape r and rate lambda", Support: support.PositiveLine, Functions: family.AllFunctions,
	Elsewhere:   forms.AtPoint(1, forms.Zero),
	Conjugate:   []family.Conjugate{{Param: 1, Of: "dgamma"}},
	Draw:        func(r *rand.Rand, p []float64) float64 { return draw.Gamma(r, p[0], p[1]) },
	Centre:      func(p []float64) float64 { return p[0] / p[1] },
	NeedsStable: func(p []float64) bool { return p[0] > 100 },
	Go:          gammaLaw[float64, bool](), Ops: gammaLaw[ir.Value, ir.Value](),
}

func gammaLaw[T, B any]() family.Formulas[T, B] {
	return family.Formulas[T, B]{
		Rules:      []family.Rule[T, B]{family.Above[T, B](0, "the shape"), family.Above[T, B](1, "the rate")},
		LogDensity: func(k kit.Calc[T, B], x T, p []T) T { return gammaDensity(k, x, p[0], p[1]) },
		Stable: &family.StableForm[T, B]{
			Sizes: forms.SizeOfFirst[T], SmallNode: forms.SizeOfFirst[T],
			Inside: func(k kit.Calc[T, B], x T, p []T) B { return kit.FinitePositive(k, p[0], p[1], x, k.Mul(p[1], x)) },
			Body: func(k kit.Calc[T, B], x T, p []T) T {
				return k.Sub(functions.GammaKernel(k, p[0], k.Mul(p[1], x)), k.Log(x))
			},
		},
		Tails: func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
			return functions.GammaTails(k, functions.RealShape, p[0], k.Mul(p[1], x))
		},
	}
}

func gammaDensity[T, B any](k kit.Calc[T, B], x, r, rate T) T {
	c := k.Sub(k.Mul(r, k.Log(rate)), k.Fn(special.Lgamma, r))
	body := k.Sub(k.Xlogy(k.Sub(r, k.Num(1)), x), k.Mul(rate, x))
	return kit.Guarded(k, k.And(kit.Positive(k, r), kit.Positive(k, rate)), c, kit.Nonnegative(k, x), body)
}

// gammaQuantile is that of a gamma with shape x[0] and rate 1, at x[1].
func gammaQuantile(k kit.Ops, x []ir.Value) ir.Value {
	return apply.QuantileOps(Gamma, k, x[1], []ir.Value{x[0], k.Num(1)})
}
