package forms

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
)

// Extreme is log(z)/eta with z = 1 + eta (x - mu)/sigma, which is (x - mu)/sigma
// for eta = 0; inside says z > 0.
func Extreme[T, B any](k kit.Calc[T, B], x T, p []T) (t T, inside B) {
	w := k.Div(k.Sub(x, p[0]), p[1])
	z1 := k.Mul(p[2], w)
	inside = k.Holds(arith.OGT, z1, k.Num(-1))
	// Next to 0 by its series, of which the derivative by eta keeps its digits.
	flat := k.Holds(arith.OLT, k.Abs(z1), k.Num(0.05))
	near := k.Mul(w, k.Add(k.Num(1), k.Mul(z1, functions.Log1pRest(k, z1))))
	return k.Pick(flat, near, k.Div(k.Log1p(kit.OrElse(k, inside, z1, 0)), k.Pick(flat, k.Num(1), p[2]))), inside
}

// FromExtreme is the x whose extreme is t.
func FromExtreme(t float64, p []float64) float64 {
	if math.Abs(p[2]) < 1e-200 {
		return p[0] + p[1]*t
	}
	return p[0] + p[1]*math.Expm1(p[2]*t)/p[2]
}

func ExtremeRules[T, B any]() []family.Rule[T, B] {
	return []family.Rule[T, B]{family.Real[T, B](0, "mu"), family.Finite[T, B](1, "sigma"), family.Real[T, B](2, "eta")}
}
