package prob

import (
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// Normal has mean mu and precision tau.
var Normal = &Law{Name: "dnorm", Params: "mu tau", Origin: Both,
	Named: []Named{{"mean", 0, 1}, {"sd", 1, -2}, {"var", 1, -1}, {"prec", 1, 1}},
	Doc:   "normal with mean mu and precision tau", Support: realLine, Functions: AllFunctions,
	Elsewhere: atPoint(1, first),
	Conjugate: []Conjugate{{0, "dnorm"}, {1, "dgamma"}},
	Draw:      func(r *rand.Rand, p []float64) float64 { return normalDraw(r, p[0], p[1]) }, Centre: first,
	Go: normalLaw[float64, bool](), Ops: normalLaw[ir.Value, ir.Value](),
}

func normalLaw[T, B any]() Formulas[T, B] {
	return Formulas[T, B]{
		Rules: []Rule[T, B]{hinted(above[T, B](1, "the precision"), func(p []float64) string {
			if p[1] == 0 {
				return "; a flat density is dflat(), and a vague one has a small precision, such as 1.0E-6"
			}
			return ""
		})},
		LogDensity: func(k Calc[T, B], x T, p []T) T {
			return k.Sub(scaled(k, p[1]), quadratic(k, half(k, p[1]), k.Sub(x, p[0])))
		},
		Tails:    func(k Calc[T, B], x T, p []T) Tails[T] { return normalTails(k, x, p[0], p[1]) },
		Quantile: normalQuantile[T, B],
	}
}

// scaled is log(tau)/2 - log(2 pi)/2, NaN for an invalid precision: the part of a normal
// density that does not depend on its value and leaves the loops that tau does not depend
// on.
func scaled[T, B any](k Calc[T, B], tau T) T {
	return valid(k, positive(k, tau), k.Sub(half(k, k.Log(tau)), k.Num(0.5*log2Pi)))
}

func normalTails[T, B any](k Calc[T, B], x, mu, tau T) Tails[T] {
	z := k.Mul(k.Sub(x, mu), k.Sqrt(tau))
	return Tails[T]{k.Fn(special.LogPhi, z), k.Fn(special.LogPhi, k.Neg(z))}
}

func normalQuantile[T, B any](k Calc[T, B], u T, p []T) T {
	return k.Add(p[0], k.Div(k.Fn(special.Probit, u), k.Sqrt(p[1])))
}
