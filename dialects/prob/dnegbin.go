package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"

	"gonum.org/v1/gonum/stat/distuv"
)

// NegativeBinomial counts failures before the r-th success.
var NegativeBinomial = &Law{Name: "dnegbin", Aliases: []string{"dnbinom"}, Params: "p r", Origin: Both,
	Named: []Named{{"prob", 0, 1}, {"size", 1, 1}},
	Doc:   "negative binomial: failures before the r-th success", Counts: true, Functions: AllFunctions,
	Range:     fromZero,
	Conjugate: []Conjugate{{0, "dbeta"}},
	Draw: func(r *rand.Rand, p []float64) float64 {
		if p[0] == 1 {
			return 0
		}
		return distuv.Poisson{Lambda: gammaDraw(r, p[1], p[0]/(1-p[0])), Src: r}.Rand()
	},
	Centre: func(p []float64) float64 { return math.Round(p[1] * (1 - p[0]) / p[0]) },
	Go:     negativeBinomialLaw[float64, bool](), Ops: negativeBinomialLaw[ir.Value, ir.Value](),
}

func negativeBinomialLaw[T, B any]() Formulas[T, B] {
	return Formulas[T, B]{
		Rules: []Rule[T, B]{share[T, B](true), above[T, B](1, "the size")},
		LogDensity: func(k Calc[T, B], x T, p []T) T {
			q, r := p[0], p[1]
			ok := k.And(k.And(positive(k, q), k.Holds(arith.OLE, q, k.Num(1))), positive(k, r))
			c := k.Sub(k.Mul(r, k.Log(q)), k.Fn(special.Lgamma, r))
			body := k.Add(k.Sub(k.Fn(special.Lgamma, k.Add(x, r)), k.Fn(special.Logfact, x)), k.Xlog1py(x, k.Neg(q)))
			return guarded(k, ok, c, whole(k, x, 0), body)
		},
		Careful: &Careful[T, B]{
			Sizes: sizesWithNode[T], SmallNode: sizesOfParams[T],
			Inside: func(k Calc[T, B], x T, p []T) B {
				return k.And(isCount(k, x), k.And(k.Holds(arith.OLT, p[0], k.Num(1)), finitePositive(k, p...)))
			},
			Body: func(k Calc[T, B], x T, p []T) T { return negativeMass(k, x, p[0], p[1]) },
		},
		Tails: func(k Calc[T, B], x T, p []T) Tails[T] {
			return counted(k, x, 0, k.Num(inf), func(n T) Tails[T] {
				return betaTails(k, p[1], k.Add(n, k.Num(1)), p[0], k.Sub(k.Num(1), p[0]))
			})
		},
	}
}
