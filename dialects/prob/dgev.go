package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// ExtremeValue is the generalised law of maxima.
var ExtremeValue = &Law{Name: "dgev", Params: "mu sigma eta", Origin: BUGS,
	Doc:     "generalised extreme value",
	Support: &Support{Lo: Limit{Kind: LowerIfShape}, Hi: Limit{Kind: UpperIfShape}},
	Draw:    func(r *rand.Rand, p []float64) float64 { return fromExtreme(-math.Log(r.ExpFloat64()), p) },
	Centre:  func(p []float64) float64 { return fromExtreme(-math.Log(math.Ln2), p) },
	Go:      extremeValueLaw[float64, bool](), Ops: extremeValueLaw[ir.Value, ir.Value](),
}

func extremeValueLaw[T, B any]() Formulas[T, B] {
	f := ruled(extremeRules[T, B](), func(k Calc[T, B], x T, p []T) T {
		t, inside := extreme(k, x, p)
		t = Greater(k, t, k.Num(-700)) // e^-t stays finite, and the density is 0 there
		body := k.Sub(k.Neg(k.Mul(k.Add(k.Num(1), p[2]), t)), k.Exp(k.Neg(t)))
		in := k.And(inside, k.Holds(arith.OLT, k.Abs(x), k.Num(inf)))
		return k.Pick(in, k.Sub(body, k.Log(p[1])), impossible(k))
	})
	f.Tails = gevTails[T, B]
	return f
}

func gevTails[T, B any](k Calc[T, B], x T, p []T) Tails[T] {
	t, inside := extreme(k, x, p)
	v := fromBelow(k, k.Neg(k.Exp(k.Neg(t))))
	none, all := k.Num(math.Inf(-1)), k.Num(0)
	out := pickTails(k, k.Holds(arith.OGT, p[2], k.Num(0)), Tails[T]{none, all}, Tails[T]{all, none})
	return pickTails(k, inside, v, out)
}
