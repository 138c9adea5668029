package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// MultiNormal has a precision matrix.
var MultiNormal = &family.Law{Name: "dmnorm", Params: "mu[] Omega[,]", Origin: family.Both,
	Named: []family.Named{{Name: "mean", Of: 0, Power: 1}, {Name: "prec", Of: 1, Power: 1}},
	Doc:   "multivariate normal with precision matrix Omega", Functions: family.LogDensityFunction, Transform: support.Identity,
	Conjugate: []family.Conjugate{{Param: 0, Of: "dmnorm"}, {Param: 1, Of: "dwish"}},
	Joint:     multinormal,
}

// multinormal is dmnorm(mu[], Omega[,]) with precision matrix Omega.
var multinormal = &family.Joint{Ops: lowerMultinormal, Factors: []int{1},
	Node: 1, Args: []int{1, 2}, Invalid: forms.LocationInvalid, Centre: forms.MeanOf, Given: forms.ConditionalNormal,
	Logp: func(x []float64, p []family.Array) float64 {
		q, h := forms.Distance(x, p)
		if math.IsNaN(q) {
			return -kit.Inf
		}
		return h - 0.5*float64(len(x))*kit.Log2Pi - 0.5*q
	},
	Draw: func(r *rand.Rand, p []family.Array, n int) []float64 {
		out := forms.NormalDeviate(r, kit.FactorOf(p[1].V, n))
		for i, m := range p[0].V {
			out[i] += m
		}
		return out
	}}

func lowerMultinormal(k kit.Ops, w kit.Workspace, x kit.View, p []kit.View) ir.Value {
	q, half, ok := forms.Location(k, w, x, p)
	c := k.Sub(half, k.Mul(k.Num(0.5*kit.Log2Pi), k.ToFloat(p[1].N)))
	return k.Valid(ok, k.Sub(c, k.Half(k.NumberOr(q, math.Inf(1)))))
}
