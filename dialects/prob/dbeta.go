package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
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

// Beta is a law on (0, 1).
var Beta = &family.Law{Name: "dbeta", Params: "a b", Origin: family.Both,
	Named: []family.Named{{Name: "shape1", Of: 0, Power: 1}, {Name: "shape2", Of: 1, Power: 1}},
	Forms: []family.Form{{Names: []string{"mean", "sd"}, Params: []string{"mean * (mean * (1 - mean) / sd^2 - 1)", "(1 - mean) * (mean * (1 - mean) / sd^2 - 1)"}}},
	Doc:   "beta on (0, 1)", Support: support.UnitInterval, Functions: family.AllFunctions,
	Draw:        func(r *rand.Rand, p []float64) float64 { return draw.Beta(r, p[0], p[1]) },
	Centre:      func(p []float64) float64 { return p[0] / (p[0] + p[1]) },
	NeedsStable: func(p []float64) bool { return p[0] > 100 && p[1] > 100 && !math.IsInf(p[0]+p[1], 1) },
	Go:          betaLaw[float64, bool](), Ops: betaLaw[ir.Value, ir.Value](),
}

func betaLaw[T, B any]() family.Formulas[T, B] {
	return family.Formulas[T, B]{
		Rules: []family.Rule[T, B]{family.Above[T, B](0, "a"), family.Above[T, B](1, "b")},
		LogDensity: func(k kit.Calc[T, B], x T, p []T) T {
			c := k.Neg(k.Fn(special.Lbeta, p[0], p[1]))
			body := k.Add(k.Xlogy(k.Sub(p[0], k.Num(1)), x), k.Xlog1py(k.Sub(p[1], k.Num(1)), k.Neg(x)))
			return kit.Guarded(k, k.And(kit.Positive(k, p[0]), kit.Positive(k, p[1])), c, kit.IsProbability(k, x), body)
		},
		Stable: &family.StableForm[T, B]{
			Sizes: forms.SizesOfParams[T], SmallNode: forms.SizesOfParams[T],
			Inside: func(k kit.Calc[T, B], x T, p []T) B {
				return k.And(kit.FinitePositive(k, p[0], p[1], x), k.Holds(arith.OLT, x, k.Num(1)))
			},
			Body: func(k kit.Calc[T, B], x T, p []T) T {
				y := k.Sub(k.Num(1), x)
				return k.Sub(functions.BetaKernel(k, p[0], p[1], x, y), k.Add(k.Log(x), k.Log1p(k.Neg(x))))
			},
		},
		Tails: func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
			return functions.BetaTails(k, functions.RealShape, p[0], p[1], x, k.Sub(k.Num(1), x))
		},
	}
}

// betaQuantile is that of a beta with shapes x[0] and x[1], at x[2].
func betaQuantile(k kit.Ops, x []ir.Value) ir.Value { return apply.QuantileOps(Beta, k, x[2], x[:2]) }
