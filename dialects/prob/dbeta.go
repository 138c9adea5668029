package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// Beta is a law on (0, 1).
var Beta = &Law{Name: "dbeta", Params: "a b", Origin: Both,
	Named: []Named{{"shape1", 0, 1}, {"shape2", 1, 1}},
	Doc:   "beta on (0, 1)", Support: unitInterval, Functions: AllFunctions,
	Draw:   func(r *rand.Rand, p []float64) float64 { return betaDraw(r, p[0], p[1]) },
	Centre: func(p []float64) float64 { return p[0] / (p[0] + p[1]) },
	Early:  func(p []float64) bool { return p[0] > 100 && p[1] > 100 && !math.IsInf(p[0]+p[1], 1) },
	Go:     betaLaw[float64, bool](), Ops: betaLaw[ir.Value, ir.Value](),
}

func betaLaw[T, B any]() Formulas[T, B] {
	return Formulas[T, B]{
		Rules: []Rule[T, B]{above[T, B](0, "a"), above[T, B](1, "b")},
		LogDensity: func(k Calc[T, B], x T, p []T) T {
			c := k.Neg(k.Fn(special.Lbeta, p[0], p[1]))
			body := k.Add(k.Xlogy(k.Sub(p[0], k.Num(1)), x), k.Xlog1py(k.Sub(p[1], k.Num(1)), k.Neg(x)))
			return guarded(k, k.And(positive(k, p[0]), positive(k, p[1])), c, isProbability(k, x), body)
		},
		Careful: &Careful[T, B]{
			Sizes: sizesOfParams[T], SmallNode: sizesOfParams[T],
			Inside: func(k Calc[T, B], x T, p []T) B {
				return k.And(finitePositive(k, p[0], p[1], x), k.Holds(arith.OLT, x, k.Num(1)))
			},
			Body: func(k Calc[T, B], x T, p []T) T {
				y := k.Sub(k.Num(1), x)
				return k.Sub(betaKernel(k, p[0], p[1], x, y), k.Add(k.Log(x), k.Log1p(k.Neg(x))))
			},
		},
		Tails: func(k Calc[T, B], x T, p []T) Tails[T] {
			return betaTails(k, p[0], p[1], x, k.Sub(k.Num(1), x))
		},
	}
}
