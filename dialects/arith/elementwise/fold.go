package elementwise

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// Number returns the bits of operand i if it is a constant number, or a vector or
// tensor that holds one number throughout.
func Number(c *ir.Call, i int) (x uint64, ok bool) { return c.Graph().Number(c.Args[i]) }

// Keep returns v if it has the type of the op that folds, else 0: tensors may
// differ in what is known of their shapes.
func Keep(c *ir.Call, v ir.Value) ir.Value {
	if v != 0 && c.Graph().Type(v) == c.Type {
		return v
	}
	return 0
}

// From returns the operands and attributes of operand i if op d made it.
func From(c *ir.Call, i int, d *ir.OpDef) (args []ir.Value, attr ir.Attr, ok bool) {
	g, v := c.Graph(), c.Args[i]
	if g.Def(v) != d {
		return nil, 0, false
	}
	return g.Args(v), g.AttrsOf(v), true
}

// With makes an op of the result type of c.
func With(b *ir.Builder, c *ir.Call, d *ir.OpDef, attr ir.Attr, args ...ir.Value) ir.Value {
	for _, a := range args {
		if a == 0 {
			return 0
		}
	}
	return b.Must(ir.Call{Def: d, Args: args, Attr: attr, Type: c.Type, Loc: c.Loc})
}

// Again makes the same op with other operands.
func Again(b *ir.Builder, c *ir.Call, args ...ir.Value) ir.Value {
	return With(b, c, c.Def, c.Attr, args...)
}

// Operand gives the rule that operand i is the result where cond holds.
func Operand(i int, cond func(c *ir.Call) bool) func(b *ir.Builder, c *ir.Call) ir.Value {
	return func(b *ir.Builder, c *ir.Call) ir.Value {
		if cond(c) {
			return Keep(c, c.Args[i])
		}
		return 0
	}
}

// DefaultFlags is the rule that writes out fastmath or overflowFlags in ops that
// were made without.
func DefaultFlags(d *ir.OpDef) ir.Fold {
	name, attr := "fastmath", func(c *ir.Context) ir.Attr { return FastMathAttr(c, 0) }
	if slices.Contains(d.Attrs, "overflowFlags") {
		name, attr = "overflowFlags", func(c *ir.Context) ir.Attr { return OverflowAttr(c, 0) }
	}
	return ir.Fold{Of: d, Rule: d.Name + ": " + name + " is written out", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		if c.Get(name) != 0 {
			return 0
		}
		return With(b, c, d, c.Ctx().With(c.Attr, name, attr(c.Ctx())), slices.Clone(c.Args)...)
	}}
}
