package density

import (
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/lower"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/run"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/target"
)

// runOps runs the ops of bugs.model itself.
func runOps(t *testing.T, g *ir.Graph, s *run.Session) error { return runModel(t, g, Symbol, s) }

func runModel(t *testing.T, g *ir.Graph, name string, s *run.Session) error {
	t.Helper()
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Attach(m); err != nil {
		t.Fatal(err)
	}
	_, err = m.Call(name, nil)
	return err
}

// values gives a session the elements of a state.
func values(p *Program, st eval.State) func(string) []float64 {
	return func(name string) []float64 {
		a, err := p.argument(name)
		if err != nil {
			return nil
		}
		data := a.Data
		if a.contents != nil {
			data = a.contents()
		}
		if v := p.Model.Lookup(name); v != nil {
			copy(data, st[v.ID])
		}
		return data
	}
}

// The meaning of the ops is that of the program and of the lowered function; what
// they draw are values of the model.
func TestOpsRun(t *testing.T) {
	for name, p := range programs(t) {
		drawn := &run.Session{Values: values(p, eval.NewState(p.Model)), Random: draw.NewRandom(1)}
		if err := runOps(t, p.Source, drawn); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		st := eval.NewState(p.Model)
		for i, v := range p.Model.Vars {
			if x := drawn.Result(v.Name); x != nil {
				st[i] = x
			}
		}
		simulated, err := eval.Simulate(p.Model, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range p.Model.Vars {
			for k := range v.Len() {
				if v.ClassAt(k) == model.Parameter && st[i][k] != simulated[i][k] {
					t.Errorf("%s: the ops draw %s = %v, and Simulate %v", name, v.ElemName(k), st[i][k], simulated[i][k])
				}
			}
		}
		sum, observed := 0.0, 0.0
		s := &run.Session{Values: values(p, st), Factor: func(_ string, _ int, obs bool, logp float64) {
			sum += logp
			if obs {
				observed += logp
			}
		}}
		if err := runOps(t, p.Source, s); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		r, err := p.LogDensity(st)
		if err != nil || !close10(r.Logp, sum) || !close10(r.Observed, observed) {
			t.Errorf("%s: %v %v, want %v and %v", name, r, err, sum, observed)
		}
		agree(t, p, st, name)
	}
}

// Rebuilding a model at its own level, where reads may leave loops, changes
// nothing of what it means.
func TestRebuiltModels(t *testing.T) {
	for name, p := range programs(t) {
		st, err := eval.Simulate(p.Model, 3)
		if err != nil {
			t.Fatal(err)
		}
		want, err := p.LogDensity(st)
		if err != nil {
			t.Fatal(err)
		}
		again := ir.Rewrite(p.Source.Ctx, ir.NewSchedule(p.Source, ir.ScheduleOptions{}), nil, nil)
		if err := ir.Verify(again); err != nil {
			t.Error(err)
		}
		low := ir.Rewrite(again.Ctx, ir.NewSchedule(again, ir.ScheduleOptions{}), lower.Lower(target.Host()), nil)
		checkLowered(t, name, p, low, st, want)
	}
}

// checkLowered compares the density of a lowered model with what a program gives.
func checkLowered(t *testing.T, name string, p *Program, low *ir.Graph, st eval.State, want *Result) {
	t.Helper()
	q := &Program{Model: p.Model, Lowered: low, opts: p.opts}
	if err := q.signature(); err != nil {
		t.Fatal(err)
	}
	if err := q.load(); err != nil {
		t.Fatal(err)
	}
	got, err := q.LogDensity(st)
	if err != nil || !close10(got.Logp, want.Logp) || !close10(got.Observed, want.Observed) {
		t.Errorf("%s: %v %v, want %v", name, got, err, want)
	}
}
