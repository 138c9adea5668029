package ub

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
)

// Poison is ub.poison. It has not the trait ConstantLike: rules take what has it
// for a number.
var Poison = ir.Define(&ir.OpDef{Name: "ub.poison", Doc: "A value of any type that stands for deferred undefined behaviour.",
	Attrs: []string{"value"}, Traits: ir.EachPart, Infer: infer, Eval: func(*ir.Call, []ir.Val) (ir.Val, error) { return ir.Val{Ref: ir.Poison}, nil }})

// Freeze is ub.freeze. Wherever its operand may be poison, it has one value: the interpreter takes 0.
var Freeze = ir.Define(&ir.OpDef{Name: "ub.freeze", Doc: "The operand, or, where that is poison, any number of its type, but the same for all who use it. MLIR 19 has no such op.",
	Args: []string{"operand"}, Traits: ir.Freezes, Infer: inferFreeze})

func inferFreeze(c *ir.Call) (ir.Type, error) {
	if len(c.Args) != 1 {
		return 0, c.Errorf("expected 1 operand, but found %d", len(c.Args))
	}
	t := c.ArgType(0)
	if !isNumber(c.Ctx(), t) {
		return 0, c.Errorf("operand #0 must be a number, or a vector of numbers")
	}
	return t, nil
}

func isNumber(c *ir.Context, t ir.Type) bool {
	switch info := c.Info(t); info.Kind {
	case ir.KindInteger, ir.KindIndex, ir.KindFloat:
		return true
	case ir.KindVector:
		return isNumber(c, info.Elem)
	}
	return false
}

// Frozen is a number that is no poison: itself, where it is known to be none, or what it is frozen to.
// Memory and other wholes are given as they are.
func Frozen(b *ir.Builder, v ir.Value) ir.Value {
	if !b.Graph().MayBePoison(v) || !isNumber(b.Ctx(), b.Graph().Type(v)) {
		return v
	}
	return b.Op(Freeze, v)
}

// AllFrozen freezes values in their place: what a kernel is launched with, which takes no poison.
func AllFrozen(b *ir.Builder, vs []ir.Value) []ir.Value {
	for i, v := range vs {
		vs[i] = Frozen(b, v)
	}
	return vs
}

func runFreeze(_ *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	out[0] = frozen(args[0])
	if args[0].IsPoison() && o.G.Ctx.Info(o.Call.Type).Kind == ir.KindVector {
		out[0] = ir.Val{Ref: make(ir.Vector, ir.Elements(o.G.Ctx.Info(o.Call.Type).Shape))}
	}
	return nil
}

// frozen is a value with 0 for poison.
func frozen(v ir.Val) ir.Val {
	lanes, ok := v.Ref.(ir.Vector)
	switch {
	case v.IsPoison():
		return ir.Val{}
	case !ok:
		return v
	}
	out := make(ir.Vector, len(lanes))
	for i, x := range lanes {
		out[i] = frozen(x)
	}
	return ir.Val{Ref: out}
}

var folds = []ir.Fold{{Of: Freeze, Rule: "freeze of what is no poison = itself", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
	if b.Graph().MayBePoison(c.Args[0]) {
		return 0
	}
	return c.Args[0]
}}}

func infer(c *ir.Call) (ir.Type, error) {
	switch {
	case len(c.Args) != 0:
		return 0, c.Errorf("requires zero operands")
	case c.Type == ir.NoType:
		return 0, c.Errorf("needs its result type")
	case c.Type == ir.Void || c.Ctx().Info(c.Type).Kind == ir.KindMulti:
		return 0, c.Errorf("requires one result")
	}
	if a := c.Get("value"); a != 0 && a != value(c.Ctx()) {
		return 0, c.Errorf("attribute 'value' failed to satisfy constraint: #ub.poison")
	}
	return c.Type, nil
}

// value is the attribute #ub.poison.
func value(c *ir.Context) ir.Attr { return c.OpaqueAttr("ub.poison") }

// Of returns the poison value of a type.
func Of(b *ir.Builder, t ir.Type) ir.Value {
	c := b.Ctx()
	return b.Must(ir.Call{Def: Poison, Type: t, Attr: props(c)})
}

// props are those of a poison.
func props(c *ir.Context) ir.Attr {
	return c.Props([]ir.NamedAttr{{Name: "value", Value: value(c)}}, nil)
}

// Strict is the rule that an op of one to three operands of which one is poison is poison. Name is how rules call the op.
func Strict(d *ir.OpDef, name string) ir.Fold {
	return ir.Fold{Of: d, Needs: ir.MadeBy(Poison), Rule: name + ": poison in, poison out", Is: strict[len(d.Args)]}
}

var (
	x, y     = &ir.Term{Var: 1}, &ir.Term{Var: 2}
	poisoned = &ir.Term{Def: Poison}
	made     = &ir.Term{Def: Poison, Props: func(c *ir.Context, _ []ir.Attr) ir.Attr { return props(c) }}
)

// strict has the patterns of Strict by the number of operands.
var strict = [...]*ir.Pattern{
	1: {From: &ir.Term{Args: []*ir.Term{poisoned}}, To: made},
	2: {From: &ir.Term{Args: []*ir.Term{poisoned, x}}, To: made, Or: &ir.Pattern{From: &ir.Term{Args: []*ir.Term{x, poisoned}}, To: made}},
	3: {From: &ir.Term{Args: []*ir.Term{poisoned, x, y}}, To: made, Or: &ir.Pattern{From: &ir.Term{Args: []*ir.Term{x, poisoned, y}}, To: made,
		Or: &ir.Pattern{From: &ir.Term{Args: []*ir.Term{x, y, poisoned}}, To: made}}},
}

var syntax = text.Syntax{Poison: {Format: "attr-dict (`<` $value^ `>`)? `:` type($result)",
	Attrs: map[string]text.AttrForm{"value": text.AttrForm{}.WithDefault(value)}},
	Freeze: {Format: "$operand attr-dict `:` type($operand)"}}

// Dialect is the ub dialect.
var Dialect = &ir.Dialect{Name: "ub", Doc: "Undefined behaviour: the poison value, and what makes numbers of it.",
	Ops: []*ir.OpDef{Poison, Freeze}, Folds: folds, Tables: []any{syntax, interp.Table{Freeze: runFreeze}}}
