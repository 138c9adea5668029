package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// Cauchy is Student's t with one degree of freedom, by its scale.
var Cauchy = &family.Law{Name: "dcauchy", Params: "location scale", Origin: family.NIMBLE,
	Doc: "Cauchy with a median and a scale", Support: support.RealLine, Functions: family.AllFunctions,
	Draw:   func(r *rand.Rand, p []float64) float64 { return p[0] + p[1]*math.Tan(math.Pi*(draw.Open(r)-0.5)) },
	Centre: family.First,
	Go:     cauchyLaw[float64, bool](), Ops: cauchyLaw[ir.Value, ir.Value](),
}

func cauchyLaw[T, B any]() family.Formulas[T, B] {
	f := family.Ruled([]family.Rule[T, B]{family.Real[T, B](0, "the location"), family.Finite[T, B](1, "the scale")}, func(k kit.Calc[T, B], x T, p []T) T {
		return cauchyDensity(k, k.Sub(x, p[0]), p[1])
	})
	f.Tails = func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] { return cauchyTails(k, k.Sub(x, p[0]), p[1]) }
	return f
}

// cauchyDensity is -log(pi s (1 + (z/s)^2)).
func cauchyDensity[T, B any](k kit.Calc[T, B], z, s T) T {
	c := k.Neg(k.Add(k.Log(s), k.Num(math.Log(math.Pi))))
	return k.Sub(c, functions.LogOnePlusSquare(k, z, k.Num(1), s))
}

// cauchyTails are those of t with one degree of freedom: t^2 = (z/s)^2.
func cauchyTails[T, B any](k kit.Calc[T, B], z, s T) cumulative.Tails[T] {
	u := k.Div(z, s)
	return functions.StudentTails(k, u, k.Mul(u, u), k.Num(1))
}
