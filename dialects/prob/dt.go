package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/ir"
)

// Student is t with k degrees of freedom, shifted and scaled.
var Student = &Law{Name: "dt", Params: "mu tau k", Origin: Both,
	Named: []Named{{"mean", 0, 1}, {"sigma", 1, -2}, {"df", 2, 1}},
	Doc:   "Student with k degrees of freedom, centre mu, inverse squared scale tau", Support: realLine, Functions: AllFunctions,
	Elsewhere: atPoint(1, first),
	Draw: func(r *rand.Rand, p []float64) float64 {
		return p[0] + r.NormFloat64()/math.Sqrt(p[1]*2*gammaDraw(r, p[2]/2, 1)/p[2])
	}, Centre: first,
	Go: studentLaw[float64, bool](), Ops: studentLaw[ir.Value, ir.Value](),
}

func studentLaw[T, B any]() Formulas[T, B] {
	return Formulas[T, B]{
		Rules: []Rule[T, B]{above[T, B](1, "the precision"), above[T, B](2, "the degrees of freedom")},
		LogDensity: func(k Calc[T, B], x T, p []T) T {
			tau, n := p[1], p[2]
			m := half(k, k.Add(n, k.Num(1)))
			c := k.Add(studentConstant(k, n), half(k, k.Log(tau)))
			c = valid(k, k.And(positive(k, tau), positive(k, n)), c)
			return k.Sub(c, k.Mul(m, logOnePlusSquare(k, k.Sub(x, p[0]), k.Sqrt(tau), k.Sqrt(n))))
		},
		Tails: func(k Calc[T, B], x T, p []T) Tails[T] {
			z := k.Sub(x, p[0])
			return studentTails(k, z, k.Mul(p[1], k.Mul(z, k.Div(z, p[2]))), p[2])
		},
	}
}
