package bugs_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/roles"
)

// Slices that grow with a loop take the time of the loop: the front end does not evaluate
// what only their shapes matter of, and reads each element once for the roles. With n
// doubled the memory doubles, and does not become fourfold.
func TestGrowingSlices(t *testing.T) {
	for _, program := range []string{
		"H[i] <- sum(h[1:i])  y[i] ~ dnorm(H[i], 1)",
		"H[i] <- 2 * mean(h[i:n]) + sum(h[1:i] * h[1:i])  y[i] ~ dnorm(H[i], 1)",
		"H[i] <- inprod(h[1:i], h[1:i])  y[i] ~ dnorm(H[i], 1)",
		"y[i] ~ dnorm(max(h[1:i]), 1)",
	} {
		cost := func(n int) uint64 {
			data := fmt.Sprintf(`{"n": %d, "y": [%s0]}`, n, strings.Repeat("0,", n-1))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			m := bugstest.MustAnalyze(t, "for (i in 1:n) { h[i] ~ dgamma(1, 1)  "+program+" }", data)
			for k := range m.Lookup("h").Len() {
				if roles.Of(m, m.Lookup("h"), k) != roles.RoleParameter {
					t.Fatalf("%s: h[%d] is no parameter", program, k+1)
				}
			}
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		cost(100)
		if small, large := cost(4000), cost(8000); large > 3*small {
			t.Errorf("%s: %d bytes for 4000 and %d for 8000", program, small, large)
		}
	}
	m := bugstest.MustAnalyze(t, "for (i in 1:n) { h[i] ~ dgamma(1, 1) } for (i in 1:3) { y[i] ~ dnorm(sum(h[i:(i + 1)]), 1) }", `{"n": 6, "y": [1, 2, 3]}`)
	for k, want := range []roles.Role{roles.RoleParameter, roles.RoleParameter, roles.RoleParameter, roles.RoleParameter, roles.GeneratedQuantity, roles.GeneratedQuantity} {
		if got := roles.Of(m, m.Lookup("h"), k); got != want || m.Lookup("h").ClassAt(k) != model.Parameter {
			t.Errorf("h[%d]: %v, want %v", k+1, got, want)
		}
	}
}
