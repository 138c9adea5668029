package arith

import (
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

var overflowAttrs = []string{"overflowFlags"}

// total defines an integer op of two operands that cannot trap.
func total(name, doc string, traits ir.Trait, f intFunc) *ir.OpDef {
	return ir.Define(&ir.OpDef{Name: "arith." + name, Doc: doc, Args: []string{"lhs", "rhs"},
		Traits: traits | ir.Elementwise, Infer: elementwise.Same(2, elementwise.IntegerLike), Eval: intEval(f)})
}

// shift defines a shift to the right.
func shift(name, doc string, f intFunc) *ir.OpDef {
	return ir.Define(&ir.OpDef{Name: "arith." + name, Doc: doc, Args: []string{"lhs", "rhs"},
		Traits: ir.Elementwise, Infer: elementwise.Same(2, elementwise.IntegerLike), Eval: intEval(f), Poisons: shiftsFar})
}

// wrapping defines an integer op that has overflow flags.
func wrapping(name, doc string, op affine.Op, traits ir.Trait, f intFunc) *ir.OpDef {
	return ir.Define(&ir.OpDef{Name: "arith." + name, Doc: doc, Args: []string{"lhs", "rhs"}, Attrs: overflowAttrs,
		Traits: traits | ir.Elementwise, Infer: elementwise.Same(2, elementwise.IntegerLike), Eval: intEval(f), Poisons: wraps(op)})
}

// division defines an integer op that traps on a divisor of zero or, if it is
// signed, on the least number divided by -1.
func division(name, doc string, signed bool, f func(w int, x, y uint64) uint64) *ir.OpDef {
	return ir.Define(&ir.OpDef{Name: "arith." + name, Doc: doc, Args: []string{"lhs", "rhs"},
		Traits: ir.Partial | ir.Elementwise, Infer: elementwise.Same(2, elementwise.IntegerLike), Eval: divEval(signed, f),
		Traps: func(c *ir.Call) bool { return mayTrap(c, signed) }, Harmless: isDividend(signed), Poisons: dividesPoison(signed)})
}

// Integer ops of two operands.
var (
	Addi = wrapping("addi", "Sum of two integers, modulo 2^width.", affine.Add, ir.Commutative, addi)
	Subi = wrapping("subi", "Difference of two integers, modulo 2^width.", affine.Sub, 0, subi)
	Muli = wrapping("muli", "Product of two integers, modulo 2^width.", affine.Mul, ir.Commutative, muli)
	Shli = wrapping("shli", "Left shift; poison if the amount is not less than the width.", affine.ShiftLeft, 0, shli)

	Shrui = shift("shrui", "Logical right shift; poison if the amount is not less than the width.", shrui)
	Shrsi = shift("shrsi", "Arithmetic right shift; poison if the amount is not less than the width.", shrsi)
	Andi  = total("andi", "Bitwise and.", ir.Commutative, func(_ int, x, y uint64, _ Overflow) (uint64, bool) { return x & y, true })
	Ori   = total("ori", "Bitwise or.", ir.Commutative, func(_ int, x, y uint64, _ Overflow) (uint64, bool) { return x | y, true })
	Xori  = total("xori", "Bitwise exclusive or.", ir.Commutative, func(_ int, x, y uint64, _ Overflow) (uint64, bool) { return x ^ y, true })
	Maxsi = total("maxsi", "The greater of two signed integers.", ir.Commutative, maxsi)
	Maxui = total("maxui", "The greater of two unsigned integers.", ir.Commutative, func(_ int, x, y uint64, _ Overflow) (uint64, bool) { return max(x, y), true })
	Minsi = total("minsi", "The smaller of two signed integers.", ir.Commutative, minsi)
	Minui = total("minui", "The smaller of two unsigned integers.", ir.Commutative, func(_ int, x, y uint64, _ Overflow) (uint64, bool) { return min(x, y), true })

	Divui      = division("divui", "Unsigned division; traps on zero.", false, divui)
	Divsi      = division("divsi", "Signed division, rounded towards zero; traps on zero and on overflow.", true, divsi)
	Ceildivui  = division("ceildivui", "Unsigned division, rounded up; traps on zero.", false, ceildivui)
	Ceildivsi  = division("ceildivsi", "Signed division, rounded up; traps on zero and on overflow.", true, ceildivsi)
	Floordivsi = division("floordivsi", "Signed division, rounded down; traps on zero and on overflow.", true, floordivsi)
	Remui      = division("remui", "Unsigned remainder; traps on zero.", false, remui)
	Remsi      = division("remsi", "Signed remainder, of the sign of the dividend; traps on zero and where divsi overflows.", true, remsi)
)

// extended defines an op that gives a result of twice the width in two parts.
func extended(name, doc, first, second string, f func(w int, x, y uint64) (uint64, uint64)) *ir.OpDef {
	return ir.Define(&ir.OpDef{Name: "arith." + name, Doc: doc, Args: []string{"lhs", "rhs"},
		Traits: ir.Commutative | ir.Elementwise, Eval: extendedEval(f), Infer: func(c *ir.Call) (ir.Type, error) {
			if err := elementwise.CheckOperands(c, elementwise.IntegerLike, elementwise.IntegerLike); err != nil {
				return 0, err
			}
			t := c.ArgType(0)
			r := c.Ctx().Results(c.Type)
			if c.Type != ir.NoType && len(r) != 2 {
				return 0, c.Errorf("expected 2 results, but found %d", len(r))
			}
			other := t
			if second == "overflow" {
				other = elementwise.WithElem(c.Ctx(), t, ir.I1)
				if len(r) == 2 && !elementwise.BoolLike.Has(c.Ctx(), r[1]) {
					return 0, c.Errorf("result #1 must be bool-like, but got %s", elementwise.Quote(c.Ctx(), r[1]))
				}
			}
			if c.ArgType(1) != t || len(r) == 2 && (r[0] != t || second != "overflow" && r[1] != t) {
				set := "lhs, rhs, " + first
				if second != "overflow" {
					set += ", " + second
				}
				return 0, c.Errorf("failed to verify that all of {%s} have same type", set)
			}
			return c.Ctx().Multi(t, other), nil
		}})
}

// Integer ops with two results.
var (
	AdduiExtended = extended("addui_extended", "Sum of two integers, and whether it overflowed as unsigned.", "sum", "overflow", adduiExtended)
	MuluiExtended = extended("mului_extended", "Low and high half of the product of two unsigned integers.", "low", "high", muluiExtended)
	MulsiExtended = extended("mulsi_extended", "Low and high half of the product of two signed integers.", "low", "high", mulsiExtended)
)
