package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// ParetoExceedance is the generalised Pareto law of what exceeds mu.
var ParetoExceedance = &Law{Name: "dgpar", Params: "mu sigma eta", Origin: BUGS,
	Doc:     "generalised Pareto, x >= mu",
	Support: &Support{Lo: Limit{Kind: ParamLimit}, Hi: Limit{Kind: UpperIfShape}},
	Draw:    func(r *rand.Rand, p []float64) float64 { return fromExtreme(r.ExpFloat64(), p) },
	Centre:  func(p []float64) float64 { return fromExtreme(math.Ln2, p) },
	Go:      paretoExceedanceLaw[float64, bool](), Ops: paretoExceedanceLaw[ir.Value, ir.Value](),
}

func paretoExceedanceLaw[T, B any]() Formulas[T, B] {
	f := ruled(extremeRules[T, B](), func(k Calc[T, B], x T, p []T) T {
		t, inside := extreme(k, x, p)
		in := k.And(k.And(inside, k.Holds(arith.OGE, x, p[0])), k.Holds(arith.OLT, x, k.Num(inf)))
		return k.Pick(in, k.Neg(k.Add(k.Mul(k.Add(k.Num(1), p[2]), t), k.Log(p[1]))), impossible(k))
	})
	f.Tails = gparTails[T, B]
	return f
}

func gparTails[T, B any](k Calc[T, B], x T, p []T) Tails[T] {
	t, inside := extreme(k, Greater(k, x, p[0]), p)
	v := fromAbove(k, k.Neg(t))
	return onSupport(k, x, p[0], k.Num(inf), pickTails(k, inside, v, Tails[T]{k.Num(0), k.Num(math.Inf(-1))}))
}
