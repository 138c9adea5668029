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

// ExtremeValue is the generalised law of maxima.
var ExtremeValue = &family.Law{Name: "dgev", Params: "mu sigma eta", Origin: family.BUGS,
	Doc:     "generalised extreme value",
	Support: &support.Ends{Lo: support.Limit{Kind: support.LowerIfShape}, Hi: support.Limit{Kind: support.UpperIfShape}},
	Draw:    func(r *rand.Rand, p []float64) float64 { return forms.FromExtreme(-math.Log(r.ExpFloat64()), p) },
	Centre:  func(p []float64) float64 { return forms.FromExtreme(-math.Log(math.Ln2), p) },
	Go:      extremeValueLaw[float64, bool](), Ops: extremeValueLaw[ir.Value, ir.Value](),
}

func extremeValueLaw[T, B any]() family.Formulas[T, B] {
	f := family.Ruled(forms.ExtremeRules[T, B](), func(k kit.Calc[T, B], x T, p []T) T {
		t, inside := forms.Extreme(k, x, p)
		t = kit.Greater(k, t, k.Num(-700)) // e^-t stays finite, and the density is 0 there
		body := k.Sub(k.Neg(k.Mul(k.Add(k.Num(1), p[2]), t)), k.Exp(k.Neg(t)))
		in := k.And(inside, k.Holds(arith.OLT, k.Abs(x), k.Num(kit.Inf)))
		return k.Pick(in, k.Sub(body, k.Log(p[1])), forms.Impossible(k))
	})
	f.Tails = gevTails[T, B]
	return f
}

func gevTails[T, B any](k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
	t, inside := forms.Extreme(k, x, p)
	v := cumulative.FromBelow(k, k.Neg(k.Exp(k.Neg(t))))
	none, all := k.Num(math.Inf(-1)), k.Num(0)
	out := cumulative.PickTails(k, k.Holds(arith.OGT, p[2], k.Num(0)), cumulative.Tails[T]{Below: none, Above: all}, cumulative.Tails[T]{Below: all, Above: none})
	return cumulative.PickTails(k, inside, v, out)
}
