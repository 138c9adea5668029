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
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
	"gonum.org/v1/gonum/stat/distuv"
)

// NegativeBinomial counts failures before the r-th success.
var NegativeBinomial = &family.Law{Name: "dnegbin", Aliases: []string{"dnbinom"}, Params: "p r", Origin: family.Both,
	Named: []family.Named{{Name: "prob", Of: 0, Power: 1}, {Name: "size", Of: 1, Power: 1}},
	Doc:   "negative binomial: failures before the r-th success", Counts: true, Functions: family.AllFunctions,
	Range:     fromZero,
	Conjugate: []family.Conjugate{{Param: 0, Of: "dbeta"}},
	Draw: func(r *rand.Rand, p []float64) float64 {
		if p[0] == 1 {
			return 0
		}
		return distuv.Poisson{Lambda: draw.Gamma(r, p[1], p[0]/(1-p[0])), Src: r}.Rand()
	},
	Centre: func(p []float64) float64 { return math.Round(p[1] * (1 - p[0]) / p[0]) },
	Go:     negativeBinomialLaw[float64, bool](), Ops: negativeBinomialLaw[ir.Value, ir.Value](),
}

func negativeBinomialLaw[T, B any]() family.Formulas[T, B] {
	return family.Formulas[T, B]{
		Rules: []family.Rule[T, B]{forms.Share[T, B](true), family.Above[T, B](1, "the size")},
		LogDensity: func(k kit.Calc[T, B], x T, p []T) T {
			q, r := p[0], p[1]
			ok := k.And(k.And(kit.Positive(k, q), k.Holds(arith.OLE, q, k.Num(1))), kit.Positive(k, r))
			c := k.Sub(k.Mul(r, k.Log(q)), k.Fn(special.Lgamma, r))
			body := k.Add(k.Sub(k.Fn(special.Lgamma, k.Add(x, r)), k.Fn(special.Logfact, x)), k.Xlog1py(x, k.Neg(q)))
			return kit.Guarded(k, ok, c, kit.Whole(k, x, 0), body)
		},
		Stable: &family.StableForm[T, B]{
			Sizes: forms.SizesWithNode[T], SmallNode: forms.SizesOfParams[T],
			Inside: func(k kit.Calc[T, B], x T, p []T) B {
				return k.And(forms.IsCount(k, x), k.And(k.Holds(arith.OLT, p[0], k.Num(1)), kit.FinitePositive(k, p...)))
			},
			Body: func(k kit.Calc[T, B], x T, p []T) T { return functions.NegativeMass(k, x, p[0], p[1]) },
		},
		Without: withoutFailures[T, B],
		AtLink: func(k kit.Calc[T, B], x T, p []T, c functions.Chance[T], either family.BySize[T, B]) T {
			r, inside := p[1], kit.Whole(k, x, 0)
			ok := k.And(functions.IsChance(k, c), k.And(kit.Positive(k, r), kit.IsFinite(k, r)))
			logP, logQ := functions.Logs(k, c)
			plain := k.Add(k.Sub(k.Fn(special.Lgamma, k.Add(x, r)), k.Add(k.Fn(special.Lgamma, r), k.Fn(special.Logfact, x))),
				k.Add(k.Mul(r, logP), functions.TimesLog(k, x, logQ)))
			body := either([]T{x, r}, func(large B) B { return k.And(k.And(large, ok), forms.IsCount(k, x)) },
				func() T { return functions.NegativeOf(k, x, r, c) }, plain)
			return kit.Valid(k, ok, kit.Within(k, inside, body))
		},
		TailsAtLink: func(k kit.Calc[T, B], x T, p []T, c functions.Chance[T]) cumulative.Tails[T] {
			return cumulative.Counted(k, x, 0, k.Num(kit.Inf), func(n T) cumulative.Tails[T] {
				return functions.BetaTailsOf(k, functions.RealShape, p[1], k.Add(n, k.Num(1)), c)
			})
		},
		Tails: func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
			return cumulative.Counted(k, x, 0, k.Num(kit.Inf), func(n T) cumulative.Tails[T] {
				return functions.BetaTails(k, functions.RealShape, p[1], k.Add(n, k.Num(1)), p[0], k.Sub(k.Num(1), p[0]))
			})
		},
	}
}
