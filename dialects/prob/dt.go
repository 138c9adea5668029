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
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// Student is t with k degrees of freedom, shifted and scaled.
var Student = &family.Law{Name: "dt", Params: "mu tau k", Origin: family.Both,
	Named: []family.Named{{Name: "mean", Of: 0, Power: 1}, {Name: "sigma", Of: 1, Power: -2}, {Name: "df", Of: 2, Power: 1}},
	Doc:   "Student with k degrees of freedom, centre mu, inverse squared scale tau", Support: support.RealLine, Functions: family.AllFunctions,
	Elsewhere: forms.AtPoint(1, family.First),
	Draw: func(r *rand.Rand, p []float64) float64 {
		return p[0] + r.NormFloat64()/math.Sqrt(p[1]*2*draw.Gamma(r, p[2]/2, 1)/p[2])
	}, Centre: family.First,
	Go: studentLaw[float64, bool](), Ops: studentLaw[ir.Value, ir.Value](),
}

func studentLaw[T, B any]() family.Formulas[T, B] {
	return family.Formulas[T, B]{
		Rules: []family.Rule[T, B]{family.Above[T, B](1, "the precision"), family.Above[T, B](2, "the degrees of freedom")},
		LogDensity: func(k kit.Calc[T, B], x T, p []T) T {
			tau, n := p[1], p[2]
			m := kit.Half(k, k.Add(n, k.Num(1)))
			c := k.Add(functions.StudentConstant(k, n), kit.Half(k, k.Log(tau)))
			c = kit.Valid(k, k.And(kit.Positive(k, tau), kit.Positive(k, n)), c)
			return k.Sub(c, k.Mul(m, functions.LogOnePlusSquare(k, k.Sub(x, p[0]), k.Sqrt(tau), k.Sqrt(n))))
		},
		Tails: func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
			z := k.Sub(x, p[0])
			return functions.StudentTails(k, k.Mul(k.Sqrt(p[1]), z), k.Mul(p[1], k.Mul(z, k.Div(z, p[2]))), p[2])
		},
	}
}
