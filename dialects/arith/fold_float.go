package arith

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
)

// licensed: the op has all the licences f.
func licensed(c *ir.Call, f FastMath) bool { return FastMathOf(c.Ctx(), c.Attr)&f == f }

// reassoc gives the rule (x . c1) . c2 = x . (c1 . c2) where both ops allow it.
func reassoc(f func(x, y float64) float64) do {
	return func(b *ir.Builder, c *ir.Call) ir.Value {
		in, attr, ok := elementwise.From(c, 0, c.Def)
		c2, ok2 := elementwise.FloatNumber(c, 1)
		both := FastMathOf(c.Ctx(), c.Attr) & FastMathOf(c.Ctx(), attr)
		if !ok || !ok2 || both&Reassoc == 0 || c.Graph().Type(in[0]) != c.Type {
			return 0
		}
		bits, ok := c.Graph().Number(in[1])
		if !ok {
			return 0
		}
		c12 := f(ir.BitsToFloat(bits, elementwise.Elem(c)), c2)
		if elementwise.Excludes(uint8(both), elementwise.Elem(c), ir.FloatVal(c12, elementwise.Elem(c))) { // x may bring the sum back from what is infinite here
			return 0
		}
		return elementwise.With(b, c, c.Def, FastMathProps(c.Ctx(), both), in[0], floatConst(b, c, c12))
	}
}

var floatFolds = []ir.Fold{
	{Of: Addf, Needs: ir.Constant, Rule: "addf: x + -0.0 = x", Is: &pattern{From: &op{Args: in{x, minusZ}}, To: x}},
	{Of: Addf, Needs: ir.Constant, Rule: "addf: x + 0.0 = x if nsz", Is: &pattern{From: &op{Args: in{x, zeroF}, Props: nsz, Text: "nsz"}, To: x}},
	{Of: Addf, Needs: ir.MadeBy(Negf), Rule: "addf: x + -y = x - y", Is: &pattern{From: &op{Args: in{x, &op{Def: Negf, Args: in{y}}}}, To: &op{Def: Subf, Args: in{x, y}, Props: same}}},
	{Of: Addf, Needs: ir.Constant | ir.MadeBy(Addf), Rule: "addf: (x + c1) + c2 = x + (c1 + c2) if reassoc", Do: reassoc(func(x, y float64) float64 { return x + y })},
	{Of: Subf, Needs: ir.Constant, Rule: "subf: x - 0.0 = x", Is: &pattern{From: &op{Args: in{x, zeroF}}, To: x}},
	{Of: Subf, Needs: ir.Constant, Rule: "subf: x - -0.0 = x if nsz", Is: &pattern{From: &op{Args: in{x, minusZ}, Props: nsz, Text: "nsz"}, To: x}},
	{Of: Subf, Needs: ir.MadeBy(Negf), Rule: "subf: x - -y = x + y", Is: &pattern{From: &op{Args: in{x, &op{Def: Negf, Args: in{y}}}}, To: &op{Def: Addf, Args: in{x, y}, Props: same}}},
	{Of: Subf, Needs: ir.Constant, Rule: "subf: -0.0 - x = -x", Is: &pattern{From: &op{Args: in{minusZ, x}}, To: &op{Def: Negf, Args: in{x}, Props: same}}},
	{Of: Subf, Needs: ir.Constant, Rule: "subf: 0.0 - x = -x if nsz", Is: &pattern{From: &op{Args: in{zeroF, x}, Props: nsz, Text: "nsz"}, To: &op{Def: Negf, Args: in{x}, Props: same}}},
	{Of: Subf, Needs: ir.Same, Rule: "subf: x - x = 0.0 if nnan", Is: &pattern{From: &op{Args: in{x, x}, Props: nnan, Text: "nnan"}, To: zeroF}},
	{Of: Negf, Needs: ir.MadeBy(Negf), Rule: "negf: -(-x) = x", Is: &pattern{From: &op{Args: in{&op{Args: in{x}}}}, To: x}},
	{Of: Negf, Needs: ir.MadeBy(Subf), Rule: "negf: -(x - y) = y - x if nsz", Is: &pattern{From: &op{Args: in{&op{Def: Subf, Args: in{x, y}}}, Props: nsz, Text: "nsz"}, To: &op{Def: Subf, Args: in{y, x}, Props: inner}}},
	{Of: Maximumf, Needs: ir.Constant, Rule: "maximumf: max(x, c1) = c1 where c1 is NaN", Is: &pattern{From: &op{Args: in{x, c1}}, To: c1, Where: nan}},
	{Of: Minimumf, Needs: ir.Constant, Rule: "minimumf: min(x, c1) = c1 where c1 is NaN", Is: &pattern{From: &op{Args: in{x, c1}}, To: c1, Where: nan}},
	{Of: Maxnumf, Needs: ir.Constant, Rule: "maxnumf: max(x, c1) = x where c1 is NaN", Is: &pattern{From: &op{Args: in{x, c1}}, To: x, Where: nan}},
	{Of: Minnumf, Needs: ir.Constant, Rule: "minnumf: min(x, c1) = x where c1 is NaN", Is: &pattern{From: &op{Args: in{x, c1}}, To: x, Where: nan}},
	{Of: Maximumf, Needs: ir.Constant, Rule: "maximumf: max(x, -inf) = x", Is: &pattern{From: &op{Args: in{x, minusInf}}, To: x}},
	{Of: Minimumf, Needs: ir.Constant, Rule: "minimumf: min(x, inf) = x", Is: &pattern{From: &op{Args: in{x, inf}}, To: x}},
	{Of: Maxnumf, Needs: ir.Constant, Rule: "maxnumf: max(x, inf) = inf", Is: &pattern{From: &op{Args: in{x, inf}}, To: inf}},
	{Of: Minnumf, Needs: ir.Constant, Rule: "minnumf: min(x, -inf) = -inf", Is: &pattern{From: &op{Args: in{x, minusInf}}, To: minusInf}},
}

var floatMulFolds = []ir.Fold{
	{Of: Mulf, Needs: ir.Constant, Rule: "mulf: x * 1.0 = x", Is: &pattern{From: &op{Args: in{x, oneF}}, To: x}},
	{Of: Mulf, Needs: ir.Constant, Rule: "mulf: x * -1.0 = -x", Is: &pattern{From: &op{Args: in{x, minusOne}}, To: &op{Def: Negf, Args: in{x}, Props: same}}},
	{Of: Mulf, Needs: ir.Constant, Rule: "mulf: x * 0.0 = 0.0 if nnan, nsz", Is: &pattern{From: &op{Args: in{x, zeroF}, Props: nnanNsz, Text: "nnan, nsz"}, To: zeroF}},
	{Of: Mulf, Needs: ir.MadeBy(Negf), Rule: "mulf: -x * -y = x * y", Is: &pattern{From: &op{Args: in{&op{Def: Negf, Args: in{x}}, &op{Def: Negf, Args: in{y}}}}, To: &op{Args: in{x, y}, Props: same}}},
	{Of: Mulf, Needs: ir.Constant | ir.MadeBy(Mulf), Rule: "mulf: (x * c1) * c2 = x * (c1 * c2) if reassoc", Do: reassoc(func(x, y float64) float64 { return x * y })},
	{Of: Divf, Needs: ir.Constant, Rule: "divf: x / 1.0 = x", Is: &pattern{From: &op{Args: in{x, oneF}}, To: x}},
	{Of: Divf, Needs: ir.Constant, Rule: "divf: x / -1.0 = -x", Is: &pattern{From: &op{Args: in{x, minusOne}}, To: &op{Def: Negf, Args: in{x}, Props: same}}},
	{Of: Divf, Needs: ir.Same, Rule: "divf: x / x = 1.0 if nnan", Is: &pattern{From: &op{Args: in{x, x}, Props: nnan, Text: "nnan"}, To: oneF}},
	{Of: Divf, Needs: ir.MadeBy(Negf), Rule: "divf: -x / -y = x / y", Is: &pattern{From: &op{Args: in{&op{Def: Negf, Args: in{x}}, &op{Def: Negf, Args: in{y}}}}, To: &op{Args: in{x, y}, Props: same}}},
	{Of: Divf, Needs: ir.Constant, Rule: "divf: x / 2^k = x * 2^-k where that is exact, x / c = x * (1/c) if arcp", Do: reciprocal},
}

// reciprocal: the inverse of a power of two is exact unless it leaves the normal
// numbers.
func reciprocal(b *ir.Builder, c *ir.Call) ir.Value {
	x, ok := elementwise.FloatNumber(c, 1)
	if !ok || x == 0 || math.IsInf(x, 0) || x != x {
		return 0
	}
	t := elementwise.Elem(c)
	inv := ir.BitsToFloat(ir.FloatToBits(1/x, t), t)
	frac, _ := math.Frexp(x)
	exact := math.Abs(frac) == 0.5 && !math.IsInf(inv, 0) && ir.BitsToFloat(ir.FloatToBits(1/inv, t), t) == x &&
		math.Abs(inv) >= smallestNormal(t)
	if !exact && !(licensed(c, Arcp) && !math.IsInf(inv, 0) && inv != 0) {
		return 0
	}
	return elementwise.With(b, c, Mulf, c.Attr, c.Args[0], floatConst(b, c, inv))
}

func smallestNormal(t ir.Type) float64 {
	switch t {
	case ir.F16:
		return 0x1p-14
	case ir.F32, ir.BF16:
		return 0x1p-126
	}
	return 0x1p-1022
}
