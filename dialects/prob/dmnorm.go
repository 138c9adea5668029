package prob

import (
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/ir"
)

// MultiNormal has a precision matrix.
var MultiNormal = &Law{Name: "dmnorm", Params: "mu[] Omega[,]", Origin: Both,
	Named: []Named{{"mean", 0, 1}, {"prec", 1, 1}},
	Doc:   "multivariate normal with precision matrix Omega", Functions: LogDensityFunction, Transform: Identity,
	Conjugate: []Conjugate{{0, "dmnorm"}, {1, "dwish"}},
	Joint:     multinormal,
}

// multinormal is dmnorm(mu[], Omega[,]) with precision matrix Omega.
var multinormal = &Joint{Ops: lowerMultinormal, Factors: []int{1},
	Node: 1, Args: []int{1, 2}, Invalid: locationInvalid, Centre: meanOf, Given: conditionalNormal,
	Logp: func(x []float64, p []Array) float64 {
		q, h := distance(x, p)
		if math.IsNaN(q) {
			return -inf
		}
		return h - 0.5*float64(len(x))*log2Pi - 0.5*q
	},
	Draw: func(r *rand.Rand, p []Array, n int) []float64 {
		out := normalDeviate(r, factorOf(p[1].V, n))
		for i, m := range p[0].V {
			out[i] += m
		}
		return out
	}}

func lowerMultinormal(k Kit, w Workspace, x View, p []View) ir.Value {
	q, half, ok := k.Location(w, x, p)
	c := k.Sub(half, k.Mul(k.Num(0.5*log2Pi), k.ToFloat(p[1].N)))
	return k.Valid(ok, k.Sub(c, k.Half(k.NumberOr(q, math.Inf(1)))))
}
