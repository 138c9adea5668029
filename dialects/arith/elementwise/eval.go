package elementwise

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// Poisoned is the poison value.
var Poisoned = ir.Val{Ref: ir.Poison}

// Lift gives f, the meaning of an op on scalars, to vectors: it is applied to each
// element. Poison in an operand is passed on without asking f.
func Lift(args []ir.Val, f func(x []ir.Val) (ir.Val, error)) (ir.Val, error) {
	return lift(args, f, false)
}

// LiftPoison is Lift that asks f of poison elements too.
func LiftPoison(args []ir.Val, f func(x []ir.Val) (ir.Val, error)) (ir.Val, error) {
	return lift(args, f, true)
}

// lift with strict set hands poison elements to f.
func lift(args []ir.Val, f func(x []ir.Val) (ir.Val, error), strict bool) (ir.Val, error) {
	n := -1
	for _, a := range args {
		switch r := a.Ref.(type) {
		case nil:
		case *ir.Tensor:
			return liftTensors(args, f, strict)
		case ir.Vector:
			if n >= 0 && n != len(r) {
				return ir.Val{}, ir.ErrNoValue
			}
			n = len(r)
		default:
			if !a.IsPoison() {
				return ir.Val{}, ir.ErrNoValue
			}
		}
	}
	if n < 0 {
		return scalar(args, f, strict)
	}
	out := make(ir.Vector, n)
	x := make([]ir.Val, len(args))
	for i := range out {
		for j, a := range args {
			x[j] = a
			if v, ok := a.Ref.(ir.Vector); ok {
				x[j] = v[i]
			}
		}
		v, err := scalar(x, f, strict)
		if err != nil {
			return ir.Val{}, err
		}
		out[i] = v
	}
	return ir.Val{Ref: out}, nil
}

// liftTensors is lift of tensors whose types leave an extent open: the extents of all must agree.
func liftTensors(args []ir.Val, f func(x []ir.Val) (ir.Val, error), strict bool) (ir.Val, error) {
	var shape []int64
	flat := make([]ir.Val, len(args))
	for i, a := range args {
		t, ok := a.Ref.(*ir.Tensor)
		switch {
		case a.Ref == nil || a.IsPoison():
			flat[i] = a
			continue
		case !ok:
			return ir.Val{}, ir.ErrNoValue
		case shape != nil && !slices.Equal(shape, t.Shape):
			return ir.Val{}, ir.Trapf("tensors of shapes %v and %v", shape, t.Shape)
		}
		shape, flat[i].Ref = t.Shape, t.Elems
	}
	v, err := lift(flat, f, strict)
	if elems, ok := v.Ref.(ir.Vector); ok {
		v.Ref = &ir.Tensor{Shape: shape, Elems: elems}
	}
	return v, err
}

func scalar(x []ir.Val, f func(x []ir.Val) (ir.Val, error), strict bool) (ir.Val, error) {
	if !strict {
		for _, v := range x {
			if v.Ref != nil {
				return Poisoned, nil
			}
		}
	}
	return f(x)
}

// Width returns the width of the integers in operand i; ok is false for i0 and
// above 64.
func Width(c *ir.Call, i int) (w int, ok bool) {
	w = c.Ctx().Info(c.Ctx().ElemOrSelf(c.ArgType(i))).Width
	return w, w >= 1 && w <= 64
}

// IntEval is the Eval of an op on integers of w bits that is never poison.
func IntEval(f func(w int, x []ir.Val) uint64) func(*ir.Call, []ir.Val) (ir.Val, error) {
	return func(c *ir.Call, args []ir.Val) (ir.Val, error) {
		w, ok := Width(c, 0)
		if !ok {
			return ir.Val{}, ir.ErrNoValue
		}
		return Lift(args, func(x []ir.Val) (ir.Val, error) { return ir.IntVal(int64(f(w, x)), w), nil })
	}
}

// FloatEval is the Eval of a float op: f works on float64, and its result is
// rounded to the format of the first operand.
func FloatEval(f func(x []float64) float64) func(*ir.Call, []ir.Val) (ir.Val, error) {
	return func(c *ir.Call, args []ir.Val) (ir.Val, error) {
		t := c.Ctx().ElemOrSelf(c.ArgType(0))
		if !Computable(t) {
			return ir.Val{}, ir.ErrNoValue
		}
		var buf [3]float64
		y, err := Lift(args, func(x []ir.Val) (ir.Val, error) {
			for i, v := range x {
				buf[i] = v.Float(t)
			}
			return ir.FloatVal(f(buf[:len(x)]), t), nil
		})
		return PoisonNotFinite(c, t, args, y), err
	}
}

// Computable reports a float type whose values this package computes with.
func Computable(t ir.Type) bool { return t == ir.F64 || t == ir.F32 || t == ir.F16 || t == ir.BF16 }
