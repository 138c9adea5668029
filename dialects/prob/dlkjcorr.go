package prob

import (
	"math"
	"math/rand/v2"

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
var correlation = &family.Joint{Ops: lowerCorrelation, Factors: []int{kit.NodeItself},
	Node: 2, Args: []int{0},
	Invalid: func(p []family.Array) string {
		if eta := p[0].V[0]; !(eta > 0) || math.IsInf(eta, 1) {
			return "eta must be positive and finite"
		}
		return ""
	},
	Logp: func(x []float64, p []family.Array) float64 {
		n, eta := rows(x), p[0].V[0]
		ch, why := kit.Definite(x, n)
		if why != "" {
			return -kit.Inf
		}
		for i := range n {
			if !(math.Abs(x[i*n+i]-1) <= kit.SymmetrySlack) {
				return -kit.Inf
			}
		}
		out := (eta - 1) * ch.LogDet()
		for m := 1; m < n; m++ {
			out -= correlationTerm[float64, bool](kit.Float{}, eta, float64(m))
		}
		return out
	},
	Draw: func(r *rand.Rand, p []family.Array, n int) []float64 {
		return correlationDraw(r, p[0].V[0], rows(make([]float64, n)))
	},
	Centre: func(_ []family.Array, n int) []float64 {
		out := make([]float64, n)
		for i, d := 0, rows(out); i < n; i += d + 1 {
			out[i] = 1
		}
		return out
	}}

// rows is the number of rows of a square matrix.
func rows(x []float64) int { return int(math.Round(math.Sqrt(float64(len(x))))) }

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
func correlationDraw(r *rand.Rand, eta float64, n int) []float64 {
	l, out := make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		left := 1.0 // of the square of the row
		for j := range i {
			a := eta + float64(n-2-j)/2
			x, y := draw.GammaDraw(r, a, 1), draw.GammaDraw(r, a, 1)
			z := (x - y) / (x + y)
			l[i*n+j] = z * math.Sqrt(left)
			left *= 1 - z*z
		}
		l[i*n+i] = math.Sqrt(left)
		for j := range i + 1 {
			s := 0.0
			for k := range j + 1 {
				s += l[i*n+k] * l[j*n+k]
			}
			if i == j {
				s = 1
			}
			out[i*n+j], out[j*n+i] = s, s
		}
	}
	return out
}

func lowerCorrelation(k kit.Ops, w kit.Workspace, x kit.View, p []kit.View) ir.Value {
	eta := p[0].Scalar
	f := w.Cholesky(k, kit.NodeItself, x)
	acc := k.Fold(x.N, []ir.Value{k.Num(0), k.Num(1)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		near := k.Cmp(arith.OLE, k.Abs(arith.SubF(k.B, x.Load(k, i, i), k.Num(1))), k.Num(kit.SymmetrySlack))
		m := k.ToFloat(i)
		term := k.Pick(k.Positive(m), correlationTerm[ir.Value, ir.Value](k, eta, k.Pick(k.Positive(m), m, k.Num(1))), k.Num(0))
		return []ir.Value{k.Plus(acc[0], term), k.Least(acc[1], k.Flag(near))}
	})
	body := k.Sub(k.Mul(k.Sub(eta, k.Num(1)), f.LogDet), acc[0])
	return k.Valid(k.FinitePositive(eta), k.Within(k.And(f.OK, k.Positive(acc[1])), body))
}
