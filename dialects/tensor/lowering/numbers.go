package lowering

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// freeSum is what sums may do: be taken in any order, and be fused with products.
const freeSum = arith.Reassoc | arith.Contract

// wideOf is the type in which sums of numbers of a type are taken.
func wideOf(t ir.Type) ir.Type {
	if t == ir.F16 || t == ir.BF16 {
		return ir.F32
	}
	return t
}

// widen makes a number of a wider type of a number.
func (e emit) widen(x ir.Value, t ir.Type) ir.Value {
	switch from := e.B.Graph().Type(x); {
	case from == t:
		return x
	case e.B.Ctx().IsFloat(t):
		return arith.Cast(e.B, arith.Extf, x, t)
	}
	return arith.Cast(e.B, arith.Extsi, x, t)
}

// narrow rounds a sum to the type of the result.
func (e emit) narrow(x ir.Value, t ir.Type) ir.Value {
	if e.B.Graph().Type(x) == t {
		return x
	}
	return arith.Cast(e.B, arith.Truncf, x, t)
}

func (e emit) identity(by int, t ir.Type) ir.Value {
	if e.B.Ctx().IsFloat(t) {
		return arith.ConstFloat(e.B, t, []float64{0, 1, gomath.Inf(1), gomath.Inf(-1)}[by])
	}
	w := e.B.Ctx().Info(t).Width
	least := int64(-1) << (w - 1)
	n := []int64{0, 1, ^least, least}[by]
	if t == ir.Index {
		return e.B.Index(n)
	}
	return arith.ConstInt(e.B, t, n)
}

func (e emit) combine(by int, x, y ir.Value) ir.Value {
	if by == tensor.ByMin || by == tensor.ByMax {
		return e.combineBy(by, arith.Reassoc, x, y)
	}
	return e.combineBy(by, freeSum, x, y)
}

// inTurn combines as e.combine does, but in no other order.
func (e emit) inTurn(by int, x, y ir.Value) ir.Value { return e.combineBy(by, 0, x, y) }

// combineBy combines floats with some licences, or integers.
func (e emit) combineBy(by int, flags arith.FastMath, x, y ir.Value) ir.Value {
	if e.B.Ctx().IsFloat(e.B.Graph().Type(x)) {
		return arith.Float(e.B, []*ir.OpDef{arith.Addf, arith.Mulf, arith.Minimumf, arith.Maximumf}[by], flags, x, y)
	}
	switch by {
	case tensor.ByAdd:
		return arith.AddI(e.B, x, y)
	case tensor.ByMul:
		return arith.MulI(e.B, x, y)
	case tensor.ByMin:
		return e.B.Op(arith.Minsi, x, y)
	}
	return e.B.Op(arith.Maxsi, x, y)
}

// exp is the exponential of what is not positive, or NaN: one that is subnormal may be 0.
func (e emit) exp(x ir.Value) ir.Value { return arith.Float(e.B, math.Exp, arith.Afn, x) }

// higher is the greater of two numbers, of which the sign of zeros does not matter.
func (e emit) higher(x, y ir.Value) ir.Value {
	return arith.Float(e.B, arith.Maximumf, arith.Reassoc|arith.Nsz, x, y)
}

// numberOf is an index as a number of a type.
func (e emit) numberOf(i ir.Value, t ir.Type) ir.Value {
	c := e.B.Ctx()
	if t == ir.Index {
		return i
	}
	if !c.IsFloat(t) {
		return arith.Cast(e.B, arith.IndexCast, i, t)
	}
	return arith.Cast(e.B, arith.Sitofp, arith.Cast(e.B, arith.IndexCast, i, ir.I64), t)
}

// before is the element that stands at place i of so many before those of a dimension.
func (e emit) before(mode int, i ir.Value, low int64, size ir.Value) ir.Value {
	switch mode {
	case tensor.ByEdge:
		return e.B.Index(0)
	case tensor.ByReflection:
		return e.plus(e.B.Index(low), -1, i)
	}
	return e.plus(e.plus(size, 1, e.B.Index(-low)), 1, i)
}

// behind is the element that stands at place i behind those of a dimension.
func (e emit) behind(mode int, i, size ir.Value) ir.Value {
	switch mode {
	case tensor.ByEdge:
		return e.plus(size, 1, e.B.Index(-1))
	case tensor.ByReflection:
		return e.plus(e.plus(size, 1, e.B.Index(-2)), -1, i)
	}
	return i
}
