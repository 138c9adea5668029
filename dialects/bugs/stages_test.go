package bugs_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/bugs"
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
			at := point(m)
			if got, want := ops(t, m, g, at), reference(t, m, at); !near(got, want) {
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
	for _, c := range bugs.Orders {
		data := c.Data
		if data == "" {
			data = "{}"
		}
		staged(t, c.Name, bind(t, c.Model, data))
	}
	count := 150
	if testing.Short() {
		count = 30
	}
	for seed := range count {
		program, data := bugstest.RandomProgram(rand.New(rand.NewPCG(uint64(seed), 6)))
		if m := bind(t, program, data); m != nil {
			staged(t, program+"\n"+data, m)
		}
	}
}

// The nodes of a statement that are partly data: a few runs are loops of their own,
// more a mask. Both mean the same.
func TestSplitObservations(t *testing.T) {
	for _, c := range []struct {
		name, model, data string
		loops, masks      int
	}{
		{"the paper's", `for (i in 1:2) { for (j in 1:5) { x[i, j] ~ dnorm(0, 1) } }`,
			`{"x": [[1, 2, null, 4, 5], [1, 2, null, 4, 5]]}`, 4, 0},
		{"a row", `for (i in 1:4) { for (j in 1:2) { x[i, j] ~ dnorm(m[i], 1) }  m[i] ~ dnorm(0, 1) }`,
			`{"x": [[1, 2], [null, null], [3, 4], [5, 6]]}`, 6, 0},
		{"the end", `for (i in 2:6) { x[i] ~ dnorm(x[i - 1], 1) }  x[1] ~ dnorm(0, 1)`, `{"x": [1, 2, 3, 4, null, null]}`, 2, 0},
		{"backward", `for (i in 1:5) { x[i] ~ dnorm(x[i + 1], 1) }  x[6] ~ dnorm(0, 1)`, `{"x": [1, 2, 3, 4, null, null]}`, 2, 0},
		{"two at once", `for (i in 1:6) { x[i] ~ dnorm(0, 1)  y[i] ~ dnorm(x[i], 1) }`,
			`{"x": [1, 2, 3, 4, null, null], "y": [null, 2, 3, 4, 5, 6]}`, 3, 0},
		{"in no pattern", `for (i in 1:3) { for (j in 1:3) { x[i, j] ~ dnorm(0, 1) } }`,
			`{"x": [[1, null, 3], [null, 2, 3], [1, 2, null]]}`, 2, 1},
		{"many runs", `for (i in 1:16) { x[i] ~ dnorm(0, 1) }`,
			`{"x": [1, null, 3, null, 1, null, 3, null, 1, null, 3, null, 1, null, 3, null]}`, 1, 1},
		{"a vector node", `for (i in 1:3) { x[i, 1:2] ~ dmnorm(m[], T[,]) }`,
			`{"x": [[1, 2], [null, null], [1, 4]], "m": [0, 0], "T": [[1, 0], [0, 1]]}`, 3, 0},
		{"a vector node in part", `for (i in 1:3) { x[i, 1:2] ~ dmnorm(m[], T[,]) }`,
			`{"x": [[1, 2], [3, null], [1, 4]], "m": [0, 0], "T": [[1, 0], [0, 1]]}`, 1, 1},
	} {
		m := bind(t, c.model, c.data)
		if m == nil {
			t.Fatal(c.name)
		}
		agreeing(t, c.name, m)
		staged(t, c.name, m)
		g, d := emit.Graph(m, ir.NewContext(dialects.All...))
		if d != nil {
			t.Fatal(d)
		}
		printed := show(g)
		if n := strings.Count(printed, "bugs.for"); n != c.loops {
			t.Errorf("%s: %d loops, want %d\n%s", c.name, n, c.loops, printed)
		}
		if n := strings.Count(printed, `"mask"`); n != c.masks {
			t.Errorf("%s: %d masks, want %d\n%s", c.name, n, c.masks, printed)
		}
		// Before, the statement has a mask, and the density is the same.
		g, d = stage.Sequential(m).Graph(ir.NewContext(dialects.All...))
		if d != nil {
			t.Fatal(d)
		}
		st := point(m)
		if got, want := ops(t, m, g, st), reference(t, m, st); !near(got, want) {
			t.Errorf("%s: with a mask %v, want %v", c.name, got, want)
		}
	}
}

// Data that are computed in part, of the paper: what is left runs for all elements.
func TestMixedTransformation(t *testing.T) {
	m := bind(t, `for (i in 1:5) { x[i] <- y[i] + 1 }
	  y[3] ~ dnorm(0, 1)  y[4] ~ dnorm(0, 1)
	  for (i in 1:5) { z[i] ~ dnorm(x[i], 1) }`, `{"y": [1, 2, null, null, 2], "z": [1, 2, 3, 4, 5]}`)
	x := m.Lookup("x")
	for k, want := range []model.Class{model.Known, model.Known, model.Logical, model.Logical, model.Known} {
		if x.ClassAt(k) != want {
			t.Errorf("%s is %v, want %v", x.ElemName(k), x.ClassAt(k), want)
		}
	}
	if got := strings.Join(order.Sequence(m), "\n"); !strings.Contains(got, "x[i] <- y[i] + 1") {
		t.Errorf("the statement is gone:\n%s", got)
	}
	agreeing(t, "mixed transformation", m)
	staged(t, "mixed transformation", m)
}
