package prob

import (
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// Uniform is that on [a, b].
var Uniform = &family.Law{Name: "dunif", Params: "a b", Origin: family.Both,
	Named: []family.Named{{Name: "min", Of: 0, Power: 1}, {Name: "max", Of: 1, Power: 1}},
	Doc:   "uniform on [a, b]", Functions: family.CDF | family.LogDensityFunction,
	Support: &support.Ends{Lo: support.Limit{Kind: support.ParamLimit}, Hi: support.Limit{Kind: support.ParamLimit, Param: 1}},
	Draw:    func(r *rand.Rand, p []float64) float64 { return p[0] + (p[1]-p[0])*r.Float64() },
	Centre:  func(p []float64) float64 { return p[0] + (p[1]-p[0])/2 },
	Go:      uniformLaw[float64, bool](), Ops: uniformLaw[ir.Value, ir.Value](),
}

func uniformLaw[T, B any]() family.Formulas[T, B] {
	return family.Formulas[T, B]{
		Rules: []family.Rule[T, B]{{Why: "the lower end must be below the upper", Holds: func(k kit.Calc[T, B], p []T) B {
			return k.Holds(arith.OLT, p[0], p[1])
		}}},
		LogDensity: func(k kit.Calc[T, B], x T, p []T) T {
			return kit.Guarded(k, k.Holds(arith.OLT, p[0], p[1]), k.Neg(k.Log(k.Sub(p[1], p[0]))), kit.Between(k, x, p[0], p[1]), k.Num(0))
		},
		Tails: func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
			n := k.Sub(p[1], p[0])
			below := kit.Greater(k, k.Div(k.Sub(x, p[0]), n), k.Num(0))
			above := kit.Greater(k, k.Div(k.Sub(p[1], x), n), k.Num(0))
			return cumulative.OnSupport(k, x, p[0], p[1], cumulative.Tails[T]{Below: k.Log(below), Above: k.Log(above)})
		},
	}
}
