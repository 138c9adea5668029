package main

import (
	"github.com/irc-lang/irc/ir"
)

// statics are mistakes that are seen without a program.
var statics = []mistake{
	{"right", func(x *extension) { x.op(nil) }}, // none: the others differ from it in one thing
	{"noprefix", func(x *extension) { x.op(func(d *ir.OpDef) { d.Name = "worse.op" }) }},
	{"nodot", func(x *extension) { x.op(func(d *ir.OpDef) { d.Name = "op" }) }},
	{"twice", func(x *extension) { x.Ops = append(x.Ops, x.op(nil)) }},
	{"format", func(x *extension) { x.opIn("$x `,` $z attr-dict `:` type($x)", nil) }},
	{"formatnodict", func(x *extension) { x.opIn("$x `,` $y `:` type($x)", nil) }},
}
