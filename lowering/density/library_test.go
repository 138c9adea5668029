package density

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/emit"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	bugsrun "github.com/irc-lang/irc/dialects/bugs/run"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering"
)

// called runs a function of a lowered program in the interpreter, and gives what its arguments hold then, by name.
func called(t *testing.T, p *Program, name string, enter func(name string, data []float64)) map[string][]float64 {
	t.Helper()
	ctx := context.Background()
	q := &Program{Model: p.Model, Space: p.Space, Lowered: p.Lowered, inverse: name == ops.UnconstrainName}
	if err := q.signatureOf(name); err != nil {
		t.Fatal(err)
	}
	code, err := run.Interpret(q.Lowered, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	bound, err := run.Bind(ctx, code)
	if err != nil {
		t.Fatal(err)
	}
	defer bound.Close(ctx)
	out := map[string][]float64{}
	for i := range q.args {
		a := &q.args[i]
		data := append([]float64(nil), a.Contents()...)
		if !a.Fixed {
			enter(a.Name, data)
		}
		v, err := a.Value(data)
		if err == nil {
			err = bound.Add(ctx, v)
		}
		if err != nil {
			t.Fatal(err)
		}
		if out[a.Name] = data; !a.Scalar {
			out[a.Name] = v.Ref.(*interp.MemRef).Buf.Floats()
		}
	}
	for _, f := range []string{q.setup, name} {
		if f == "" {
			continue
		}
		if _, _, err := bound.Call(ctx, f); err != nil {
			t.Fatalf("@%s: %v", f, err)
		}
	}
	return out
}

// The vector of the nodes of a vector is that vector, as ops say it and as they are lowered, with each transform.
func TestUnconstrain(t *testing.T) {
	rng, seen := rand.New(rand.NewPCG(21, 22)), 0
	for _, c := range transformed {
		p := uncompiled(t, c.name, parse(t, diag.NewSource("m.bug", "model {"+c.model+"}")), parseData(t, diag.NewSource("d.json", c.data)))
		g, d := emit.SpaceGraph(p.Space, newContext(), false, nil, nil)
		if d != nil {
			t.Fatal(c.name, d)
		}
		var err error
		if p.Lowered, err = lowering.Compile(context.Background(), g, target.Interp()); err != nil {
			t.Fatal(c.name, err)
		}
		for range 3 {
			st := eval.NewState(p.Model)
			for _, name := range []string{"k", "n"} {
				if v := p.Model.Lookup(name); v != nil {
					st[v.ID][0] = 2
				}
			}
			vec := randomVector(rng, p)
			if _, err := p.Space.Visit(vec, st, func(eval.Factor) {}); err != nil {
				continue // limits that cross there
			}
			seen++
			backAgain(t, c.name, p, g, st, vec)
		}
		p.Close()
	}
	if seen < 3*len(transformed)-3 {
		t.Errorf("%d points of %d models", seen, len(transformed))
	}
}

func backAgain(t *testing.T, name string, p *Program, g *ir.Graph, st eval.State, vec []float64) {
	t.Helper()
	s := &bugsrun.Session{Values: func(name string) []float64 {
		if name == ops.VectorName {
			return make([]float64, len(vec))
		}
		return values(p, st)(name)
	}}
	if err := runModel(t, g, ops.UnconstrainName, s); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	lowered := called(t, p, ops.UnconstrainName, func(name string, data []float64) {
		if v := p.Model.Lookup(name); v != nil {
			copy(data, st[v.ID])
		}
	})
	reference, err := p.Space.Vector(st)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for i, want := range vec {
		for _, got := range []float64{reference[i], s.Result(ops.VectorName)[i], lowered[ops.VectorName][i]} {
			if math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
				t.Errorf("%s: coordinate %s is %v, and comes back as %v (reference %v)", name, p.Space.At(i).Name(), want, got, reference[i])
			}
		}
	}
}

// What is not a simplex, or not a definite matrix, has no place: NaN, by ops and lowered.
func TestNoPlace(t *testing.T) {
	for _, c := range []struct{ model, data, node, bad string }{
		{"x[1:3] ~ ddirch(a[]) y ~ dnorm(x[1], 1)", `{"a": [1, 2, 3], "y": 0}`, "x", "0.5 0.6 0.2"},
		{"x[1:3] ~ ddirch(a[]) y ~ dnorm(x[1], 1)", `{"a": [1, 2, 3], "y": 0}`, "x", "1.5 -0.7 0.2"},
		{"x[1:2, 1:2] ~ dwish(R[,], 3) y ~ dnorm(x[1, 1], 1)", `{"R": [[1, 0], [0, 1]], "y": 0}`, "x", "1 2 2 1"},
		{"x[1:2, 1:2] ~ dwish(R[,], 3) y ~ dnorm(x[1, 1], 1)", `{"R": [[1, 0], [0, 1]], "y": 0}`, "x", "1 0.5 0.4 1"},
	} {
		p := uncompiled(t, c.model, parse(t, diag.NewSource("m.bug", "model {"+c.model+"}")), parseData(t, diag.NewSource("d.json", c.data)))
		g, d := emit.SpaceGraph(p.Space, newContext(), false, nil, nil)
		if d != nil {
			t.Fatal(d)
		}
		var err error
		if p.Lowered, err = lowering.Compile(context.Background(), g, target.Interp()); err != nil {
			t.Fatal(err)
		}
		st := eval.NewState(p.Model)
		for k, x := range strings.Fields(c.bad) {
			st[p.Model.Lookup(c.node).ID][k] = parseFloat(t, x)
		}
		s := &bugsrun.Session{Values: values(p, st)}
		if err := runModel(t, g, ops.UnconstrainName, s); err != nil {
			t.Fatal(err)
		}
		lowered := called(t, p, ops.UnconstrainName, func(name string, data []float64) {
			if v := p.Model.Lookup(name); v != nil {
				copy(data, st[v.ID])
			}
		})
		for _, vec := range [][]float64{s.Result(ops.VectorName), lowered[ops.VectorName]} {
			some := false
			for _, u := range vec {
				some = some || math.IsNaN(u) || math.IsInf(u, 0)
			}
			if !some {
				t.Errorf("%s: %s has the place %v", c.model, c.bad, vec)
			}
		}
	}
}

func parseFloat(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
