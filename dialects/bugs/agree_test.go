package bugs_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/emit"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering/density"
)

// agreeing checks that a model means the same as a program that is walked in Go, as
// ops, and lowered, and that its ops are read as they are printed.
func agreeing(t *testing.T, name string, m *model.Model) {
	t.Helper()
	st := bugstest.Point(m)
	want := bugstest.Reference(t, m, st)
	ctx := ir.NewContext(dialects.All...)
	g, d := emit.Graph(m, ctx)
	if d != nil {
		t.Fatalf("%s: %v", name, d)
	}
	if got := bugstest.Ops(t, m, g, st); !bugstest.Near(got, want) {
		t.Errorf("%s: the ops give %v, want %v\n%s", name, got, want, text.String(g, text.PrintOptions{}))
	}
	printed := text.String(ir.Settle(g), text.PrintOptions{})
	again, list := text.Parse(ctx, diag.NewSource("m.mlir", printed), text.Options{})
	if list.Err() != nil {
		t.Fatalf("%s: %v\n%s", name, list, printed)
	}
	if got := text.String(ir.Settle(again), text.PrintOptions{}); got != printed {
		t.Errorf("%s: printed and read again:\n%s\nwant\n%s", name, got, printed)
	}
	p, err := density.Compile(ir.NewContext(dialects.All...), m, density.Options{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer p.Close()
	r, err := p.LogDensity(st)
	if err != nil || !bugstest.Near(r.Logp, want) {
		t.Errorf("%s: lowered: %v %v, want %v", name, r, err, want)
	}
}

func TestRandomProgramsAgree(t *testing.T) {
	count := 400
	if testing.Short() {
		count = 60
	}
	for seed := range count {
		program, data := bugstest.RandomProgram(rand.New(rand.NewPCG(uint64(seed), 5)))
		if m := bugstest.Bind(t, program, data); m != nil {
			agreeing(t, program+"\n"+data, m)
		}
		if t.Failed() {
			t.Fatal("seed ", seed)
		}
	}
}

// The programs of the paper, those that it refuses among them.
func TestPaperAgrees(t *testing.T) {
	n := 0
	for _, c := range bugstest.Orders {
		data := c.Data
		if data == "" {
			data = "{}"
		}
		m := bugstest.Bind(t, c.Model, data)
		if m == nil {
			t.Fatalf("%s is refused", c.Name)
		}
		agreeing(t, c.Name, m)
		if strings.Contains(c.Want, "level") {
			n++
		}
	}
	if n == 0 {
		t.Error("no program with levels")
	}
}

// Nodes that are data in part of the elements that a statement defines.
func TestPartlyObservedAgrees(t *testing.T) {
	for _, c := range bugstest.Partly {
		agreeing(t, c.Name, bugstest.MustAnalyze(t, c.Model, c.Data))
	}
	agreeing(t, "mixed transformation", bugstest.MustAnalyze(t, bugstest.Mixed.Model, bugstest.Mixed.Data))
}
