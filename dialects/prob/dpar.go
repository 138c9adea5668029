package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// Pareto has the density alpha c^alpha x^(-alpha-1) from c on.
var Pareto = &family.Law{Name: "dpar", Params: "alpha c", Origin: family.Both,
	Doc: "Pareto: alpha c^alpha x^(-alpha-1), x >= c", Functions: family.AllFunctions,
	Support:   &support.Ends{Lo: support.Limit{Kind: support.ParamLimit, Param: 1}},
	Conjugate: []family.Conjugate{{Param: 0, Of: "dgamma"}},
	Draw:      func(r *rand.Rand, p []float64) float64 { return p[1] * math.Exp(r.ExpFloat64()/p[0]) },
	Centre:    func(p []float64) float64 { return p[1] * math.Pow(2, 1/p[0]) },
	Go:        paretoLaw[float64, bool](), Ops: paretoLaw[ir.Value, ir.Value](),
}

func paretoLaw[T, B any]() family.Formulas[T, B] {
	return family.Formulas[T, B]{
		Rules: []family.Rule[T, B]{family.Above[T, B](0, "alpha"), family.Above[T, B](1, "the lower end c")},
		LogDensity: func(k kit.Calc[T, B], x T, p []T) T {
			c := k.Add(k.Log(p[0]), k.Mul(p[0], k.Log(p[1])))
			return kit.Guarded(k, k.And(kit.Positive(k, p[0]), kit.Positive(k, p[1])), c, k.Holds(arith.OGE, x, p[1]), k.Neg(k.Mul(k.Add(p[0], k.Num(1)), k.Log(x))))
		},
		Tails: func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
			return cumulative.Decaying(k, x, p[1], k.Neg(k.Mul(p[0], k.Log(k.Div(kit.Greater(k, x, p[1]), p[1])))))
		},
		Quantile: func(k kit.Calc[T, B], u T, p []T) T { return k.Mul(p[1], k.Exp(k.Div(decay(k, u), p[0]))) },
	}
}
