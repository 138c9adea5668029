package prob

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// ProperNormal is the proper conditional autoregression of GeoBUGS: normal with mean mu and precision
// matrix tau inverse(M) (I - gamma C), where C[i,j] is the element of C[] that belongs to neighbour j
// of area i, and M is diagonal. C[i,j] M[j] = C[j,i] M[i] makes it symmetric, and gamma between
// the inverses of the least and the greatest eigenvalue of C makes it positive definite.
var ProperNormal = &family.Law{Name: "car.proper", Aliases: []string{"dcar_proper"},
	Params: "mu[] C[] adj[] num[] M[] tau gamma", Origin: family.BUGS | family.NIMBLE,
	Doc:       "autoregression on a map: normal with precision matrix tau inverse(M) (I - gamma C)",
	Functions: family.NoFunctions, Transform: support.Identity, Conjugate: []family.Conjugate{{Param: 5, Of: "dgamma"}},
	Joint: properNormal,
}

// properNormal is car.proper(mu[], C[], adj[], num[], M[], tau, gamma).
var properNormal = &family.Joint{Ops: lowerProperNormal, Vectors: 1, Matrices: 1,
	Node: 1, Args: []int{1, 1, 1, 1, 1, 0, 0}, Extents: []int{0, 1, 1, 0, 0, 0, 0},
	Invalid: func(p []family.Array) string {
		if why := forms.NeighboursInvalid(p[2].V, p[3].V); why != "" {
			return why
		}
		for i, m := range p[4].V {
			if !(m > 0) || math.IsInf(m, 1) {
				return fmt.Sprintf("M[%d] must be positive and finite", i+1)
			}
		}
		if tau := p[5].V[0]; !(tau > 0) || math.IsInf(tau, 1) {
			return "tau must be positive and finite"
		}
		switch why := forms.LocationInvalid(properPrecision(p)); why {
		case "the precision matrix is not symmetric":
			return why + ": C[i,j] M[j] = C[j,i] M[i] must hold for neighbours i and j"
		case "the precision matrix is not positive definite":
			return why + ": gamma must be between the inverses of the least and the greatest eigenvalue of C"
		default:
			return why
		}
	},
	Logp: func(x []float64, p []family.Array) float64 { return multinormal.Logp(x, properPrecision(p)) },
	Draw: func(r *rand.Rand, p []family.Array, n int) []float64 {
		return multinormal.Draw(r, properPrecision(p), n)
	},
	Given: func(r *rand.Rand, x []float64, keep []bool, p []family.Array) error {
		return forms.ConditionalNormal(r, x, keep, properPrecision(p))
	},
	Centre: forms.MeanOf,
}

// properPrecision are the parameters of dmnorm.
func properPrecision(p []family.Array) []family.Array {
	n, tau, gamma := len(p[0].V), p[5].V[0], p[6].V[0]
	omega := make([]float64, n*n)
	for i, m := range p[4].V {
		omega[i*n+i] = tau / m
	}
	forms.EachNeighbour(p[2].V, p[3].V, func(i, j, k int) { omega[i*n+j] -= tau / p[4].V[i] * gamma * p[1].V[k] })
	return []family.Array{p[0], {Dims: []int{n, n}, V: omega}}
}

func lowerProperNormal(k kit.Ops, w kit.Workspace, x kit.View, p []kit.View) ir.Value {
	mu, c, m, tau, gamma := p[0], p[1], p[4], p[5].Scalar, p[6].Scalar
	g, ok := forms.Neighbours(k, w, p[2], p[3])
	return k.Branch(ok, func() ir.Value {
		zero, omega := k.B.Index(0), w.Matrix(k, 0, mu.N)
		k.EachOf(omega, func(at []ir.Value) { omega.Store(k, k.Num(0), at...) })
		k.Each(zero, mu.N, func(i ir.Value) { omega.Store(k, k.Div(tau, m.Load(k, i)), i, i) })
		g.Each(k, nil, func(i, j, at ir.Value, _ []ir.Value) []ir.Value {
			part := k.Mul(k.Mul(k.Div(tau, m.Load(k, i)), gamma), c.Load(k, at))
			omega.Store(k, k.Sub(omega.Load(k, i, j), part), i, j)
			return nil
		})
		fine := k.Fold(mu.N, []ir.Value{k.Num(1)}, func(i ir.Value, acc []ir.Value) []ir.Value {
			return []ir.Value{k.Least(acc[0], k.Flag(k.FinitePositive(m.Load(k, i))))}
		})[0]
		valid := k.And(k.Positive(fine), k.FinitePositive(tau))
		return k.Valid(valid, lowerMultinormal(k, w, x, []kit.View{mu, omega}))
	}, func() ir.Value { return k.Num(math.NaN()) })
}
