package prob

import (
	"fmt"
	"math"
	"math/rand/v2"

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
var scaledWishart = &family.Joint{Ops: lowerScaledWishart, Factors: []int{kit.NodeItself},
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
	Logp: func(x []float64, p []family.Array) float64 {
		n := len(p[0].V)
		ch, why := kit.Definite(x, n)
		if why != "" {
			return -kit.Inf
		}
		rows, df := float64(n), p[1].V[0]
		kk := df + rows - 1
		out := 0.5*(kk-rows-1)*ch.LogDet() + 0.5*kk*rows*kit.Log(df) - 0.25*rows*(rows-1)*math.Log(math.Pi)
		for i, s := range p[0].V {
			out += kit.Lgamma(0.5*(kk+1)) - kit.Lgamma(0.5*(kk-float64(i))) - kit.Log(s) - 0.5*math.Log(math.Pi)
			// The logarithm of df x + 1/s^2 without the overflow of a square.
			out -= 0.5 * (kk + 1) * family.LogSumOf([]float64{kit.Log(df) + kit.Log(x[i*n+i]), -2 * kit.Log(s)})
		}
		return out
	},
	Draw: func(r *rand.Rand, p []family.Array, _ int) []float64 {
		n, df := len(p[0].V), p[1].V[0]
		scale := make([]float64, n*n)
		for i, s := range p[0].V {
			scale[i*n+i] = math.Max(2*df*draw.GammaDraw(r, 0.5, 1/(s*s)), 1e-300)
		}
		return wishartDraw(r, scale, n, df+float64(n)-1)
	},
	Centre: func(p []family.Array, _ int) []float64 {
		n := len(p[0].V)
		out := make([]float64, n*n)
		for i, s := range p[0].V {
			out[i*n+i] = 1 / (s * s)
		}
		return out
	}}

func lowerScaledWishart(k kit.Ops, w kit.Workspace, x kit.View, p []kit.View) ir.Value {
	f := w.Cholesky(k, kit.NodeItself, x)
	df, rows := p[1].Scalar, k.ToFloat(x.N)
	one := k.Num(1)
	kk := k.Sub(k.Add(df, rows), one)
	most := k.Half(k.Add(kk, one))
	acc := k.Fold(x.N, []ir.Value{k.Num(0), one}, func(i ir.Value, acc []ir.Value) []ir.Value {
		s := p[0].Load(k, i)
		ls := k.Log(s)
		body := k.LogAdd(k.Add(k.Log(df), k.Log(x.Load(k, i, i))), k.Mul(k.Num(-2), ls))
		c := k.Sub(k.Sub(k.Lgamma(most), k.Lgamma(k.Half(k.Sub(kk, k.ToFloat(i))))), k.Add(ls, k.Num(0.5*math.Log(math.Pi))))
		return []ir.Value{k.Plus(acc[0], k.Sub(c, k.Mul(most, body))), k.Least(acc[1], k.Flag(k.And(k.Positive(s), k.IsFinite(s))))}
	})
	c := k.Sub(k.Half(k.Mul(k.Mul(kk, rows), k.Log(df))), k.Mul(k.Num(0.25*math.Log(math.Pi)), k.Mul(rows, k.Sub(rows, one))))
	body := k.Add(k.Add(c, acc[0]), k.Half(k.Mul(k.Sub(k.Sub(kk, rows), one), f.LogDet)))
	ok := k.And(k.Positive(acc[1]), k.And(k.Positive(df), k.IsFinite(df)))
	return k.Valid(ok, k.Within(f.OK, body))
}
