package prob

import (
	"testing"

	"github.com/irc-lang/irc/dialects/prob/kit"
)

// Halves go to the even digit, and after the point only the fraction is scaled: the
// values at which JAGS 4.3.1 has a density.
func TestRoundedAsJAGS(t *testing.T) {
	for _, c := range [][3]float64{{0.5, 0, 0}, {1.5, 0, 2}, {2.5, 0, 2}, {-0.5, 0, 0}, {-1.5, 0, -2}, {0.15, 1, 0.2}, {0.25, 1, 0.2}, {2.675, 2, 2.67},
		{15, -1, 20}, {25, -1, 20}, {0.285, 2, 0.28}, {1.005, 2, 1}, {5.015, 2, 5.01}, {1e300, 5, 1e300}, {-1234.5678, 2, -1234.57}} {
		if got := rounded[float64, bool](kit.Float{}, c[0], c[1]); got != c[2] {
			t.Errorf("%v to %v digits is %v, want %v", c[0], c[1], got, c[2])
		}
	}
}
