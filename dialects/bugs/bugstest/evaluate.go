package bugstest

import (
	"math"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/emit"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/run"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// Point gives every parameter a value: a draw, or any where none has an order.
func Point(m *model.Model) eval.State {
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

// Reference is the log density at a point, from a walk in Go.
func Reference(t testing.TB, m *model.Model, st eval.State) float64 {
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

// Ops runs a bugs.model in the interpreter.
func Ops(t testing.TB, m *model.Model, g *ir.Graph, st eval.State) float64 {
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
	if _, err := im.Call("logdensity", nil); err != nil {
		t.Fatal(err)
	}
	return sum
}

// Near compares two sums that are taken in different orders.
func Near(x, y float64) bool { return x == y || math.Abs(x-y) <= 1e-9*(1+math.Abs(x)) }
