package prob

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// IntrinsicNormal is the intrinsic conditional autoregression of GeoBUGS (Besag, York and Mollie,
// "Bayesian image restoration, with two applications in spatial statistics", 1991). It is
// improper: adding a number to all areas of an island, a part of the map without a link to
// others, changes nothing. Of N areas on c islands the log density is
//
//	(N-c)/2 log(tau/(2 pi)) - tau/2 (sum over pairs of neighbours of w (x[i]-x[j])^2)
//
// as dcar_normal of NIMBLE has it: the exponent of tau is that of the rank, and half the logarithm of the
// generalised determinant of the weights, which no parameter changes, is left out. An area without
// neighbours is an island. The values need not have the sum 0, which OpenBUGS's sampler
// makes them have.
var IntrinsicNormal = &family.Law{Name: "car.normal", Aliases: []string{"dcar_normal"}, Params: "adj[] weights[] num[] tau", Origin: family.BUGS | family.NIMBLE,
	Doc:       "intrinsic autoregression on a map; improper: tau to half of the areas less the islands",
	Functions: family.NoFunctions, Transform: support.Identity, Conjugate: []family.Conjugate{{Param: 3, Of: "dgamma"}},
	Joint: intrinsicNormal,
}

// intrinsicNormal is car.normal(adj[], weights[], num[], tau).
var intrinsicNormal = &family.Joint{Ops: lowerIntrinsicNormal, Vectors: 2,
	Node: 1, Args: []int{1, 1, 1, 0}, Extents: []int{1, 1, 0, 0},
	Invalid: func(p []family.Array) string {
		if why := forms.NeighboursInvalid(p[0].V, p[2].V); why != "" {
			return why
		}
		if why := forms.WeightsDiffer(p[0].V, p[2].V, p[1].V); why != "" {
			return why
		}
		if tau := p[3].V[0]; !(tau > 0) || math.IsInf(tau, 1) {
			return "tau must be positive and finite"
		}
		return ""
	},
	Logp: func(x []float64, p []family.Array) float64 {
		s, tau := 0.0, p[3].V[0]
		forms.EachNeighbour(p[0].V, p[2].V, func(i, j, k int) {
			d := x[i] - x[j]
			s += p[1].V[k] * d * d
		})
		if math.IsNaN(s) {
			return -kit.Inf
		}
		rank := float64(len(x) - forms.Islands(p[0].V, p[2].V))
		return 0.5*rank*(math.Log(tau)-kit.Log2Pi) - 0.25*tau*s // each pair is there twice
	},
	Centre: func(_ []family.Array, n int) []float64 { return make([]float64, n) },
}

func lowerIntrinsicNormal(k kit.Ops, w kit.Workspace, x kit.View, p []kit.View) ir.Value {
	adj, weights, num, tau := p[0], p[1], p[2], p[3].Scalar
	g, ok := forms.Neighbours(k, w, adj, num)
	return k.Branch(ok, func() ir.Value {
		acc := g.Each(k, []ir.Value{k.Num(0), k.Num(1)}, func(i, j, at ir.Value, acc []ir.Value) []ir.Value {
			d, wt := k.Sub(x.Load(k, i), x.Load(k, j)), weights.Load(k, at)
			there, back := g.Weight(k, weights, i, j), g.Weight(k, weights, j, i)
			near := k.Cmp(arith.OLE, k.Abs(k.Sub(there, back)), k.Mul(k.Num(kit.SymmetrySlack), there))
			fine := k.And(k.And(near, k.FinitePositive(wt)), arith.CmpI(k.B, arith.NE, i, j))
			return []ir.Value{k.Plus(acc[0], k.Quadratic(wt, d)), k.Least(acc[1], k.Flag(fine))}
		})
		rank := k.Sub(k.ToFloat(num.N), g.Islands(k, w.Vector(k, 1, num.N)))
		c := k.Mul(k.Half(rank), k.Sub(k.Log(tau), k.Num(kit.Log2Pi)))
		body := k.Sub(c, k.Mul(k.Mul(k.Num(0.25), tau), k.NumberOr(acc[0], kit.Inf)))
		return k.Valid(k.And(k.Positive(acc[1]), k.FinitePositive(tau)), body)
	}, func() ir.Value { return k.Num(math.NaN()) })
}
