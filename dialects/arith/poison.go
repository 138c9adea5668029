package arith

import (
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/interp"
)

// tooLarge: a float that no integer of the result's width holds is poison.
func tooLarge(signed bool) func(*ir.Call) bool {
	return func(c *ir.Call) bool {
		w := c.Ctx().Info(c.Type).Width
		return !signed || !affine.In(c.Builder()).Certain().FloatFits(c.Args[0], w)
	}
}

// shiftsFar: a shift by the width or more is poison.
func shiftsFar(c *ir.Call) bool {
	w, ok := elementwise.Width(c, 0)
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
