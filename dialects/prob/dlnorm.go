package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// LogNormal is the law of x where log x is normal.
var LogNormal = &family.Law{Name: "dlnorm", Params: "mu tau", Origin: family.Both,
	Named: []family.Named{{Name: "meanlog", Of: 0, Power: 1}, {Name: "sdlog", Of: 1, Power: -2}, {Name: "varlog", Of: 1, Power: -1}, {Name: "taulog", Of: 1, Power: 1}},
	Doc:   "log x is normal with mean mu and precision tau", Support: support.PositiveLine, Functions: family.AllFunctions,
	Elsewhere: forms.AtPoint(1, func(p []float64) float64 { return math.Exp(p[0]) }),
	Conjugate: []family.Conjugate{{Param: 0, Of: "dnorm"}, {Param: 1, Of: "dgamma"}},
	Draw:      func(r *rand.Rand, p []float64) float64 { return math.Exp(draw.Normal(r, p[0], p[1])) },
	Centre:    func(p []float64) float64 { return math.Exp(p[0]) },
	Go:        logNormalLaw[float64, bool](), Ops: logNormalLaw[ir.Value, ir.Value](),
}

func logNormalLaw[T, B any]() family.Formulas[T, B] {
	return family.Formulas[T, B]{
		Rules: []family.Rule[T, B]{family.Above[T, B](1, "the precision")},
		LogDensity: func(k kit.Calc[T, B], x T, p []T) T {
			y := k.Log(x)
			body := k.Sub(k.Neg(kit.Quadratic(k, kit.Half(k, p[1]), k.Sub(y, p[0]))), y)
			return kit.Guarded(k, kit.Positive(k, p[1]), scaled(k, p[1]), k.And(kit.Positive(k, x), kit.IsFinite(k, x)), body)
		},
		Tails: func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
			y := k.Log(kit.OrElse(k, k.Holds(arith.OGT, x, k.Num(0)), x, 1))
			return cumulative.OnSupport(k, x, k.Num(0), k.Num(kit.Inf), normalTails(k, y, p[0], p[1]))
		},
		Quantile: func(k kit.Calc[T, B], u T, p []T) T { return k.Exp(normalQuantile(k, u, p)) },
	}
}
