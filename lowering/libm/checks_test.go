package libm_test

import (
	"math"

	"github.com/irc-lang/irc/tests/libm/ref"
)

func two(f func(x, y ref.F) ref.F) func([]ref.F) ref.F {
	return func(x []ref.F) ref.F { return f(x[0], x[1]) }
}

// power is x^y with the sign of x for odd y; arguments give a number.
func power(x, y ref.F) ref.F {
	if x.Sign() == 0 || y.Sign() == 0 {
		return ref.New(1)
	}
	r := ref.Pow(ref.Abs(x), y)
	if x.Sign() < 0 && !ref.Scale(y, -1).IsInt() {
		return ref.Neg(r)
	}
	return r
}

func atan2(y, x ref.F) ref.F {
	if y.Sign() != 0 || x.Sign() != 0 {
		return ref.Atan2(y, x)
	}
	f := math.Atan2(math.Copysign(0, float64(1-2*bit(y.Signbit()))), math.Copysign(0, float64(1-2*bit(x.Signbit()))))
	return ref.New(f)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// lchoose is -log1p(n) - lbeta(n-k+1, k+1) with both arguments rounded.
func lchoose(f format, x []float64) ref.F {
	n, k := x[0], x[1]
	if k == 1 || k == f.round(n-1) {
		return ref.Log(ref.New(n))
	}
	p, q := f.round(f.round(n-k)+1), f.round(k+1)
	return ref.Neg(ref.Add(ref.Log1p(ref.New(n)), ref.Lbeta(ref.New(p), ref.New(q))))
}

// below has errors counted in ulp of 1 where the result is less than that, and the
// argument less than x.
func below(x float64) func([]float64) float64 {
	return func(v []float64) float64 {
		if v[0] < x {
			return 1
		}
		return 0
	}
}

// Where the reduction of angles is hardest.
var angles = []float64{math.Pi / 4, math.Pi / 2, math.Pi, 3 * math.Pi / 4, 22, 355, 999.999, 1000, 1048575.999, 0x1p20,
	math.Ldexp(6381956970095103, 797), 16367173 * 0x1p72, 1e22, math.MaxFloat32, math.MaxFloat64}

var checks = []check{
	{op: "math.exp", f: one(ref.Exp), lo: -746, hi: 710, hard: []float64{-745.13, 709.78, 88.72, -103.97, -87.33}},
	{op: "math.exp2", f: one(ref.Exp2), lo: -1075, hi: 1024, hard: []float64{128, -126, -149.5, -1074.5}},
	{op: "math.expm1", f: one(ref.Expm1), lo: -40, hi: 90, hard: []float64{0.3466, -0.3466, 1.04, -1.04, 709.78, 88.72}},
	{op: "math.log", f: one(ref.Log), lo: 0, hi: 4},
	{op: "math.log2", f: one(ref.Log2), lo: 0, hi: 4},
	{op: "math.log10", f: one(ref.Log10), lo: 0, hi: 4, hard: []float64{10, 100, 1e22}},
	{op: "math.log1p", f: one(ref.Log1p), lo: -1, hi: 3},
	{op: "math.sin", f: one(ref.Sin), lo: -100, hi: 100, hard: angles},
	{op: "math.cos", f: one(ref.Cos), lo: -100, hi: 100, hard: angles},
	{op: "math.tan", f: one(ref.Tan), lo: -100, hi: 100, hard: angles},
	{op: "math.asin", f: one(ref.Asin), lo: -1, hi: 1},
	{op: "math.acos", f: one(ref.Acos), lo: -1, hi: 1, hard: []float64{-0.5}},
	{op: "math.atan", f: one(ref.Atan), lo: -8, hi: 8, hard: []float64{0.4142, 2.4142}},
	{op: "math.atan2", f: two(atan2), lo: -8, hi: 8, yLo: -8, yHi: 9},
	{op: "math.sinh", f: one(ref.Sinh), lo: -12, hi: 12, hard: []float64{710.4758, 89.4159}},
	{op: "math.cosh", f: one(ref.Cosh), lo: -12, hi: 12, hard: []float64{710.4758, 89.4159}},
	{op: "math.tanh", f: one(ref.Tanh), lo: -20, hi: 20},
	{op: "math.asinh", f: one(ref.Asinh), lo: -20, hi: 20},
	{op: "math.acosh", f: one(ref.Acosh), lo: 1, hi: 20},
	{op: "math.atanh", f: one(ref.Atanh), lo: -1, hi: 1},
	{op: "math.powf", f: two(power), lo: 0, hi: 4, yLo: -30, yHi: 300},
	{op: "math.cbrt", f: one(ref.Cbrt), lo: -9, hi: 9},
	{op: "math.rsqrt", f: one(ref.Rsqrt), lo: 0, hi: 9},
	{op: "math.erf", f: one(ref.Erf), lo: -6, hi: 6},
	{op: "special.erfc", f: one(ref.Erfc), lo: -7, hi: 28, hard: []float64{26.5, 10}},
	{op: "special.phi", f: one(ref.Phi), lo: -39, hi: 9, hard: []float64{-37.5, -13, 0.7071, -0.7071}},
	{op: "special.log_phi", f: one(ref.LogPhi), lo: -50, hi: 40, hard: []float64{6, 9, 13, 38, 0.7071, -0.7071}},
	{op: "special.log1mexp", f: one(ref.Log1mexp), lo: -50, hi: 0, hard: []float64{-0.6931, -103, -745}},
	{op: "special.log1pexp", f: one(ref.Log1pexp), lo: -50, hi: 50, hard: []float64{-103, -745, -30, -60}},
	{op: "special.logit", f: one(ref.Logit), lo: 0, hi: 1, hard: []float64{0.25, 0.75}},
	{op: "special.ilogit", f: one(ref.Ilogit), lo: -50, hi: 50, hard: []float64{-103, -745}},
	{op: "special.cloglog", f: one(ref.Cloglog), lo: 0, hi: 1, hard: []float64{1 - 1/math.E},
		scale: func([]float64) float64 { return 0x1p-8 }},
	{op: "special.icloglog", f: one(ref.Icloglog), lo: -50, hi: 5, hard: []float64{-103, -745}},
	{op: "special.step", f: one(func(x ref.F) ref.F { return ref.New(float64(bit(x.Sign() >= 0))) }), lo: -1, hi: 1},
	{op: "special.xlogy", f: two(func(x, y ref.F) ref.F { return ref.Mul(x, ref.Log(y)) }), lo: -9, hi: 9, yLo: 0, yHi: 4},
	{op: "special.xlog1py", f: two(func(x, y ref.F) ref.F { return ref.Mul(x, ref.Log1p(y)) }), lo: -9, hi: 9, yLo: -1, yHi: 4},
	{op: "special.lgamma", f: one(ref.Lgamma), lo: -20, hi: 20, hard: []float64{1.5, 2.5, 3, 7, 8, -1.5}, scale: below(0)},
	{op: "special.logfact", f: one(ref.Logfact), lo: -20, hi: 20, hard: []float64{-0.5, 1.5, 7, 8}, scale: below(-0.5)},
	{op: "special.digamma", f: one(ref.Digamma), lo: -20, hi: 20, hard: []float64{1.4616321449683623, 3, 7, 8}, scale: below(0)},
	{op: "special.trigamma", f: one(ref.Trigamma), lo: -20, hi: 20, hard: []float64{0.5, 1.5, 3, 7, 8, -0.5, -3}},
	{op: "special.lbeta", f: two(ref.Lbeta), lo: 0, hi: 30, yLo: 0, yHi: 31, scale: func([]float64) float64 { return 1 }},
	{op: "special.lchoose", by: lchoose, lo: 0, hi: 300, yLo: 0, yHi: 40, scale: func([]float64) float64 { return 1 }},
	{op: "special.probit", f: one(ref.Probit), lo: 0, hi: 1, hard: []float64{0.25, 0.75}},
}
