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

// ParetoExceedance is the generalised Pareto law of what exceeds mu.
var ParetoExceedance = &family.Law{Name: "dgpar", Params: "mu sigma eta", Origin: family.BUGS,
	Doc:     "generalised Pareto, x >= mu",
	Support: &support.Ends{Lo: support.Limit{Kind: support.ParamLimit}, Hi: support.Limit{Kind: support.UpperIfShape}},
	Draw:    func(r *rand.Rand, p []float64) float64 { return forms.FromExtreme(r.ExpFloat64(), p) },
	Centre:  func(p []float64) float64 { return forms.FromExtreme(math.Ln2, p) },
	Go:      paretoExceedanceLaw[float64, bool](), Ops: paretoExceedanceLaw[ir.Value, ir.Value](),
}

func paretoExceedanceLaw[T, B any]() family.Formulas[T, B] {
	f := family.Ruled(forms.ExtremeRules[T, B](), func(k kit.Calc[T, B], x T, p []T) T {
		t, inside := forms.Extreme(k, x, p)
		in := k.And(k.And(inside, k.Holds(arith.OGE, x, p[0])), k.Holds(arith.OLT, x, k.Num(kit.Inf)))
		return k.Pick(in, k.Neg(k.Add(k.Mul(k.Add(k.Num(1), p[2]), t), k.Log(p[1]))), forms.Impossible(k))
	})
	f.Tails = gparTails[T, B]
	return f
}

func gparTails[T, B any](k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
	t, inside := forms.Extreme(k, kit.Greater(k, x, p[0]), p)
	v := cumulative.FromAbove(k, k.Neg(t))
	return cumulative.OnSupport(k, x, p[0], k.Num(kit.Inf), cumulative.PickTails(k, inside, v, cumulative.Tails[T]{Below: k.Num(0), Above: k.Num(math.Inf(-1))}))
}
