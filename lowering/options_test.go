package lowering_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

var (
	by      = lower.Choice("by", 0, "how many ops; 0 asks the target")
	decline = lower.Choice("decline", false, "leaves all to others")
)

// times is a lowering that unrolls high.op by an option, told by the target if it is 0.
var times = &ir.Dialect{Name: "times", Tables: []any{lower.Table{{
	Level: "loop", Of: []*ir.OpDef{highOp}, Before: []string{"high"},
	Options: []lower.Option{by.Option, decline.Option},
	New: func(e *lower.Env) ir.Rules {
		return ir.Rules{highOp: func(m *ir.Mirror, n ir.Node) ir.Value {
			by, x := by.In(e), m.Of(n.Arg(0))
			if decline.In(e) {
				return 0
			}
			if by == 0 {
				by = e.Target.Lanes(8)
			}
			for range by {
				x = m.Op(midOp, x, m.Of(n.Arg(0)))
			}
			return x
		}}
	},
}}}}

// Rules ask for options and the target; the first of two that gives a result wins.
func TestOptions(t *testing.T) {
	graph := func() *ir.Graph {
		b := ir.NewBuilder(ir.NewContext(high, mid, low, scf, times))
		b.Op(use, b.Op(highOp, b.Param(ir.I64)))
		return b.Finish()
	}
	for options, want := range map[string]string{
		"loop by=1":            "mid.op scf.use",
		"loop by=3":            "mid.op mid.op mid.op scf.use",
		"loop":                 strings.Repeat("mid.op ", target.Host().Lanes(8)) + "scf.use",
		"loop by=1 decline":    "mid.op mid.op scf.use", // the rule of dialect high
		"loop by=3,by=1":       "mid.op scf.use",
		"loop decline by='-1'": "mid.op mid.op scf.use",
	} {
		g, err := to(options, graph())
		if err != nil || ops(g) != want {
			t.Errorf("%s: %v, want %s; %v", options, g, want, err)
		}
	}
	for options, want := range map[string]string{
		"loop bye=1":     `no lowering to loop has an option "bye"; did you mean "by"?`,
		"loop colour=1":  `no lowering to loop has an option "colour"; there are by, decline`,
		"loop by=many":   `option "by" wants a whole number, not "many"`,
		"own by=1":       `no lowering to own has an option "by": they have none`,
		"loop decline=x": `option "decline" wants true or false, not "x"`,
	} {
		if _, err := to(options, graph()); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "^") {
			t.Errorf("%s: %v, want %s with a caret", options, err, want)
		}
	}
	text := `lower{to=loop by=3 decline="a b"}`
	if p, err := pass.Parse(text, lowering.Passes()); err != nil || p.String() != text {
		t.Errorf("%s is written %s: %v", text, p, err)
	}
}

// Two dialects with rules for one op at one level are refused before anything runs.
func TestConflict(t *testing.T) {
	rival := &ir.Dialect{Name: "rival", Tables: []any{lower.Table{{Level: "loop", Rules: ir.Rules{highOp: func(*ir.Mirror, ir.Node) ir.Value { return 0 }}}}}}
	b := ir.NewBuilder(ir.NewContext(high, mid, low, scf, rival))
	b.Op(use, b.Op(highOp, b.Param(ir.I64)))
	_, err := to("loop", b.Finish())
	if err == nil || !strings.Contains(err.Error(), "high.op has two rules to loop, of dialect high and of dialect rival") || !strings.Contains(err.Error(), "^") {
		t.Errorf("got %v", err)
	}
}
