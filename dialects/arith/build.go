package arith

import (
	"math"

	"github.com/irc-lang/irc/ir"
)

// ConstF64, ConstInt and ConstBool make constants.
func ConstF64(b *ir.Builder, x float64) ir.Value { return b.Const(ir.F64, ir.F64Val(x)) }

// ConstFloat makes a constant of float type t, rounded to it.
func ConstFloat(b *ir.Builder, t ir.Type, x float64) ir.Value { return b.Const(t, ir.FloatVal(x, t)) }

// ConstInt makes a constant of integer type t.
func ConstInt(b *ir.Builder, t ir.Type, n int64) ir.Value {
	return b.Const(t, ir.IntVal(n, b.Ctx().Info(t).Width))
}

// ConstBool makes a constant of type i1.
func ConstBool(b *ir.Builder, v bool) ir.Value { return b.Const(ir.I1, ir.BoolVal(v)) }

// Zero makes the zero (+0.0) of a type: a number, or a static vector of numbers.
func Zero(b *ir.Builder, t ir.Type) ir.Value { return b.Splat(t, 0) }

// Float makes a float op with licences f.
func Float(b *ir.Builder, d *ir.OpDef, f FastMath, args ...ir.Value) ir.Value {
	return b.OpAttr(d, FastMathProps(b.Ctx(), f), args...)
}

// Int makes an integer op that has overflow flags, with promises f.
func Int(b *ir.Builder, d *ir.OpDef, f Overflow, args ...ir.Value) ir.Value {
	return b.OpAttr(d, OverflowProps(b.Ctx(), f), args...)
}

// AddF, SubF, MulF, DivF and NegF make float ops without licences.
func AddF(b *ir.Builder, x, y ir.Value) ir.Value { return Float(b, Addf, 0, x, y) }

// SubF is x - y.
func SubF(b *ir.Builder, x, y ir.Value) ir.Value { return Float(b, Subf, 0, x, y) }

// MulF is x * y.
func MulF(b *ir.Builder, x, y ir.Value) ir.Value { return Float(b, Mulf, 0, x, y) }

// DivF is x / y.
func DivF(b *ir.Builder, x, y ir.Value) ir.Value { return Float(b, Divf, 0, x, y) }

// NegF is -x.
func NegF(b *ir.Builder, x ir.Value) ir.Value { return Float(b, Negf, 0, x) }

// AddI, SubI and MulI make integer ops without promises.
func AddI(b *ir.Builder, x, y ir.Value) ir.Value { return Int(b, Addi, 0, x, y) }

// SubI is x - y.
func SubI(b *ir.Builder, x, y ir.Value) ir.Value { return Int(b, Subi, 0, x, y) }

// MulI is x * y.
func MulI(b *ir.Builder, x, y ir.Value) ir.Value { return Int(b, Muli, 0, x, y) }

// Size is the product of two numbers of 64 bits that are not negative, sizes or numbers of
// iterations: the greatest one if it is larger.
func Size(b *ir.Builder, x, y ir.Value) ir.Value {
	g, t := b.Graph(), b.Graph().Type(x)
	number := func(v ir.Value) (int64, bool) {
		n, ok := g.Const(v)
		return int64(n.Bits), ok && n.Ref == nil
	}
	n, okX := number(x)
	k, okY := number(y)
	most := b.Const(t, ir.Val{Bits: math.MaxInt64})
	switch {
	case okX && okY:
		return b.Const(t, ir.Val{Bits: uint64(ir.Times(n, k))})
	case okX && n <= 1 || okY && k <= 1:
		return MulI(b, x, y)
	case okX:
		x, y = y, x
	}
	// x is too large if it exceeds the quotient of the greatest number and y.
	one := b.Const(t, ir.Val{Bits: 1})
	fits := CmpI(b, ULE, x, b.Op(Divui, most, b.Op(Maxui, y, one)))
	return Choose(b, fits, MulI(b, x, y), most)
}

// Reaches reports that size places from offset on, a stride apart, lie below extent. None of its
// sums and products wraps around; size and extent are natural, and size is not 0.
func Reaches(b *ir.Builder, offset, size, stride, extent ir.Value) ir.Value {
	zero, one := b.Index(0), b.Index(1)
	up := CmpI(b, SGT, stride, zero)
	left := Choose(b, up, SubI(b, SubI(b, extent, one), offset), offset)
	step := b.Op(Maxui, Choose(b, up, stride, SubI(b, zero, stride)), one)
	reached := CmpI(b, ULE, SubI(b, size, one), b.Op(Divui, left, step))
	return b.Op(Andi, CmpI(b, ULT, offset, extent), b.Op(Ori, CmpI(b, EQ, stride, zero), reached))
}

// CmpI and CmpF compare.
func CmpI(b *ir.Builder, p CmpIPredicate, x, y ir.Value) ir.Value {
	return b.OpAttr(Cmpi, PredicateI(b.Ctx(), p), x, y)
}

// CmpF compares floats, without licences.
func CmpF(b *ir.Builder, p CmpFPredicate, x, y ir.Value) ir.Value {
	return b.OpAttr(Cmpf, PredicateF(b.Ctx(), p, 0), x, y)
}

// Choose is arith.select.
func Choose(b *ir.Builder, cond, yes, no ir.Value) ir.Value { return b.Op(Select, cond, yes, no) }

// Cast makes a conversion to type t.
func Cast(b *ir.Builder, d *ir.OpDef, x ir.Value, t ir.Type) ir.Value {
	return b.Must(ir.Call{Def: d, Args: []ir.Value{x}, Type: t})
}
