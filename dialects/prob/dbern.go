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
	"github.com/irc-lang/irc/ir"
)

// Bernoulli is 1 with probability p, else 0.
var Bernoulli = &family.Law{Name: "dbern", Params: "p", Origin: family.Both,
	Named: []family.Named{{Name: "prob", Of: 0, Power: 1}},
	Doc:   "1 with probability p, else 0", Counts: true, Functions: family.LogDensityFunction,
	Range:     func([]family.Array) (from, to float64) { return 0, 1 },
	Conjugate: []family.Conjugate{{Param: 0, Of: "dbeta"}},
	Draw:      func(r *rand.Rand, p []float64) float64 { return kit.Truth(r.Float64() < p[0]) },
	Centre:    func(p []float64) float64 { return math.Round(p[0]) },
	Go:        bernoulliLaw[float64, bool](), Ops: bernoulliLaw[ir.Value, ir.Value](),
}

func bernoulliLaw[T, B any]() family.Formulas[T, B] {
	return family.Formulas[T, B]{
		Rules: []family.Rule[T, B]{forms.Share[T, B](false)},
		LogDensity: func(k kit.Calc[T, B], x T, p []T) T {
			body := k.Add(k.Xlogy(x, p[0]), k.Xlog1py(k.Sub(k.Num(1), x), k.Neg(p[0])))
			inside := k.And(kit.Whole(k, x, 0), k.Holds(arith.OLE, x, k.Num(1)))
			return kit.Valid(k, kit.IsProbability(k, p[0]), kit.Within(k, inside, body))
		},
		Tails: func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
			return cumulative.Counted(k, x, 0, k.Num(1), func(T) cumulative.Tails[T] {
				return cumulative.Tails[T]{Below: k.Log1p(k.Neg(p[0])), Above: k.Log(p[0])}
			})
		},
		TailsAtLink: func(k kit.Calc[T, B], x T, _ []T, c functions.Chance[T]) cumulative.Tails[T] {
			return cumulative.Counted(k, x, 0, k.Num(1), func(T) cumulative.Tails[T] {
				logP, logQ := functions.Logs(k, c)
				return cumulative.Tails[T]{Below: logQ, Above: logP}
			})
		},
		Without: func(k kit.Calc[T, B], x T, p []T) (logP, logQ B) { return withoutTrials(k, x, k.Num(1)) },
		AtLink: func(k kit.Calc[T, B], x T, p []T, c functions.Chance[T], either family.BySize[T, B]) T {
			inside := k.And(kit.Whole(k, x, 0), k.Holds(arith.OLE, x, k.Num(1)))
			c = functions.Plain(k, c)
			if c.Link != functions.LogitLink {
				return kit.Valid(k, functions.IsChance(k, c), kit.Within(k, inside, functions.LogOfTrial(k, x, c)))
			}
			plain := binomialLogit(k, x, k.Num(1), c.Eta)
			return kit.Within(k, inside, either(nil, func(large B) B { return k.And(large, inside) },
				func() T { return functions.BinomialAtLogit(k, x, k.Sub(k.Num(1), x), c.Eta) }, plain))
		},
	}
}
