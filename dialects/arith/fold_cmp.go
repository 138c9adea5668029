package arith

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

var cmpFolds = []ir.Fold{
	{Of: Cmpi, Needs: ir.Same, Rule: "cmpi: x with itself", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		if !bothSame(c) {
			return 0
		}
		return truth(b, c, PredicateOfI(c.Ctx(), c.Attr).Holds(8, 0, 0))
	}},
	{Of: Cmpi, Needs: ir.Constant, Rule: "cmpi: b == true and b != false = b", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		p := PredicateOfI(c.Ctx(), c.Attr)
		if c.Ctx().ElemOrSelf(c.ArgType(0)) == ir.I1 && (p == EQ && isNum(c, 1, 1) || p == NE && isNum(c, 1, 0)) {
			return Keep(c, c.Args[0])
		}
		return 0
	}},
	{Of: Cmpi, Needs: ir.Constant, Rule: "cmpi: b == false and b != true = not b", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		p := PredicateOfI(c.Ctx(), c.Attr)
		if c.Ctx().ElemOrSelf(c.ArgType(0)) == ir.I1 && (p == EQ && isNum(c, 1, 0) || p == NE && isNum(c, 1, 1)) {
			return with(b, c, Xori, 0, c.Args[0], konst(b, c, 1))
		}
		return 0
	}},
	{Of: Cmpi, Rule: "cmpi: decided by the bounds of the operands", Do: cmpBounds},
	{Of: Cmpi, Rule: "cmpi: of two values extended alike = of the values", Do: cmpExtended},
	{Of: Cmpf, Rule: "cmpf: true, false and comparisons with NaN", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		p := PredicateOfF(c.Ctx(), c.Attr)
		if p == AlwaysFalse || p == AlwaysTrue {
			return truth(b, c, p == AlwaysTrue)
		}
		t := c.Ctx().ElemOrSelf(c.ArgType(0))
		for i := range 2 {
			if x, ok := Number(c, i); ok && Computable(t) && isNaN(ir.BitsToFloat(x, t)) {
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
		in, attr, ok := From(c, 0, of)
		if !ok || FastMathOf(c.Ctx(), attr) != 0 {
			return 0
		}
		return with(b, c, Andi, 0, Again(b, c, in[0], c.Args[1]), Again(b, c, in[1], c.Args[1]))
	}},
}

func isNaN(x float64) bool { return x != x }

func truth(b *ir.Builder, c *ir.Call, v bool) ir.Value { return konst(b, c, ir.BoolVal(v).Bits) }

// cmpBounds decides a comparison of which one side lies wholly below the other, or of
// two values that always differ.
func cmpBounds(b *ir.Builder, c *ir.Call) ir.Value {
	p := PredicateOfI(c.Ctx(), c.Attr)
	known := affine.In(b)
	w, ok := width(c, 0)
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
	return truth(b, c, p.Holds(w, sx, sy))
}

// cmpExtended: extension keeps the order that it extends by, and equality.
func cmpExtended(b *ir.Builder, c *ir.Call) ir.Value {
	p := PredicateOfI(c.Ctx(), c.Attr)
	for _, d := range []*ir.OpDef{Extsi, Extui} {
		x, _, ok := From(c, 0, d)
		y, _, ok2 := From(c, 1, d)
		g := c.Graph()
		if !ok || !ok2 || g.Type(x[0]) != g.Type(y[0]) {
			continue
		}
		if d == Extui && p >= SLT && p <= SGE {
			p += ULT - SLT // zero-extended values are not negative
		}
		if d == Extsi || p == EQ || p == NE || p >= ULT {
			return with(b, c, Cmpi, PredicateI(c.Ctx(), p), x[0], y[0])
		}
	}
	return 0
}

var selectFolds = []ir.Fold{
	{Of: Select, Needs: ir.Constant, Rule: "select: true ? x : y = x", Do: Operand(1, func(c *ir.Call) bool { return isNum(c, 0, 1) })},
	{Of: Select, Needs: ir.Constant, Rule: "select: false ? x : y = y", Do: Operand(2, func(c *ir.Call) bool { return isNum(c, 0, 0) })},
	{Of: Select, Needs: ir.Same, Rule: "select: c ? x : x = x", Do: Operand(1, func(c *ir.Call) bool { return c.Args[1] == c.Args[2] })},
	{Of: Select, Needs: ir.MadeBy(Xori), Rule: "select: not c ? x : y = c ? y : x", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		if x, ok := notOf(c, 0); ok {
			return Again(b, c, x, c.Args[2], c.Args[1])
		}
		return 0
	}},
	{Of: Select, Needs: ir.Constant, Rule: "select: c ? true : false = c", Do: Operand(0, func(c *ir.Call) bool { return isBool(c) && isNum(c, 1, 1) && isNum(c, 2, 0) })},
	{Of: Select, Needs: ir.Constant, Rule: "select: c ? false : true = not c", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		if !isBool(c) || !isNum(c, 1, 0) || !isNum(c, 2, 1) || c.ArgType(0) != c.Type {
			return 0
		}
		return with(b, c, Xori, 0, c.Args[0], konst(b, c, 1))
	}},
	{Of: Select, Needs: ir.MadeBy(Select), Rule: "select: c ? (c ? x : y) : z = c ? x : z, and on the other side", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		if in, _, ok := From(c, 1, Select); ok && in[0] == c.Args[0] {
			return Again(b, c, c.Args[0], in[1], c.Args[2])
		}
		if in, _, ok := From(c, 2, Select); ok && in[0] == c.Args[0] {
			return Again(b, c, c.Args[0], c.Args[1], in[2])
		}
		return 0
	}},
	{Of: Select, Needs: ir.MadeBy(Cmpi), Rule: "select: x == y ? x : y = y and x != y ? x : y = x", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		in, attr, ok := From(c, 0, Cmpi)
		if !ok || !(in[0] == c.Args[1] && in[1] == c.Args[2] || in[0] == c.Args[2] && in[1] == c.Args[1]) {
			return 0
		}
		switch PredicateOfI(c.Ctx(), attr) {
		case EQ:
			return Keep(c, c.Args[2])
		case NE:
			return Keep(c, c.Args[1])
		}
		return 0
	}},
}

func isBool(c *ir.Call) bool { return c.Ctx().ElemOrSelf(c.Type) == ir.I1 }
