package special

import (
	"math"
	"testing"
)

// Denormals are numbers like others, and the poles are those of C.
func TestDenormalsAndPoles(t *testing.T) {
	for _, c := range []struct{ got, want float64 }{
		{lgamma(1e-310), 713.8013788281542}, {lgamma(-1e-310), 713.8013788281542}, {log(5e-324), -744.4400719213812},
		{lgamma(math.Inf(-1)), math.Inf(1)}, {lgamma(0), math.Inf(1)}, {xlogy(1, 1e-310), -713.8013788281542},
	} {
		if !(math.Abs(c.got-c.want) <= 1e-12*math.Abs(c.want)) && c.got != c.want {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}

// The rule that makes lbeta(1, x) of a logarithm keeps what it is, at 0, below and at infinities, too.
func TestLbetaOfOne(t *testing.T) {
	for _, x := range []float64{0, math.Copysign(0, -1), -1, -1e-310, math.NaN(), math.Inf(1), math.Inf(-1), 1e-310, 0.25, 1, 7, 10, 1e5, 1e300} {
		got, want := lbeta(1, x), -log(x)
		if !(math.Abs(got-want) <= 1e-14*math.Abs(want)) && got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("lbeta(1, %g) = %g, want %g", x, got, want)
		}
	}
}
