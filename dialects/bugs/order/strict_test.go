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
