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
}
