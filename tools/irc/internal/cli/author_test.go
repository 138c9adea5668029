package cli

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
)

// A wrong definition of an op is told as its author's mistake, wherever the op is made: in
// text, by a fold, by a rule of a pass in one function of several.
func TestWrongDefinitions(t *testing.T) {
	stop := ir.Define(&ir.OpDef{Name: "wrong.stop", Traits: ir.Terminator, Infer: func(*ir.Call) (ir.Type, error) { return ir.NoType, nil }})
	gives := func(*ir.Call) (ir.Type, error) { return ir.I64, nil }
	folds := ir.Define(&ir.OpDef{Name: "wrong.folds", Infer: gives})
	lowers := ir.Define(&ir.OpDef{Name: "wrong.lowers", Infer: gives})
	d := &ir.Dialect{Name: "wrong", Ops: []*ir.OpDef{stop, folds, lowers},
		Folds:  []ir.Fold{{Of: folds, Rule: "never right", Do: func(b *ir.Builder, _ *ir.Call) ir.Value { return b.Op(stop) }}},
		Tables: []any{lower.Table{{Level: "nowhere", Rules: ir.Rules{lowers: func(m *ir.Mirror, _ ir.Node) ir.Value { return m.Op(stop) }}}}}}
	function := func(name, op string) string {
		return "func.func @" + name + "() -> i64 {\n  %x = \"wrong." + op + "\"() : () -> i64\n  return %x : i64\n}\n"
	}
	for what, c := range map[string]struct{ text, passes string }{
		"text":        {"func.func @f() {\n  \"wrong.stop\"() : () -> ()\n}\n", ""},
		"a fold":      {function("f", "folds"), ""},
		"folds":       {function("f", "folds") + function("g", "folds"), ""},
		"a rule":      {function("f", "lowers"), "lower{to=nowhere}"},
		"rules":       {function("f", "lowers") + function("g", "lowers"), "lower{to=nowhere}"},
		"after a run": {function("f", "lowers") + function("g", "lowers"), "func.func(lower{to=nowhere})"},
	} {
		var out, errs strings.Builder
		p := Everything()
		p.Dialects = append(p.Dialects, d)
		code := p.Main([]string{"-passes=" + c.passes, "-"}, strings.NewReader(c.text), &out, &errs)
		if code != exitInput || !strings.Contains(errs.String(), "'wrong.stop' op is defined wrongly: its Infer gives no type") || strings.Contains(errs.String(), "bug") {
			t.Errorf("by %s: status %d\n%s", what, code, &errs)
		}
	}
}
