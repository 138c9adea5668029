package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// Pareto has the density alpha c^alpha x^(-alpha-1) from c on.
var Pareto = &Law{Name: "dpar", Params: "alpha c", Origin: Both,
	Doc: "Pareto: alpha c^alpha x^(-alpha-1), x >= c", Functions: AllFunctions,
	Support:   &Support{Lo: Limit{Kind: ParamLimit, Param: 1}},
	Conjugate: []Conjugate{{0, "dgamma"}},
	Draw:      func(r *rand.Rand, p []float64) float64 { return p[1] * math.Exp(r.ExpFloat64()/p[0]) },
	Centre:    func(p []float64) float64 { return p[1] * math.Pow(2, 1/p[0]) },
	Go:        paretoLaw[float64, bool](), Ops: paretoLaw[ir.Value, ir.Value](),
}

func paretoLaw[T, B any]() Formulas[T, B] {
	return Formulas[T, B]{
		Rules: []Rule[T, B]{above[T, B](0, "alpha"), above[T, B](1, "the lower end c")},
		LogDensity: func(k Calc[T, B], x T, p []T) T {
			c := k.Add(k.Log(p[0]), k.Mul(p[0], k.Log(p[1])))
			return guarded(k, k.And(positive(k, p[0]), positive(k, p[1])), c, k.Holds(arith.OGE, x, p[1]), k.Neg(k.Mul(k.Add(p[0], k.Num(1)), k.Log(x))))
		},
		Tails: func(k Calc[T, B], x T, p []T) Tails[T] {
			return decaying(k, x, p[1], k.Neg(k.Mul(p[0], k.Log(k.Div(Greater(k, x, p[1]), p[1])))))
		},
		Quantile: func(k Calc[T, B], u T, p []T) T { return k.Mul(p[1], k.Exp(k.Div(decay(k, u), p[0]))) },
	}
}
