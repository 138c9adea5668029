package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
	"gonum.org/v1/gonum/mat"
)

// Wishart is a law of precision matrices.
var Wishart = &family.Law{Name: "dwish", Params: "R[,] k", Origin: family.Both,
	Named: []family.Named{{Name: "df", Of: 1, Power: 1}},
	Doc:   "Wishart: |X|^((k-p-1)/2) exp(-tr(R X)/2), mean k inverse(R)", Functions: family.LogDensityFunction, Transform: support.Cholesky,
	Where: func([]family.Array) string { return definiteMatrix },
	Joint: wishart,
}

// wishart is dwish(R[,], k), whose mean is k inverse(R).
var wishart = &family.Joint{Ops: lowerWishart, Factors: []int{0, kit.NodeItself},
	Node: 2, Args: []int{2, 0},
	Invalid: func(p []family.Array) string {
		n := p[0].Dims[0]
		if k := p[1].V[0]; !(k > float64(n-1)) || math.IsInf(k, 1) {
			return "the degrees of freedom must exceed the number of rows less 1"
		}
		if _, why := kit.Definite(p[0].V, n); why != "" {
			return "the matrix R is " + why
		}
		return ""
	},
	Logp: func(x []float64, p []family.Array) float64 {
		n := p[0].Dims[0]
		cx, why := kit.Definite(x, n)
		if why != "" {
			return -kit.Inf
		}
		rows, k, trace := float64(n), p[1].V[0], 0.0
		for i, y := range x {
			trace += p[0].V[i] * y
		}
		out := 0.5*(k-rows-1)*cx.LogDet() + 0.5*k*kit.FactorOf(p[0].V, n).LogDet() - 0.5*trace -
			0.5*k*rows*math.Ln2 - 0.25*rows*(rows-1)*math.Log(math.Pi)
		for i := range n {
			out -= kit.Lgamma(0.5 * (k - float64(i)))
		}
		return out
	},
	Draw: func(r *rand.Rand, p []family.Array, _ int) []float64 {
		return wishartDraw(r, p[0].V, p[0].Dims[0], p[1].V[0])
	},
	Centre: func(p []family.Array, _ int) []float64 {
		out := kit.RowsOf(kit.InverseOf(p[0].V, p[0].Dims[0]))
		for i := range out {
			out[i] *= p[1].V[0]
		}
		return out
	}}

// wishartDraw is Bartlett's: with R = U'U it is B B', where U B is lower triangular
// with roots of chi-squares on the diagonal and normal numbers below.
func wishartDraw(r *rand.Rand, matrix []float64, n int, k float64) []float64 {
	var u mat.TriDense
	kit.FactorOf(matrix, n).UTo(&u)
	b := mat.NewDense(n, n, nil)
	for j := range n {
		for i := n - 1; i >= 0; i-- {
			x := 0.0
			switch {
			case i == j:
				x = math.Sqrt(2 * draw.GammaDraw(r, (k-float64(i))/2, 1))
			case i > j:
				x = r.NormFloat64()
			}
			for m := i + 1; m < n; m++ {
				x -= u.At(i, m) * b.At(m, j)
			}
			b.Set(i, j, x/u.At(i, i))
		}
	}
	s := mat.NewSymDense(n, nil)
	s.SymOuterK(1, b)
	return kit.RowsOf(s)
}

func lowerWishart(k kit.Ops, w kit.Workspace, x kit.View, p []kit.View) ir.Value {
	b, df, n := k.B, p[1].Scalar, k.ToFloat(x.N)
	r := w.Cholesky(k, 0, p[0])
	f := w.Cholesky(k, kit.NodeItself, x)
	one := k.Num(1)
	out := k.Fold(x.N, []ir.Value{k.Num(0), k.Num(0)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		trace := k.Fold(x.N, acc[:1], func(j ir.Value, acc []ir.Value) []ir.Value {
			return []ir.Value{k.Add(acc[0], k.Mul(p[0].Load(k, i, j), x.Load(k, i, j)))}
		})[0]
		return []ir.Value{trace, k.Plus(acc[1], k.Lgamma(k.Half(k.Sub(df, k.ToFloat(i)))))}
	})
	c := k.Sub(k.Half(k.Mul(df, k.Sub(r.LogDet, k.Mul(n, k.Num(math.Ln2))))), out[1])
	c = k.Sub(c, k.Mul(k.Num(0.25*math.Log(math.Pi)), k.Mul(n, k.Sub(n, one))))
	body := k.Half(k.Sub(k.Mul(k.Sub(k.Sub(df, n), one), f.LogDet), out[0]))
	valid := k.And(r.OK, k.And(k.Cmp(arith.OGT, df, arith.SubF(b, n, one)), k.IsFinite(df)))
	return k.Valid(valid, k.Add(c, k.Within(f.OK, body)))
}

const definiteMatrix = "a symmetric positive definite matrix"
