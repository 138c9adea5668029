package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/ir"
)

// HalfCauchy is the law of |x| where x is Cauchy with median 0.
var HalfCauchy = &Law{Name: "dhalfcauchy", Params: "scale", Origin: NIMBLE,
	Named: []Named{{"sigma", 0, 1}},
	Doc:   "half-Cauchy with a scale, which is its median", Support: positiveLine, Functions: AllFunctions,
	Draw:   func(r *rand.Rand, p []float64) float64 { return p[0] * math.Tan(math.Pi/2*open(r)) },
	Centre: first,
	Go:     halfCauchyLaw[float64, bool](), Ops: halfCauchyLaw[ir.Value, ir.Value](),
}

func halfCauchyLaw[T, B any]() Formulas[T, B] {
	f := ruled([]Rule[T, B]{finite[T, B](0, "the scale")}, func(k Calc[T, B], x T, p []T) T {
		in := nonnegative(k, x)
		return within(k, in, k.Add(k.Num(math.Ln2), cauchyDensity(k, orElse(k, in, x, 0), p[0])))
	})
	f.Tails = func(k Calc[T, B], x T, p []T) Tails[T] {
		in := positive(k, x)
		above := k.Add(k.Num(math.Ln2), cauchyTails(k, orElse(k, in, x, 1), p[0]).Above)
		return decaying(k, x, k.Num(0), above)
	}
	return f
}
