package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/ir"
)

// Cauchy is Student's t with one degree of freedom, by its scale.
var Cauchy = &Law{Name: "dcauchy", Params: "location scale", Origin: NIMBLE,
	Doc: "Cauchy with a median and a scale", Support: realLine, Functions: AllFunctions,
	Draw:   func(r *rand.Rand, p []float64) float64 { return p[0] + p[1]*math.Tan(math.Pi*(open(r)-0.5)) },
	Centre: first,
	Go:     cauchyLaw[float64, bool](), Ops: cauchyLaw[ir.Value, ir.Value](),
}

func cauchyLaw[T, B any]() Formulas[T, B] {
	f := ruled([]Rule[T, B]{real[T, B](0, "the location"), finite[T, B](1, "the scale")}, func(k Calc[T, B], x T, p []T) T {
		return cauchyDensity(k, k.Sub(x, p[0]), p[1])
	})
	f.Tails = func(k Calc[T, B], x T, p []T) Tails[T] { return cauchyTails(k, k.Sub(x, p[0]), p[1]) }
	return f
}

// cauchyDensity is -log(pi s (1 + (z/s)^2)).
func cauchyDensity[T, B any](k Calc[T, B], z, s T) T {
	c := k.Neg(k.Add(k.Log(s), k.Num(math.Log(math.Pi))))
	return k.Sub(c, logOnePlusSquare(k, z, k.Num(1), s))
}

// cauchyTails are those of t with one degree of freedom: t^2 = (z/s)^2.
func cauchyTails[T, B any](k Calc[T, B], z, s T) Tails[T] {
	u := k.Div(z, s)
	return studentTails(k, z, k.Mul(u, u), k.Num(1))
}
