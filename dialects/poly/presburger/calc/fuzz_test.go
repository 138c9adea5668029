package calc

import (
	"fmt"
	"testing"
)

// FuzzEval: no line panics, and each ends within a small budget.
func FuzzEval(f *testing.F) {
	for _, s := range []string{"A := { [i] : 0 <= i < 5 }", "subtract(A, { [i] : i mod 2 = 0 }) + A * A - { [3] }", "lexmin({ [i] -> [j] : i <= j < 7 })",
		"count(A)", "project(A, set, 0, 1)", "points({ [i, j] : 0 <= i, j < 3 }) # all", "apply(A, { [i] -> [2i] });", "((A))", "gist(A",
		"min(pw_aff({ [i] -> [(i + 1)/2] : i > 0; [i] -> [3] }), 2) + 1", "kernel({ [i, j] -> [i mod 4] })", "vertices([N] -> { [i] : 0 <= 2i <= N })",
		"complexity(A * A)", "cond({ [i] -> [i mod 2] }, 1, { [i] -> [i] })", "eval(floor({ [i] -> [i] }), { [3] })", "lp_min({ [i] : 3i >= 1 }, { [i] -> [i] })"} {
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
