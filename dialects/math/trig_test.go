package math

import (
	gomath "math"
	"testing"
)

// Values of sine and tangent far out, and of the logarithm of denormals, from
// computations with 400 digits.
func TestFarOut(t *testing.T) {
	for _, x := range []struct {
		what      string
		got, want float64
	}{
		{"sin(max)", sin(gomath.MaxFloat64), 0.004961954789184062},
		{"cos(max)", cos(gomath.MaxFloat64), -0.9999876894265599},
		{"tan(max)", tan(gomath.MaxFloat64), -0.004962015874444895},
		{"sin(1e22)", sin(1e22), -0.8522008497671888},
		{"cos(-1e22)", cos(-1e22), 0.523214785395139},
		// The float64 nearest to a multiple of pi/2: 6381956970095103 * 2^797.
		{"cos(nearest)", cos(6381956970095103 * 0x1p797), -4.687165924254628e-19},
		{"log(least)", log(gomath.SmallestNonzeroFloat64), -744.4400719213812},
		{"log(2^-1030)", log(0x1p-1030), -713.9415959767437},
		{"log(1)", log(1), 0},
	} {
		if gomath.Abs(x.got-x.want) > 2e-16*gomath.Abs(x.want) {
			t.Errorf("%s = %v, want %v", x.what, x.got, x.want)
		}
	}
}
