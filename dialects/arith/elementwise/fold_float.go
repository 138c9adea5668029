package elementwise

import (
	"math"

	"github.com/irc-lang/irc/ir"
)

// Elem is the element type of the operands.
func Elem(c *ir.Call) ir.Type { return c.Ctx().ElemOrSelf(c.ArgType(0)) }

// FloatNumber returns operand i if it is a constant float, the same in every
// element.
func FloatNumber(c *ir.Call, i int) (x float64, ok bool) {
	bits, ok := Number(c, i)
	if !ok || !Computable(Elem(c)) {
		return 0, false
	}
	return ir.BitsToFloat(bits, Elem(c)), true
}

// IsFloatNumber reports that operand i is x; the sign of zero counts.
func IsFloatNumber(c *ir.Call, i int, x float64) bool {
	y, ok := FloatNumber(c, i)
	return ok && math.Float64bits(x) == math.Float64bits(y)
}
