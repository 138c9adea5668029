package prob

import (
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// Uniform is that on [a, b].
var Uniform = &Law{Name: "dunif", Params: "a b", Origin: Both,
	Named: []Named{{"min", 0, 1}, {"max", 1, 1}},
	Doc:   "uniform on [a, b]", Functions: CDF | LogDensityFunction,
	Support: &Support{Lo: Limit{Kind: ParamLimit}, Hi: Limit{Kind: ParamLimit, Param: 1}},
	Draw:    func(r *rand.Rand, p []float64) float64 { return p[0] + (p[1]-p[0])*r.Float64() },
	Centre:  func(p []float64) float64 { return p[0] + (p[1]-p[0])/2 },
	Go:      uniformLaw[float64, bool](), Ops: uniformLaw[ir.Value, ir.Value](),
}

func uniformLaw[T, B any]() Formulas[T, B] {
	return Formulas[T, B]{
		Rules: []Rule[T, B]{{Why: "the lower end must be below the upper", Holds: func(k Calc[T, B], p []T) B {
			return k.Holds(arith.OLT, p[0], p[1])
		}}},
		LogDensity: func(k Calc[T, B], x T, p []T) T {
			return guarded(k, k.Holds(arith.OLT, p[0], p[1]), k.Neg(k.Log(k.Sub(p[1], p[0]))), between(k, x, p[0], p[1]), k.Num(0))
		},
		Tails: func(k Calc[T, B], x T, p []T) Tails[T] {
			n := k.Sub(p[1], p[0])
			below := Greater(k, k.Div(k.Sub(x, p[0]), n), k.Num(0))
			above := Greater(k, k.Div(k.Sub(p[1], x), n), k.Num(0))
			return onSupport(k, x, p[0], p[1], Tails[T]{k.Log(below), k.Log(above)})
		},
	}
}
