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
	Forms: []family.Form{{Names: []string{"adj", "weights", "num", "tau", "zero_mean"}, Params: []string{"adj", "weights", "num", "tau"},
		Note: "zero_mean is what a sampler does to the values, and no part of the density"}},
	Doc:       "intrinsic autoregression on a map; improper: tau to half of the areas less the islands",
	Functions: family.NoFunctions, Transform: support.Identity, Conjugate: []family.Conjugate{{Param: 3, Of: "dgamma"}},
	Joint: intrinsicNormal,
}

// intrinsicNormal is car.normal(adj[], weights[], num[], tau).
var intrinsicNormal = &family.Joint{
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
	Centre: func(_ []family.Array, n int) []float64 { return make([]float64, n) },
	Go:     intrinsicLaw[float64, bool, int](), Ops: intrinsicLaw[ir.Value, ir.Value, ir.Value](),
}

func intrinsicLaw[T, B, I any]() family.ArrayFormulas[T, B, I] {
	return family.ArrayFormulas[T, B, I]{LogDensity: func(k kit.Arrays[T, B, I], x kit.Part[T, I], p []kit.Part[T, I]) T {
		adj, weights, num, tau := p[0], p[1], p[2], p[3].Number()
		g, ok := forms.Neighbours(k, adj, num, k.Vector(num.Len()))
		return k.Branch(ok, func() T {
			acc := g.Each([]T{k.Num(0), k.Num(1)}, func(i, j, at I, acc []T) []T { // each pair is there twice
				d, wt := k.Sub(x.Load(i), x.Load(j)), weights.Load(at)
				there, back := g.Weight(weights, i, j), g.Weight(weights, j, i)
				near := k.Holds(arith.OLE, k.Abs(k.Sub(there, back)), k.Mul(k.Num(kit.SymmetrySlack), there))
				apart := k.Holds(arith.OLT, k.Num(0), k.Abs(k.Sub(k.ToFloat(i), k.ToFloat(j))))
				fine := k.And(k.And(near, kit.FinitePositive(k, wt)), apart)
				return []T{k.Plus(acc[0], kit.Quadratic(k, wt, d)), k.Least(acc[1], kit.Flag(k, fine))}
			})
			rank := k.Sub(k.ToFloat(num.Len()), g.Islands(k.Vector(num.Len())))
			c := k.Mul(kit.Half(k, rank), k.Sub(k.Log(tau), k.Num(kit.Log2Pi)))
			body := k.Sub(c, k.Mul(k.Mul(k.Num(0.25), tau), kit.NumberOr(k, acc[0], kit.Inf)))
			return kit.Valid(k, k.And(kit.Positive(k, acc[1]), kit.FinitePositive(k, tau)), body)
		}, func() T { return k.Num(math.NaN()) })
	}}
}
