package elementwise

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// NotFinite is the Poisons of a float op: with nnan or ninf an operand or a result that is a NaN or
// an infinity is poison.
func NotFinite(c *ir.Call) bool {
	return c.Attr != 0 && FastMath(c.Ctx(), c.Attr)&(noNaN|noInf) != 0
}

// PoisonNotFinite is what a float op gives, of operands of type t, by its flags: with nnan or ninf, poison where a NaN or
// an infinity is among them or is y, which it gives without flags. Numbers that are finite do not pay for reading the flags.
func PoisonNotFinite(c *ir.Call, t ir.Type, args []ir.Val, y ir.Val) ir.Val {
	m := ExponentBits(t)
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
		if BreaksPromise(c, x[:last], x[last]) {
			return Poisoned, nil
		}
		return x[last], nil
	})
	return y
}

// excluded are the flags of an op that make poison.
func excluded(c *ir.Call) uint8 {
	if c.Attr == 0 || c.Def.Poisons == nil { // what other ops note by that name promises nothing
		return 0
	}
	return FastMath(c.Ctx(), c.Attr) & (noNaN | noInf)
}

// ExponentBits are the bits that are all set in the NaNs and infinities of a float type. Of a type that is not
// computed with they are more than its values have.
func ExponentBits(t ir.Type) uint64 {
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

// BreaksPromise reports a scalar operand or result that the flags of an op say does not occur.
func BreaksPromise(c *ir.Call, x []ir.Val, y ir.Val) bool {
	flags := excluded(c)
	if flags == 0 {
		return false
	}
	for i, v := range x {
		if Excludes(flags, c.Ctx().ElemOrSelf(c.ArgType(i)), v) {
			return true
		}
	}
	return Excludes(flags, c.Ctx().ElemOrSelf(c.Type), y)
}

// Excludes reports a number of a type that the bits of a fastmath say does not occur.
func Excludes(fastMath uint8, t ir.Type, v ir.Val) bool {
	m := ExponentBits(t)
	if v.Ref != nil || v.Bits&m != m || !Computable(t) {
		return false
	}
	if v.Bits&(m&-m-1) != 0 { // the fraction, below the exponent, of a NaN is not 0
		return fastMath&noNaN != 0
	}
	return fastMath&noInf != 0
}
