package order_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/bugstest"
)

// Models of many statements, each with a loop, in shapes that cost an algorithm that
// looks at all pairs: what is looked at grows with the statements and dependences.
func TestOrderWork(t *testing.T) {
	for name, shape := range map[string]func(n int) string{
		// Each reads the one written after it.
		"chain": func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "for (i in 1:3) { x%d[i] <- x%d[i] + 1 }\n", i, i+1)
			}
			fmt.Fprintf(&b, "for (i in 1:3) { x%d[i] ~ dnorm(0, 1) }\n", n)
			return b.String()
		},
		// Each reads the last element of the one before, so that no two share a loop.
		"fission": func(n int) string {
			var b strings.Builder
			b.WriteString("for (i in 1:3) {\nx0[i] ~ dnorm(0, 1)\n")
			for i := range n {
				fmt.Fprintf(&b, "x%d[i] <- x%d[3] + i\n", i+1, i)
			}
			return b.String() + "}"
		},
		// All read one, in one loop, at its last element.
		"star": func(n int) string {
			var b strings.Builder
			b.WriteString("for (i in 1:3) {\n")
			for i := range n {
				fmt.Fprintf(&b, "x%d[i] <- x[3] + i\n", i)
			}
			return b.String() + "x[i] ~ dnorm(0, 1)\n}"
		},
		// One cycle through all, of which each loop is another.
		"ring": func(n int) string {
			var b strings.Builder
			b.WriteString("x0[1] <- 0\n")
			for i := range n {
				fmt.Fprintf(&b, "for (i in 2:9) { x%d[i] ~ dnorm(x%d[i %s], 1) }\n", i, (i+1)%n, map[bool]string{true: "- 1", false: "+ 0"}[i+1 == n])
			}
			return b.String()
		},
	} {
		work := map[int]int{}
		for _, n := range []int{500, 2000} {
			m := bugstest.MustAnalyze(t, shape(n), "")
			work[n] = m.OrderWork
			if per := work[n] / n; per > 60 {
				t.Errorf("%s of %d statements: %d dependences looked at for each", name, n, per)
			}
		}
		if work[2000] > 5*work[500] {
			t.Errorf("%s: %d dependences looked at for 500 statements, %d for 2000", name, work[500], work[2000])
		}
	}
}
