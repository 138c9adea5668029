package arith

import (
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

var cmpFolds = []ir.Fold{
	{Of: Cmpi, Needs: ir.Same, Rule: "cmpi: cmpi{reflexive}(x, x) = true and cmpi(x, x) = false", Is: &pattern{From: &op{Args: in{x, x}, Props: reflexive, Text: "reflexive"}, To: yes, Or: &pattern{From: &op{Args: in{x, x}}, To: no}}},
	{Of: Cmpi, Needs: ir.Constant, Rule: "cmpi: cmpi{eq}(x, true) = x and cmpi{ne}(x, false) = x", Is: &pattern{From: &op{Args: in{x, yes}, Props: equal, Text: "eq"}, To: x, Or: &pattern{From: &op{Args: in{x, no}, Props: unequal, Text: "ne"}, To: x}}},
	{Of: Cmpi, Needs: ir.Constant, Rule: "cmpi: cmpi{eq}(x, false) = ~x and cmpi{ne}(x, true) = ~x", Is: &pattern{From: &op{Args: in{x, no}, Props: equal, Text: "eq"}, To: not, Or: &pattern{From: &op{Args: in{x, yes}, Props: unequal, Text: "ne"}, To: not}}},
	{Of: Cmpi, Rule: "cmpi: decided by the bounds of the operands", Do: cmpBounds},
	{Of: Cmpi, Rule: "cmpi: of two values extended alike = of the values", Do: cmpExtended},
	{Of: Cmpf, Rule: "cmpf: true, false and comparisons with NaN", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		p := PredicateOfF(c.Ctx(), c.Attr)
		if p == AlwaysFalse || p == AlwaysTrue {
			return truth(b, c, p == AlwaysTrue)
		}
		t := c.Ctx().ElemOrSelf(c.ArgType(0))
		for i := range 2 {
			if x, ok := elementwise.Number(c, i); ok && elementwise.Computable(t) && isNaN(ir.BitsToFloat(x, t)) {
				return truth(b, c, p >= UEQ)
			}
		}
		return 0
	}},
	{Of: Cmpf, Rule: "cmpf: minimumf(x, y) >= z = x >= z and y >= z, > too, and maximumf(x, y) <= z, <", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		of := Minimumf // NaN where one is, which no comparison holds for
		switch p := PredicateOfF(c.Ctx(), c.Attr); p {
		case OGE, OGT:
		case OLE, OLT:
			of = Maximumf
		default:
			return 0
		}
		in, attr, ok := elementwise.From(c, 0, of)
		if !ok || FastMathOf(c.Ctx(), attr) != 0 {
			return 0
		}
		return elementwise.With(b, c, Andi, 0, elementwise.Again(b, c, in[0], c.Args[1]), elementwise.Again(b, c, in[1], c.Args[1]))
	}},
}

func isNaN(x float64) bool { return x != x }

func truth(b *ir.Builder, c *ir.Call, v bool) ir.Value { return konst(b, c, ir.BoolVal(v).Bits) }

// cmpBounds decides a comparison of which one side lies wholly below the other, or of
// two values that always differ.
func cmpBounds(b *ir.Builder, c *ir.Call) ir.Value {
	p := PredicateOfI(c.Ctx(), c.Attr)
	known := affine.In(b)
	w, ok := elementwise.Width(c, 0)
	switch {
	case !ok:
		return 0
	case p == EQ || p == NE:
		if known.Differ(c.Args[0], c.Args[1]) {
			return truth(b, c, p == NE)
		}
		return 0
	case isNum(c, 1, 0) && (p == ULT || p == UGE):
		return truth(b, c, p == UGE)
	case isOnes(c, 1) && (p == UGT || p == ULE):
		return truth(b, c, p == ULE)
	}
	x := known.Number(c.Args[0])
	if p >= ULT && x.Low < 0 { // as unsigned: x and y keep their order if both are not negative
		return 0
	}
	y := known.Number(c.Args[1])
	if p >= ULT && y.Low < 0 {
		return 0
	}
	less, greater := x.High < y.Low, x.Low > y.High
	apart := less || greater
	weakly := x.High <= y.Low || x.Low >= y.High
	switch {
	case apart:
	case weakly && !bothSame(c):
		// touching intervals decide <= and its inverse one way, < the other way
		if x.High <= y.Low && (p == SLE || p == ULE || p == SGT || p == UGT) {
			return truth(b, c, p == SLE || p == ULE)
		}
		if x.Low >= y.High && (p == SGE || p == UGE || p == SLT || p == ULT) {
			return truth(b, c, p == SGE || p == UGE)
		}
		return 0
	default:
		return 0
	}
	sx, sy := uint64(0), uint64(1)
	if greater {
		sx, sy = 1, 0
	}
	if w == 1 {
		w = 2 // 1 is not -1 here
	}
	return truth(b, c, p.holds(w, sx, sy))
}

// cmpExtended: extension keeps the order that it extends by, and equality.
func cmpExtended(b *ir.Builder, c *ir.Call) ir.Value {
	p := PredicateOfI(c.Ctx(), c.Attr)
	for _, d := range []*ir.OpDef{Extsi, Extui} {
		x, _, ok := elementwise.From(c, 0, d)
		y, _, ok2 := elementwise.From(c, 1, d)
		g := c.Graph()
		if !ok || !ok2 || g.Type(x[0]) != g.Type(y[0]) {
			continue
		}
		if d == Extui && p >= SLT && p <= SGE {
			p += ULT - SLT // zero-extended values are not negative
		}
		if d == Extsi || p == EQ || p == NE || p >= ULT {
			return elementwise.With(b, c, Cmpi, PredicateI(c.Ctx(), p), x[0], y[0])
		}
	}
	return 0
}

var selectFolds = []ir.Fold{
	{Of: Select, Needs: ir.Constant, Rule: "select: true ? x : y = x", Is: &pattern{From: &op{Args: in{yes, x, y}}, To: x}},
	{Of: Select, Needs: ir.Constant, Rule: "select: false ? x : y = y", Is: &pattern{From: &op{Args: in{no, x, y}}, To: y}},
	{Of: Select, Needs: ir.Same, Rule: "select: x ? y : y = y", Is: &pattern{From: &op{Args: in{x, y, y}}, To: y}},
	{Of: Select, Needs: ir.MadeBy(Xori), Rule: "select: ~x ? y : z = x ? z : y", Is: &pattern{From: &op{Args: in{not, y, z}}, To: &op{Args: in{x, z, y}, Props: same}}},
	{Of: Select, Needs: ir.Constant, Rule: "select: x ? true : false = x", Is: &pattern{From: &op{Args: in{x, yes, no}}, To: x}},
	{Of: Select, Needs: ir.Constant, Rule: "select: x ? false : true = ~x", Is: &pattern{From: &op{Args: in{x, no, yes}}, To: not}},
	{Of: Select, Needs: ir.MadeBy(Select), Rule: "select: x ? (x ? y : z) : v = x ? y : v and x ? y : (x ? z : v) = x ? y : v", Is: &pattern{From: &op{Args: in{x, &op{Args: in{x, y, z}}, v}}, To: &op{Args: in{x, y, v}, Props: same}, Or: &pattern{From: &op{Args: in{x, y, &op{Args: in{x, z, v}}}}, To: &op{Args: in{x, y, v}, Props: same}}}},
	{Of: Select, Needs: ir.MadeBy(Cmpi), Rule: "select: cmpi{eq}(x, y) ? x : y = y and cmpi{eq}(x, y) ? y : x = x", Is: &pattern{From: &op{Args: in{&op{Def: Cmpi, Args: in{x, y}, Props: equal, Text: "eq"}, x, y}}, To: y, Or: &pattern{From: &op{Args: in{&op{Def: Cmpi, Args: in{x, y}, Props: equal, Text: "eq"}, y, x}}, To: x}}},
	{Of: Select, Needs: ir.MadeBy(Cmpi), Rule: "select: cmpi{ne}(x, y) ? x : y = x and cmpi{ne}(x, y) ? y : x = y", Is: &pattern{From: &op{Args: in{&op{Def: Cmpi, Args: in{x, y}, Props: unequal, Text: "ne"}, x, y}}, To: x, Or: &pattern{From: &op{Args: in{&op{Def: Cmpi, Args: in{x, y}, Props: unequal, Text: "ne"}, y, x}}, To: y}}},
}
