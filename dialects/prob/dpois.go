package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"

	"gonum.org/v1/gonum/stat/distuv"
)

// Poisson counts with mean lambda.
var Poisson = &Law{Name: "dpois", Params: "lambda", Origin: Both,
	Named: []Named{{"mean", 0, 1}},
	Doc:   "Poisson with mean lambda", Counts: true, Functions: AllFunctions,
	Elsewhere: atPoint(0, func([]float64) float64 { return inf }),
	Range:     fromZero,
	Conjugate: []Conjugate{{0, "dgamma"}},
	Draw: func(r *rand.Rand, p []float64) float64 {
		if p[0] == 0 || math.IsInf(p[0], 1) {
			return p[0]
		}
		return distuv.Poisson{Lambda: p[0], Src: r}.Rand()
	},
	Centre: func(p []float64) float64 { return math.Round(p[0]) },
	Go:     poissonLaw[float64, bool](), Ops: poissonLaw[ir.Value, ir.Value](),
}

func poissonLaw[T, B any]() Formulas[T, B] {
	return Formulas[T, B]{
		Rules: []Rule[T, B]{{Why: "the mean must not be negative", Holds: func(k Calc[T, B], p []T) B {
			return k.Holds(arith.OGE, p[0], k.Num(0))
		}}},
		LogDensity: func(k Calc[T, B], x T, p []T) T {
			body := k.Sub(k.Sub(k.Xlogy(x, p[0]), p[0]), k.Fn(special.Logfact, x))
			return valid(k, k.Holds(arith.OGE, p[0], k.Num(0)), within(k, whole(k, x, 0), body))
		},
		Careful: &Careful[T, B]{
			Sizes:  sizesWithNode[T],
			Inside: func(k Calc[T, B], x T, p []T) B { return k.And(isCount(k, x), finitePositive(k, p[0])) },
			Body:   func(k Calc[T, B], x T, p []T) T { return poissonMass(k, x, p[0]) },
		},
		// P(X > n) is that of a gamma(n+1, 1) below the mean.
		Tails: func(k Calc[T, B], x T, p []T) Tails[T] {
			return counted(k, x, 0, k.Num(inf), func(n T) Tails[T] {
				v := GammaTails(k, k.Add(n, k.Num(1)), p[0])
				return Tails[T]{v.Above, v.Below}
			})
		},
		AtExp: func(k Calc[T, B], x T, p []T) T {
			body := k.Sub(k.Sub(k.Xlogy(x, p[0]), p[0]), k.Fn(special.Logfact, x))
			return within(k, whole(k, x, 0), body)
		},
	}
}

func fromZero([]Array) (from, to float64) { return 0, inf }
