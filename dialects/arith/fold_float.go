package arith

import (
	"math"

	"github.com/irc-lang/irc/ir"
)

// elem is the element type of the operands.
func elem(c *ir.Call) ir.Type { return c.Ctx().ElemOrSelf(c.ArgType(0)) }

// FloatNumber returns operand i if it is a constant float, the same in every
// element.
func FloatNumber(c *ir.Call, i int) (x float64, ok bool) {
	bits, ok := Number(c, i)
	if !ok || !Computable(elem(c)) {
		return 0, false
	}
	return ir.BitsToFloat(bits, elem(c)), true
}

// IsFloatNumber reports that operand i is x; the sign of zero counts.
func IsFloatNumber(c *ir.Call, i int, x float64) bool {
	y, ok := FloatNumber(c, i)
	return ok && math.Float64bits(x) == math.Float64bits(y)
}

func rightFloat(x float64) func(*ir.Call) bool {
	return func(c *ir.Call) bool { return IsFloatNumber(c, 1, x) }
}

// licensed: the op has all the licences f.
func licensed(c *ir.Call, f FastMath) bool { return FastMathOf(c.Ctx(), c.Attr)&f == f }

func allOf(f FastMath, cond func(*ir.Call) bool) func(*ir.Call) bool {
	return func(c *ir.Call) bool { return licensed(c, f) && cond(c) }
}

// flip makes op d of the operands with the negation of operand i taken off.
func flip(d *ir.OpDef, i int) do {
	return func(b *ir.Builder, c *ir.Call) ir.Value {
		in, _, ok := From(c, i, Negf)
		if !ok {
			return 0
		}
		return with(b, c, d, c.Attr, c.Args[1-i], in[0])
	}
}

// negated makes -operand i where cond holds.
func negated(i int, cond func(*ir.Call) bool) do {
	return func(b *ir.Builder, c *ir.Call) ir.Value {
		if !cond(c) {
			return 0
		}
		return with(b, c, Negf, c.Attr, c.Args[i])
	}
}

// bothNegated: two signs cancel.
func bothNegated(b *ir.Builder, c *ir.Call) ir.Value {
	x, _, ok := From(c, 0, Negf)
	y, _, ok2 := From(c, 1, Negf)
	if !ok || !ok2 {
		return 0
	}
	return Again(b, c, x[0], y[0])
}

// reassoc gives the rule (x . c1) . c2 = x . (c1 . c2) where both ops allow it.
func reassoc(f func(x, y float64) float64) do {
	return func(b *ir.Builder, c *ir.Call) ir.Value {
		in, attr, ok := From(c, 0, c.Def)
		c2, ok2 := FloatNumber(c, 1)
		both := FastMathOf(c.Ctx(), c.Attr) & FastMathOf(c.Ctx(), attr)
		if !ok || !ok2 || both&Reassoc == 0 || c.Graph().Type(in[0]) != c.Type {
			return 0
		}
		bits, ok := NumberOf(c.Graph(), in[1])
		if !ok {
			return 0
		}
		c12 := f(ir.BitsToFloat(bits, elem(c)), c2)
		if both.Excludes(elem(c), ir.FloatVal(c12, elem(c))) { // x may bring the sum back from what is infinite here
			return 0
		}
		return with(b, c, c.Def, FastMathProps(c.Ctx(), both), in[0], floatConst(b, c, c12))
	}
}

var floatFolds = []ir.Fold{
	{Of: Addf, Needs: ir.Constant, Rule: "addf: x + -0.0 = x", Do: Operand(0, rightFloat(math.Copysign(0, -1)))},
	{Of: Addf, Needs: ir.Constant, Rule: "addf: x + 0.0 = x if nsz", Do: Operand(0, allOf(Nsz, rightFloat(0)))},
	{Of: Addf, Needs: ir.MadeBy(Negf), Rule: "addf: x + -y = x - y", Do: flip(Subf, 1)},
	{Of: Addf, Needs: ir.MadeBy(Negf), Rule: "addf: -y + x = x - y", Do: flip(Subf, 0)},
	{Of: Addf, Needs: ir.Constant | ir.MadeBy(Addf), Rule: "addf: (x + c1) + c2 = x + (c1 + c2) if reassoc", Do: reassoc(func(x, y float64) float64 { return x + y })},
	{Of: Subf, Needs: ir.Constant, Rule: "subf: x - 0.0 = x", Do: Operand(0, rightFloat(0))},
	{Of: Subf, Needs: ir.Constant, Rule: "subf: x - -0.0 = x if nsz", Do: Operand(0, allOf(Nsz, rightFloat(math.Copysign(0, -1))))},
	{Of: Subf, Needs: ir.MadeBy(Negf), Rule: "subf: x - -y = x + y", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		in, _, ok := From(c, 1, Negf)
		if !ok {
			return 0
		}
		return with(b, c, Addf, c.Attr, c.Args[0], in[0])
	}},
	{Of: Subf, Needs: ir.Constant, Rule: "subf: -0.0 - x = -x", Do: negated(1, func(c *ir.Call) bool { return IsFloatNumber(c, 0, math.Copysign(0, -1)) })},
	{Of: Subf, Needs: ir.Constant, Rule: "subf: 0.0 - x = -x if nsz", Do: negated(1, allOf(Nsz, func(c *ir.Call) bool { return IsFloatNumber(c, 0, 0) }))},
	{Of: Subf, Needs: ir.Same, Rule: "subf: x - x = 0.0 if nnan", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		if !bothSame(c) || !licensed(c, NNan) {
			return 0
		}
		return floatConst(b, c, 0)
	}},
	{Of: Negf, Needs: ir.MadeBy(Negf), Rule: "negf: -(-x) = x", Do: func(_ *ir.Builder, c *ir.Call) ir.Value {
		if in, _, ok := From(c, 0, Negf); ok {
			return Keep(c, in[0])
		}
		return 0
	}},
	{Of: Negf, Needs: ir.MadeBy(Subf), Rule: "negf: -(x - y) = y - x if nsz", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		in, attr, ok := From(c, 0, Subf)
		if !ok || !licensed(c, Nsz) {
			return 0
		}
		return with(b, c, Subf, attr, in[1], in[0])
	}},
	{Of: Maximumf, Needs: ir.Constant, Rule: "maximumf: max(x, NaN) = NaN", Do: Operand(1, rightNaN)},
	{Of: Minimumf, Needs: ir.Constant, Rule: "minimumf: min(x, NaN) = NaN", Do: Operand(1, rightNaN)},
	{Of: Maxnumf, Needs: ir.Constant, Rule: "maxnumf: max(x, NaN) = x", Do: Operand(0, rightNaN)},
	{Of: Minnumf, Needs: ir.Constant, Rule: "minnumf: min(x, NaN) = x", Do: Operand(0, rightNaN)},
	{Of: Maximumf, Needs: ir.Constant, Rule: "maximumf: max(x, -inf) = x", Do: Operand(0, rightFloat(math.Inf(-1)))},
	{Of: Minimumf, Needs: ir.Constant, Rule: "minimumf: min(x, inf) = x", Do: Operand(0, rightFloat(math.Inf(1)))},
	{Of: Maxnumf, Needs: ir.Constant, Rule: "maxnumf: max(x, inf) = inf", Do: Operand(1, rightFloat(math.Inf(1)))},
	{Of: Minnumf, Needs: ir.Constant, Rule: "minnumf: min(x, -inf) = -inf", Do: Operand(1, rightFloat(math.Inf(-1)))},
}

func rightNaN(c *ir.Call) bool {
	x, ok := FloatNumber(c, 1)
	return ok && x != x
}

var floatMulFolds = []ir.Fold{
	{Of: Mulf, Needs: ir.Constant, Rule: "mulf: x * 1.0 = x", Do: Operand(0, rightFloat(1))},
	{Of: Mulf, Needs: ir.Constant, Rule: "mulf: x * -1.0 = -x", Do: negated(0, rightFloat(-1))},
	{Of: Mulf, Needs: ir.Constant, Rule: "mulf: x * 0.0 = 0.0 if nnan and nsz", Do: Operand(1, allOf(NNan|Nsz, rightFloat(0)))},
	{Of: Mulf, Needs: ir.MadeBy(Negf), Rule: "mulf: -x * -y = x * y", Do: bothNegated},
	{Of: Mulf, Needs: ir.Constant | ir.MadeBy(Mulf), Rule: "mulf: (x * c1) * c2 = x * (c1 * c2) if reassoc", Do: reassoc(func(x, y float64) float64 { return x * y })},
	{Of: Divf, Needs: ir.Constant, Rule: "divf: x / 1.0 = x", Do: Operand(0, rightFloat(1))},
	{Of: Divf, Needs: ir.Constant, Rule: "divf: x / -1.0 = -x", Do: negated(0, rightFloat(-1))},
	{Of: Divf, Needs: ir.Same, Rule: "divf: x / x = 1.0 if nnan", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		if !bothSame(c) || !licensed(c, NNan) {
			return 0
		}
		return floatConst(b, c, 1)
	}},
	{Of: Divf, Needs: ir.MadeBy(Negf), Rule: "divf: -x / -y = x / y", Do: bothNegated},
	{Of: Divf, Needs: ir.Constant, Rule: "divf: x / 2^k = x * 2^-k where that is exact, x / c = x * (1/c) if arcp", Do: reciprocal},
}

// reciprocal: the inverse of a power of two is exact unless it leaves the normal
// numbers.
func reciprocal(b *ir.Builder, c *ir.Call) ir.Value {
	x, ok := FloatNumber(c, 1)
	if !ok || x == 0 || math.IsInf(x, 0) || x != x {
		return 0
	}
	t := elem(c)
	inv := ir.BitsToFloat(ir.FloatToBits(1/x, t), t)
	frac, _ := math.Frexp(x)
	exact := math.Abs(frac) == 0.5 && !math.IsInf(inv, 0) && ir.BitsToFloat(ir.FloatToBits(1/inv, t), t) == x &&
		math.Abs(inv) >= smallestNormal(t)
	if !exact && !(licensed(c, Arcp) && !math.IsInf(inv, 0) && inv != 0) {
		return 0
	}
	return with(b, c, Mulf, c.Attr, c.Args[0], floatConst(b, c, inv))
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
