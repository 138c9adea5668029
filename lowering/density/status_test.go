package density

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
)

// The function returns a value that is never NaN, and names the sum with an invalid
// parameter, the first if there are several.
func TestStatus(t *testing.T) {
	p := compile(t, parse(t, diag.NewSource("m.bug", `model {
	  for (i in 1:2) { y[i] ~ dnorm(mu, tau) }  mu ~ dnorm(0, s)  tau ~ dflat()  s ~ dflat()  x ~ dbeta(a, b)  z ~ dunif(2, 3)  a ~ dflat()  b ~ dflat() }`)),
		parseData(t, diag.NewSource("d.json", `{"y": [1, 2]}`)))
	for _, c := range []struct {
		tau, s, x, a float64
		status       int
		node, says   string
	}{
		{1, 1, 0.5, 1, ops.StatusOK, "", ""},
		{-1, 1, 0.5, 1, ops.StatusInvalid, "y", "node y[1]: the precision must be positive"},
		{1, -1, 0.5, 1, ops.StatusInvalid, "mu", "node mu: the precision must be positive"},
		{math.NaN(), 1, 0.5, 1, ops.StatusInvalid, "y", "node y[1]: parameter 2 is not a number"},
		{-1, -1, 0.5, 1, ops.StatusInvalid, "mu", "node mu: the precision must be positive"},
		{1, 1, 2, 1, ops.StatusOK, "", ""},
		{1, 1, 0, 0.5, ops.StatusOK, "", ""}, // an infinite density
		{1e308, 1e-300, 0, 0.5, ops.StatusOK, "", ""},
	} {
		st := eval.NewState(p.Model)
		for name, x := range map[string]float64{"tau": c.tau, "s": c.s, "x": c.x, "a": c.a, "mu": 0, "b": 1, "z": 2 + c.x} {
			st[p.Model.Lookup(name).ID][0] = x
		}
		r, err := p.LogDensity(st)
		vals, _, callErr := p.first.bound.Call(t.Context(), Symbol)
		if callErr != nil {
			t.Fatal(callErr)
		}
		out := outcomeOf(vals)
		if out.status != c.status || math.IsNaN(out.value) {
			t.Errorf("%v: %v", c, out)
		}
		if c.node == "" && out.node != -1 || c.node != "" && (p.slots[out.node].name != c.node || !math.IsInf(out.value, -1)) {
			t.Errorf("%v: node %d of %v", c, out.node, p.slots)
		}
		sums := p.first.frames[0].data[p.sums]
		for _, x := range sums {
			if math.IsNaN(x) {
				t.Errorf("%v: a sum is NaN: %v", c, sums)
			}
		}
		if c.says == "" && (err != nil || math.IsNaN(r.Logp) || math.IsNaN(r.Observed)) || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%v: %v, %v", c, r, err)
		}
	}
}

// always claims an invalid parameter.
type always struct{ run.Program }

func (always) Batch(_ context.Context, calls []run.Call) ([]run.Result, error) {
	return slices.Repeat([]run.Result{{Values: []ir.Val{ir.F64Val(math.Inf(-1)), ir.IntVal(ops.StatusInvalid, 32), ir.IntVal(0, 32)}}}, len(calls)), nil
}

// claim makes a program one that always claims so.
func claim(t *testing.T, p *Program) {
	t.Helper()
	p.opts.Prepare = func(g *ir.Graph) (run.Program, error) {
		q, err := run.Interpret(g, interp.Options{})
		return always{q}, err
	}
	if err := p.load(); err != nil {
		t.Fatal(err)
	}
}

// Where only the compiled function finds a parameter invalid, the reference decides.
func TestEdgeOfMeaning(t *testing.T) {
	p := compile(t, parse(t, diag.NewSource("m.bug", "model { y ~ dnorm(0, 1) z <- y + 1 }")), parseData(t, diag.NewSource("d.json", `{"y": 1}`)))
	claim(t, p)
	if r, err := p.LogDensity(eval.NewState(p.Model)); err != nil || math.Abs(r.Logp+1.4189385332046727) > 1e-12 || r.Observed != r.Logp || len(r.Nodes) != 1 || r.Nodes[0].Logp != r.Logp {
		t.Error(r, err)
	}
	p = compile(t, parse(t, diag.NewSource("m.bug", "model { x ~ dbeta(0.5, 2) z ~ dunif(0, 1) }")), input.NewData())
	claim(t, p)
	if r, err := p.LogDensity(eval.State{{0}, {2}}); err != nil || !math.IsInf(r.Logp, -1) {
		t.Error("infinities of both signs are -Inf", r, err)
	}
}

// What is read at an index that is none does not reach a density through a comparison,
// which takes NaN for false.
func TestIndexInComparison(t *testing.T) {
	p := compile(t, parse(t, diag.NewSource("m.bug", "model { for (i in 1:3) { y[i] ~ dnorm(m[i], 1)  m[i] <- ifelse(tab[k[i]] > 1, 2, 3)  k[i] ~ dnorm(0, 1) } }")),
		parseData(t, diag.NewSource("d.json", `{"y": [1, 2, 3], "tab": [1, 2]}`)))
	st := eval.NewState(p.Model)
	k := st[p.Model.Lookup("k").ID]
	for _, c := range []struct {
		last float64
		says string
	}{{2, ""}, {2.5, "which is not an integer"}, {3, "out of range"}} {
		copy(k, []float64{1, 2, c.last})
		_, err := p.LogDensity(st)
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%v: %v", c, err)
		}
	}
}
