package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// GeneralisedGamma is the law of x where (lambda x)^b is gamma(r, 1).
var GeneralisedGamma = &Law{Name: "dgen.gamma", Aliases: []string{"dggamma"}, Params: "r lambda b", Origin: Both,
	Doc: "generalised gamma: (lambda x)^b is gamma(r, 1)", Support: positiveLine, Functions: AllFunctions,
	Draw:   func(r *rand.Rand, p []float64) float64 { return math.Pow(gammaDraw(r, p[0], 1), 1/p[2]) / p[1] },
	Centre: func(p []float64) float64 { return math.Exp(lgamma(p[0]+1/p[2])-lgamma(p[0])) / p[1] },
	Elsewhere: func(x float64, p []float64) bool {
		return !math.IsNaN(x) && math.IsInf(p[2]*p[0], 1) && !math.IsInf(p[0], 1) // all but one point
	},
	Early: func(p []float64) bool { return p[0] > 100 && !math.IsInf(p[2]*p[0], 1) },
	Go:    generalisedGammaLaw[float64, bool](), Ops: generalisedGammaLaw[ir.Value, ir.Value](),
}

func generalisedGammaLaw[T, B any]() Formulas[T, B] {
	return Formulas[T, B]{
		Rules: []Rule[T, B]{above[T, B](0, "the shape"), above[T, B](1, "lambda"), above[T, B](2, "the power")},
		LogDensity: func(k Calc[T, B], x T, p []T) T {
			r, l, b := p[0], p[1], p[2]
			br := k.Mul(b, r)
			c := k.Sub(k.Add(k.Log(b), k.Mul(br, k.Log(l))), k.Fn(special.Lgamma, r))
			body := k.Sub(k.Xlogy(k.Sub(br, k.Num(1)), x), k.Pow(k.Mul(l, x), b))
			// With an infinite product of finite parameters all is at one point.
			inside := k.And(nonnegative(k, x), k.Or(isFinite(k, br), k.Holds(arith.OEQ, r, k.Num(inf))))
			return guarded(k, k.And(k.And(positive(k, r), positive(k, l)), positive(k, b)), c, inside, body)
		},
		Careful: &Careful[T, B]{
			Sizes: sizeOfFirst[T], SmallNode: sizeOfFirst[T],
			Inside: func(k Calc[T, B], x T, p []T) B {
				return finitePositive(k, p[0], p[1], p[2], x, k.Pow(k.Mul(p[1], x), p[2]))
			},
			Body: func(k Calc[T, B], x T, p []T) T {
				return k.Add(k.Log(p[2]), k.Sub(gammaKernel(k, p[0], k.Pow(k.Mul(p[1], x), p[2])), k.Log(x)))
			},
		},
		Tails: func(k Calc[T, B], x T, p []T) Tails[T] {
			return GammaTails(k, p[0], k.Pow(k.Mul(p[1], Greater(k, x, k.Num(0))), p[2]))
		},
	}
}
