package main

import (
	"errors"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// values are mistakes in what hooks give.
var values = []mistake{
	{"infernone", func(x *extension) {
		x.opIn("$x `,` $y attr-dict `:` type($x)", func(d *ir.OpDef) { d.Infer = func(c *ir.Call) (ir.Type, error) { return 0, nil } })
	}},
	{"evalwide", evals(func(c *ir.Call, a []ir.Val) (ir.Val, error) { return ir.Val{Bits: a[0].Bits + a[1].Bits + 1<<40}, nil })},
	{"evaltext", evals(func(c *ir.Call, a []ir.Val) (ir.Val, error) { return ir.Val{Ref: "text"}, nil })},
	{"evalimpure", evals(func(c *ir.Call, a []ir.Val) (ir.Val, error) { calls++; return ir.Val{Bits: calls % 100}, nil })},
	{"evaltrap", evals(func(c *ir.Call, a []ir.Val) (ir.Val, error) { return ir.Val{}, ir.Trapf("always") })},
	{"evalerror", evals(func(c *ir.Call, a []ir.Val) (ir.Val, error) { return ir.Val{}, errors.New("what now") })},
	{"trapslies", func(x *extension) {
		x.op(func(d *ir.OpDef) {
			d.Traits, d.Traps = ir.Partial, func(*ir.Call) bool { return false }
			d.Eval = func(c *ir.Call, a []ir.Val) (ir.Val, error) { return ir.Val{}, ir.Trapf("the divisor is 0") }
		})
	}},
	{"evalresults", func(x *extension) { // of two results it gives one
		x.opIn("$x `,` $y attr-dict `:` type($x)", func(d *ir.OpDef) {
			d.Infer = func(c *ir.Call) (ir.Type, error) { return c.Ctx().Multi(c.ArgType(0), c.ArgType(0)), nil }
		})
	}},
	{"functrap", func(x *extension) {
		x.run(func(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
			return ir.Trapf("index %d is out of bounds", args[0].Bits)
		})
	}},
	{"funcwide", func(x *extension) {
		x.run(func(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
			out[0].Bits = ^args[0].Bits
			return nil
		})
	}},
	{"foldtype", func(x *extension) {
		x.fold("wrong type", func(b *ir.Builder, c *ir.Call) ir.Value { return arith.ConstF64(b, 1) })
	}},
	{"foldforeign", func(x *extension) {
		x.fold("foreign", func(b *ir.Builder, c *ir.Call) ir.Value { return 9999 })
	}},
	{"foldinner", func(x *extension) { // what it gives is made in a region
		x.fold("inner", func(b *ir.Builder, c *ir.Call) (v ir.Value) {
			b.Region(ir.Loop, []ir.Type{ir.I32}, func(p []ir.Value) { v = p[0] })
			return v
		})
	}},
	{"foldswap", func(x *extension) {
		d := x.fold("swap", nil)
		x.Folds[0].Do = func(b *ir.Builder, c *ir.Call) ir.Value { return b.Op(d, c.Args[1], c.Args[0]) }
	}},
	{"foldgrow", func(x *extension) {
		d := x.fold("grow", nil)
		x.Folds[0].Do = func(b *ir.Builder, c *ir.Call) ir.Value {
			return b.Op(d, arith.AddI(b, c.Args[0], arith.ConstInt(b, ir.I32, 1)), c.Args[1])
		}
	}},
	{"foldneeds", func(x *extension) { // what it says that it needs is not there when it applies
		x.fold("x op y = x", func(b *ir.Builder, c *ir.Call) ir.Value { return c.Args[0] })
		x.Folds[0].Needs = ir.Constant
	}},
}

var calls uint64

func evals(eval func(*ir.Call, []ir.Val) (ir.Val, error)) func(x *extension) {
	return func(x *extension) { x.op(func(d *ir.OpDef) { d.Eval = eval }) }
}
