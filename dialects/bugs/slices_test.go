package bugs_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/roles"
	"github.com/irc-lang/irc/ir/irtest"
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
		"a[i] <- sum(y[1:i]) + mean(y[i:n]) + inprod(y[1:i], y[1:i]) + length(y[1:i]) + max(exp(y[(n - i + 1):n]))  y[i] ~ dnorm(h[i], 1)",
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

// Columns that grow are read once for the roles, and the dependences of slices whose ends are data are found by
// parts of the variable: element by element 100,000 took a minute of processor time each.
func TestGrowingColumns(t *testing.T) {
	const n = 100000
	data := fmt.Sprintf(`{"n": %d, "k": [%s3], "y": [%s0]}`, n, strings.Repeat("99990,", n-1), strings.Repeat("0,", n-1))
	for _, program := range []string{
		"for (j in 1:2) { H[i, j] <- h[i] * j }  y[i] ~ dnorm(sum(H[1:i, 1]) - sum(H[1:i, ]), k[i])",
		"y[i] ~ dnorm(sum(h[1:k[i]]), 1)",
	} {
		spent := irtest.Work()
		m := bugstest.MustAnalyze(t, "for (i in 1:n) { h[i] ~ dgamma(1, 1)  "+program+" }", data)
		for k := range m.Lookup("h").Len() {
			if want := roles.RoleParameter; roles.Of(m, m.Lookup("h"), k) != want && k < 99990 {
				t.Fatalf("%s: h[%d] is no parameter", program, k+1)
			}
		}
		if took := spent(); took > 10*time.Second {
			t.Errorf("%s: %v", program, took)
		}
	}
}

// What is combined with the last slice is what it is by itself: that of c(...) is evaluated
// whole. Slices that end alike are combined from their end.
func TestSlicesOfData(t *testing.T) {
	const data = `{"n": 7, "k": [3, 1, 4, 4, 6, 2, 7], "x": [0.1, 2.5, -1.3, 0.7, 11.1, 0.3, 1e9], "z": [1, -1, 3, 0.1, 2, 7, 5],
		"w": [[1.1, 2, 3], [0.3, 5, 6], [7, 8.7, 9], [0, 1, 2], [3, 4, 5.5], [6, 7, 8], [9, 0.2, 1]]}`
	for _, slice := range []string{"x[1:i]", "x[2:(i + 1)]", "x[1:i] * z[1:i]", "exp(-z[1:i]) + i", "w[1:i, 2]", "w[i, 1:3]", "x[1:k[i]]", "x[i:(i + 1)]",
		"x[1:i] / z[i]", "w[1:i, k[1]] - x[1:i]", "x[i:n]", "z[(n - i + 1):n]", "w[i:n, 3] * x[i:n]", "x[k[i]:n]"} {
		to := "n - 1"
		for _, name := range []string{"sum", "mean", "max", "min", "prod", "length"} {
			m := bugstest.MustAnalyze(t, fmt.Sprintf("for (i in 1:(%s)) { a[i] <- %s(%s)  b[i] <- %s(c(%s)) }  y ~ dnorm(a[1] + b[1], 1)", to, name, slice, name, slice), data)
			a, b := m.Lookup("a").Elements(), m.Lookup("b").Elements()
			for i := range a {
				same := a[i] == b[i]
				if strings.Contains(slice, ":n]") || strings.Contains(slice, ":n,") {
					same = math.Abs(a[i]-b[i]) <= 1e-12*math.Abs(b[i])
				}
				if !same {
					t.Errorf("%s(%s): %v at %d, want %v", name, slice, a[i], i+1, b[i])
				}
			}
		}
	}
	m := bugstest.MustAnalyze(t, "for (i in 1:n) { a[i] <- inprod(x[1:i], z[1:i])  b[i] <- sum(c(x[1:i] * z[1:i])) }  y ~ dnorm(a[1] + b[1], 1)", data)
	if a, b := m.Lookup("a").Elements(), m.Lookup("b").Elements(); !slices.Equal(a, b) {
		t.Errorf("inprod: %v, want %v", a, b)
	}
}
