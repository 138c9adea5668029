package arith

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/interp"
)

// NotFinite is the Poisons of a float op: with nnan or ninf an operand or a result that is a NaN or
// an infinity is poison.
func NotFinite(c *ir.Call) bool {
	return c.Attr != 0 && FastMathOf(c.Ctx(), c.Attr)&(NNan|NInf) != 0
}

// PoisonNotFinite is what a float op gives, of operands of type t, by its flags: with nnan or ninf, poison where a NaN or
// an infinity is among them or is y, which it gives without flags. Numbers that are finite do not pay for reading the flags.
func PoisonNotFinite(c *ir.Call, t ir.Type, args []ir.Val, y ir.Val) ir.Val {
	m := exponentBits(t)
	odd := y.Ref != nil || y.Bits&m == m
	for i := range args {
		odd = odd || args[i].Bits&m == m
	}
	if !odd {
		return y
	}
	return poisonExcluded(c, args, y)
}

// poisonExcluded is y with poison in its lanes where flags of the op exclude what is there, or in operands.
func poisonExcluded(c *ir.Call, args []ir.Val, y ir.Val) ir.Val {
	if excluded(c) == 0 {
		return y
	}
	y, _ = Lift(append(slices.Clone(args), y), func(x []ir.Val) (ir.Val, error) { // which has lifted these before
		last := len(x) - 1
		if breaksPromise(c, x[:last], x[last]) {
			return Poisoned, nil
		}
		return x[last], nil
	})
	return y
}

// excluded are the flags of an op that make poison.
func excluded(c *ir.Call) FastMath {
	if c.Attr == 0 || c.Def.Poisons == nil { // what other ops note by that name promises nothing
		return 0
	}
	return FastMathOf(c.Ctx(), c.Attr) & (NNan | NInf)
}

// exponentBits are the bits that are all set in the NaNs and infinities of a float type. Of a type that is not
// computed with they are more than its values have.
func exponentBits(t ir.Type) uint64 {
	switch t {
	case ir.F64:
		return 0x7ff << 52
	case ir.F32:
		return 0xff << 23
	case ir.BF16:
		return 0xff << 7
	case ir.F16:
		return 0x1f << 10
	}
	return ^uint64(0)
}

// breaksPromise reports a scalar operand or result that the flags of an op say does not occur.
func breaksPromise(c *ir.Call, x []ir.Val, y ir.Val) bool {
	flags := excluded(c)
	if flags == 0 {
		return false
	}
	for i, v := range x {
		if flags.Excludes(c.Ctx().ElemOrSelf(c.ArgType(i)), v) {
			return true
		}
	}
	return flags.Excludes(c.Ctx().ElemOrSelf(c.Type), y)
}

// Excludes reports a number of a type that flags say does not occur.
func (f FastMath) Excludes(t ir.Type, v ir.Val) bool {
	m := exponentBits(t)
	if v.Ref != nil || v.Bits&m != m || !Computable(t) {
		return false
	}
	if v.Bits&(m&-m-1) != 0 { // the fraction, below the exponent, of a NaN is not 0
		return f&NNan != 0
	}
	return f&NInf != 0
}

// tooLarge: a float that no integer of the result's width holds is poison.
func tooLarge(signed bool) func(*ir.Call) bool {
	return func(c *ir.Call) bool {
		w := c.Ctx().Info(c.Type).Width
		return !signed || !affine.In(c.Builder()).Certain().FloatFits(c.Args[0], w)
	}
}

// shiftsFar: a shift by the width or more is poison.
func shiftsFar(c *ir.Call) bool {
	w, ok := width(c, 0)
	return !ok || !affine.In(c.Builder()).Certain().Number(c.Args[1]).Within(0, int64(w)-1)
}

// wraps: a result that a flag says does not wrap is poison where it does.
func wraps(op affine.Op) func(*ir.Call) bool {
	return func(c *ir.Call) bool {
		flags := OverflowOf(c.Ctx(), c.Attr)
		switch {
		case op == affine.ShiftLeft && shiftsFar(c):
			return true
		case flags == 0:
			return false
		}
		known := affine.In(c.Builder()).Certain()
		return !affine.Fits(op, known.Number(c.Args[0]), known.Number(c.Args[1]), flags&NUW != 0)
	}
}

// isDividend: a poison dividend gives poison, as long as a signed divisor is not -1.
func isDividend(signed bool) func(c *ir.Call, i int) bool {
	return func(c *ir.Call, i int) bool { return i == 0 && (!signed || !mayTrap(c, true)) }
}

// dividesPoison: a signed division of poison is undefined where the divisor is -1, and poison elsewhere. So such a dividend
// is not harmless, and the result is not clean for that.
func dividesPoison(signed bool) func(*ir.Call) bool {
	return func(c *ir.Call) bool { return signed && c.Graph().MayBePoison(c.Args[0]) && mayTrap(c, true) }
}

// takesPoison: select looks at the chosen operand only, and a poison dividend does
// not make a division trap.
var takesPoison = interp.TakesPoison{Select: true, Divui: true, Divsi: true, Ceildivui: true, Ceildivsi: true,
	Floordivsi: true, Remui: true, Remsi: true}
