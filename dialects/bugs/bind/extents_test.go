package bind_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// Data that loops do not use up are told of, and nothing else is.
func TestSurplus(t *testing.T) {
	for _, c := range []struct{ model, data, want string }{
		{"for (i in 1:N) { y[i] ~ dnorm(0, 1) }", `{"N": 3, "y": [1, 2, 3, 4]}`, "y has 4 elements in the data, and the loops end at 3"},
		{"for (i in 1:N) { y[i] ~ dnorm(x[i + 1], 1) }", `{"N": 2, "y": [1, 2], "x": [1, 2, 3, 4]}`, "x has 4 elements in the data, and the loops end at 3"},
		{"for (i in 1:2) { for (j in 1:i) { Y[i, j] ~ dnorm(0, 1) } }", `{"Y": [[1, null, 5], [1, 2, 5]]}`, "Y has 3 elements in dimension 2 in the data, and the loops end at 2"},
		{"for (i in 1:2) { y[i] ~ dnorm(sum(x[1:i]), 1) }", `{"y": [1, 2], "x": [1, 2, 3]}`, "x has 3 elements in the data, and the loops end at 2"},
		// One loop goes to the end, if another does not.
		{"for (i in 2:N) { y[i] ~ dnorm(y[i - 1], 1) } y[1] ~ dnorm(0, 1)", `{"N": 3, "y": [1, 2, 3]}`, ""},
		{"for (i in 1:2) { y[i] ~ dnorm(0, 1) } for (i in 3:4) { y[i] ~ dnorm(1, 1) }", `{"y": [1, 2, 3, 4]}`, ""},
		{"for (i in 1:2) { y[i] ~ dnorm(0, 1) } y[3] ~ dnorm(1, 1)", `{"y": [1, 2, 3]}`, ""},
		// One column of a table, one element of a vector.
		{"for (i in 1:2) { y[i] ~ dnorm(X[i, 2] + p[1], 1) }", `{"y": [1, 2], "X": [[1, 2, 3], [4, 5, 6]], "p": [1, 2]}`, ""},
		// The whole, without a loop; an index from data, or from a node.
		{"y ~ dnorm(mean(x[]), 1)", `{"y": 1, "x": [1, 2, 3]}`, ""},
		{"for (i in 1:2) { y[i] ~ dnorm(a[g[i]], 1) }", `{"y": [1, 2], "g": [1, 1], "a": [4, 5]}`, ""},
		{"for (i in 1:2) { y[i] ~ dnorm(a[k], 1) } k ~ dcat(p[])", `{"y": [1, 2], "p": [0.5, 0.5], "a": [4, 5]}`, ""},
		// Inner loops may be empty, and a loop that never runs uses nothing.
		{"for (i in 1:N) { for (j in 1:n[i]) { y[i, j] ~ dnorm(0, 1) } }", `{"N": 3, "n": [1, 2, 0], "y": [[1, 2], [3, 4], [5, 6]]}`, "y has 3 elements in dimension 1 in the data, and the loops end at 2"},
		{"for (i in 1:N) { y[i] ~ dnorm(0, 1) }", `{"N": 0, "y": [1, 2]}`, ""},
	} {
		_, list := bugstest.Analyze(t, c.model, c.data, syntax.BUGS)
		got := ""
		for _, d := range list {
			if strings.Contains(d.Message, "loops end at") {
				got += d.Message
			} else if d.Severity == 0 {
				t.Errorf("%s: %v", c.model, d)
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.model, got, c.want)
		}
	}
}
