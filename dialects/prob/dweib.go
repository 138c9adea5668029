package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/ir"
)

// Weibull has the density v lambda x^(v-1) exp(-lambda x^v).
var Weibull = &Law{Name: "dweib", Aliases: []string{"dweibull"}, Params: "v lambda", Origin: Both,
	Named: []Named{{"shape", 0, 1}},
	Doc:   "Weibull: v lambda x^(v-1) exp(-lambda x^v)", Support: positiveLine, Functions: AllFunctions,
	Elsewhere: atPoint(1, zero),
	Conjugate: []Conjugate{{1, "dgamma"}},
	Draw:      func(r *rand.Rand, p []float64) float64 { return math.Pow(r.ExpFloat64()/p[1], 1/p[0]) },
	Centre:    func(p []float64) float64 { return math.Pow(math.Ln2/p[1], 1/p[0]) },
	Go:        weibullLaw[float64, bool](), Ops: weibullLaw[ir.Value, ir.Value](),
}

func weibullLaw[T, B any]() Formulas[T, B] {
	return Formulas[T, B]{
		Rules: []Rule[T, B]{above[T, B](0, "the shape"), above[T, B](1, "lambda")},
		LogDensity: func(k Calc[T, B], x T, p []T) T {
			v, l := p[0], p[1]
			c := k.Add(k.Log(v), k.Log(l))
			body := k.Sub(k.Xlogy(k.Sub(v, k.Num(1)), x), k.Mul(l, k.Pow(x, v)))
			return guarded(k, k.And(positive(k, v), positive(k, l)), c, nonnegative(k, x), body)
		},
		Tails: func(k Calc[T, B], x T, p []T) Tails[T] {
			cx := Greater(k, x, k.Num(0))
			return decaying(k, x, k.Num(0), k.Neg(k.Mul(p[1], k.Pow(cx, p[0]))))
		},
		Quantile: func(k Calc[T, B], u T, p []T) T {
			return k.Pow(k.Div(decay(k, u), p[1]), k.Div(k.Num(1), p[0]))
		},
	}
}
