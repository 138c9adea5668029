package math

import (
	"github.com/irc-lang/irc/dialects/math/values"
	gomath "math"
	"testing"
)

// Exponents that no float holds keep their parity.
func TestPowiHuge(t *testing.T) {
	const odd = 1<<53 + 1
	for _, c := range []struct {
		x    float64
		n    int64
		want float64
	}{{0, odd, 0}, {0, -odd, gomath.Inf(1)}, {gomath.Copysign(0, -1), -odd, gomath.Inf(-1)}, {gomath.Inf(-1), odd, gomath.Inf(-1)},
		{gomath.Inf(-1), -odd, 0}, {-1, odd, -1}, {-1, odd + 1, 1}} {
		if got := values.Powi(c.x, c.n); got != c.want {
			t.Errorf("powi(%v, %d) = %v, want %v", c.x, c.n, got, c.want)
		}
	}
}
