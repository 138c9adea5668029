package bugs

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"gonum.org/v1/gonum/mat"
)

// covarianceNormal is dmnorm.vcov(mu[], Sigma[,]) with covariance matrix Sigma.
var covarianceNormal = &joint{node: 1, args: []int{1, 2}, centre: meanOf,
	invalid: func(p []value) string {
		for _, m := range p[0].v {
			if math.IsInf(m, 0) {
				return "the mean must be finite"
			}
		}
		if _, why := definite(p[1].v, len(p[0].v)); why != "" {
			return "the covariance matrix is " + why
		}
		return ""
	},
	logp: func(x []float64, p []value) float64 {
		n := len(x)
		ch := factorOf(p[1].v, n)
		var l mat.TriDense
		ch.LTo(&l)
		q, z := 0.0, make([]float64, n)
		for i := range n {
			z[i] = x[i] - p[0].v[i]
			for j := range i {
				z[i] -= l.At(i, j) * z[j]
			}
			z[i] /= l.At(i, i)
			q += z[i] * z[i]
		}
		if math.IsNaN(q) {
			return -inf
		}
		return -0.5*ch.LogDet() - 0.5*float64(n)*log2Pi - 0.5*q
	},
	draw: func(r *rand.Rand, p []value, n int) []float64 {
		var l mat.TriDense
		factorOf(p[1].v, n).LTo(&l)
		out, z := make([]float64, n), make([]float64, n)
		for i := range n {
			z[i], out[i] = r.NormFloat64(), p[0].v[i]
			for j := range i + 1 {
				out[i] += l.At(i, j) * z[j]
			}
		}
		return out
	},
	given: func(r *rand.Rand, x []float64, keep []bool, p []value) error {
		n := len(x)
		return conditionalNormal(r, x, keep, []value{p[0], {dims: []int{n, n}, v: rowsOf(inverseOf(p[1].v, n))}})
	}}

func lowerCovarianceNormal(k kit, w workspace, x view, p []view) ir.Value {
	b, n := k.b, p[1].n
	f := w.cholesky(k, 1, p[1])
	z := w.vector(k, 0, n)
	out := k.fold(n, []ir.Value{k.num(0), k.num(1)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		m := p[0].load(k, i)
		s := k.fold(i, []ir.Value{k.sub(x.load(k, i), m)}, func(j ir.Value, acc []ir.Value) []ir.Value {
			return []ir.Value{k.sub(acc[0], k.mul(f.lower(k, i, j), z.load(k, j)))}
		})[0]
		z.store(k, s, i)
		return []ir.Value{k.add(acc[0], k.mul(k.div(s, f.pivot(k, i)), s)), k.least(acc[1], k.flag(k.isFinite(m)))}
	})
	c := k.neg(k.add(k.half(f.logDet), k.mul(k.num(0.5*log2Pi), k.toFloat(n))))
	body := arith.SubF(b, c, k.half(out[0]))
	return k.valid(k.and(f.ok, k.positive(out[1])), k.within(k.isNumber(out[0]), body))
}

// scaledWishart is dscaled.wishart(s[], df): a precision matrix whose standard
// deviations are half-t(df, s[i]) (Huang and Wand 2013). Given a[i], which are inverse
// gamma(1/2, 1/s[i]^2), it is Wishart with R = 2 df diag(1/a) and k = df + n - 1;
// integrating over a gives
//
//	|X|^((k-n-1)/2) prod (df X[i,i] + 1/s[i]^2)^(-(k+1)/2)
var scaledWishart = &joint{node: 2, args: []int{1, 0},
	invalid: func(p []value) string {
		for i, s := range p[0].v {
			if !(s > 0) || math.IsInf(s, 1) {
				return fmt.Sprintf("scale %d must be positive and finite", i+1)
			}
		}
		if df := p[1].v[0]; !(df > 0) || math.IsInf(df, 1) {
			return "the degrees of freedom must be positive and finite"
		}
		return ""
	},
	logp: func(x []float64, p []value) float64 {
		n := len(p[0].v)
		ch, why := definite(x, n)
		if why != "" {
			return -inf
		}
		rows, df := float64(n), p[1].v[0]
		kk := df + rows - 1
		out := 0.5*(kk-rows-1)*ch.LogDet() + 0.5*kk*rows*logOf(df) - 0.25*rows*(rows-1)*math.Log(math.Pi)
		for i, s := range p[0].v {
			out += lgamma(0.5*(kk+1)) - lgamma(0.5*(kk-float64(i))) - logOf(s) - 0.5*math.Log(math.Pi)
			// The logarithm of df x + 1/s^2 without the overflow of a square.
			out -= 0.5 * (kk + 1) * logSumOf([]float64{logOf(df) + logOf(x[i*n+i]), -2 * logOf(s)})
		}
		return out
	},
	draw: func(r *rand.Rand, p []value, _ int) []float64 {
		n, df := len(p[0].v), p[1].v[0]
		scale := make([]float64, n*n)
		for i, s := range p[0].v {
			scale[i*n+i] = math.Max(2*df*gammaDraw(r, 0.5, 1/(s*s)), 1e-300)
		}
		return wishartDraw(r, scale, n, df+float64(n)-1)
	},
	centre: func(p []value, _ int) []float64 {
		n := len(p[0].v)
		out := make([]float64, n*n)
		for i, s := range p[0].v {
			out[i*n+i] = 1 / (s * s)
		}
		return out
	}}

func lowerScaledWishart(k kit, w workspace, x view, p []view) ir.Value {
	f := w.cholesky(k, nodeItself, x)
	df, rows := p[1].scalar, k.toFloat(x.n)
	one := k.num(1)
	kk := k.sub(k.add(df, rows), one)
	most := k.half(k.add(kk, one))
	acc := k.fold(x.n, []ir.Value{k.num(0), one}, func(i ir.Value, acc []ir.Value) []ir.Value {
		s := p[0].load(k, i)
		ls := k.log(s)
		body := k.logAdd(k.add(k.log(df), k.log(x.load(k, i, i))), k.mul(k.num(-2), ls))
		c := k.sub(k.sub(k.lgamma(most), k.lgamma(k.half(k.sub(kk, k.toFloat(i))))), k.add(ls, k.num(0.5*math.Log(math.Pi))))
		return []ir.Value{k.plus(acc[0], k.sub(c, k.mul(most, body))), k.least(acc[1], k.flag(k.and(k.positive(s), k.isFinite(s))))}
	})
	c := k.sub(k.half(k.mul(k.mul(kk, rows), k.log(df))), k.mul(k.num(0.25*math.Log(math.Pi)), k.mul(rows, k.sub(rows, one))))
	body := k.add(k.add(c, acc[0]), k.half(k.mul(k.sub(k.sub(kk, rows), one), f.logDet)))
	ok := k.and(k.positive(acc[1]), k.and(k.positive(df), k.isFinite(df)))
	return k.valid(ok, k.within(f.ok, body))
}
