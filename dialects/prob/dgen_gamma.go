package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// GeneralisedGamma is the law of x where (lambda x)^b is gamma(r, 1).
var GeneralisedGamma = &family.Law{Name: "dgen.gamma", Aliases: []string{"dggamma"}, Params: "r lambda b", Origin: family.Both,
	Doc: "generalised gamma: (lambda x)^b is gamma(r, 1)", Support: support.PositiveLine, Functions: family.AllFunctions,
	Draw:   func(r *rand.Rand, p []float64) float64 { return math.Pow(draw.Gamma(r, p[0], 1), 1/p[2]) / p[1] },
	Centre: func(p []float64) float64 { return math.Exp(kit.Lgamma(p[0]+1/p[2])-kit.Lgamma(p[0])) / p[1] },
	Elsewhere: func(x float64, p []float64) bool {
		return !math.IsNaN(x) && math.IsInf(p[2]*p[0], 1) && !math.IsInf(p[0], 1) // all but one point
	},
	NeedsStable: func(p []float64) bool { return p[0] > 100 && !math.IsInf(p[2]*p[0], 1) },
	Go:          generalisedGammaLaw[float64, bool](), Ops: generalisedGammaLaw[ir.Value, ir.Value](),
}

func generalisedGammaLaw[T, B any]() family.Formulas[T, B] {
	return family.Formulas[T, B]{
		Rules: []family.Rule[T, B]{family.Above[T, B](0, "the shape"), family.Above[T, B](1, "lambda"), family.Above[T, B](2, "the power")},
		LogDensity: func(k kit.Calc[T, B], x T, p []T) T {
			r, l, b := p[0], p[1], p[2]
			br := k.Mul(b, r)
			c := k.Sub(k.Add(k.Log(b), k.Mul(br, k.Log(l))), k.Fn(special.Lgamma, r))
			body := k.Sub(k.Xlogy(k.Sub(br, k.Num(1)), x), k.Pow(k.Mul(l, x), b))
			// With an infinite product of finite parameters all is at one point.
			inside := k.And(kit.Nonnegative(k, x), k.Or(kit.IsFinite(k, br), k.Holds(arith.OEQ, r, k.Num(kit.Inf))))
			return kit.Guarded(k, k.And(k.And(kit.Positive(k, r), kit.Positive(k, l)), kit.Positive(k, b)), c, inside, body)
		},
		Stable: &family.StableForm[T, B]{
			Sizes: forms.SizeOfFirst[T], SmallNode: forms.SizeOfFirst[T],
			Inside: func(k kit.Calc[T, B], x T, p []T) B {
				return kit.FinitePositive(k, p[0], p[1], p[2], x, k.Pow(k.Mul(p[1], x), p[2]))
			},
			Body: func(k kit.Calc[T, B], x T, p []T) T {
				return k.Add(k.Log(p[2]), k.Sub(functions.GammaKernel(k, p[0], k.Pow(k.Mul(p[1], x), p[2])), k.Log(x)))
			},
		},
		Tails: func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
			return functions.GammaTails(k, functions.RealShape, p[0], k.Pow(k.Mul(p[1], kit.Greater(k, x, k.Num(0))), p[2]))
		},
	}
}
