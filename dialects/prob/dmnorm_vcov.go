package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
	"gonum.org/v1/gonum/mat"
)

// CovarianceNormal has a covariance matrix.
var CovarianceNormal = &family.Law{Name: "dmnorm.vcov", Params: "mu[] Sigma[,]", Origin: family.JAGS,
	Doc: "multivariate normal with covariance matrix Sigma", Functions: family.LogDensityFunction, Transform: support.Identity,
	Conjugate: []family.Conjugate{{Param: 0, Of: "dmnorm.vcov"}},
	Joint:     covarianceNormal,
}

// covarianceNormal is dmnorm.vcov(mu[], Sigma[,]) with covariance matrix Sigma.
var covarianceNormal = &family.Joint{Ops: lowerCovarianceNormal, Factors: []int{1}, Vectors: 1,
	Node: 1, Args: []int{1, 2}, Centre: forms.MeanOf,
	Invalid: func(p []family.Array) string {
		for _, m := range p[0].V {
			if math.IsInf(m, 0) {
				return "the mean must be finite"
			}
		}
		if _, why := kit.Definite(p[1].V, len(p[0].V)); why != "" {
			return "the covariance matrix is " + why
		}
		return ""
	},
	Logp: func(x []float64, p []family.Array) float64 {
		n := len(x)
		ch := kit.FactorOf(p[1].V, n)
		var l mat.TriDense
		ch.LTo(&l)
		q, z := 0.0, make([]float64, n)
		for i := range n {
			z[i] = x[i] - p[0].V[i]
			for j := range i {
				z[i] -= l.At(i, j) * z[j]
			}
			z[i] /= l.At(i, i)
			q += z[i] * z[i]
		}
		if math.IsNaN(q) {
			return -kit.Inf
		}
		return -0.5*ch.LogDet() - 0.5*float64(n)*kit.Log2Pi - 0.5*q
	},
	Draw: func(r *rand.Rand, p []family.Array, n int) []float64 {
		var l mat.TriDense
		kit.FactorOf(p[1].V, n).LTo(&l)
		out, z := make([]float64, n), make([]float64, n)
		for i := range n {
			z[i], out[i] = r.NormFloat64(), p[0].V[i]
			for j := range i + 1 {
				out[i] += l.At(i, j) * z[j]
			}
		}
		return out
	},
	Given: func(r *rand.Rand, x []float64, keep []bool, p []family.Array) error {
		n := len(x)
		return forms.ConditionalNormal(r, x, keep, []family.Array{p[0], {Dims: []int{n, n}, V: kit.RowsOf(kit.InverseOf(p[1].V, n))}})
	}}

func lowerCovarianceNormal(k kit.Ops, w kit.Workspace, x kit.View, p []kit.View) ir.Value {
	b, n := k.B, p[1].N
	f := w.Cholesky(k, 1, p[1])
	z := w.Vector(k, 0, n)
	out := k.Fold(n, []ir.Value{k.Num(0), k.Num(1)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		m := p[0].Load(k, i)
		s := k.Fold(i, []ir.Value{k.Sub(x.Load(k, i), m)}, func(j ir.Value, acc []ir.Value) []ir.Value {
			return []ir.Value{k.Sub(acc[0], k.Mul(f.Lower(k, i, j), z.Load(k, j)))}
		})[0]
		z.Store(k, s, i)
		return []ir.Value{k.Add(acc[0], k.Mul(k.Div(s, f.Pivot(k, i)), s)), k.Least(acc[1], k.Flag(k.IsFinite(m)))}
	})
	c := k.Neg(k.Add(k.Half(f.LogDet), k.Mul(k.Num(0.5*kit.Log2Pi), k.ToFloat(n))))
	body := arith.SubF(b, c, k.Half(out[0]))
	return k.Valid(k.And(f.OK, k.Positive(out[1])), k.Within(k.IsNumber(out[0]), body))
}
