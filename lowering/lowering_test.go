package lowering_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/ir/lower/plan"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

// Three levels of a small language: high.op becomes two mid.ops, and those
// become low.ops; high.stuck has a rule that makes it again.

func number(*ir.Call) (ir.Type, error) { return ir.I64, nil }

var (
	highOp = ir.Define(&ir.OpDef{Name: "high.op", Args: []string{"x"}, Infer: number})
	stuck  = ir.Define(&ir.OpDef{Name: "high.stuck", Args: []string{"x"}, Infer: number})
	midOp  = ir.Define(&ir.OpDef{Name: "mid.op", Args: []string{"x", "y"}, Infer: number})
	lowOp  = ir.Define(&ir.OpDef{Name: "low.op", Args: []string{"x", "y"}, Infer: number})
	use    = ir.Define(&ir.OpDef{Name: "scf.use", Args: []string{"x"}, Infer: func(*ir.Call) (ir.Type, error) { return ir.Void, nil },
		Effects: func(*ir.Call) []ir.Effect { return []ir.Effect{{Kind: ir.Write, On: ir.IO}} }})

	high = &ir.Dialect{Name: "high", Ops: []*ir.OpDef{highOp, stuck}, Tables: []any{lower.Table{{Level: "loop", Rules: ir.Rules{
		highOp: func(m *ir.Mirror, n ir.Node) ir.Value {
			x := m.Of(n.Arg(0))
			return m.Op(midOp, m.Op(midOp, x, x), x)
		},
		stuck: func(m *ir.Mirror, n ir.Node) ir.Value { return m.Op(stuck, m.Of(n.Arg(0))) },
	}}}}}
	mid = &ir.Dialect{Name: "mid", Ops: []*ir.OpDef{midOp}, Tables: []any{lower.Table{{Level: "scf", Rules: ir.Rules{
		midOp: func(m *ir.Mirror, n ir.Node) ir.Value { return m.Op(lowOp, m.Of(n.Arg(1)), m.Of(n.Arg(0))) },
	}}, {Level: "own"}}}}
	low = &ir.Dialect{Name: "low", Ops: []*ir.OpDef{lowOp}}
	scf = &ir.Dialect{Name: "scf", Ops: []*ir.OpDef{use}}
)

func program(op *ir.OpDef) *ir.Graph {
	b := ir.NewBuilder(ir.NewContext(high, mid, low, scf))
	b.Op(use, b.Op(op, b.Param(ir.I64)))
	return b.Finish()
}

func ops(g *ir.Graph) string {
	var out []string
	for v := range ir.NewSchedule(g, ir.ScheduleOptions{}).All() {
		out = append(out, g.Def(v).Name)
	}
	return strings.Join(out, " ")
}

// to runs the pass lower with options.
func to(options string, g *ir.Graph) (*ir.Graph, error) {
	p, err := pass.Parse("lower{to="+options+"}", lowering.Passes())
	if err == nil {
		err = p.Check(g.Ctx.Dialects())
	}
	if err != nil {
		return nil, err
	}
	return (&pass.Manager{VerifyEach: true}).Run(context.Background(), g, p)
}

func TestLevels(t *testing.T) {
	ctx := ir.NewContext(high, mid, low, scf)
	if got := strings.Join(plan.Levels(ctx), " "); got != "loop own scf" {
		t.Errorf("levels: %s", got)
	}
	for name, want := range map[string]int{"loop": 1, "scf": 2, "llvm": 5, "own": 1} {
		if r, err := lowering.To(ctx, lowering.Routes, name); err != nil || len(r.Levels) != want {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
	if _, err := lowering.To(ctx, lowering.Routes, "lop"); err == nil || !strings.Contains(err.Error(), `did you mean "loop"`) {
		t.Errorf("got %v", err)
	}
	if _, err := lowering.To(ctx, lowering.Routes, "elsewhere"); err == nil || !strings.Contains(err.Error(), "there are affine, llvm, loop") {
		t.Errorf("got %v", err)
	}
}

func TestRoutes(t *testing.T) {
	g, err := to("loop", program(highOp))
	if err != nil || ops(g) != "mid.op mid.op scf.use" {
		t.Errorf("loop: %v, %v", ops(g), err)
	}
	// The way to scf goes through loop; low.op is no dialect that it may end in.
	_, err = to("scf", program(highOp))
	var left *ir.OpError
	if !errors.As(err, &left) || left.Op != "low.op" || !strings.Contains(err.Error(), "left over by the route to scf") {
		t.Errorf("scf: %v", err)
	}
	if _, err = to("loop", program(stuck)); !errors.As(err, &left) || left.Op != "high.stuck" {
		t.Errorf("stuck: %v", err)
	}
}

// Each route is complete, and what is legal after the last one is legal for the
// levels that it goes through.
func TestRouteTable(t *testing.T) {
	for _, r := range lowering.Routes {
		if r.Name == "" || r.Doc == "" || len(r.Levels) == 0 {
			t.Errorf("route %+v is not complete", r)
		}
	}
	if err := lowering.Passes().Validate(); err != nil {
		t.Error(err)
	}
	if _, err := pass.Parse("lower", lowering.Passes()); err == nil || !strings.Contains(err.Error(), "usage: lower{to=STRING}") {
		t.Errorf("got %v", err)
	}
}

// The lowering pipeline to any target is a pipeline that there is, however large its tables could be.
func TestPipeline(t *testing.T) {
	machines := []*target.Target{target.Host(), target.Interp()}
	for _, text := range []string{`{"cache_bytes": [1048576]}`, `{"cache_bytes": [1048576], "library": ""}`, `{"cache_bytes": []}`, `{"cache_bytes": [4]}`,
		`{"cache_bytes": [], "costs": {"min_table": 100000}}`, `{"kind": "gpu"}`, `{"kind": "interpreter"}`} {
		m, err := target.Read("machine.json", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		machines = append(machines, m)
	}
	for _, m := range machines {
		line := lowering.Pipeline(m, 3)
		p, err := pass.Parse(line, lowering.AllPasses())
		if err != nil {
			t.Errorf("%s: %v", m, err)
			continue
		}
		if err := p.Check(dialects.All); err != nil {
			t.Errorf("%s: %v", m, err)
		}
	}
}
