package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// Logistic has centre mu and inverse scale tau.
var Logistic = &family.Law{Name: "dlogis", Params: "mu tau", Origin: family.Both,
	Named: []family.Named{{Name: "location", Of: 0, Power: 1}, {Name: "rate", Of: 1, Power: 1}, {Name: "scale", Of: 1, Power: -1}},
	Doc:   "logistic with centre mu and inverse scale tau", Support: support.RealLine, Functions: family.AllFunctions,
	Elsewhere: forms.AtPoint(1, family.First),
	Draw: func(r *rand.Rand, p []float64) float64 {
		u := draw.Open(r)
		return p[0] + (kit.Log(u)-math.Log1p(-u))/p[1]
	}, Centre: family.First,
	Go: logisticLaw[float64, bool](), Ops: logisticLaw[ir.Value, ir.Value](),
}

func logisticLaw[T, B any]() family.Formulas[T, B] {
	return family.Formulas[T, B]{
		Rules: []family.Rule[T, B]{family.Above[T, B](1, "the inverse scale")},
		LogDensity: func(k kit.Calc[T, B], x T, p []T) T {
			z := k.Abs(k.Mul(p[1], k.Sub(x, p[0])))
			c := kit.Valid(k, kit.Positive(k, p[1]), k.Log(p[1]))
			return k.Sub(k.Sub(c, z), k.Mul(k.Num(2), k.Log1p(k.Exp(k.Neg(z)))))
		},
		Tails: func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
			z := k.Mul(p[1], k.Sub(x, p[0]))
			return cumulative.Tails[T]{Below: k.Neg(k.Fn(special.Log1pexp, k.Neg(z))), Above: k.Neg(k.Fn(special.Log1pexp, z))}
		},
		Quantile: func(k kit.Calc[T, B], u T, p []T) T { return k.Add(p[0], k.Div(k.Fn(special.Logit, u), p[1])) },
	}
}
