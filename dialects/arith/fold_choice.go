package arith

import (
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
)

// Conditions are often carried as numbers, 1 and 0, of which the least tells whether all
// hold. Straight-line code of such numbers becomes that of the conditions.
var choiceFolds = choicesOf(Maximumf, Minimumf)

func choicesOf(ops ...*ir.OpDef) (out []ir.Fold) {
	for _, d := range ops {
		name := d.Name[6:]
		out = append(out,
			ir.Fold{Of: d, Needs: ir.Constant | ir.MadeBy(Select), Rule: name + ": of a choice of constants and a constant = a choice of constants", Do: choiceAndConstant},
			ir.Fold{Of: d, Needs: ir.MadeBy(Select), Rule: name + ": of two choices of the same two numbers = the choice by both or by either condition", Do: twoChoices})
	}
	return append(out, ir.Fold{Of: Cmpf, Needs: ir.Constant | ir.MadeBy(Select), Rule: "cmpf: of a choice of constants and a constant = a choice of true and false", Do: choiceAndConstant})
}

// choice returns the condition and the two numbers of operand i, if it is a choice of numbers.
func choice(c *ir.Call, i int) (in []ir.Value, ok bool) {
	in, _, ok = elementwise.From(c, i, Select)
	if !ok {
		return nil, false
	}
	g := c.Graph()
	_, x := g.Number(in[1])
	_, y := g.Number(in[2])
	return in, x && y && elementwise.Computable(c.Ctx().ElemOrSelf(c.ArgType(i)))
}

func choiceAndConstant(b *ir.Builder, c *ir.Call) ir.Value {
	in, ok := choice(c, 0)
	if _, constant := elementwise.Number(c, 1); !ok || !constant {
		return 0
	}
	return elementwise.With(b, c, Select, 0, in[0], elementwise.With(b, c, c.Def, c.Attr, in[1], c.Args[1]), elementwise.With(b, c, c.Def, c.Attr, in[2], c.Args[1]))
}

// twoChoices: the result is the first number if one of two conditions holds, or if both do: as
// the op chooses between the numbers.
func twoChoices(b *ir.Builder, c *ir.Call) ir.Value {
	x, ok := choice(c, 0)
	y, ok2 := choice(c, 1)
	g := c.Graph()
	if !ok || !ok2 || x[1] != y[1] || x[2] != y[2] || g.Type(x[0]) != g.Type(y[0]) {
		return 0
	}
	var both *ir.OpDef
	switch elementwise.With(b, c, c.Def, c.Attr, x[1], x[2]) {
	case x[1]:
		both = Ori
	case x[2]:
		both = Andi
	default:
		return 0
	}
	cond := b.Must(ir.Call{Def: both, Args: []ir.Value{x[0], y[0]}, Type: g.Type(x[0]), Loc: c.Loc})
	return elementwise.With(b, c, Select, 0, cond, x[1], x[2])
}
