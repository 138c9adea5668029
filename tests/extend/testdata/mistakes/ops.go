package main

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// ops are mistakes in the definitions of ops.
var ops = []mistake{
	{"right", func(x *extension) { x.op(nil) }}, // none: the others differ from it in one thing
	{"noprefix", func(x *extension) { x.op(func(d *ir.OpDef) { d.Name = "worse.op" }) }},
	{"nodot", func(x *extension) { x.op(func(d *ir.OpDef) { d.Name = "op" }) }},
	{"nameless", func(x *extension) { x.op(func(d *ir.OpDef) { d.Name = "nameless." }) }},
	{"twice", func(x *extension) { x.Ops = append(x.Ops, x.op(nil)) }},
	{"twonames", func(x *extension) {
		x.op(nil)
		x.Ops = append(x.Ops, ir.Define(&ir.OpDef{Name: "twonames.op", Infer: inferTwo, Eval: first}))
		x.lowers(x.Ops[1])
	}},
	{"unlisted", func(x *extension) { // what the fold makes is printed, and cannot be read
		other := ir.Define(&ir.OpDef{Name: "unlisted.other", Infer: inferTwo, Eval: first})
		x.Folds = []ir.Fold{{Of: x.op(nil), Rule: "op = other", Do: func(b *ir.Builder, c *ir.Call) ir.Value { return b.Op(other, c.Args...) }}}
	}},
	{"undefined", func(x *extension) {
		x.Ops = append(x.Ops, &ir.OpDef{Name: "undefined.op", Infer: inferTwo, Eval: first})
	}},
	{"nilop", func(x *extension) {
		x.op(nil)
		x.Ops = append(x.Ops, nil)
	}},
	{"noinfer", func(x *extension) { x.op(func(d *ir.OpDef) { d.Infer = nil }) }},
	{"infernotype", func(x *extension) {
		x.op(func(d *ir.OpDef) { d.Infer = func(*ir.Call) (ir.Type, error) { return ir.NoType, nil } })
	}},
	{"inferoperands", func(x *extension) { // looks at an operand that may not be there
		x.op(func(d *ir.OpDef) { d.Infer = func(c *ir.Call) (ir.Type, error) { return c.ArgType(1), nil } })
	}},
	{"noeval", func(x *extension) { x.op(func(d *ir.OpDef) { d.Eval = nil }) }},
	{"norule", func(x *extension) {
		x.op(nil)
		x.Tables = x.Tables[:1] // the syntax alone
	}},
	{"argname", func(x *extension) { x.op(func(d *ir.OpDef) { d.Attrs = []string{"y"} }) }},
	{"argmark", func(x *extension) {
		x.opIn("operands attr-dict `:` type(operands)", func(d *ir.OpDef) { d.Args = []string{"$x", "$y"} })
	}},
	{"constantvalue", func(x *extension) {
		x.opIn("attr-dict `:` type(results)", func(d *ir.OpDef) { d.Traits, d.Args, d.Eval, d.Infer = ir.ConstantLike, nil, nil, asWritten })
	}},
	{"constantargs", func(x *extension) {
		x.op(func(d *ir.OpDef) { d.Traits, d.Attrs, d.Eval = ir.ConstantLike, []string{"value"}, nil })
	}},
	{"commutative", func(x *extension) {
		x.opIn("$x attr-dict `:` type($x)", func(d *ir.OpDef) { d.Traits, d.Args, d.Infer = ir.Commutative, []string{"x"}, inferMany })
	}},
	{"returnlike", func(x *extension) { x.op(func(d *ir.OpDef) { d.Traits = ir.ReturnLike }) }},
	{"symbol", func(x *extension) { x.op(func(d *ir.OpDef) { d.Traits, d.Eval = ir.Symbol, nil }) }},
	{"view", func(x *extension) {
		x.opIn("attr-dict `:` type(results)", func(d *ir.OpDef) { d.Traits, d.Args, d.Infer = ir.View, nil, asWritten })
	}},
	{"uniqueeval", func(x *extension) { x.op(func(d *ir.OpDef) { d.Traits = ir.Unique }) }},
	{"traps", func(x *extension) { x.op(func(d *ir.OpDef) { d.Traps = ir.Always }) }},
	{"poisons", func(x *extension) { x.op(func(d *ir.OpDef) { d.Traits, d.Poisons = ir.Clean, ir.Always }) }},
	{"overwrites", func(x *extension) {
		x.op(func(d *ir.OpDef) { d.Overwrites = func(*ir.Call, ir.Value) bool { return true } })
	}},
	{"regionseval", func(x *extension) {
		x.opIn("$x `,` $y attr-dict `:` type($x) regions", func(d *ir.OpDef) { d.Bodies = []ir.RegionKind{ir.Once} })
	}},
	{"evaltwice", func(x *extension) {
		x.Tables = append(x.Tables, interp.Table{x.op(nil): func(_ *interp.Machine, _ *interp.Op, args, out []ir.Val) error {
			out[0] = args[1]
			return nil
		}})
	}},
	{"textonly", func(x *extension) { x.op(func(d *ir.OpDef) { d.Traits = ir.TextOnly }) }},
}

// asWritten gives the type that the text says, which an op without operands needs.
func asWritten(c *ir.Call) (ir.Type, error) {
	if len(c.Args) > 0 || c.Type == ir.NoType {
		return 0, c.Errorf("takes no operands, and says its type")
	}
	return c.Type, nil
}
