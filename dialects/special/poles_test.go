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
