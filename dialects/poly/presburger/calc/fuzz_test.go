package calc

import (
	"fmt"
	"testing"
)

// FuzzEval: no line panics, and each ends within a small budget.
func FuzzEval(f *testing.F) {
	for _, s := range []string{"A := { [i] : 0 <= i < 5 }", "subtract(A, { [i] : i mod 2 = 0 }) + A * A - { [3] }", "lexmin({ [i] -> [j] : i <= j < 7 })",
		"count(A)", "project(A, set, 0, 1)", "points({ [i, j] : 0 <= i, j < 3 }) # all", "apply(A, { [i] -> [2i] });", "((A))", "gist(A"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if len(line) > 200 {
			return
		}
		c := &Calculator{Budget: 100_000}
		if _, err := c.Eval("A := [N] -> { [i] : 0 <= i < N and i < 100 }"); err != nil {
			t.Fatal(err)
		}
		v, err := c.Eval(line)
		if e, ok := err.(*Error); ok && (e.Offset < 0 || e.Offset > len(line)) {
			t.Errorf("%q: error at %d", line, e.Offset)
		}
		if err == nil {
			_ = fmt.Sprint(v) // prints without a panic, too
		}
	})
}
