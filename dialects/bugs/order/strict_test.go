package order_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// Parts without elements, which JAGS 4.3.1 calls an invalid range, in some iteration.
func TestStrictParts(t *testing.T) {
	for model, refused := range map[string]bool{
		"y ~ dnorm(sum(x[2:1]), 1)":                          true,
		"for (i in 1:3) { y[i] ~ dnorm(sum(x[2:i]), 1) }":    true,
		"for (i in 2:3) { y[i] ~ dnorm(sum(x[2:i]), 1) }":    false,
		"y ~ dnorm(sum(x[n:1]) + sum(x[]) + sum(x[1:1]), 1)": true,
		"for (i in 3:2) { y[i] ~ dnorm(x[1], 1) }":           false,
	} {
		for _, strict := range []bool{false, true} {
			for _, dialect := range []syntax.Dialect{syntax.JAGS, syntax.BUGS} {
				prog, list := syntax.Parse(diag.NewSource("m.bug", "model { "+model+" }"), syntax.Options{Dialect: dialect})
				if list.Err() != nil {
					t.Fatal(list)
				}
				d, _ := input.ParseData(diag.NewSource("d.json", `{"x": [1, 2, 3], "n": 2}`), input.JSON)
				_, list = bugs.Analyze(prog, d, bugs.Options{Strict: strict, Dialect: dialect})
				if want := refused && strict && dialect == syntax.JAGS; (list.Err() != nil) != want {
					t.Errorf("%s, %v, strict %v: %v", model, dialect, strict, list)
				}
			}
		}
	}
}

// What the paper accepts and refuses, with -strict; all of it is compiled without.
func TestStrict(t *testing.T) {
	refused := map[string][2]string{
		"a loop runs backward": {"x of a later iteration is read, which -strict refuses: the distance is (-)",
			"rewrite the loop so that each iteration reads what earlier ones define"},
		"a matrix from its other corner": {"the distance is (-, 0)", "rewrite the loop"},
		"loops take turns": {"statements of different loops need each other, which -strict refuses",
			"merge the loops into a single one"},
		"loops with inner loops take turns":   {"statements of different loops need each other", "merge the loops"},
		"loops take turns and one ends first": {"statements of different loops need each other", "merge the loops"},
		"indices from data":                   {"an index that depends on data or on a node is in a cycle of statements", "write the elements out one by one"},
		// The same bounds, but not the same loop: the paper asks for the same variables.
		"two states in two loops take turns in one": {"statements of different loops need each other", "merge the loops"},
	}
	for _, c := range bugstest.Orders {
		prog, list := syntax.Parse(diag.NewSource("m.bug", "model {\n"+c.Model+"\n}"), syntax.Options{})
		if list.Err() != nil {
			t.Fatal(list)
		}
		data := c.Data
		if data == "" {
			data = "{}"
		}
		d, _ := input.ParseData(diag.NewSource("d.json", data), input.JSON)
		_, list = bugs.Analyze(prog, d, bugs.Options{Strict: true})
		want, no := refused[c.Name]
		delete(refused, c.Name)
		switch {
		case no != (list.Err() != nil):
			t.Errorf("%s: refused is %v: %v", c.Name, !no, list)
		case no && (!strings.Contains(list.Error(), want[0]) || !strings.Contains(list.Error(), want[1])):
			t.Errorf("%s: %v\nwant %q", c.Name, list, want)
		}
	}
	if len(refused) > 0 {
		t.Error("no such programs: ", refused)
	}
}
