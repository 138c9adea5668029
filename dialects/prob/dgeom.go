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
	"github.com/irc-lang/irc/ir"
)

// Geometric counts trials up to the first success.
var Geometric = &family.Law{Name: "dgeom", Params: "p", Origin: family.BUGS,
	Doc: "geometric from 1", Counts: true,
	Range:     func([]family.Array) (from, to float64) { return 1, kit.Inf },
	Conjugate: []family.Conjugate{{Param: 0, Of: "dbeta"}},
	Draw:      geometricDraw(1), Centre: geometricCentre(1),
	Go: geometricLaw[float64, bool](), Ops: geometricLaw[ir.Value, ir.Value](),
}

func geometricLaw[T, B any]() family.Formulas[T, B] {
	return geometricFrom[T, B](1)
}

func geometricFrom[T, B any](from float64) family.Formulas[T, B] {
	return family.Formulas[T, B]{
		Rules: []family.Rule[T, B]{forms.Share[T, B](true)},
		LogDensity: func(k kit.Calc[T, B], x T, p []T) T {
			q := p[0]
			return kit.Guarded(k, k.And(kit.Positive(k, q), k.Holds(arith.OLE, q, k.Num(1))), k.Log(q), kit.Whole(k, x, from), k.Xlog1py(k.Sub(x, k.Num(from)), k.Neg(q)))
		},
		Without: withoutFailures[T, B],
		AtLink: func(k kit.Calc[T, B], x T, p []T, c functions.Chance[T], _ family.BySize[T, B]) T {
			logP, logQ := functions.Logs(k, c)
			body := k.Add(logP, functions.TimesLog(k, k.Sub(x, k.Num(from)), logQ))
			return kit.Valid(k, functions.IsChance(k, c), kit.Within(k, kit.Whole(k, x, from), body))
		},
		TailsAtLink: func(k kit.Calc[T, B], x T, p []T, c functions.Chance[T]) cumulative.Tails[T] {
			return cumulative.Counted(k, x, from, k.Num(kit.Inf), func(n T) cumulative.Tails[T] {
				none, some := functions.TrialsTails(k, k.Add(n, k.Num(1-from)), c)
				return cumulative.Tails[T]{Below: some, Above: none}
			})
		},
		Tails: func(k kit.Calc[T, B], x T, p []T) cumulative.Tails[T] {
			return cumulative.Counted(k, x, from, k.Num(kit.Inf), func(n T) cumulative.Tails[T] {
				return cumulative.FromAbove(k, k.Mul(k.Add(n, k.Num(1-from)), k.Log1p(k.Neg(p[0]))))
			})
		},
	}
}

// withoutFailures is of counts of failures before a success, which there is.
func withoutFailures[T, B any](k kit.Calc[T, B], x T, _ []T) (logP, logQ B) {
	return k.Holds(arith.OLT, k.Num(0), k.Num(0)), k.Holds(arith.OLE, x, k.Num(0))
}

func geometricDraw(from float64) func(r *rand.Rand, p []float64) float64 {
	return func(r *rand.Rand, p []float64) float64 {
		if p[0] == 1 {
			return from
		}
		return from + math.Floor(kit.Log(draw.Open(r))/math.Log1p(-p[0]))
	}
}

func geometricCentre(from float64) func(p []float64) float64 {
	return func(p []float64) float64 { return from + math.Round((1-p[0])/p[0]) }
}
