package kit_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/irc-lang/irc/dialects/prob/kit"
)

// diagonal is a matrix of a diagonal.
func diagonal(d ...float64) []float64 {
	out := make([]float64, len(d)*len(d))
	for i, x := range d {
		out[i*len(d)+i] = x
	}
	return out
}

// The logarithm of a determinant keeps its digits where the determinant itself, or the product of the first
// pivots, is no number.
func TestLogDet(t *testing.T) {
	for _, d := range [][]float64{
		{2}, {1e-310}, {2, 3, 5}, {1e200, 1e200}, {1e-200, 1e-200}, {1e-200, 1e-200, 1e200, 1e200}, {1e200, 1e200, 1e-200, 1e-200},
		{1e-160, 1e-160, 1e160, 1e160, 3}, {5e-324, 1e300, 7}, {1e290, 1e1, 1e-20},
	} {
		want := 0.0
		for _, x := range d {
			want += kit.Floats{}.Log(x) // that of package math is wrong of subnormal numbers on amd64
		}
		f := kit.FactorOf(diagonal(d...), len(d))
		if !f.OK || !(math.Abs(f.LogDet-want) <= 1e-14*max(1, math.Abs(want))) {
			t.Errorf("%v: %v, %v, want %v", d, f.LogDet, f.OK, want)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + r.IntN(9)
		x, scale := diagonal(make([]float64, n)...), math.Exp(300*r.NormFloat64()/float64(n))
		for i := range n {
			for j := range i {
				x[i*n+j] = scale * r.NormFloat64()
				x[j*n+i] = x[i*n+j]
			}
			x[i*n+i] = scale * (float64(4*n) + r.Float64())
		}
		f := kit.FactorOf(x, n)
		want := 0.0
		for i := range n {
			want += kit.Floats{}.Log(f.Pivot(i))
		}
		if !f.OK || !(math.Abs(f.LogDet-want) <= 1e-13*max(1, math.Abs(want))) {
			t.Fatalf("%d rows: %v, %v, want %v", n, f.LogDet, f.OK, want)
		}
	}
}

// Mirrored elements may differ by their last digits.
func TestDefinite(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		x    []float64
		want bool
	}{
		{[]float64{2, 1, 1, 2}, true}, {[]float64{2, 1, 1 + 1e-9, 2}, true}, {[]float64{2, 1, 1 + 1e-7, 2}, false},
		{[]float64{2e-300, 1e-300, 1.1e-300, 2e-300}, false}, {[]float64{2e300, 1e300, 1.1e300, 2e300}, false},
		{[]float64{1, 1, 1, 1}, false}, {[]float64{1, 2, 2, 1}, false}, {[]float64{-1, 0, 0, -1}, false}, {[]float64{-1, 0, 0, 1}, false},
		{[]float64{0, 0, 0, 1}, false}, {[]float64{inf, 0, 0, 1}, false}, {[]float64{1, inf, inf, 1}, false},
		{[]float64{math.NaN(), 0, 0, 1}, false}, {[]float64{1, math.NaN(), math.NaN(), 1}, false}, {[]float64{1, 0, math.NaN(), 1}, false},
	} {
		if got := kit.FactorOf(c.x, 2).OK; got != c.want {
			t.Errorf("%v: symmetric and definite: %v", c.x, got)
		}
	}
}
