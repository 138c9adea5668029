package prob

import (
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// ScaledGamma is the law of a precision whose x^(-1/2) is half-t.
var ScaledGamma = &family.Law{Name: "dscaled.gamma", Params: "s df", Origin: family.JAGS,
	Doc: "precision whose x^(-1/2) is half-t with df degrees of freedom and scale s", Support: support.PositiveLine, Functions: family.AllFunctions,
	Draw: func(r *rand.Rand, p []float64) float64 {
		return draw.Gamma(r, p[1]/2, p[1]/2) / draw.Gamma(r, 0.5, 0.5) / (p[0] * p[0])
	},
	Centre: func(p []float64) float64 { return 1 / (p[0] * p[0]) },
	Go:     scaledGammaLaw[float64, bool](), Ops: scaledGammaLaw[ir.Value, ir.Value](),
}

func scaledGammaLaw[T, B any]() family.Formulas[T, B] {
	f := family.Ruled([]family.Rule[T, B]{family.Finite[T, B](0, "the scale"), family.Finite[T, B](1, "the degrees of freedom")},
		func(k kit.Calc[T, B], x T, p []T) T {
			y := k.Mul(k.Mul(x, p[0]), p[0])
			return k.Add(fisher(k, y, []T{p[1], k.Num(1)}), k.Mul(k.Num(2), k.Log(p[0])))
		})
	f.Tails = func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
		return fisherTails(k, k.Mul(k.Mul(x, p[0]), p[0]), []T{p[1], k.Num(1)})
	}
	return f
}
