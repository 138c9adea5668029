package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// Logistic has centre mu and inverse scale tau.
var Logistic = &Law{Name: "dlogis", Params: "mu tau", Origin: Both,
	Named: []Named{{"location", 0, 1}, {"rate", 1, 1}, {"scale", 1, -1}},
	Doc:   "logistic with centre mu and inverse scale tau", Support: realLine, Functions: AllFunctions,
	Elsewhere: atPoint(1, first),
	Draw: func(r *rand.Rand, p []float64) float64 {
		u := open(r)
		return p[0] + (Log(u)-math.Log1p(-u))/p[1]
	}, Centre: first,
	Go: logisticLaw[float64, bool](), Ops: logisticLaw[ir.Value, ir.Value](),
}

func logisticLaw[T, B any]() Formulas[T, B] {
	return Formulas[T, B]{
		Rules: []Rule[T, B]{above[T, B](1, "the inverse scale")},
		LogDensity: func(k Calc[T, B], x T, p []T) T {
			z := k.Abs(k.Mul(p[1], k.Sub(x, p[0])))
			c := valid(k, positive(k, p[1]), k.Log(p[1]))
			return k.Sub(k.Sub(c, z), k.Mul(k.Num(2), k.Log1p(k.Exp(k.Neg(z)))))
		},
		Tails: func(k Calc[T, B], x T, p []T) Tails[T] {
			z := k.Mul(p[1], k.Sub(x, p[0]))
			return Tails[T]{k.Neg(k.Fn(special.Log1pexp, k.Neg(z))), k.Neg(k.Fn(special.Log1pexp, z))}
		},
		Quantile: func(k Calc[T, B], u T, p []T) T { return k.Add(p[0], k.Div(k.Fn(special.Logit, u), p[1])) },
	}
}
