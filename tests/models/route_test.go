package models_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/space"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	machine "github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering/density"
	"github.com/irc-lang/irc/passes/pass/diff"
)

// function is the text of a function of a module.
func function(module, name string) string {
	for _, f := range strings.Split(module, "\n\n") {
		if head, _, _ := strings.Cut(f, "\n"); strings.HasPrefix(head, "define") && strings.Contains(head, "@"+name+"(") {
			return f
		}
	}
	return ""
}

// What -emit=llvm prints of a model, for as many cores, is the module that irc logdensity runs, the same text; on
// the unconstrained scale its function.
func TestEmitIsWhatRuns(t *testing.T) {
	for _, program := range names {
		base := "../../examples/bugs/" + program
		prog, list := syntax.Parse(diag.NewSource(base+".bug", source(t, program)), syntax.Options{Dialect: syntax.BUGS})
		if err := list.Err(); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(base + "-data.json")
		if err != nil {
			t.Fatal(err)
		}
		data, list := input.ParseData(diag.NewSource(base+"-data.json", string(text)), input.Unknown)
		if err := list.Err(); err != nil {
			t.Fatal(err)
		}
		m, list := bugs.Analyze(prog, data, bugs.Options{Dialect: syntax.BUGS})
		if err := list.Err(); err != nil {
			t.Fatal(err)
		}
		room, d := space.New(m)
		if d != nil {
			t.Fatal(d)
		}
		for scale, u := range map[string]*space.Unconstrained{"constrained": nil, "unconstrained": room} {
			p, err := density.Lower(ir.NewContext(dialects.All...), m, density.Options{Target: machine.Host(), Unconstrained: u})
			if err != nil {
				t.Fatal(err)
			}
			want, err := llvm.Text(p.Lowered, llvm.Options{Name: base + ".bug", Cores: machine.Host().Cores > 1})
			if err != nil {
				t.Fatal(err)
			}
			got := irc(t, "-emit=llvm", fmt.Sprint("-threads=", machine.Host().Cores), "-scale="+scale, "-data="+base+"-data.json", base+".bug")
			if u != nil { // the other density is there, too
				got, want = function(got, density.UnconstrainedSymbol), function(want, density.UnconstrainedSymbol)
			}
			if got != want || !strings.Contains(got, "define") {
				t.Errorf("%s, %s: -emit=llvm is not what runs:\n%s", program, scale, diff.Lines(want, got))
			}
		}
	}
}
