package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// Bernoulli is 1 with probability p, else 0.
var Bernoulli = &Law{Name: "dbern", Params: "p", Origin: Both,
	Named: []Named{{"prob", 0, 1}},
	Doc:   "1 with probability p, else 0", Counts: true, Functions: LogDensityFunction,
	Range:     func([]Array) (from, to float64) { return 0, 1 },
	Conjugate: []Conjugate{{0, "dbeta"}},
	Draw:      func(r *rand.Rand, p []float64) float64 { return truth(r.Float64() < p[0]) },
	Centre:    func(p []float64) float64 { return math.Round(p[0]) },
	Go:        bernoulliLaw[float64, bool](), Ops: bernoulliLaw[ir.Value, ir.Value](),
}

func bernoulliLaw[T, B any]() Formulas[T, B] {
	return Formulas[T, B]{
		Rules: []Rule[T, B]{share[T, B](false)},
		LogDensity: func(k Calc[T, B], x T, p []T) T {
			body := k.Add(k.Xlogy(x, p[0]), k.Xlog1py(k.Sub(k.Num(1), x), k.Neg(p[0])))
			inside := k.And(whole(k, x, 0), k.Holds(arith.OLE, x, k.Num(1)))
			return valid(k, isProbability(k, p[0]), within(k, inside, body))
		},
		Tails: func(k Calc[T, B], x T, p []T) Tails[T] {
			return counted(k, x, 0, k.Num(1), func(T) Tails[T] { return Tails[T]{k.Log1p(k.Neg(p[0])), k.Log(p[0])} })
		},
		AtLogit: func(k Calc[T, B], x T, p []T, eta T, either BySize[T, B]) T {
			inside := k.And(whole(k, x, 0), k.Holds(arith.OLE, x, k.Num(1)))
			plain := binomialLogit(k, x, k.Num(1), eta)
			return within(k, inside, either(nil, func(large B) B { return k.And(large, inside) },
				func() T { return binomialAtLogit(k, x, k.Sub(k.Num(1), x), eta) }, plain))
		},
	}
}
