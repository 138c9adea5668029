package prob

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// Correlation is a law of correlation matrices: Lewandowski, Kurowicka and Joe, "Generating
// random correlation matrices based on vines and extended onion method", 2009, equation 16.
var Correlation = &family.Law{Name: "dlkjcorr", Params: "eta", Origin: family.NIMBLE,
	Named: []family.Named{{Name: "shape", Of: 0, Power: 1}},
	Doc:   "correlation matrix: |R|^(eta-1), uniform where eta is 1", Functions: family.LogDensityFunction, Transform: support.NoTransform,
	Where: func([]family.Array) string { return "a symmetric positive definite matrix with diagonal 1" },
	Joint: correlation,
}

// correlation is dlkjcorr(eta).
var correlation = &family.Joint{
	Node: 2, Args: []int{0},
	Invalid: func(p []family.Array) string {
		if eta := p[0].V[0]; !(eta > 0) || math.IsInf(eta, 1) {
			return "eta must be positive and finite"
		}
		return ""
	},
	Centre: func(_ []family.Array, n int) []float64 {
		out := make([]float64, n)
		for i, d := 0, kit.Rows(n); i < n; i += d + 1 {
			out[i] = 1
		}
		return out
	},
	Go: correlationLaw[float64, bool, int](), Ops: correlationLaw[ir.Value, ir.Value, ir.Value](),
}

func correlationLaw[T, B, I any]() family.ArrayFormulas[T, B, I] {
	return family.ArrayFormulas[T, B, I]{
		LogDensity: func(k kit.Arrays[T, B, I], x kit.Part[T, I], p []kit.Part[T, I]) T {
			eta := p[0].Number()
			f := k.Factor(x)
			acc := k.Fold(x.Len(), []T{k.Num(0), k.Num(1)}, func(i I, acc []T) []T {
				near := k.Holds(arith.OLE, k.Abs(k.Minus(x.Load(i, i), k.Num(1))), k.Num(kit.SymmetrySlack))
				m := k.ToFloat(i)
				some := kit.Positive(k, m)
				term := k.Pick(some, correlationTerm(k, eta, k.Pick(some, m, k.Num(1))), k.Num(0))
				return []T{k.Plus(acc[0], term), k.Least(acc[1], kit.Flag(k, near))}
			})
			body := k.Sub(k.Mul(k.Sub(eta, k.Num(1)), f.LogDet), acc[0])
			return kit.Valid(k, kit.FinitePositive(k, eta), kit.Within(k, k.And(f.OK, kit.Positive(k, acc[1])), body))
		},
		Draw: func(k kit.Arrays[T, B, I], d draw.Deviates[T, I], x kit.Part[T, I], p []kit.Part[T, I]) {
			correlationDraw(k, d, x, p[0].Number())
		},
	}
}

// correlationTerm is part m, from 1 to the number of rows less 1, of the logarithm of the
// integral of |R|^(eta-1): m times that of a beta density with both parameters
// eta + (m-1)/2, on -1..1.
func correlationTerm[T, B any](k kit.Calc[T, B], eta, m T) T {
	a := k.Add(eta, k.Mul(k.Num(0.5), k.Sub(m, k.Num(1))))
	both := k.Mul(k.Num(2), a)
	logBeta := k.Sub(k.Mul(k.Num(2), k.Fn(special.Lgamma, a)), k.Fn(special.Lgamma, both))
	return k.Mul(m, k.Add(logBeta, k.Mul(k.Sub(both, k.Num(1)), k.Num(math.Ln2))))
}

// correlationDraw makes the factor of the matrix of partial correlations given the columns
// before: those of column j have a beta law on -1..1 with both parameters eta + (n-2-j)/2.
func correlationDraw[T, B, I any](k kit.Arrays[T, B, I], d draw.Deviates[T, I], x kit.Part[T, I], eta T) {
	n, zero, one := x.Len(), k.Index(0), k.Index(1)
	l := k.Matrix(n)
	k.Each(zero, n, func(i I) {
		left := k.Fold(i, []T{k.Num(1)}, func(j I, acc []T) []T { // of the square of the row
			a := k.Add(eta, kit.Half(k, k.ToFloat(k.IndexSub(n, k.IndexAdd(j, k.Index(2))))))
			at := k.Mul(k.Num(2), k.Add(k.Mul(k.ToFloat(i), k.ToFloat(n)), k.ToFloat(j)))
			u := d.Gamma(k.ToIndex(at), a)
			v := d.Gamma(k.ToIndex(k.Add(at, k.Num(1))), a)
			z := k.Div(k.Sub(u, v), k.Add(u, v))
			l.Store(k.Mul(z, k.Sqrt(acc[0])), i, j)
			return []T{k.Mul(acc[0], k.Sub(k.Num(1), k.Mul(z, z)))}
		})[0]
		l.Store(k.Sqrt(left), i, i)
		k.Each(zero, i, func(j I) {
			s := k.Neg(k.LessProducts(k.Num(0), k.IndexAdd(j, one), func(m I) T { return l.Load(i, m) }, func(m I) T { return l.Load(j, m) }))
			x.Store(s, i, j)
			x.Store(s, j, i)
		})
		x.Store(k.Num(1), i, i)
	})
}
