package prob

import (
	"fmt"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
)

// Round has one value: t rounded.
var Round = &family.Law{Name: "dround", Params: "t digits", Origin: family.JAGS,
	Doc: "log density 0 if x is t rounded to digits", NoCDF: true, Atoms: true, Functions: family.LogDensityFunction,
	Where: func(p []family.Array) string {
		return fmt.Sprintf("%v", rounded[float64, bool](kit.Float{}, p[0].V[0], p[1].V[0]))
	},
	Draw:   func(_ *rand.Rand, p []float64) float64 { return rounded[float64, bool](kit.Float{}, p[0], p[1]) },
	Centre: func(p []float64) float64 { return rounded[float64, bool](kit.Float{}, p[0], p[1]) },
	Go:     roundLaw[float64, bool](), Ops: roundLaw[ir.Value, ir.Value](),
}

func roundLaw[T, B any]() family.Formulas[T, B] {
	return family.Ruled([]family.Rule[T, B]{family.Real[T, B](0, "t"), family.Real[T, B](1, "the number of digits")}, func(k kit.Calc[T, B], x T, p []T) T {
		return exactly(k, x, rounded(k, p[0], p[1]))
	})
}

// rounded is t to a number of digits as in R's fround, which JAGS takes: halves go to the
// even digit, and after the point only the fraction is scaled.
func rounded[T, B any](k kit.Calc[T, B], t, digits T) T {
	e := kit.Lesser(k, kit.Greater(k, k.Floor(k.Add(digits, k.Num(0.5))), k.Num(-300)), k.Num(300))
	up := k.Holds(arith.OGT, e, k.Num(0))
	f, a := k.Pow(k.Num(10), k.Abs(e)), k.Abs(t)
	whole := k.Floor(a)
	after := k.Plus(whole, k.Div(k.Round(k.Mul(k.Minus(a, whole), f)), f))
	y := k.Pick(up, after, k.Mul(k.Round(k.Div(a, f)), f))
	return k.Pick(k.Holds(arith.OLT, t, k.Num(0)), k.Neg(y), y)
}

func exactly[T, B any](k kit.Calc[T, B], x, want T) T {
	return k.Pick(k.Holds(arith.OEQ, x, want), k.Num(0), forms.Impossible(k))
}
