package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// DoubleExponential, or Laplace, has centre mu and rate tau.
var DoubleExponential = &Law{Name: "ddexp", Params: "mu tau", Origin: Both,
	Named: []Named{{"location", 0, 1}, {"rate", 1, 1}, {"scale", 1, -1}},
	Doc:   "double exponential (Laplace) with centre mu and rate tau", Support: realLine, Functions: AllFunctions,
	Elsewhere: atPoint(1, first),
	Draw: func(r *rand.Rand, p []float64) float64 {
		x := r.ExpFloat64() / p[1]
		if r.IntN(2) == 0 {
			x = -x
		}
		return p[0] + x
	}, Centre: first,
	Go: doubleExponentialLaw[float64, bool](), Ops: doubleExponentialLaw[ir.Value, ir.Value](),
}

func doubleExponentialLaw[T, B any]() Formulas[T, B] {
	return Formulas[T, B]{
		Rules: []Rule[T, B]{above[T, B](1, "the rate")},
		LogDensity: func(k Calc[T, B], x T, p []T) T {
			c := valid(k, positive(k, p[1]), k.Log(half(k, p[1])))
			return k.Sub(c, k.Mul(p[1], k.Abs(k.Sub(x, p[0]))))
		},
		Tails: func(k Calc[T, B], x T, p []T) Tails[T] {
			z := k.Mul(p[1], k.Sub(x, p[0]))
			far := k.Sub(k.Num(-math.Ln2), k.Abs(z))
			return pickTails(k, k.Holds(arith.OLE, z, k.Num(0)), fromBelow(k, far), fromAbove(k, far))
		},
		Quantile: func(k Calc[T, B], u T, p []T) T {
			low := k.Log(k.Mul(k.Num(2), u))
			high := k.Neg(k.Log(k.Mul(k.Num(2), k.Sub(k.Num(1), u))))
			return k.Add(p[0], k.Div(k.Pick(k.Holds(arith.OLE, u, k.Num(0.5)), low, high), p[1]))
		},
	}
}
