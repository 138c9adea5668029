package main

import (
	"github.com/irc-lang/irc/dialects/builtin"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/ir/text"
)

// tables are mistakes in dialects as a whole: names, tables, folds, lowerings.
var tables = []mistake{
	{"dialectname", func(x *extension) {
		x.more = append(x.more, &ir.Dialect{Name: "arith", Doc: "Arithmetic of another author."})
	}},
	{"dialectdot", func(x *extension) { x.more = append(x.more, &ir.Dialect{Name: "my.own", Doc: "A name with a dot."}) }},
	{"tabletype", func(x *extension) { // no text.Syntax: nobody asks for it
		op := x.op(nil)
		x.Tables = append(x.Tables[1:], map[*ir.OpDef]text.Form{op: {Format: "$x `,` $y attr-dict `:` type($x)"}})
	}},
	{"tabletwice", func(x *extension) {
		x.Tables = append(x.Tables, text.Syntax{x.op(nil): {Format: "$x $y attr-dict `:` type($x)"}})
	}},
	{"tablenil", func(x *extension) {
		x.op(nil)
		x.Tables = append(x.Tables, nil)
	}},
	{"tableop", func(x *extension) {
		x.op(nil)
		other := ir.Define(&ir.OpDef{Name: "foreign.op", Infer: inferTwo, Eval: first})
		x.Tables = append(x.Tables, ir.RegionNames{other: {"body"}})
	}},
	{"foldnil", func(x *extension) { x.Folds = []ir.Fold{{Of: x.op(nil), Rule: "nothing"}} }},
	{"foldof", func(x *extension) {
		x.op(nil)
		x.Folds = []ir.Fold{{Rule: "x op x = x", Do: toOperand}}
	}},
	{"foldrule", func(x *extension) { x.Folds = []ir.Fold{{Of: x.op(nil), Do: toOperand}} }},
	{"foldforgotten", func(x *extension) {
		x.op(nil)
		other := ir.Define(&ir.OpDef{Name: "foreign.op", Infer: inferTwo, Eval: first})
		x.Folds = []ir.Fold{{Of: other, Rule: "x other x = x", Do: toOperand}}
	}},
	{"cleanupnil", func(x *extension) { x.Cleanups = []ir.Cleanup{{Of: x.op(nil), Rule: "nothing"}} }},
	{"level", func(x *extension) { x.lowersTo(x.op(nil), lower.Lowering{Level: "early"}) }},
	{"levelorder", func(x *extension) {
		x.lowersTo(x.op(nil), lower.Lowering{Level: "early"})
		x.Tables = append(x.Tables, lower.Order{"early": "sfc"})
	}},
	{"levelnone", func(x *extension) { x.lowersTo(x.op(nil), lower.Lowering{}) }},
	{"lowerempty", func(x *extension) {
		x.op(nil)
		x.Tables[1] = lower.Table{{Level: "scf"}}
	}},
	{"lowernil", func(x *extension) { x.Tables[1] = lower.Table{{Level: "scf", Rules: ir.Rules{x.op(nil): nil}}} }},
	{"lowerof", func(x *extension) {
		x.op(nil)
		x.Tables[1] = lower.Table{{Level: "scf", New: func(*lower.Env) ir.Rules { return nil }}}
	}},
	{"lowerboth", func(x *extension) {
		op := x.op(nil)
		x.Tables[1] = lower.Table{{Level: "scf", Rules: ir.Rules{op: toFirst}, Of: []*ir.OpDef{op}}}
	}},
	{"lowertwo", func(x *extension) {
		op := x.op(nil)
		x.Tables[1] = lower.Table{{Level: "scf", Rules: ir.Rules{op: toFirst}}, {Level: "scf", Name: "second", Rules: ir.Rules{op: toFirst}}}
	}},
	{"typelevel", func(x *extension) { x.becomes("early", whole) }},
	{"typepack", func(x *extension) {
		half := whole
		half.Pack = nil
		x.becomes("scf", half)
	}},
}

// lowersTo replaces the lowering of the op by one with its rule.
func (x *extension) lowersTo(op *ir.OpDef, row lower.Lowering) {
	row.Rules = ir.Rules{op: toFirst}
	x.Tables[1] = lower.Table{row}
}

// becomes defines a type that becomes another one at a level.
func (x *extension) becomes(level string, what ir.TypeLowering) {
	t := ir.DefineType(&ir.TypeDef[ir.Unit]{Name: x.Name + ".t", Doc: "A number."})
	x.Types = []ir.Defined{t}
	x.Tables = append(x.Tables, ir.TypeLowerings{level: {t: what}})
}

// whole is a type lowering of which nothing is missing.
var whole = ir.TypeLowering{
	Parts: func(*ir.Context, ir.Type) []ir.Type { return []ir.Type{ir.I32} },
	Unpack: func(b *ir.Builder, v ir.Value) []ir.Value {
		return []ir.Value{b.Must(ir.Call{Def: builtin.Cast, Args: []ir.Value{v}, Type: ir.I32})}
	},
	Pack: func(b *ir.Builder, t ir.Type, parts []ir.Value) ir.Value {
		return b.Must(ir.Call{Def: builtin.Cast, Args: parts, Type: t})
	},
}

func toOperand(_ *ir.Builder, c *ir.Call) ir.Value {
	if c.Args[0] == c.Args[1] {
		return c.Args[0]
	}
	return 0
}
