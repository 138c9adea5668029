package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
	"gonum.org/v1/gonum/stat/distuv"
)

// Poisson counts with mean lambda.
var Poisson = &family.Law{Name: "dpois", Params: "lambda", Origin: family.Both,
	Named: []family.Named{{Name: "mean", Of: 0, Power: 1}},
	Doc:   "Poisson with mean lambda", Counts: true, Functions: family.AllFunctions,
	Elsewhere: forms.AtPoint(0, func([]float64) float64 { return kit.Inf }),
	Range:     fromZero,
	Conjugate: []family.Conjugate{{Param: 0, Of: "dgamma"}},
	Draw: func(r *rand.Rand, p []float64) float64 {
		if p[0] == 0 || math.IsInf(p[0], 1) {
			return p[0]
		}
		return distuv.Poisson{Lambda: p[0], Src: r}.Rand()
	},
	Centre: func(p []float64) float64 { return math.Round(p[0]) },
	Go:     poissonLaw[float64, bool](), Ops: poissonLaw[ir.Value, ir.Value](),
}

func poissonLaw[T, B any]() family.Formulas[T, B] {
	return family.Formulas[T, B]{
		Rules: []family.Rule[T, B]{{Why: "the mean must not be negative", Holds: func(k kit.Calc[T, B], p []T) B {
			return k.Holds(arith.OGE, p[0], k.Num(0))
		}}},
		LogDensity: func(k kit.Calc[T, B], x T, p []T) T {
			body := k.Sub(k.Sub(k.Xlogy(x, p[0]), p[0]), k.Fn(special.Logfact, x))
			return kit.Valid(k, k.Holds(arith.OGE, p[0], k.Num(0)), kit.Within(k, kit.Whole(k, x, 0), body))
		},
		Stable: &family.StableForm[T, B]{
			Sizes:  forms.SizesWithNode[T],
			Inside: func(k kit.Calc[T, B], x T, p []T) B { return k.And(forms.IsCount(k, x), kit.FinitePositive(k, p[0])) },
			Body:   func(k kit.Calc[T, B], x T, p []T) T { return functions.PoissonMass(k, x, p[0]) },
		},
		// P(X > n) is that of a gamma(n+1, 1) below the mean.
		Tails: func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
			return cumulative.Counted(k, x, 0, k.Num(kit.Inf), func(n T) cumulative.Tails[T] {
				v := functions.GammaTails(k, functions.CountShape, k.Add(n, k.Num(1)), p[0])
				return cumulative.Tails[T]{Below: v.Above, Above: v.Below}
			})
		},
		TailsAtLink: func(k kit.Calc[T, B], x T, p []T, c functions.Chance[T]) cumulative.Tails[T] {
			return cumulative.Counted(k, x, 0, k.Num(kit.Inf), func(n T) cumulative.Tails[T] {
				logP, _ := functions.Logs(k, c)
				some := k.Holds(arith.OGE, p[0], k.Num(leastNormal))
				v := functions.GammaTails(k, functions.CountShape, k.Add(n, k.Num(1)), kit.OrElse(k, some, p[0], 1))
				few := cumulative.FromBelow(k, k.Sub(k.Mul(k.Add(n, k.Num(1)), logP), k.Fn(special.Logfact, k.Add(n, k.Num(1)))))
				v = cumulative.PickTails(k, some, v, few)
				return cumulative.Tails[T]{Below: v.Above, Above: v.Below}
			})
		},
		AtExp: func(k kit.Calc[T, B], x T, p []T) T {
			body := k.Sub(k.Sub(k.Xlogy(x, p[0]), p[0]), k.Fn(special.Logfact, x))
			return kit.Within(k, kit.Whole(k, x, 0), body)
		},
		Without: func(k kit.Calc[T, B], x T, _ []T) (logP, logQ B) {
			return k.Holds(arith.OLE, x, k.Num(0)), k.Holds(arith.OLE, k.Num(0), k.Num(0))
		},
		// A mean that underflows has a logarithm still.
		AtLink: func(k kit.Calc[T, B], x T, p []T, c functions.Chance[T], either family.BySize[T, B]) T {
			logP, _ := functions.Logs(k, c)
			log := k.Pick(k.Holds(arith.OLT, p[0], k.Num(leastMean)), logP, k.Log(p[0]))
			plain := k.Sub(k.Sub(functions.TimesLog(k, x, log), p[0]), k.Fn(special.Logfact, x))
			inside := kit.Whole(k, x, 0)
			body := either([]T{x}, func(large B) B { return k.And(k.And(large, inside), k.Holds(arith.OGE, p[0], k.Num(leastMean))) },
				func() T { return functions.PoissonMass(k, x, p[0]) }, plain)
			return kit.Valid(k, functions.IsChance(k, c), kit.Within(k, inside, body))
		},
	}
}

// leastNormal is the least number that has all of its digits.
const leastNormal = 0x1p-1022

// leastMean is the least mean whose logarithm is taken where it is known already: the slope of that times a count is a number.
const leastMean = 1e-140

func fromZero([]family.Array) (from, to float64) { return 0, kit.Inf }
