package prob

import (
	"fmt"
	"math"

	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// ScaledWishart is a law of precision matrices with half-t standard deviations.
var ScaledWishart = &family.Law{Name: "dscaled.wishart", Params: "s[] df", Origin: family.JAGS,
	Doc: "precision matrix whose standard deviations are half-t(df, s[i])", Functions: family.NoFunctions, Transform: support.Cholesky,
	Where: func([]family.Array) string { return definiteMatrix },
	Joint: scaledWishart,
}

// scaledWishart is dscaled.wishart(s[], df): a precision matrix whose standard
// deviations are half-t(df, s[i]) (Huang and Wand 2013). Given a[i], which are inverse
// gamma(1/2, 1/s[i]^2), it is Wishart with R = 2 df diag(1/a) and k = df + n - 1;
// integrating over a gives
//
//	|X|^((k-n-1)/2) prod (df X[i,i] + 1/s[i]^2)^(-(k+1)/2)
var scaledWishart = &family.Joint{
	Node: 2, Args: []int{1, 0},
	Invalid: func(p []family.Array) string {
		for i, s := range p[0].V {
			if !(s > 0) || math.IsInf(s, 1) {
				return fmt.Sprintf("scale %d must be positive and finite", i+1)
			}
		}
		if df := p[1].V[0]; !(df > 0) || math.IsInf(df, 1) {
			return "the degrees of freedom must be positive and finite"
		}
		return ""
	},
	Centre: func(p []family.Array, _ int) []float64 {
		n := len(p[0].V)
		out := make([]float64, n*n)
		for i, s := range p[0].V {
			out[i*n+i] = 1 / (s * s)
		}
		return out
	},
	Go: scaledWishartLaw[float64, bool, int](), Ops: scaledWishartLaw[ir.Value, ir.Value, ir.Value](),
}

func scaledWishartLaw[T, B, I any]() family.ArrayFormulas[T, B, I] {
	return family.ArrayFormulas[T, B, I]{
		LogDensity: func(k kit.Arrays[T, B, I], x kit.Part[T, I], p []kit.Part[T, I]) T {
			f := k.Factor(x)
			df, rows := p[1].Number(), k.ToFloat(x.Len())
			one := k.Num(1)
			kk := k.Sub(k.Add(df, rows), one)
			most := kit.Half(k, k.Add(kk, one))
			acc := k.Fold(x.Len(), []T{k.Num(0), one}, func(i I, acc []T) []T {
				s := p[0].Load(i)
				ls := k.Log(s)
				// The logarithm of df x + 1/s^2 without the overflow of a square.
				body := kit.LogAdd(k, k.Add(k.Log(df), k.Log(x.Load(i, i))), k.Mul(k.Num(-2), ls))
				c := k.Sub(k.Sub(lgamma(k, most), lgamma(k, kit.Half(k, k.Sub(kk, k.ToFloat(i))))), k.Add(ls, k.Num(0.5*math.Log(math.Pi))))
				fine := k.And(kit.Positive(k, s), kit.IsFinite(k, s))
				return []T{k.Plus(acc[0], k.Sub(c, k.Mul(most, body))), k.Least(acc[1], kit.Flag(k, fine))}
			})
			c := k.Sub(kit.Half(k, k.Mul(k.Mul(kk, rows), k.Log(df))), k.Mul(k.Num(0.25*math.Log(math.Pi)), k.Mul(rows, k.Sub(rows, one))))
			body := k.Add(k.Add(c, acc[0]), kit.Half(k, k.Mul(k.Sub(k.Sub(kk, rows), one), f.LogDet)))
			ok := k.And(kit.Positive(k, acc[1]), k.And(kit.Positive(k, df), kit.IsFinite(k, df)))
			return kit.Valid(k, ok, kit.Within(k, f.OK, body))
		},
		Draw: func(k kit.Arrays[T, B, I], d draw.Deviates[T, I], x kit.Part[T, I], p []kit.Part[T, I]) {
			n, df := x.Len(), p[1].Number()
			scale, all := k.Vector(n), k.ToIndex(k.Mul(k.ToFloat(n), k.ToFloat(n)))
			k.Each(k.Index(0), n, func(i I) { // after the numbers that wishartDraw takes
				s := p[0].Load(i)
				g := k.Mul(d.Gamma(k.IndexAdd(all, i), k.Num(0.5)), k.Mul(s, s))
				scale.Store(kit.Greater(k, k.Mul(k.Mul(k.Num(2), df), g), k.Num(1e-300)), i)
			})
			kk := k.Sub(k.Add(df, k.ToFloat(n)), k.Num(1))
			wishartDraw(k, d, x, kk, func(_, _ I) T { return k.Num(0) }, func(i I) T { return scale.Load(i) })
		},
	}
}
