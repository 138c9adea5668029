package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// DoubleExponential, or Laplace, has centre mu and rate tau.
var DoubleExponential = &family.Law{Name: "ddexp", Params: "mu tau", Origin: family.Both,
	Named: []family.Named{{Name: "location", Of: 0, Power: 1}, {Name: "rate", Of: 1, Power: 1}, {Name: "scale", Of: 1, Power: -1}},
	Doc:   "double exponential (Laplace) with centre mu and rate tau", Support: support.RealLine, Functions: family.AllFunctions,
	Elsewhere: forms.AtPoint(1, family.First),
	Draw: func(r *rand.Rand, p []float64) float64 {
		x := r.ExpFloat64() / p[1]
		if r.IntN(2) == 0 {
			x = -x
		}
		return p[0] + x
	}, Centre: family.First,
	Go: doubleExponentialLaw[float64, bool](), Ops: doubleExponentialLaw[ir.Value, ir.Value](),
}

func doubleExponentialLaw[T, B any]() family.Formulas[T, B] {
	return family.Formulas[T, B]{
		Rules: []family.Rule[T, B]{family.Above[T, B](1, "the rate")},
		LogDensity: func(k kit.Calc[T, B], x T, p []T) T {
			c := kit.Valid(k, kit.Positive(k, p[1]), k.Log(kit.Half(k, p[1])))
			return k.Sub(c, k.Mul(p[1], k.Abs(k.Sub(x, p[0]))))
		},
		Tails: func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
			z := k.Mul(p[1], k.Sub(x, p[0]))
			far := k.Sub(k.Num(-math.Ln2), k.Abs(z))
			return cumulative.PickTails(k, k.Holds(arith.OLE, z, k.Num(0)), cumulative.FromBelow(k, far), cumulative.FromAbove(k, far))
		},
		Quantile: func(k kit.Calc[T, B], u T, p []T) T {
			low := k.Log(k.Mul(k.Num(2), u))
			high := k.Neg(k.Log(k.Mul(k.Num(2), k.Sub(k.Num(1), u))))
			return k.Add(p[0], k.Div(k.Pick(k.Holds(arith.OLE, u, k.Num(0.5)), low, high), p[1]))
		},
	}
}
