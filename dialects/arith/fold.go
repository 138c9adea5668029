package arith

import (
	"slices"

	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// Folds of the dialect. A rule on integers holds modulo 2^width; where an op
// promises not to wrap, what is folded may be less poison than before, never more.
// A rule on floats holds in IEEE 754 arithmetic (up to the payload of a NaN), or
// names the licences that it needs.
var folds = slices.Concat(canonical, addFolds, mulFolds, bitFolds, divFolds, extremaFolds,
	selectFolds, choiceFolds, cmpFolds, castFolds, floatFolds, floatMulFolds, poisonFolds())

// A do is the right side of a rule; 0 means that it does not apply.
type do = func(b *ir.Builder, c *ir.Call) ir.Value

// Number returns the bits of operand i if it is a constant number, or a vector or
// tensor that holds one number throughout.
func Number(c *ir.Call, i int) (x uint64, ok bool) { return NumberOf(c.Graph(), c.Args[i]) }

// NumberOf is Graph.Number.
func NumberOf(g *ir.Graph, v ir.Value) (x uint64, ok bool) { return g.Number(v) }

// isNum reports that operand i is the number x throughout.
func isNum(c *ir.Call, i int, x uint64) bool {
	n, ok := Number(c, i)
	return ok && n == x
}

// isOnes reports that operand i is all ones.
func isOnes(c *ir.Call, i int) bool {
	w, ok := width(c, i)
	return ok && isNum(c, i, mask(w))
}

// Keep returns v if it has the type of the op that folds, else 0: tensors may
// differ in what is known of their shapes.
func Keep(c *ir.Call, v ir.Value) ir.Value {
	if v != 0 && c.Graph().Type(v) == c.Type {
		return v
	}
	return 0
}

// Splat is Builder.Splat.
func Splat(b *ir.Builder, t ir.Type, bits uint64) ir.Value { return b.Splat(t, bits) }

// konst is Splat of the result type.
func konst(b *ir.Builder, c *ir.Call, bits uint64) ir.Value { return Splat(b, c.Type, bits) }

// floatConst is the result type's constant x.
func floatConst(b *ir.Builder, c *ir.Call, x float64) ir.Value {
	return konst(b, c, ir.FloatToBits(x, c.Ctx().ElemOrSelf(c.Type)))
}

// From returns the operands and attributes of operand i if op d made it.
func From(c *ir.Call, i int, d *ir.OpDef) (args []ir.Value, attr ir.Attr, ok bool) {
	g, v := c.Graph(), c.Args[i]
	if g.Def(v) != d {
		return nil, 0, false
	}
	return g.Args(v), g.AttrsOf(v), true
}

// with makes an op of the result type of c.
func with(b *ir.Builder, c *ir.Call, d *ir.OpDef, attr ir.Attr, args ...ir.Value) ir.Value {
	for _, a := range args {
		if a == 0 {
			return 0
		}
	}
	return b.Must(ir.Call{Def: d, Args: args, Attr: attr, Type: c.Type, Loc: c.Loc})
}

// Again makes the same op with other operands.
func Again(b *ir.Builder, c *ir.Call, args ...ir.Value) ir.Value {
	return with(b, c, c.Def, c.Attr, args...)
}

// Operand gives the rule that operand i is the result where cond holds.
func Operand(i int, cond func(c *ir.Call) bool) do {
	return func(b *ir.Builder, c *ir.Call) ir.Value {
		if cond(c) {
			return Keep(c, c.Args[i])
		}
		return 0
	}
}

func bothSame(c *ir.Call) bool { return c.Args[0] == c.Args[1] }

// canonical are the rules that give ops one spelling.
var canonical = canonicalFolds()

var flagged = []*ir.OpDef{Addi, Subi, Muli, Shli, Addf, Subf, Mulf, Divf, Remf, Maximumf, Minimumf, Maxnumf, Minnumf, Negf, Cmpf}

func canonicalFolds() []ir.Fold {
	out := lists.Map(flagged, DefaultFlags)
	for _, d := range []*ir.OpDef{Addi, Muli, Andi, Ori, Xori, Maxsi, Maxui, Minsi, Minui, AdduiExtended, MuluiExtended, MulsiExtended,
		Addf, Mulf, Maximumf, Minimumf, Maxnumf, Minnumf} {
		out = append(out, ir.Fold{Of: d, Needs: ir.Constant, Rule: d.Name[6:] + ": a constant operand goes to the right", Do: toRight})
	}
	return append(out,
		ir.Fold{Of: Cmpi, Needs: ir.Constant, Rule: "cmpi: a constant operand goes to the right", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
			return swapped(b, c, int64(PredicateOfI(c.Ctx(), c.Attr).Swapped()))
		}},
		ir.Fold{Of: Cmpf, Needs: ir.Constant, Rule: "cmpf: a constant operand goes to the right", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
			return swapped(b, c, int64(PredicateOfF(c.Ctx(), c.Attr).Swapped()))
		}})
}

// swapped is the comparison with its operands exchanged, if the first is a constant.
func swapped(b *ir.Builder, c *ir.Call, predicate int64) ir.Value {
	if !constLeft(c) {
		return 0
	}
	return with(b, c, c.Def, c.Ctx().With(c.Attr, "predicate", c.Ctx().IntAttr(predicate, ir.I64)), c.Args[1], c.Args[0])
}

// DefaultFlags is the rule that writes out fastmath or overflowFlags in ops that
// were made without.
func DefaultFlags(d *ir.OpDef) ir.Fold {
	name, attr := "fastmath", func(c *ir.Context) ir.Attr { return FastMathAttr(c, 0) }
	if slices.Contains(d.Attrs, "overflowFlags") {
		name, attr = "overflowFlags", func(c *ir.Context) ir.Attr { return overflowAttr(c, 0) }
	}
	return ir.Fold{Of: d, Rule: d.Name + ": " + name + " is written out", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		if c.Get(name) != 0 {
			return 0
		}
		return with(b, c, d, c.Ctx().With(c.Attr, name, attr(c.Ctx())), slices.Clone(c.Args)...)
	}}
}

func constLeft(c *ir.Call) bool {
	g := c.Graph()
	return g.Def(c.Args[0]).Has(ir.ConstantLike) && !g.Def(c.Args[1]).Has(ir.ConstantLike)
}

func toRight(b *ir.Builder, c *ir.Call) ir.Value {
	if constLeft(c) {
		return Again(b, c, c.Args[1], c.Args[0])
	}
	return 0
}

// poisonFolds are the rules on ub.poison that MLIR has: shifts, comparisons and
// bitcasts of it stay. A select gives its other operand, which is less poison.
func poisonFolds() []ir.Fold {
	var out []ir.Fold
	for _, d := range []*ir.OpDef{Addi, Subi, Muli, Andi, Ori, Xori, Maxsi, Maxui, Minsi, Minui,
		Divui, Divsi, Ceildivui, Ceildivsi, Floordivsi, Remui, Remsi,
		Addf, Subf, Mulf, Divf, Remf, Maximumf, Minimumf, Maxnumf, Minnumf, Negf,
		Extui, Extsi, Trunci, Extf, Truncf, Uitofp, Sitofp, Fptoui, Fptosi, IndexCast, IndexCastui} {
		out = append(out, ub.Strict(d, d.Name[len("arith."):]))
	}
	return append(out,
		ir.Fold{Of: Select, Needs: ir.MadeBy(ub.Poison), Rule: "select: x ? poison : y = y", Is: &pattern{From: &op{Args: in{x, &op{Def: ub.Poison}, y}}, To: y}},
		ir.Fold{Of: Select, Needs: ir.MadeBy(ub.Poison), Rule: "select: x ? y : poison = y", Is: &pattern{From: &op{Args: in{x, y, &op{Def: ub.Poison}}}, To: y}})
}
