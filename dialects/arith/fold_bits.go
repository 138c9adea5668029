package arith

import "github.com/irc-lang/irc/ir"

// bitFolds: andi and ori of x with itself are among extremaFolds.
var bitFolds = []ir.Fold{
	{Of: Andi, Needs: ir.Constant, Rule: "andi: x & 0 = 0", Is: &pattern{From: &op{Args: in{x, zero}}, To: zero}},
	{Of: Andi, Needs: ir.Constant, Rule: "andi: x & -1 = x", Is: &pattern{From: &op{Args: in{x, ones}}, To: x}},
	{Of: Andi, Needs: ir.Constant | ir.MadeBy(Andi), Rule: "andi: (x & c1) & c2 = x & (c1 & c2)", Is: &pattern{From: &op{Args: in{&op{Def: Andi, Args: in{x, c1}}, c2}}, To: &op{Args: in{x, bothBits}}}},
	{Of: Andi, Needs: ir.MadeBy(Xori), Rule: "andi: x & ~x = 0", Is: &pattern{From: &op{Args: in{x, not}}, To: zero}},
	{Of: Ori, Needs: ir.Constant, Rule: "ori: x | 0 = x", Is: &pattern{From: &op{Args: in{x, zero}}, To: x}},
	{Of: Ori, Needs: ir.Constant, Rule: "ori: x | -1 = -1", Is: &pattern{From: &op{Args: in{x, ones}}, To: ones}},
	{Of: Ori, Needs: ir.Constant | ir.MadeBy(Ori), Rule: "ori: (x | c1) | c2 = x | (c1 | c2)", Is: &pattern{From: &op{Args: in{&op{Def: Ori, Args: in{x, c1}}, c2}}, To: &op{Args: in{x, eitherBits}}}},
	{Of: Ori, Needs: ir.MadeBy(Xori), Rule: "ori: x | ~x = -1", Is: &pattern{From: &op{Args: in{x, not}}, To: ones}},
	{Of: Xori, Needs: ir.Constant, Rule: "xori: x ^ 0 = x", Is: &pattern{From: &op{Args: in{x, zero}}, To: x}},
	{Of: Xori, Needs: ir.Same, Rule: "xori: x ^ x = 0", Is: &pattern{From: &op{Args: in{x, x}}, To: zero}},
	{Of: Xori, Needs: ir.Constant | ir.MadeBy(Xori), Rule: "xori: (x ^ c1) ^ c2 = x ^ (c1 ^ c2)", Is: &pattern{From: &op{Args: in{&op{Def: Xori, Args: in{x, c1}}, c2}}, To: &op{Args: in{x, unequalBits}}}},
	{Of: Xori, Needs: ir.Constant | ir.MadeBy(Cmpi), Rule: "xori: ~cmpi(x, y) = cmpi{opposite}(x, y)", Is: &pattern{From: &op{Args: in{&op{Def: Cmpi, Args: in{x, y}}, ones}}, To: &op{Def: Cmpi, Args: in{x, y}, Props: opposite, Text: "opposite"}}},
	{Of: Xori, Needs: ir.Constant | ir.MadeBy(Cmpf), Rule: "xori: ~cmpf(x, y) = cmpf{opposite}(x, y)", Is: &pattern{From: &op{Args: in{&op{Def: Cmpf, Args: in{x, y}}, ones}}, To: &op{Def: Cmpf, Args: in{x, y}, Props: oppositeF, Text: "opposite"}}},
	{Of: Shli, Needs: ir.Constant, Rule: "shli: x << 0 = x", Is: &pattern{From: &op{Args: in{x, zero}}, To: x}},
	{Of: Shrui, Needs: ir.Constant, Rule: "shrui: x >> 0 = x", Is: &pattern{From: &op{Args: in{x, zero}}, To: x}},
	{Of: Shrsi, Needs: ir.Constant, Rule: "shrsi: x >> 0 = x", Is: &pattern{From: &op{Args: in{x, zero}}, To: x}},
	{Of: Shli, Needs: ir.Constant, Rule: "shli: 0 << x = 0", Is: &pattern{From: &op{Args: in{zero, x}}, To: zero}},
	{Of: Shrui, Needs: ir.Constant, Rule: "shrui: 0 >> x = 0", Is: &pattern{From: &op{Args: in{zero, x}}, To: zero}},
	{Of: Shrsi, Needs: ir.Constant, Rule: "shrsi: 0 >> x = 0 and -1 >> x = -1", Is: &pattern{From: &op{Args: in{zero, x}}, To: zero, Or: &pattern{From: &op{Args: in{ones, x}}, To: ones}}},
}

// swapped is the predicate of y . x, and Inverse the one that holds where p does
// not.
func (p CmpIPredicate) swapped() CmpIPredicate {
	return [...]CmpIPredicate{EQ, NE, SGT, SGE, SLT, SLE, UGT, UGE, ULT, ULE}[p]
}

// inverse is the predicate that holds where p does not.
func (p CmpIPredicate) inverse() CmpIPredicate {
	return [...]CmpIPredicate{NE, EQ, SGE, SGT, SLE, SLT, UGE, UGT, ULE, ULT}[p]
}

// inverse is the predicate that holds where p does not, for NaN too.
func (p CmpFPredicate) inverse() CmpFPredicate {
	return [...]CmpFPredicate{AlwaysTrue, UNE, FULE, FULT, FUGE, FUGT, UEQ, UNO, ONE, OLE, OLT, OGE, OGT, OEQ, ORD, AlwaysFalse}[p]
}

// swapped is the predicate of y . x: greater and less change places.
func (p CmpFPredicate) swapped() CmpFPredicate {
	return [...]CmpFPredicate{AlwaysFalse, OEQ, OLT, OLE, OGT, OGE, ONE, ORD, UEQ, FULT, FULE, FUGT, FUGE, UNE, UNO, AlwaysTrue}[p]
}
