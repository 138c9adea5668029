package prob

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/forms"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// ProperNormal is the proper conditional autoregression of GeoBUGS: normal with mean mu and precision matrix
// tau inverse(M) (I - gamma C). C[i,j] is the element of C[] that belongs to neighbour j of area i, and M is
// diagonal. C[i,j] M[j] = C[j,i] M[i] makes it symmetric, and gamma between the inverses of the least and the
// greatest eigenvalue of C makes it positive definite.
var ProperNormal = &family.Law{Name: "car.proper", Aliases: []string{"dcar_proper"},
	Params: "mu[] C[] adj[] num[] M[] tau gamma", Origin: family.BUGS | family.NIMBLE,
	Doc:       "autoregression on a map: normal with precision matrix tau inverse(M) (I - gamma C)",
	Functions: family.NoFunctions, Transform: support.Identity, Conjugate: []family.Conjugate{{Param: 5, Of: "dgamma"}},
	Joint: properNormal,
}

// properNormal is car.proper(mu[], C[], adj[], num[], M[], tau, gamma). Its density takes a map
// as it is numbered: with neighbours at most b numbers apart n areas cost n b^2.
var properNormal = &family.Joint{Square: true,
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
	Conditional: func(r *rand.Rand, x []float64, keep []bool, p []family.Array) error {
		return forms.ConditionalNormal(r, x, keep, properPrecision(p))
	},
	Centre: forms.MeanOf,
	Go:     properLaw[float64, bool, int](), Ops: properLaw[ir.Value, ir.Value, ir.Value](),
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

func properLaw[T, B, I any]() family.ArrayFormulas[T, B, I] {
	normal := multinormalLaw[T, B, I]()
	return family.ArrayFormulas[T, B, I]{
		LogDensity: func(k kit.Arrays[T, B, I], x kit.Part[T, I], p []kit.Part[T, I]) T {
			mu, m, tau := p[0], p[4], p[5].Number()
			g, ok := forms.Neighbours(k, p[2], p[3], k.Vector(p[3].Len()))
			return k.Branch(ok, func() T {
				n := mu.Len()
				first := k.Vector(n)
				g.Envelope(first)
				// tau is not in the matrix: its slope would be what is left of large terms where that is next to singular.
				omega := precisionOf(k, g, p, k.Num(1), func(i I) I { return k.ToIndex(first.Load(i)) })
				f := kit.EnvelopeCholesky(k, omega, first, k.Vector(n))
				q, fine := forms.LocationWithin(k, f, x, mu, first, k.Vector(n))
				positive := k.Fold(n, []T{k.Num(1)}, func(i I, acc []T) []T {
					return []T{k.Least(acc[0], kit.Flag(k, kit.FinitePositive(k, m.Load(i))))}
				})[0]
				valid := k.And(k.And(fine, kit.Positive(k, positive)), kit.FinitePositive(k, tau))
				c := k.Add(kit.Half(k, f.LogDet), k.Mul(kit.Half(k, k.Sub(k.Log(tau), k.Num(kit.Log2Pi))), k.ToFloat(n)))
				return kit.Valid(k, valid, k.Sub(c, kit.Half(k, k.Mul(tau, kit.NumberOr(k, q, kit.Inf)))))
			}, func() T { return k.Num(math.NaN()) })
		},
		Draw: func(k kit.Arrays[T, B, I], d draw.Deviates[T, I], x kit.Part[T, I], p []kit.Part[T, I]) {
			g, _ := forms.Neighbours(k, p[2], p[3], k.Vector(p[3].Len()))
			normal.Draw(k, d, x, []kit.Part[T, I]{p[0], precisionOf(k, g, p, p[5].Number(), func(I) I { return k.Index(0) })})
		},
	}
}

// precisionOf is the precision matrix for a tau, in work space, of which row and column i begin at
// first.
func precisionOf[T, B, I any](k kit.Arrays[T, B, I], g forms.Map[T, B, I], p []kit.Part[T, I], tau T, first func(i I) I) kit.Part[T, I] {
	c, m, gamma, n := p[1], p[4], p[6].Number(), p[0].Len()
	omega := k.Matrix(n)
	k.Each(k.Index(0), n, func(i I) {
		k.Each(first(i), i, func(j I) {
			omega.Store(k.Num(0), i, j)
			omega.Store(k.Num(0), j, i)
		})
		omega.Store(k.Div(tau, m.Load(i)), i, i)
	})
	g.Each(nil, func(i, j, at I, _ []T) []T {
		part := k.Mul(k.Mul(k.Div(tau, m.Load(i)), gamma), c.Load(at))
		omega.Store(k.Sub(omega.Load(i, j), part), i, j)
		return nil
	})
	return omega
}
