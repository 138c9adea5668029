package arith

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
)

// The words of the dialect's patterns: each fold that is a matter of structure is written in them.

// op is an op on terms, or with no Def the op of the fold, and in are its operands.
type (
	op      = ir.Term
	in      = []*ir.Term
	pattern = ir.Pattern
)

// Operands and constants.
var (
	x, y, z, v = &ir.Term{Var: 1}, &ir.Term{Var: 2}, &ir.Term{Var: 3}, &ir.Term{Var: 4}
	c1, c2     = &ir.Term{Var: -1}, &ir.Term{Var: -2}
)

// Integers.
var (
	zero = &ir.Term{Text: "0", Is: func(ir.Type, int, []uint64) (uint64, bool) { return 0, true }}
	one  = &ir.Term{Text: "1", Is: func(ir.Type, int, []uint64) (uint64, bool) { return 1, true }}
	// 1 is -1 in i1, by which no signed division is certain.
	signedOne = &ir.Term{Text: "1", Is: func(_ ir.Type, w int, _ []uint64) (uint64, bool) { return 1, w > 1 }}
	ones      = &ir.Term{Text: "-1", Is: func(_ ir.Type, w int, _ []uint64) (uint64, bool) { return mask(w), small(w) }}
	least     = &ir.Term{Text: "least", Is: func(_ ir.Type, w int, _ []uint64) (uint64, bool) { return mask(w) &^ (mask(w) >> 1), small(w) }}
	greatest  = &ir.Term{Text: "greatest", Is: func(_ ir.Type, w int, _ []uint64) (uint64, bool) { return mask(w) >> 1, small(w) }}

	yes = &ir.Term{Text: "true", Width: [2]int{0, 1}, Is: one.Is}
	no  = &ir.Term{Text: "false", Width: [2]int{0, 1}, Is: zero.Is}
)

func small(w int) bool { return w >= 1 && w <= 64 }

// What is computed of two constants.
var (
	plus        = &ir.Term{Text: "c1 + c2", Is: func(_ ir.Type, _ int, c []uint64) (uint64, bool) { return c[0] + c[1], true }}
	minus       = &ir.Term{Text: "c1 - c2", Is: func(_ ir.Type, _ int, c []uint64) (uint64, bool) { return c[0] - c[1], true }}
	minusFirst  = &ir.Term{Text: "c2 - c1", Is: func(_ ir.Type, _ int, c []uint64) (uint64, bool) { return c[1] - c[0], true }}
	minusBoth   = &ir.Term{Text: "-(c1 + c2)", Is: func(_ ir.Type, _ int, c []uint64) (uint64, bool) { return -(c[0] + c[1]), true }}
	bothBits    = &ir.Term{Text: "c1 & c2", Is: func(_ ir.Type, _ int, c []uint64) (uint64, bool) { return c[0] & c[1], true }}
	eitherBits  = &ir.Term{Text: "c1 | c2", Is: func(_ ir.Type, _ int, c []uint64) (uint64, bool) { return c[0] | c[1], true }}
	unequalBits = &ir.Term{Text: "c1 ^ c2", Is: func(_ ir.Type, _ int, c []uint64) (uint64, bool) { return c[0] ^ c[1], true }}
)

// Floats; the sign of zero counts.
var (
	zeroF    = &ir.Term{Text: "0.0", Is: func(t ir.Type, _ int, _ []uint64) (uint64, bool) { return floatBits(0, t) }}
	minusZ   = &ir.Term{Text: "-0.0", Is: func(t ir.Type, _ int, _ []uint64) (uint64, bool) { return floatBits(math.Copysign(0, -1), t) }}
	oneF     = &ir.Term{Text: "1.0", Is: func(t ir.Type, _ int, _ []uint64) (uint64, bool) { return floatBits(1, t) }}
	minusOne = &ir.Term{Text: "-1.0", Is: func(t ir.Type, _ int, _ []uint64) (uint64, bool) { return floatBits(-1, t) }}
	inf      = &ir.Term{Text: "inf", Is: func(t ir.Type, _ int, _ []uint64) (uint64, bool) { return floatBits(math.Inf(1), t) }}
	minusInf = &ir.Term{Text: "-inf", Is: func(t ir.Type, _ int, _ []uint64) (uint64, bool) { return floatBits(math.Inf(-1), t) }}

	nan = &ir.Term{Text: "c1 is NaN", Is: func(t ir.Type, _ int, c []uint64) (uint64, bool) {
		return ir.BoolVal(elementwise.Computable(t) && isNaN(ir.BitsToFloat(c[0], t))).Bits, true
	}}
)

func floatBits(x float64, t ir.Type) (uint64, bool) {
	if !elementwise.Computable(t) {
		return 0, false
	}
	return ir.FloatToBits(x, t), true
}

// same gives an op the properties of the op of the fold, and inner those of the op that is its operand.
func same(_ *ir.Context, of []ir.Attr) ir.Attr  { return of[0] }
func inner(_ *ir.Context, of []ir.Attr) ir.Attr { return of[1] }

// An op that has no such flag is not matched.
func nsz(c *ir.Context, of []ir.Attr) ir.Attr  { return withFastMath(c, of[0], Nsz) }
func nnan(c *ir.Context, of []ir.Attr) ir.Attr { return withFastMath(c, of[0], NNan) }
func nnanNsz(c *ir.Context, of []ir.Attr) ir.Attr {
	return withFastMath(c, of[0], NNan|Nsz)
}
func nuw(c *ir.Context, of []ir.Attr) ir.Attr { return withOverflow(c, of[0], NUW) }
func nsw(c *ir.Context, of []ir.Attr) ir.Attr { return withOverflow(c, of[0], NSW) }

func withFastMath(c *ir.Context, a ir.Attr, f FastMath) ir.Attr {
	if a != 0 && FastMathOf(c, a)&f == f {
		return a
	}
	return 0
}

func withOverflow(c *ir.Context, a ir.Attr, f Overflow) ir.Attr {
	if a != 0 && OverflowOf(c, a)&f == f {
		return a
	}
	return 0
}

// Predicates of comparisons that match.
func equal(c *ir.Context, of []ir.Attr) ir.Attr {
	return predicate(c, of[0], PredicateOfI(c, of[0]) == EQ)
}
func unequal(c *ir.Context, of []ir.Attr) ir.Attr {
	return predicate(c, of[0], PredicateOfI(c, of[0]) == NE)
}
func reflexive(c *ir.Context, of []ir.Attr) ir.Attr {
	return predicate(c, of[0], PredicateOfI(c, of[0]).holds(8, 0, 0))
}

func predicate(_ *ir.Context, a ir.Attr, is bool) ir.Attr {
	if is {
		return a
	}
	return 0
}

// opposite and oppositeF are the comparisons that hold where the operand of the op does not.
func opposite(c *ir.Context, of []ir.Attr) ir.Attr {
	return PredicateI(c, PredicateOfI(c, of[1]).inverse())
}

func oppositeF(c *ir.Context, of []ir.Attr) ir.Attr {
	return PredicateF(c, PredicateOfF(c, of[1]).inverse(), FastMathOf(c, of[1]))
}

// not is the complement of x.
var not = &op{Def: Xori, Args: in{x, ones}}
