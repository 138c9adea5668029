package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// HalfCauchy is the law of |x| where x is Cauchy with median 0.
var HalfCauchy = &family.Law{Name: "dhalfcauchy", Params: "scale", Origin: family.NIMBLE,
	Named: []family.Named{{Name: "sigma", Of: 0, Power: 1}},
	Doc:   "half-Cauchy with a scale, which is its median", Support: support.PositiveLine, Functions: family.AllFunctions,
	Draw:   func(r *rand.Rand, p []float64) float64 { return p[0] * math.Tan(math.Pi/2*draw.Open(r)) },
	Centre: family.First,
	Go:     halfCauchyLaw[float64, bool](), Ops: halfCauchyLaw[ir.Value, ir.Value](),
}

func halfCauchyLaw[T, B any]() family.Formulas[T, B] {
	f := family.Ruled([]family.Rule[T, B]{family.Finite[T, B](0, "the scale")}, func(k kit.Calc[T, B], x T, p []T) T {
		in := kit.Nonnegative(k, x)
		return kit.Within(k, in, k.Add(k.Num(math.Ln2), cauchyDensity(k, kit.OrElse(k, in, x, 0), p[0])))
	})
	f.Tails = func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
		in := kit.Positive(k, x)
		above := k.Add(k.Num(math.Ln2), cauchyTails(k, kit.OrElse(k, in, x, 1), p[0]).Above)
		return cumulative.Decaying(k, x, k.Num(0), above)
	}
	return f
}
