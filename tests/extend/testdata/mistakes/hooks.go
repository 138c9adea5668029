package main

import (
	"errors"
	"fmt"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/ir/text"
)

// hooks are mistakes with which hooks panic.
var hooks = []mistake{
	{"inferpanic", func(x *extension) {
		x.op(func(d *ir.OpDef) { d.Infer = func(c *ir.Call) (ir.Type, error) { return c.ArgType(2), nil } })
	}},
	{"effectspanic", func(x *extension) {
		x.op(func(d *ir.OpDef) {
			d.Effects = func(c *ir.Call) []ir.Effect {
				return []ir.Effect{{Kind: ir.Read, On: c.Builder().ResourceOf(c.Args[7])}}
			}
		})
	}},
	{"evalpanic", func(x *extension) {
		x.op(func(d *ir.OpDef) { d.Eval = func(c *ir.Call, a []ir.Val) (ir.Val, error) { return a[5], nil } })
	}},
	{"evalref", func(x *extension) { // a number has no Ref
		x.op(func(d *ir.OpDef) {
			d.Eval = func(c *ir.Call, a []ir.Val) (ir.Val, error) { return a[0].Ref.(ir.Vector)[0], nil }
		})
	}},
	{"foldpanic", func(x *extension) {
		x.fold("panics", func(b *ir.Builder, c *ir.Call) ir.Value { return b.Graph().Args(c.Args[0])[7] })
	}},
	{"foldempty", func(x *extension) { x.fold("nothing", nil) }},
	{"foldill", func(x *extension) { // it makes an op that is wrong
		x.fold("x + 1.0", func(b *ir.Builder, c *ir.Call) ir.Value { return b.Op(arith.Addi, c.Args[0], arith.ConstF64(b, 1)) })
	}},
	{"foldothers", func(x *extension) { // a rule for an op of irc
		x.op(nil)
		x.Folds = []ir.Fold{{Of: arith.Subi, Rule: "x - x = 0", Do: func(b *ir.Builder, c *ir.Call) ir.Value { panic(fmt.Errorf("oh")) }}}
	}},
	{"cleanuppanic", func(x *extension) {
		d := x.op(nil)
		x.Cleanups = []ir.Cleanup{{Of: d, Rule: "the first user", Do: func(m *ir.Mirror, n ir.Node) ir.Value { return m.Of(n.Users()[3]) }}}
	}},
	{"rulepanic", func(x *extension) { x.rule(func(m *ir.Mirror, n ir.Node) ir.Value { panic("oh") }) }},
	{"rulebare", func(x *extension) { // it panics with a value of its own type
		x.rule(func(m *ir.Mirror, n ir.Node) ir.Value { panic(nobody{}) })
	}},
	{"ruleill", func(x *extension) {
		x.rule(func(m *ir.Mirror, n ir.Node) ir.Value {
			return m.Op(arith.Addi, m.Of(n.Arg(0)), arith.ConstF64(m.B, 1))
		})
	}},
	{"ruleuser", func(x *extension) { // it looks at what is not made yet
		x.rule(func(m *ir.Mirror, n ir.Node) ir.Value { return m.Of(n.Users()[0]) })
	}},
	{"lowernew", func(x *extension) { // what makes the rules panics
		d := x.op(nil)
		x.Tables[len(x.Tables)-1] = lower.Table{{Level: "scf", Of: []*ir.OpDef{d}, New: func(e *lower.Env) ir.Rules {
			if lower.Choice("fast", false, "Is fast.").In(e) { // the row does not list it
				return nil
			}
			return ir.Rules{d: toFirst}
		}}}
	}},
	{"funcpanic", func(x *extension) {
		x.run(func(m *interp.Machine, o *interp.Op, args, out []ir.Val) error { out[1] = args[0]; return nil })
	}},
	{"symbolpanic", func(x *extension) {
		d := x.op(nil)
		x.Tables = append(x.Tables, ir.SymbolUses{d: func(n ir.Node, find func(string) (ir.Node, bool)) error {
			_, ok := find(n.Graph().Ctx.AttrInfo(n.Attr("fn")).Str[1:])
			return fmt.Errorf("found: %v", ok)
		}})
	}},
	{"typepanic", func(x *extension) {
		x.Types = []ir.Defined{ir.DefineType(&ir.TypeDef[sized]{Name: "typepanic.t", Doc: "A type.",
			Params: []ir.Param[sized]{ir.IntParam("n", func(t *sized) *int64 { return &t.N })},
			Verify: func(_ *ir.Context, t sized) error { return []error{errors.New("too small")}[t.N] }})}
	}},
	{"parsepanic", func(x *extension) {
		x.opWith(text.Form{Parse: func(p *text.Parser, o *text.Op) { panic("not done yet") }, Print: func(p *text.Printer, v ir.Value) {}}, nil)
	}},
	{"owncallee", func(x *extension) { // none: the attribute is the op's own, which hands the function what it likes
		x.opIn("$callee $x `,` $y attr-dict `:` type($x)", func(d *ir.OpDef) { d.Attrs = []string{"callee"} })
	}},
	{"harmlesspanic", func(x *extension) {
		x.op(func(d *ir.OpDef) {
			d.Traits = ir.Partial
			d.Harmless = func(c *ir.Call, i int) bool { return [...]bool{true}[i] }
		})
	}},
}

type nobody struct{}

// fold adds an op with a rule.
func (x *extension) fold(rule string, do func(*ir.Builder, *ir.Call) ir.Value) *ir.OpDef {
	d := x.op(func(d *ir.OpDef) { d.Eval = nil })
	x.Folds = []ir.Fold{{Of: d, Rule: rule, Do: do}}
	return d
}

// rule adds an op that a rule lowers.
func (x *extension) rule(rule func(*ir.Mirror, ir.Node) ir.Value) { x.lowered(x.op(nil), rule) }

// lowered gives the op that was added last its rule.
func (x *extension) lowered(d *ir.OpDef, rule func(*ir.Mirror, ir.Node) ir.Value) {
	x.Tables[len(x.Tables)-1] = lower.Table{{Level: "scf", Rules: ir.Rules{d: rule}}}
}

// run adds an op that the interpreter runs by a function.
func (x *extension) run(f interp.Func) *ir.OpDef {
	d := x.op(func(d *ir.OpDef) { d.Eval = nil })
	x.Tables = append(x.Tables, interp.Table{d: f})
	return d
}
