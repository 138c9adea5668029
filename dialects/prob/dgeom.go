package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// Geometric counts trials up to the first success.
var Geometric = &Law{Name: "dgeom", Params: "p", Origin: BUGS,
	Doc: "geometric from 1", Counts: true,
	Range:     func([]Array) (from, to float64) { return 1, inf },
	Conjugate: []Conjugate{{0, "dbeta"}},
	Draw:      geometricDraw(1), Centre: geometricCentre(1),
	Go: geometricLaw[float64, bool](), Ops: geometricLaw[ir.Value, ir.Value](),
}

func geometricLaw[T, B any]() Formulas[T, B] {
	return geometricFrom[T, B](1)
}

func geometricFrom[T, B any](from float64) Formulas[T, B] {
	return Formulas[T, B]{
		Rules: []Rule[T, B]{share[T, B](true)},
		LogDensity: func(k Calc[T, B], x T, p []T) T {
			q := p[0]
			return guarded(k, k.And(positive(k, q), k.Holds(arith.OLE, q, k.Num(1))), k.Log(q), whole(k, x, from), k.Xlog1py(k.Sub(x, k.Num(from)), k.Neg(q)))
		},
		Tails: func(k Calc[T, B], x T, p []T) Tails[T] {
			return counted(k, x, from, k.Num(inf), func(n T) Tails[T] {
				return fromAbove(k, k.Mul(k.Add(n, k.Num(1-from)), k.Log1p(k.Neg(p[0]))))
			})
		},
	}
}

func geometricDraw(from float64) func(r *rand.Rand, p []float64) float64 {
	return func(r *rand.Rand, p []float64) float64 {
		if p[0] == 1 {
			return from
		}
		return from + math.Floor(Log(open(r))/math.Log1p(-p[0]))
	}
}

func geometricCentre(from float64) func(p []float64) float64 {
	return func(p []float64) float64 { return from + math.Round((1-p[0])/p[0]) }
}
