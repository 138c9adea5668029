package ir_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
)

var (
	needsNum = ir.Define(&ir.OpDef{Name: "needs.num", Attrs: []string{"value"}, Traits: ir.ConstantLike, Infer: func(*ir.Call) (ir.Type, error) { return ir.I64, nil }})
	needsUse = ir.Define(&ir.OpDef{Name: "needs.use", Infer: func(*ir.Call) (ir.Type, error) { return ir.I64, nil }})
)

// A rule is asked if what it needs is among the operands, and not otherwise.
func TestNeeds(t *testing.T) {
	for _, c := range []struct {
		needs ir.Operands
		args  string // c: the constant, x, y: parameters, u: an op
		asked bool
	}{
		{0, "", true}, {0, "xy", true},
		{ir.Constant, "", false}, {ir.Constant, "xy", false}, {ir.Constant, "cx", true}, {ir.Constant, "xyc", true},
		{ir.Same, "xy", false}, {ir.Same, "xx", true}, {ir.Same, "xyx", true}, {ir.Same, "yxx", true}, {ir.Same, "x", false}, {ir.Same, "xyuu", true},
		{ir.MadeBy(needsUse), "xy", false}, {ir.MadeBy(needsUse), "xu", true}, {ir.MadeBy(needsNum), "xu", false}, {ir.MadeBy(needsNum), "c", true},
		{ir.Constant | ir.MadeBy(needsUse), "xu", false}, {ir.Constant | ir.MadeBy(needsUse), "cu", true}, {ir.Constant | ir.Same, "cc", true},
	} {
		asked := 0
		make := func(all bool) {
			d := &ir.Dialect{Name: "needs", Ops: []*ir.OpDef{needsNum, needsUse}, Folds: []ir.Fold{{Of: needsUse, Needs: c.needs, Rule: "counted",
				Do: func(b *ir.Builder, c *ir.Call) ir.Value {
					if asked++; all && c.Get("value") != 0 {
						return b.OpAttr(needsNum, c.Attr)
					}
					return 0
				}}}}
			ctx := ir.NewContext(d)
			b := ir.NewBuilder(ctx)
			ctx.AskAll = all
			x, y := b.Param(ir.I64), b.Param(ir.I64)
			value := func(n int64) ir.Attr {
				return ctx.Props([]ir.NamedAttr{{Name: "value", Value: ctx.IntAttr(n, ir.I64)}}, nil)
			}
			values := map[rune]ir.Value{'c': b.OpAttr(needsNum, value(1)), 'x': x, 'y': y, 'u': b.OpAttr(needsUse, 0)}
			var args []ir.Value
			for _, a := range c.args {
				args = append(args, values[a])
			}
			asked = 0
			b.OpAttr(needsUse, value(2), args...)
		}
		if make(false); asked > 0 != c.asked {
			t.Errorf("needs %b of %q: asked is %v", c.needs, c.args, asked > 0)
		}
		func() { // a rule that applies where it says that it does not is found
			defer func() {
				if r, _ := recover().(string); strings.Contains(r, "what it needs") == c.asked {
					t.Errorf("needs %b of %q: %s", c.needs, c.args, r)
				}
			}()
			make(true)
		}()
	}
}

// A pattern on i(w + 1) and i(w) is of no i1: there are no integers of 0 bits.
func TestPatternWidths(t *testing.T) {
	op := ir.Define(&ir.OpDef{Name: "widths.op", Infer: func(c *ir.Call) (ir.Type, error) { return c.ArgType(1), nil }})
	second := &ir.Term{Var: 2, Width: [2]int{1, 0}}
	d := &ir.Dialect{Name: "widths", Ops: []*ir.OpDef{op}, Folds: []ir.Fold{{Of: op, Rule: "the second",
		Is: &ir.Pattern{From: &ir.Term{Args: []*ir.Term{{Var: 1, Width: [2]int{1, 1}}, second}}, To: second}}}}
	for _, c := range []struct {
		first, second int
		folds         bool
	}{{9, 8, true}, {2, 1, true}, {8, 8, false}, {1, 8, false}, {1, 1, false}} {
		ctx := ir.NewContext(d)
		b := ir.NewBuilder(ctx)
		x, y := b.Param(ctx.Int(c.first)), b.Param(ctx.Int(c.second))
		if got := b.Op(op, x, y) == y; got != c.folds {
			t.Errorf("i%d, i%d: folds is %v", c.first, c.second, got)
		}
	}
}
