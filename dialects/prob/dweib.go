package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// Weibull has the density v lambda x^(v-1) exp(-lambda x^v).
var Weibull = &family.Law{Name: "dweib", Aliases: []string{"dweibull"}, Params: "v lambda", Origin: family.Both,
	Named: []family.Named{{Name: "shape", Of: 0, Power: 1}},
	Forms: []family.Form{{Names: []string{"shape", "scale"}, Params: []string{"shape", "scale^(-shape)"}}},
	Doc:   "Weibull: v lambda x^(v-1) exp(-lambda x^v)", Support: support.PositiveLine, Functions: family.AllFunctions,
	Elsewhere: forms.AtPoint(1, forms.Zero),
	Conjugate: []family.Conjugate{{Param: 1, Of: "dgamma"}},
	Draw:      func(r *rand.Rand, p []float64) float64 { return math.Pow(r.ExpFloat64()/p[1], 1/p[0]) },
	Centre:    func(p []float64) float64 { return math.Pow(math.Ln2/p[1], 1/p[0]) },
	Go:        weibullLaw[float64, bool](), Ops: weibullLaw[ir.Value, ir.Value](),
}

func weibullLaw[T, B any]() family.Formulas[T, B] {
	return family.Formulas[T, B]{
		Rules: []family.Rule[T, B]{family.Above[T, B](0, "the shape"), family.Above[T, B](1, "lambda")},
		LogDensity: func(k kit.Calc[T, B], x T, p []T) T {
			v, l := p[0], p[1]
			c := k.Add(k.Log(v), k.Log(l))
			body := k.Sub(k.Xlogy(k.Sub(v, k.Num(1)), x), k.Mul(l, k.Pow(x, v)))
			return kit.Guarded(k, k.And(kit.Positive(k, v), kit.Positive(k, l)), c, kit.Nonnegative(k, x), body)
		},
		Tails: func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
			cx := kit.Greater(k, x, k.Num(0))
			return cumulative.Decaying(k, x, k.Num(0), k.Neg(k.Mul(p[1], k.Pow(cx, p[0]))))
		},
		Quantile: func(k kit.Calc[T, B], u T, p []T) T {
			return k.Pow(k.Div(decay(k, u), p[1]), k.Div(k.Num(1), p[0]))
		},
	}
}
