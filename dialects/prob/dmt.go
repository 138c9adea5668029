package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// MultiStudent is a normal vector over the root of a chi-square.
var MultiStudent = &family.Law{Name: "dmt", Params: "mu[] Omega[,] k", Origin: family.Both,
	Named: []family.Named{{Name: "prec", Of: 1, Power: 1}, {Name: "df", Of: 2, Power: 1}},
	Doc:   "multivariate Student with k degrees of freedom", Functions: family.LogDensityFunction, Transform: support.Identity,
	Joint: multiStudent,
}

// multiStudent is dmt(mu[], Omega[,], k).
var multiStudent = &family.Joint{Ops: lowerMultiStudent, Factors: []int{1}, Given: conditionalStudent,
	Node: 1, Args: []int{1, 2, 0}, Centre: forms.MeanOf,
	Invalid: func(p []family.Array) string {
		if k := p[2].V[0]; !(k > 0) || math.IsInf(k, 1) {
			return "the degrees of freedom must be positive"
		}
		return forms.LocationInvalid(p)
	},
	Logp: func(x []float64, p []family.Array) float64 {
		q, h := forms.Distance(x, p)
		if math.IsNaN(q) {
			return -kit.Inf
		}
		k, n := p[2].V[0], float64(len(x))
		return kit.Lgamma((k+n)/2) - kit.Lgamma(k/2) - 0.5*n*kit.Log(k*math.Pi) + h - 0.5*(k+n)*math.Log1p(q/k)
	},
	Draw: func(r *rand.Rand, p []family.Array, n int) []float64 {
		out, k := forms.NormalDeviate(r, kit.FactorOf(p[1].V, n)), p[2].V[0]
		scale := math.Sqrt(2 * draw.GammaDraw(r, k/2, 1) / k)
		for i, m := range p[0].V {
			out[i] = m + out[i]/scale
		}
		return out
	}}

// conditionalStudent: a vector of dmt is a normal one whose precision has been multiplied
// by a gamma variable with shape and rate k/2. Given d of its elements, at squared
// distance q from their mean in their marginal metric, that has shape (k + d)/2 and rate
// (k + q)/2, and the rest is normal given them.
func conditionalStudent(r *rand.Rand, x []float64, keep []bool, p []family.Array) error {
	n, d := len(x), 0
	// q is the least distance over the rest: at the conditional mean.
	at := make([]float64, n)
	copy(at, x)
	mean, err := forms.ConditionalMean(x, keep, p)
	if err != nil {
		return err
	}
	for i := range at {
		if keep[i] {
			d++
		} else {
			at[i] = mean[i]
		}
	}
	q, _ := forms.Distance(at, p)
	k := p[2].V[0]
	w := draw.GammaDraw(r, (k+float64(d))/2, (k+q)/2)
	scaled := family.Array{Dims: p[1].Dims, V: make([]float64, len(p[1].V))}
	for i, y := range p[1].V {
		scaled.V[i] = w * y
	}
	return forms.ConditionalNormal(r, x, keep, []family.Array{p[0], scaled})
}

func lowerMultiStudent(k kit.Ops, w kit.Workspace, x kit.View, p []kit.View) ir.Value {
	q, half, ok := forms.Location(k, w, x, p)
	df, n := p[2].Scalar, k.ToFloat(x.N)
	m := k.Half(k.Add(df, n))
	c := k.Sub(k.Sub(k.Lgamma(m), k.Lgamma(k.Half(df))), k.Half(k.Mul(n, k.Log(k.Mul(df, k.Num(math.Pi))))))
	ok = k.And(ok, k.And(k.Positive(df), k.IsFinite(df)))
	return k.Valid(ok, k.Within(k.IsNumber(q), k.Sub(k.Add(c, half), k.Mul(m, k.Log1p(k.Div(q, df))))))
}
