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

// Binomial counts successes in n trials.
var Binomial = &family.Law{Name: "dbin", Aliases: []string{"dbinom"}, Params: "p n", Origin: family.Both,
	Named: []family.Named{{Name: "prob", Of: 0, Power: 1}, {Name: "size", Of: 1, Power: 1}},
	Doc:   "binomial: probability first, then size", Counts: true, Functions: family.AllFunctions,
	Range:     func(p []family.Array) (from, to float64) { return 0, p[1].V[0] },
	Total:     2,
	Conjugate: []family.Conjugate{{Param: 0, Of: "dbeta"}},
	Draw:      func(r *rand.Rand, p []float64) float64 { return distuv.Binomial{N: p[1], P: p[0], Src: r}.Rand() },
	Centre:    func(p []float64) float64 { return math.Round(p[0] * p[1]) },
	Go:        binomialLaw[float64, bool](), Ops: binomialLaw[ir.Value, ir.Value](),
}

func binomialLaw[T, B any]() family.Formulas[T, B] {
	return family.Formulas[T, B]{
		Rules: binomialRules[T, B](),
		LogDensity: func(k kit.Calc[T, B], x T, p []T) T {
			q, n := p[0], p[1]
			body := k.Add(k.Fn(special.Lchoose, n, x), k.Add(k.Xlogy(x, q), k.Xlog1py(k.Sub(n, x), k.Neg(q))))
			inside := k.And(kit.Whole(k, x, 0), k.Holds(arith.OLE, x, n))
			return kit.Valid(k, k.And(kit.IsProbability(k, q), kit.Whole(k, n, 0)), kit.Within(k, inside, body))
		},
		Stable: &family.StableForm[T, B]{
			Sizes: forms.SizesWithNode[T],
			Inside: func(k kit.Calc[T, B], x T, p []T) B {
				in := k.And(k.And(forms.IsCount(k, x), k.Holds(arith.OLE, x, p[1])), k.And(kit.Whole(k, p[1], 0), kit.IsFinite(k, p[1])))
				return k.And(in, kit.IsProbability(k, p[0]))
			},
			Body: func(k kit.Calc[T, B], x T, p []T) T { return functions.BinomialMass(k, x, k.Sub(p[1], x), p[0]) },
		},
		Tails: func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
			return functions.BinomialTails(k, x, p[0], p[1])
		},
		TailsAtLink: func(k kit.Calc[T, B], x T, p []T, c functions.Chance[T]) cumulative.Tails[T] {
			return functions.BinomialTailsOf(k, x, c, p[1])
		},
		Without: func(k kit.Calc[T, B], x T, p []T) (logP, logQ B) { return withoutTrials(k, x, p[1]) },
		AtLink: func(k kit.Calc[T, B], x T, p []T, c functions.Chance[T], either family.BySize[T, B]) T {
			inside := k.And(kit.Whole(k, x, 0), k.Holds(arith.OLE, x, p[1]))
			large := func(large B) B { return k.And(k.And(large, kit.IsFinite(k, p[1])), inside) }
			c = functions.Plain(k, c)
			if c.Link != functions.LogitLink {
				logP, logQ := functions.Logs(k, c)
				plain := k.Add(functions.TimesLog(k, x, logP), functions.TimesLog(k, k.Sub(p[1], x), logQ))
				body := either([]T{x, p[1]}, large, func() T { return functions.BinomialOf(k, x, k.Sub(p[1], x), c) },
					k.Add(k.Fn(special.Lchoose, p[1], x), plain))
				return kit.Valid(k, k.And(functions.IsChance(k, c), kit.Whole(k, p[1], 0)), kit.Within(k, inside, body))
			}
			plain := k.Add(k.Fn(special.Lchoose, p[1], x), binomialLogit(k, x, p[1], c.Eta))
			body := either([]T{x, p[1]}, large, func() T { return functions.BinomialAtLogit(k, x, k.Sub(p[1], x), c.Eta) }, plain)
			return kit.Valid(k, kit.Whole(k, p[1], 0), kit.Within(k, inside, body))
		},
	}
}

func binomialRules[T, B any]() []family.Rule[T, B] {
	order := "; the order is dbin(p, n)"
	chance := forms.Share[T, B](false)
	chance.Hint = func(p []float64) string {
		if p[0] > 1 && p[0] == math.Trunc(p[0]) && p[1] >= 0 && p[1] <= 1 {
			return order
		}
		return ""
	}
	return []family.Rule[T, B]{chance, {Why: "the size must be a whole number" + order, Holds: func(k kit.Calc[T, B], p []T) B {
		return k.And(kit.Whole(k, p[1], 0), kit.IsFinite(k, p[1]))
	}}}
}

// withoutTrials says of which outcomes there are none among n trials.
func withoutTrials[T, B any](k kit.Calc[T, B], x, n T) (logP, logQ B) {
	return k.Holds(arith.OLE, x, k.Num(0)), k.Holds(arith.OGE, x, n)
}

// binomialLogit is x log p + (n - x) log(1 - p) for p = ilogit(eta).
func binomialLogit[T, B any](k kit.Calc[T, B], x, n, eta T) T {
	return k.Sub(k.Mul(x, eta), k.Mul(n, k.Fn(special.Log1pexp, eta)))
}
