package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"

	"gonum.org/v1/gonum/stat/distuv"
)

// Binomial counts successes in n trials.
var Binomial = &Law{Name: "dbin", Aliases: []string{"dbinom"}, Params: "p n", Origin: Both,
	Named: []Named{{"prob", 0, 1}, {"size", 1, 1}},
	Doc:   "binomial: probability first, then size", Counts: true, Functions: AllFunctions,
	Range:     func(p []Array) (from, to float64) { return 0, p[1].V[0] },
	Conjugate: []Conjugate{{0, "dbeta"}},
	Draw:      func(r *rand.Rand, p []float64) float64 { return distuv.Binomial{N: p[1], P: p[0], Src: r}.Rand() },
	Centre:    func(p []float64) float64 { return math.Round(p[0] * p[1]) },
	Go:        binomialLaw[float64, bool](), Ops: binomialLaw[ir.Value, ir.Value](),
}

func binomialLaw[T, B any]() Formulas[T, B] {
	return Formulas[T, B]{
		Rules: binomialRules[T, B](),
		LogDensity: func(k Calc[T, B], x T, p []T) T {
			q, n := p[0], p[1]
			body := k.Add(k.Fn(special.Lchoose, n, x), k.Add(k.Xlogy(x, q), k.Xlog1py(k.Sub(n, x), k.Neg(q))))
			inside := k.And(whole(k, x, 0), k.Holds(arith.OLE, x, n))
			return valid(k, k.And(isProbability(k, q), whole(k, n, 0)), within(k, inside, body))
		},
		Careful: &Careful[T, B]{
			Sizes: sizesWithNode[T],
			Inside: func(k Calc[T, B], x T, p []T) B {
				in := k.And(k.And(isCount(k, x), k.Holds(arith.OLE, x, p[1])), k.And(whole(k, p[1], 0), isFinite(k, p[1])))
				return k.And(in, isProbability(k, p[0]))
			},
			Body: func(k Calc[T, B], x T, p []T) T { return binomialMass(k, x, k.Sub(p[1], x), p[0]) },
		},
		// P(X > n) is that of a beta(n+1, size-n) below p.
		Tails: func(k Calc[T, B], x T, p []T) Tails[T] {
			return counted(k, x, 0, p[1], func(n T) Tails[T] {
				size := Greater(k, p[1], k.Num(1))
				v := betaTails(k, k.Add(n, k.Num(1)), Greater(k, k.Sub(size, n), k.Num(1)), p[0], k.Sub(k.Num(1), p[0]))
				return Tails[T]{v.Above, v.Below}
			})
		},
		AtLogit: func(k Calc[T, B], x T, p []T, eta T, either BySize[T, B]) T {
			inside := k.And(whole(k, x, 0), k.Holds(arith.OLE, x, p[1]))
			plain := k.Add(k.Fn(special.Lchoose, p[1], x), binomialLogit(k, x, p[1], eta))
			body := either([]T{x, p[1]}, func(large B) B { return k.And(k.And(large, isFinite(k, p[1])), inside) },
				func() T { return binomialAtLogit(k, x, k.Sub(p[1], x), eta) }, plain)
			return valid(k, whole(k, p[1], 0), within(k, inside, body))
		},
	}
}

func binomialRules[T, B any]() []Rule[T, B] {
	order := "; the order is dbin(p, n)"
	chance := share[T, B](false)
	chance.Hint = func(p []float64) string {
		if p[0] > 1 && p[0] == math.Trunc(p[0]) && p[1] >= 0 && p[1] <= 1 {
			return order
		}
		return ""
	}
	return []Rule[T, B]{chance, {Why: "the size must be a whole number" + order, Holds: func(k Calc[T, B], p []T) B {
		return k.And(whole(k, p[1], 0), isFinite(k, p[1]))
	}}}
}

// binomialLogit is x log p + (n - x) log(1 - p) for p = ilogit(eta).
func binomialLogit[T, B any](k Calc[T, B], x, n, eta T) T {
	return k.Sub(k.Mul(x, eta), k.Mul(n, k.Fn(special.Log1pexp, eta)))
}
