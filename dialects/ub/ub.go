package ub

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

// Poison is ub.poison. It has not the trait ConstantLike: rules take what has it
// for a number.
var Poison = ir.Define(&ir.OpDef{Name: "ub.poison", Doc: "A value of any type that stands for deferred undefined behaviour.",
	Attrs: []string{"value"}, Traits: ir.EachPart, Infer: infer, Eval: func(*ir.Call, []ir.Val) (ir.Val, error) { return ir.Val{Ref: ir.Poison}, nil }})

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
	return b.Must(ir.Call{Def: Poison, Type: t, Attr: c.Props([]ir.NamedAttr{{Name: "value", Value: value(c)}}, nil)})
}

// Strict is the rule that an op whose operand is poison is poison. Name is how
// rules call the op.
func Strict(d *ir.OpDef, name string) ir.Fold {
	return ir.Fold{Of: d, Rule: name + ": poison in, poison out", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		for _, a := range c.Args {
			if c.Graph().Def(a) == Poison {
				return Of(b, c.Type)
			}
		}
		return 0
	}}
}

var syntax = text.Syntax{Poison: {Format: "attr-dict (`<` $value^ `>`)? `:` type($result)",
	Attrs: map[string]text.AttrForm{"value": text.AttrForm{}.WithDefault(value)}}}

// Dialect is the ub dialect.
var Dialect = &ir.Dialect{Name: "ub", Doc: "Undefined behaviour: the poison value.",
	Ops: []*ir.OpDef{Poison}, Tables: []any{syntax}}
