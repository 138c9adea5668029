package prob

import (
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// Normal has mean mu and precision tau.
var Normal = &family.Law{Name: "dnorm", Params: "mu tau", Origin: family.Both,
	Named: []family.Named{{Name: "mean", Of: 0, Power: 1}, {Name: "sd", Of: 1, Power: -2}, {Name: "var", Of: 1, Power: -1}, {Name: "prec", Of: 1, Power: 1}},
	Doc:   "normal with mean mu and precision tau", Support: support.RealLine, Functions: family.AllFunctions,
	Elsewhere: forms.AtPoint(1, family.First),
	Conjugate: []family.Conjugate{{Param: 0, Of: "dnorm"}, {Param: 1, Of: "dgamma"}},
	Draw:      func(r *rand.Rand, p []float64) float64 { return draw.Normal(r, p[0], p[1]) }, Centre: family.First,
	Go: normalLaw[float64, bool](), Ops: normalLaw[ir.Value, ir.Value](),
}

func normalLaw[T, B any]() family.Formulas[T, B] {
	return family.Formulas[T, B]{
		Rules: []family.Rule[T, B]{forms.Hinted(family.Above[T, B](1, "the precision"), func(p []float64) string {
			if p[1] == 0 {
				return "; a flat density is dflat(), and a vague one has a small precision, such as 1.0E-6"
			}
			return ""
		})},
		LogDensity: func(k kit.Calc[T, B], x T, p []T) T {
			return k.Sub(scaled(k, p[1]), kit.Quadratic(k, kit.Half(k, p[1]), k.Sub(x, p[0])))
		},
		Tails:    func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] { return normalTails(k, x, p[0], p[1]) },
		Quantile: normalQuantile[T, B],
	}
}

// scaled is log(tau)/2 - log(2 pi)/2, NaN for an invalid precision: the part of a normal
// density that does not depend on its value and leaves the loops that tau does not depend
// on.
func scaled[T, B any](k kit.Calc[T, B], tau T) T {
	return kit.Valid(k, kit.Positive(k, tau), k.Sub(kit.Half(k, k.Log(tau)), k.Num(0.5*kit.Log2Pi)))
}

func normalTails[T, B any](k kit.Calc[T, B], x, mu, tau T) cumulative.Tails[T] {
	z := k.Mul(k.Sub(x, mu), k.Sqrt(tau))
	return cumulative.Tails[T]{Below: k.Fn(special.LogPhi, z), Above: k.Fn(special.LogPhi, k.Neg(z))}
}

func normalQuantile[T, B any](k kit.Calc[T, B], u T, p []T) T {
	return k.Add(p[0], k.Div(k.Fn(special.Probit, u), k.Sqrt(p[1])))
}
