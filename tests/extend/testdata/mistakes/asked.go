package main

import (
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

// asked are mistakes with which what is asked outside of the making of an op panics.
var asked = []mistake{
	{"callpanic", func(x *extension) {
		d := x.op(nil)
		x.Tables = append(x.Tables, ir.Interface[ir.CallLike]{d: func(n ir.Node) ir.CallLike { return ir.CallLike{Value: n.Args()[4].Old()} }})
	}},
	{"accesspanic", func(x *extension) {
		acts(on(ir.Write, 1), nil)(x)
		x.Tables = append(x.Tables, ir.Interface[ir.AccessLike]{x.Ops[0]: func(n ir.Node) ir.AccessLike {
			return ir.AccessLike{Accesses: []ir.Access{{Memory: n.Args()[2].Old(), Writes: true}}}
		}})
	}},
	{"kindpanic", func(x *extension) {
		x.region(ir.Loop, func(d *ir.OpDef) {
			d.Kind = func(c *ir.Context, attr ir.Attr, i int) ir.RegionKind { return []ir.RegionKind{}[i] }
		})
	}},
	{"enterpanic", func(x *extension) {
		x.region(ir.Loop, func(d *ir.OpDef) {
			d.Enter = func(b *ir.Builder, attr ir.Attr, args []ir.Value, i int, params []ir.Value) {
				b.Know(params[0], args[0])
			}
		})
	}},
	{"beginpanic", func(x *extension) {
		x.region(ir.Once, func(d *ir.OpDef) {
			d.Traits = ir.Isolated
			d.Begin = func(b *ir.Builder, attr ir.Attr) { panic("not done yet") }
		})
	}},
	{"feedspanic", func(x *extension) {
		x.region(ir.Loop, func(d *ir.OpDef) {
			d.Feeds = func(nargs, i, j int) []ir.Source { return make([]ir.Source, nargs)[5:] }
		})
	}},
	{"poisonspanic", func(x *extension) {
		x.op(func(d *ir.OpDef) { d.Poisons = func(c *ir.Call) bool { return c.Args[2] != 0 } })
	}},
	{"refspanic", func(x *extension) {
		x.op(func(d *ir.OpDef) { d.Refs = func(c *ir.Call) ir.Refs { return ir.Refs{Alias: c.Args[3:]} } })
	}},
	{"printpanic", func(x *extension) {
		x.opWith(text.Form{Parse: func(p *text.Parser, o *text.Op) { o.Args = p.Operands(); p.AttrDict(o) }, Print: func(p *text.Printer, v ir.Value) { panic("not done yet") }}, nil)
	}},
	{"onlytables", func(x *extension) { // the only function of the op is irc's
		x.opIn("attr-dict", func(d *ir.OpDef) {
			d.Infer, d.Eval, d.Args, d.Effects = nil, nil, nil, memref.Hint
		})
	}},
}

// region adds an op with a region that takes a number.
func (x *extension) region(kind ir.RegionKind, change func(d *ir.OpDef)) *ir.OpDef {
	return x.opIn("$x `,` $y attr-dict `:` type($x) regions", func(d *ir.OpDef) {
		d.Eval, d.Bodies = nil, []ir.RegionKind{kind}
		if change != nil {
			change(d)
		}
	})
}
