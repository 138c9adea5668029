package bugs_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/emit"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/run"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering/density"
)

// bind analyzes a model; nil if it is refused.
func bind(t testing.TB, program, data string) *model.Model {
	t.Helper()
	prog, list := syntax.Parse(diag.NewSource("m.bug", "model {\n"+program+"\n}"), syntax.Options{})
	if list.Err() != nil {
		t.Fatal(list)
	}
	d, list := input.ParseData(diag.NewSource("d.json", data), input.JSON)
	if list.Err() != nil {
		t.Fatal(list)
	}
	m, list := bugs.Analyze(prog, d, bugs.Options{})
	if list.Err() != nil {
		return nil
	}
	return m
}

// point gives every parameter a value: a draw, or any where none has an order.
func point(m *model.Model) eval.State {
	if st, err := eval.Simulate(m, 3); err == nil {
		return st
	}
	st := eval.NewState(m)
	for i, v := range m.Vars {
		for k := range st[i] {
			if v.ClassAt(k) == model.Parameter {
				st[i][k] = math.Sin(float64(3*i+k)) + 1.5
			}
		}
	}
	return st
}

func reference(t testing.TB, m *model.Model, st eval.State) float64 {
	t.Helper()
	c := make(eval.State, len(st))
	for i := range st {
		c[i] = append([]float64(nil), st[i]...)
	}
	sum := 0.0
	if err := eval.Visit(m, c, func(f eval.Factor) { sum += f.Logp }); err != nil {
		t.Fatal(err)
	}
	return sum
}

// ops runs a bugs.model in the interpreter.
func ops(t testing.TB, m *model.Model, g *ir.Graph, st eval.State) float64 {
	t.Helper()
	im, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	s := &run.Session{
		Values: func(name string) []float64 {
			if v := m.Lookup(name); v != nil {
				return st[v.ID]
			}
			v := emit.MaskOf(m, name)
			out := make([]float64, v.Len())
			for k := range out {
				if v.ClassAt(k) == model.Observed {
					out[k] = 1
				}
			}
			return out
		},
		Factor: func(_ string, _ int, _ bool, logp float64) { sum += logp },
	}
	if err := s.Attach(im); err != nil {
		t.Fatal(err)
	}
	if _, err := im.Call(density.Symbol, nil); err != nil {
		t.Fatal(err)
	}
	return sum
}

func near(x, y float64) bool { return x == y || math.Abs(x-y) <= 1e-9*(1+math.Abs(x)) }

// agreeing checks that a model means the same as a program that is walked in Go, as
// ops, and lowered, and that its ops are read as they are printed.
func agreeing(t *testing.T, name string, m *model.Model) {
	t.Helper()
	st := point(m)
	want := reference(t, m, st)
	ctx := ir.NewContext(dialects.All...)
	g, d := emit.Graph(m, ctx)
	if d != nil {
		t.Fatalf("%s: %v", name, d)
	}
	if got := ops(t, m, g, st); !near(got, want) {
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
	if err != nil || !near(r.Logp, want) {
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
		if m := bind(t, program, data); m != nil {
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
	for _, c := range bugs.Orders {
		data := c.Data
		if data == "" {
			data = "{}"
		}
		m := bind(t, c.Model, data)
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
