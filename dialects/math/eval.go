package math

import (
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/dialects/math/values"
	"github.com/irc-lang/irc/ir"
)

// floatType returns the element type of operand 0; ok is false where Eval has no
// value.
func floatType(c *ir.Call) (t ir.Type, ok bool) {
	t = c.Ctx().ElemOrSelf(c.ArgType(0))
	return t, elementwise.Computable(t)
}

// absf and copysign work on the sign bit: rounding could lose a NaN's.
func absf(c *ir.Call, args []ir.Val) (ir.Val, error) {
	t, ok := floatType(c)
	if !ok {
		return ir.Val{}, ir.ErrNoValue
	}
	sign := uint64(1) << (c.Ctx().Info(t).Width - 1)
	y, err := elementwise.Lift(args, func(x []ir.Val) (ir.Val, error) { return ir.Val{Bits: x[0].Bits &^ sign}, nil })
	return elementwise.PoisonNotFinite(c, t, args, y), err
}

func copysign(c *ir.Call, args []ir.Val) (ir.Val, error) {
	t, ok := floatType(c)
	if !ok {
		return ir.Val{}, ir.ErrNoValue
	}
	sign := uint64(1) << (c.Ctx().Info(t).Width - 1)
	y, err := elementwise.Lift(args, func(x []ir.Val) (ir.Val, error) { return ir.Val{Bits: x[0].Bits&^sign | x[1].Bits&sign}, nil })
	return elementwise.PoisonNotFinite(c, t, args, y), err
}

func fma(c *ir.Call, args []ir.Val) (ir.Val, error) {
	t, ok := floatType(c)
	if !ok {
		return ir.Val{}, ir.ErrNoValue
	}
	y, err := elementwise.Lift(args, func(v []ir.Val) (ir.Val, error) { return values.MulAdd(t, v[0], v[1], v[2]), nil })
	return elementwise.PoisonNotFinite(c, t, args, y), err
}

func fpowi(c *ir.Call, args []ir.Val) (ir.Val, error) {
	t, ok := floatType(c)
	w := c.Ctx().Info(c.Ctx().ElemOrSelf(c.ArgType(1))).Width
	if !ok || w > 64 {
		return ir.Val{}, ir.ErrNoValue
	}
	y, err := elementwise.Lift(args, func(v []ir.Val) (ir.Val, error) {
		return ir.FloatVal(values.Powi(v[0].Float(t), v[1].Int(w)), t), nil
	})
	return elementwise.PoisonNotFinite(c, t, args, y), err
}

func ipowi(c *ir.Call, args []ir.Val) (ir.Val, error) {
	w := c.Ctx().Info(c.Ctx().ElemOrSelf(c.ArgType(0))).Width
	if w > 64 {
		return ir.Val{}, ir.ErrNoValue
	}
	return elementwise.Lift(args, func(v []ir.Val) (ir.Val, error) {
		x, n := v[0].Int(w), v[1].Int(w)
		if n >= 0 {
			r := uint64(1)
			for m, k := uint64(x), uint64(n); k != 0; k >>= 1 {
				if k&1 == 1 {
					r *= m
				}
				m *= m
			}
			return ir.IntVal(int64(r), w), nil
		}
		switch { // 1/x^-n, rounded towards zero
		case x == 0:
			return elementwise.Poisoned, nil
		case x == 1 || x == -1 && n&1 == 0:
			return ir.IntVal(1, w), nil
		case x == -1:
			return ir.IntVal(-1, w), nil
		}
		return ir.Val{}, nil
	})
}
