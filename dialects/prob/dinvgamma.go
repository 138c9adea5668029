package prob

import (
	"math/rand/v2"

	"github.com/irc-lang/irc/ir"
)

// InverseGamma is the law of 1/x where x is gamma(shape, rate scale).
var InverseGamma = &Law{Name: "dinvgamma", Aliases: []string{"dinv.gamma"}, Params: "shape scale", Origin: NIMBLE,
	Named: []Named{{"rate", 1, -1}},
	Doc:   "inverse gamma: 1/x is gamma with that shape and rate", Support: positiveLine, Functions: AllFunctions,
	Conjugate: []Conjugate{{1, "dgamma"}},
	Draw:      func(r *rand.Rand, p []float64) float64 { return p[1] / gammaDraw(r, p[0], 1) },
	// The mean is infinite for a shape of at most 1: the mode is always there.
	Centre: func(p []float64) float64 { return p[1] / (p[0] + 1) },
	Go:     inverseGammaLaw[float64, bool](), Ops: inverseGammaLaw[ir.Value, ir.Value](),
}

func inverseGammaLaw[T, B any]() Formulas[T, B] {
	f := ruled([]Rule[T, B]{finite[T, B](0, "the shape"), finite[T, B](1, "the scale")}, func(k Calc[T, B], x T, p []T) T {
		// Where scale/x overflows, the density is far below all numbers.
		in := k.And(k.And(positive(k, x), isFinite(k, x)), isFinite(k, k.Div(p[1], x)))
		cx := orElse(k, in, x, 1)
		return within(k, in, k.Sub(gammaKernel(k, p[0], k.Div(p[1], cx)), k.Log(cx)))
	})
	f.Tails = func(k Calc[T, B], x T, p []T) Tails[T] {
		in := positive(k, x)
		v := GammaTails(k, p[0], k.Div(p[1], orElse(k, in, x, 1)))
		return pickTails(k, in, Tails[T]{v.Above, v.Below}, Tails[T]{impossible(k), k.Num(0)})
	}
	return f
}
