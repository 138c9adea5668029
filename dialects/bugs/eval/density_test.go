package eval_test

import (
	"math"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// Functions of matrices that are data.
func TestMatrixFunctions(t *testing.T) {
	src := diag.NewSource("m.bug", "model { I[1:2, 1:2] <- inverse(A[, ])  d <- logdet(A[, ])  e <- logdet(B[, ])  J[1:2, 1:2] <- inverse(B[, ])  f <- logdet(-A[, ] * 2) - logdet(A[, ])\n x ~ dnorm(d, 1) }")
	prog, list := syntax.Parse(src, syntax.Options{})
	if list.Err() != nil {
		t.Fatal(list)
	}
	data, list := input.ParseData(diag.NewSource("d.json", `{"A": [[2, 1], [1, 3]], "B": [[1, 2], [2, 4]]}`), input.Unknown)
	if list.Err() != nil {
		t.Fatal(list)
	}
	m, list := bugs.Analyze(prog, data, bugs.Options{})
	if list.Err() != nil {
		t.Fatal(list)
	}
	nan := math.NaN()
	for name, want := range map[string][]float64{"I": {0.6, -0.2, -0.2, 0.4}, "d": {math.Log(5)}, "e": {math.Inf(-1)}, "J": {nan, nan, nan, nan}, "f": {math.Log(4)}} {
		for k, x := range m.Lookup(name).Value {
			if math.IsNaN(x) != math.IsNaN(want[k]) || math.Abs(x-want[k]) > 1e-15 {
				t.Errorf("%s is %v, want %v", name, m.Lookup(name).Value, want)
				break
			}
		}
	}
}
