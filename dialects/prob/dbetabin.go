package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/cumulative"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
	"gonum.org/v1/gonum/stat/distuv"
)

// BetaBinomial is a binomial law whose probability is beta(a, b).
var BetaBinomial = &family.Law{Name: "dbetabin", Aliases: []string{"dbetabinom"}, Params: "a b n", Origin: family.Both,
	Doc: "beta-binomial of size n", Counts: true, Functions: family.AllFunctions,
	Range: func(p []family.Array) (from, to float64) { return 0, p[2].V[0] },
	Draw: func(r *rand.Rand, p []float64) float64 {
		q := draw.Beta(r, p[0], p[1])
		return distuv.Binomial{N: p[2], P: q, Src: r}.Rand()
	},
	Centre: func(p []float64) float64 { return math.Round(p[2] * p[0] / (p[0] + p[1])) },
	Go:     betaBinomialLaw[float64, bool](), Ops: betaBinomialLaw[ir.Value, ir.Value](),
}

func betaBinomialLaw[T, B any]() family.Formulas[T, B] {
	f := family.Ruled([]family.Rule[T, B]{family.Finite[T, B](0, "a"), family.Finite[T, B](1, "b"), family.WholeNumber[T, B](2, "the size")},
		func(k kit.Calc[T, B], x T, p []T) T {
			return forms.OnCounts(k, x, k.Num(0), p[2], func(x T) T { return betaBinomial(k, x, p) })
		})
	f.Tails = func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
		v := cumulative.Summed(k, x, k.Num(0), p[2], func(j T) T { return betaBinomial(k, j, p) })
		v = cumulative.Tails[T]{Below: kit.Lesser(k, v.Below, k.Num(0)), Above: kit.Lesser(k, v.Above, k.Num(0))}
		return cumulative.OnSupport(k, k.Floor(x), k.Num(-1), p[2], v)
	}
	return f
}

// betaBinomialMass takes the beta-binomial for a binomial times a ratio of betas at the
// mean of the larger of them, where all terms are small.
func betaBinomialMass[T, B any](k kit.Calc[T, B], x, a, b, n T) T {
	y, s := k.Sub(n, x), k.Add(a, b)
	// Not 0, whose logarithm would be that of both of the betas.
	least := k.Num(5e-324)
	p, q := kit.Greater(k, k.Div(k.Add(a, x), k.Add(s, n)), least), kit.Greater(k, k.Div(k.Add(b, y), k.Add(s, n)), least)
	d := k.Div(k.Sub(k.Mul(a, y), k.Mul(b, x)), k.Add(s, n)) // a - s p
	ends := k.Sub(functions.BetaKernelFrom(k, a, b, p, q, d), functions.BetaKernelFrom(k, k.Add(a, x), k.Add(b, y), p, q, k.Num(0)))
	return k.Add(functions.BinomialMassFrom(k, x, y, p, q, k.Neg(d)), ends)
}

// betaBinomial is the log mass at j, for 0 <= j <= n.
func betaBinomial[T, B any](k kit.Calc[T, B], j T, p []T) T {
	return betaBinomialMass(k, j, p[0], p[1], p[2])
}
