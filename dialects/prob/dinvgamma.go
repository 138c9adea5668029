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

// InverseGamma is the law of 1/x where x is gamma(shape, rate scale).
var InverseGamma = &family.Law{Name: "dinvgamma", Aliases: []string{"dinv.gamma"}, Params: "shape scale", Origin: family.NIMBLE,
	Named: []family.Named{{Name: "rate", Of: 1, Power: -1}},
	Doc:   "inverse gamma: 1/x is gamma with that shape and rate", Support: support.PositiveLine, Functions: family.AllFunctions,
	Conjugate: []family.Conjugate{{Param: 1, Of: "dgamma"}},
	Draw:      func(r *rand.Rand, p []float64) float64 { return p[1] / draw.Gamma(r, p[0], 1) },
	// The mean is infinite for a shape of at most 1: the mode is always there.
	Centre: func(p []float64) float64 { return p[1] / (p[0] + 1) },
	Go:     inverseGammaLaw[float64, bool](), Ops: inverseGammaLaw[ir.Value, ir.Value](),
}

func inverseGammaLaw[T, B any]() family.Formulas[T, B] {
	f := family.Ruled([]family.Rule[T, B]{family.Finite[T, B](0, "the shape"), family.Finite[T, B](1, "the scale")}, func(k kit.Calc[T, B], x T, p []T) T {
		// Where scale/x overflows, the density is far below all numbers.
		in := k.And(k.And(kit.Positive(k, x), kit.IsFinite(k, x)), kit.IsFinite(k, k.Div(p[1], x)))
		cx := kit.OrElse(k, in, x, 1)
		return kit.Within(k, in, k.Sub(functions.GammaKernel(k, p[0], k.Div(p[1], cx)), k.Log(cx)))
	})
	f.Tails = func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
		in := kit.Positive(k, x)
		v := functions.GammaTails(k, functions.RealShape, p[0], k.Div(p[1], kit.OrElse(k, in, x, 1)))
		return cumulative.PickTails(k, in, cumulative.Tails[T]{Below: v.Above, Above: v.Below}, cumulative.Tails[T]{Below: forms.Impossible(k), Above: k.Num(0)})
	}
	return f
}
