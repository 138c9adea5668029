package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// LogNormal is the law of x where log x is normal.
var LogNormal = &Law{Name: "dlnorm", Params: "mu tau", Origin: Both,
	Named: []Named{{"meanlog", 0, 1}, {"sdlog", 1, -2}, {"varlog", 1, -1}, {"taulog", 1, 1}},
	Doc:   "log x is normal with mean mu and precision tau", Support: positiveLine, Functions: AllFunctions,
	Elsewhere: atPoint(1, func(p []float64) float64 { return math.Exp(p[0]) }),
	Conjugate: []Conjugate{{0, "dnorm"}, {1, "dgamma"}},
	Draw:      func(r *rand.Rand, p []float64) float64 { return math.Exp(normalDraw(r, p[0], p[1])) },
	Centre:    func(p []float64) float64 { return math.Exp(p[0]) },
	Go:        logNormalLaw[float64, bool](), Ops: logNormalLaw[ir.Value, ir.Value](),
}

func logNormalLaw[T, B any]() Formulas[T, B] {
	return Formulas[T, B]{
		Rules: []Rule[T, B]{above[T, B](1, "the precision")},
		LogDensity: func(k Calc[T, B], x T, p []T) T {
			y := k.Log(x)
			body := k.Sub(k.Neg(quadratic(k, half(k, p[1]), k.Sub(y, p[0]))), y)
			return guarded(k, positive(k, p[1]), scaled(k, p[1]), k.And(positive(k, x), isFinite(k, x)), body)
		},
		Tails: func(k Calc[T, B], x T, p []T) Tails[T] {
			y := k.Log(orElse(k, k.Holds(arith.OGT, x, k.Num(0)), x, 1))
			return onSupport(k, x, k.Num(0), k.Num(inf), normalTails(k, y, p[0], p[1]))
		},
		Quantile: func(k Calc[T, B], u T, p []T) T { return k.Exp(normalQuantile(k, u, p)) },
	}
}
