package stage_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/emit"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/order"
	"github.com/irc-lang/irc/dialects/bugs/stage"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// steps are the passes up to lowered observations.
var steps = []func(st *stage.Stage) *diag.Diagnostic{
	func(st *stage.Stage) *diag.Diagnostic { st.Needs = true; return nil },
	func(st *stage.Stage) *diag.Diagnostic { st.RemoveData(); return nil },
	func(st *stage.Stage) *diag.Diagnostic { st.Fission(); return nil },
	func(st *stage.Stage) *diag.Diagnostic { st.Distances = true; return nil },
	func(st *stage.Stage) *diag.Diagnostic { st.Order(); return nil },
	(*stage.Stage).Fuse,
	(*stage.Stage).Reconstruct,
	(*stage.Stage).LowerObservations,
}

func show(g *ir.Graph) string { return text.String(ir.Settle(g), text.PrintOptions{}) }

// inText are the statements of a stage: where they share loops, in the order of the
// text, for a loop may have them in any.
func inText(st *stage.Stage) []*model.Statement {
	out := slices.Clone(st.Stmts)
	if st.Form == emit.FormFused || st.Form == emit.FormReconstructed {
		slices.SortFunc(out, func(a, b *model.Statement) int { return a.Index - b.Index })
	}
	return out
}

// staged goes through all stages, each read from the text of the graph of the one
// before, and compares the end with the graph of the model.
func staged(t *testing.T, name string, m *model.Model) {
	t.Helper()
	ctx := ir.NewContext(dialects.All...)
	st := stage.SourceStage(m)
	g, d := st.Graph(ctx)
	for i, step := range steps {
		if d != nil {
			t.Fatalf("%s: step %d: %v", name, i, d)
		}
		again, list := text.Parse(ctx, diag.NewSource("m.mlir", show(g)), text.Options{})
		if list.Err() != nil {
			t.Fatalf("%s: step %d: %v\n%s", name, i, list, show(g))
		}
		if show(again) != show(g) {
			t.Fatalf("%s: step %d: printed and read again:\n%s\nwant\n%s", name, i, show(again), show(g))
		}
		from, d := stage.StageOf(again, m)
		if d != nil {
			t.Fatalf("%s: step %d: %v\n%s", name, i, d, show(g))
		}
		if from.Form != st.Form || !slices.Equal(inText(from), inText(st)) {
			t.Fatalf("%s: step %d: the graph is in form %s, want %s\n%s", name, i, from.Form, st.Form, show(g))
		}
		st = from
		if d = step(st); d == nil {
			g, d = st.Graph(ctx)
		}
		if d != nil {
			t.Fatalf("%s: step %d: %v", name, i, d)
		}
		if st.Form == emit.FormFused || st.Form == emit.FormReconstructed {
			at := bugstest.Point(m)
			if got, want := bugstest.Ops(t, m, g, at), bugstest.Reference(t, m, at); !bugstest.Near(got, want) {
				t.Fatalf("%s: step %d: the density is %v, want %v", name, i, got, want)
			}
		}
	}
	want, d := emit.Graph(m, ctx)
	if d != nil {
		t.Fatal(d)
	}
	if show(g) != show(want) {
		t.Fatalf("%s: the stages end in\n%s\nthe model is\n%s", name, show(g), show(want))
	}
}

func TestStages(t *testing.T) {
	for _, c := range bugstest.Orders {
		data := c.Data
		if data == "" {
			data = "{}"
		}
		staged(t, c.Name, bugstest.Bind(t, c.Model, data))
	}
	count := 150
	if testing.Short() {
		count = 30
	}
	for seed := range count {
		program, data := bugstest.RandomProgram(rand.New(rand.NewPCG(uint64(seed), 6)))
		if m := bugstest.Bind(t, program, data); m != nil {
			staged(t, program+"\n"+data, m)
		}
	}
}

// The nodes of a statement that are partly data: a few runs are loops of their own,
// more a mask. Both mean the same.
func TestSplitObservations(t *testing.T) {
	for _, c := range bugstest.Partly {
		m := bugstest.Bind(t, c.Model, c.Data)
		if m == nil {
			t.Fatal(c.Name)
		}
		staged(t, c.Name, m)
		g, d := emit.Graph(m, ir.NewContext(dialects.All...))
		if d != nil {
			t.Fatal(d)
		}
		printed := show(g)
		if n := strings.Count(printed, "bugs.for"); n != c.Loops {
			t.Errorf("%s: %d loops, want %d\n%s", c.Name, n, c.Loops, printed)
		}
		if n := strings.Count(printed, `"mask"`); n != c.Masks {
			t.Errorf("%s: %d masks, want %d\n%s", c.Name, n, c.Masks, printed)
		}
		// Before, the statement has a mask, and the density is the same.
		g, d = stage.Sequential(m).Graph(ir.NewContext(dialects.All...))
		if d != nil {
			t.Fatal(d)
		}
		st := bugstest.Point(m)
		if got, want := bugstest.Ops(t, m, g, st), bugstest.Reference(t, m, st); !bugstest.Near(got, want) {
			t.Errorf("%s: with a mask %v, want %v", c.Name, got, want)
		}
	}
}

// Data that are computed in part, of the paper: what is left runs for all elements.
func TestMixedTransformation(t *testing.T) {
	m := bugstest.Bind(t, bugstest.Mixed.Model, bugstest.Mixed.Data)
	x := m.Lookup("x")
	for k, want := range []model.Class{model.Known, model.Known, model.Logical, model.Logical, model.Known} {
		if x.ClassAt(k) != want {
			t.Errorf("%s is %v, want %v", x.ElemName(k), x.ClassAt(k), want)
		}
	}
	if got := strings.Join(order.Sequence(m), "\n"); !strings.Contains(got, "x[i] <- y[i] + 1") {
		t.Errorf("the statement is gone:\n%s", got)
	}
	staged(t, "mixed transformation", m)
}
