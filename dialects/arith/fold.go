package arith

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
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

// isNum reports that operand i is the number x throughout.
func isNum(c *ir.Call, i int, x uint64) bool {
	n, ok := elementwise.Number(c, i)
	return ok && n == x
}

// isOnes reports that operand i is all ones.
func isOnes(c *ir.Call, i int) bool {
	w, ok := elementwise.Width(c, i)
	return ok && isNum(c, i, mask(w))
}

// konst is Splat of the result type.
func konst(b *ir.Builder, c *ir.Call, bits uint64) ir.Value { return b.Splat(c.Type, bits) }

// floatConst is the result type's constant x.
func floatConst(b *ir.Builder, c *ir.Call, x float64) ir.Value {
	return konst(b, c, ir.FloatToBits(x, c.Ctx().ElemOrSelf(c.Type)))
}

func bothSame(c *ir.Call) bool { return c.Args[0] == c.Args[1] }

// canonical are the rules that give ops one spelling.
var canonical = canonicalFolds()

var flagged = []*ir.OpDef{Addi, Subi, Muli, Shli, Addf, Subf, Mulf, Divf, Remf, Maximumf, Minimumf, Maxnumf, Minnumf, Negf, Cmpf}

func canonicalFolds() []ir.Fold {
	out := lists.Map(flagged, elementwise.DefaultFlags)
	for _, d := range []*ir.OpDef{Addi, Muli, Andi, Ori, Xori, Maxsi, Maxui, Minsi, Minui, AdduiExtended, MuluiExtended, MulsiExtended,
		Addf, Mulf, Maximumf, Minimumf, Maxnumf, Minnumf} {
		out = append(out, ir.Fold{Of: d, Needs: ir.Constant, Rule: d.Name[6:] + ": a constant operand goes to the right", Do: toRight})
	}
	return append(out,
		ir.Fold{Of: Cmpi, Needs: ir.Constant, Rule: "cmpi: a constant operand goes to the right", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
			return swapped(b, c, int64(PredicateOfI(c.Ctx(), c.Attr).swapped()))
		}},
		ir.Fold{Of: Cmpf, Needs: ir.Constant, Rule: "cmpf: a constant operand goes to the right", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
			return swapped(b, c, int64(PredicateOfF(c.Ctx(), c.Attr).swapped()))
		}})
}

// swapped is the comparison with its operands exchanged, if the first is a constant.
func swapped(b *ir.Builder, c *ir.Call, predicate int64) ir.Value {
	if !constLeft(c) {
		return 0
	}
	return elementwise.With(b, c, c.Def, c.Ctx().With(c.Attr, "predicate", c.Ctx().IntAttr(predicate, ir.I64)), c.Args[1], c.Args[0])
}

func constLeft(c *ir.Call) bool {
	g := c.Graph()
	return g.Def(c.Args[0]).Has(ir.ConstantLike) && !g.Def(c.Args[1]).Has(ir.ConstantLike)
}

func toRight(b *ir.Builder, c *ir.Call) ir.Value {
	if constLeft(c) {
		return elementwise.Again(b, c, c.Args[1], c.Args[0])
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
