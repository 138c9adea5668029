package arith

import "github.com/irc-lang/irc/ir"

// merge gives the rule (x . c1) . c2 = x . (c1 . c2).
func merge(d *ir.OpDef, f func(x, y uint64) uint64) do {
	return chain(d, 1, 1, func(b *ir.Builder, c *ir.Call, x ir.Value, c1, c2 uint64, _ Overflow) ir.Value {
		return with(b, c, c.Def, 0, x, konst(b, c, f(c1, c2)))
	})
}

// notOf returns x if operand i is x xor all ones.
func notOf(c *ir.Call, i int) (x ir.Value, ok bool) {
	args, _, ok := From(c, i, Xori)
	if !ok {
		return 0, false
	}
	w, small := width(c, i)
	n, isConst := NumberOf(c.Graph(), args[1])
	return args[0], small && isConst && n == mask(w)
}

// withNot: one operand is the complement of the other.
func withNot(c *ir.Call) bool {
	x, ok := notOf(c, 0)
	y, ok2 := notOf(c, 1)
	return ok && x == c.Args[1] || ok2 && y == c.Args[0]
}

// bitFolds: andi and ori of x with itself are among extremaFolds.
var bitFolds = []ir.Fold{
	{Of: Andi, Needs: ir.Constant, Rule: "andi: x & 0 = 0", Do: Operand(1, rightIs(0))},
	{Of: Andi, Needs: ir.Constant, Rule: "andi: x & -1 = x", Do: Operand(0, rightOnes)},
	{Of: Andi, Needs: ir.Constant | ir.MadeBy(Andi), Rule: "andi: (x & c1) & c2 = x & (c1 & c2)", Do: merge(Andi, func(x, y uint64) uint64 { return x & y })},
	{Of: Andi, Needs: ir.MadeBy(Xori), Rule: "andi: x & ~x = 0", Do: number(0, withNot)},
	{Of: Ori, Needs: ir.Constant, Rule: "ori: x | 0 = x", Do: Operand(0, rightIs(0))},
	{Of: Ori, Needs: ir.Constant, Rule: "ori: x | -1 = -1", Do: Operand(1, rightOnes)},
	{Of: Ori, Needs: ir.Constant | ir.MadeBy(Ori), Rule: "ori: (x | c1) | c2 = x | (c1 | c2)", Do: merge(Ori, func(x, y uint64) uint64 { return x | y })},
	{Of: Ori, Needs: ir.MadeBy(Xori), Rule: "ori: x | ~x = -1", Do: number(^uint64(0), withNot)},
	{Of: Xori, Needs: ir.Constant, Rule: "xori: x ^ 0 = x", Do: Operand(0, rightIs(0))},
	{Of: Xori, Needs: ir.Same, Rule: "xori: x ^ x = 0", Do: number(0, bothSame)},
	{Of: Xori, Needs: ir.Constant | ir.MadeBy(Xori), Rule: "xori: (x ^ c1) ^ c2 = x ^ (c1 ^ c2)", Do: merge(Xori, func(x, y uint64) uint64 { return x ^ y })},
	{Of: Xori, Needs: ir.Constant | ir.MadeBy(Cmpi), Rule: "xori: not cmpi = cmpi of the opposite predicate", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		args, attr, ok := From(c, 0, Cmpi)
		if !ok || !isOnes(c, 1) {
			return 0
		}
		p := PredicateOfI(c.Ctx(), attr).Inverse()
		return with(b, c, Cmpi, PredicateI(c.Ctx(), p), args[0], args[1])
	}},
	{Of: Xori, Needs: ir.Constant | ir.MadeBy(Cmpf), Rule: "xori: not cmpf = cmpf of the opposite predicate", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		args, attr, ok := From(c, 0, Cmpf)
		if !ok || !isOnes(c, 1) {
			return 0
		}
		p := PredicateOfF(c.Ctx(), attr).Inverse()
		return with(b, c, Cmpf, PredicateF(c.Ctx(), p, FastMathOf(c.Ctx(), attr)), args[0], args[1])
	}},
	{Of: Shli, Needs: ir.Constant, Rule: "shli: x << 0 = x", Do: Operand(0, rightIs(0))},
	{Of: Shrui, Needs: ir.Constant, Rule: "shrui: x >> 0 = x", Do: Operand(0, rightIs(0))},
	{Of: Shrsi, Needs: ir.Constant, Rule: "shrsi: x >> 0 = x", Do: Operand(0, rightIs(0))},
	{Of: Shli, Needs: ir.Constant, Rule: "shli: 0 << x = 0", Do: Operand(0, leftZero)},
	{Of: Shrui, Needs: ir.Constant, Rule: "shrui: 0 >> x = 0", Do: Operand(0, leftZero)},
	{Of: Shrsi, Needs: ir.Constant, Rule: "shrsi: 0 >> x = 0 and -1 >> x = -1", Do: Operand(0, func(c *ir.Call) bool { return leftZero(c) || isOnes(c, 0) })},
}

func leftZero(c *ir.Call) bool { return isNum(c, 0, 0) }

// Swapped is the predicate of y . x, and Inverse the one that holds where p does
// not.
func (p CmpIPredicate) Swapped() CmpIPredicate {
	return [...]CmpIPredicate{EQ, NE, SGT, SGE, SLT, SLE, UGT, UGE, ULT, ULE}[p]
}

// Inverse is the predicate that holds where p does not.
func (p CmpIPredicate) Inverse() CmpIPredicate {
	return [...]CmpIPredicate{NE, EQ, SGE, SGT, SLE, SLT, UGE, UGT, ULE, ULT}[p]
}

// Inverse is the predicate that holds where p does not, for NaN too.
func (p CmpFPredicate) Inverse() CmpFPredicate {
	return [...]CmpFPredicate{AlwaysTrue, UNE, FULE, FULT, FUGE, FUGT, UEQ, UNO, ONE, OLE, OLT, OGE, OGT, OEQ, ORD, AlwaysFalse}[p]
}

// Swapped is the predicate of y . x: greater and less change places.
func (p CmpFPredicate) Swapped() CmpFPredicate {
	return [...]CmpFPredicate{AlwaysFalse, OEQ, OLT, OLE, OGT, OGE, ONE, ORD, UEQ, FULT, FULE, FUGT, FUGE, UNE, UNO, AlwaysTrue}[p]
}
