package emit

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
)

// A bf16 is an i16 in registers and in memory, never LLVM's bfloat: for that, LLVM
// selects instructions that take denormals for zero (AVX512-BF16), rounds integers
// twice, and calls functions that not every compiler's library has.
//
// Ops work on f32, whose upper half a bf16 is, and round once more:
//
//   - + - * / and sqrt are as if rounded once, since f32 has more than twice the
//     precision (Figueroa 1995). Denormals of the two formats share their exponent.
//     A result below 2^-126 is a multiple of 2^-149 unless it is a product or quotient.
//     A product or quotient of 8-bit operands that is no tie of bf16 is farther than
//     2^-142 from each tie, or less than half of the least denormal. So the first
//     rounding makes no tie of it.
//   - Conversions from f64 and from integers that f32 does not hold, and fma, go by
//     way of a rounding to odd (see narrow, jammed and emitFma).
//   - Functions of libm are those of f32, as exact as these.

// onBits are the ops that take floats by their bits.
var onBits = map[*ir.OpDef]bool{arith.Select: true, arith.Bitcast: true, arith.Negf: true, math.Absf: true, math.Copysign: true}

// computes reports an op that wants the values of its operands, not their bits.
func computes(c *ir.Context, def *ir.OpDef) bool {
	switch c.DialectOf(def) {
	case arith.Dialect, math.Dialect, special.Dialect:
		return !onBits[def]
	}
	return def == vector.FMA || def == vector.Reduction
}

// IsBF16 reports bf16 and vectors of it.
func IsBF16(c *ir.Context, t ir.Type) bool { return c.ElemOrSelf(t) == ir.BF16 }

// WithElem is t, a scalar or vector, with another type of elements.
func WithElem(t, elem types.Type) types.Type {
	if v, ok := t.(*types.VectorType); ok {
		return types.NewVector(v.Len, elem)
	}
	return elem
}

// Literal is an integer constant of a scalar or vector type.
func Literal(t types.Type, n int64) *lit.Lit { return lit.SplatOf(t, lit.IntLit(ScalarOf(t), n)) }

// FromBF16 is the f32 that a bf16 is the upper half of.
func (ib *Builder) FromBF16(x value.Value) value.Value {
	t := x.Type()
	wide := WithElem(t, types.I32)
	bits := Add(ib, llir.NewShl(Add(ib, llir.NewZExt(x, wide)), Literal(wide, 16)))
	return Add(ib, llir.NewBitCast(bits, WithElem(t, types.Float)))
}

// ToBF16 rounds f32 or f64 to nearest even; NaN keeps its sign and becomes quiet.
// A carry goes from the significand into the exponent, and from the largest finite
// number to infinity, as it should.
func (ib *Builder) ToBF16(x value.Value) value.Value {
	if ScalarOf(x.Type()) == types.Type(types.Double) {
		x = ib.OddFloat(x)
	}
	t := WithElem(x.Type(), types.I32)
	bits := Add(ib, llir.NewBitCast(x, t))
	last := Add(ib, llir.NewAnd(Add(ib, llir.NewLShr(bits, Literal(t, 16))), Literal(t, 1)))
	rounded := Add(ib, llir.NewAdd(Add(ib, llir.NewAdd(bits, Literal(t, 0x7FFF))), last))
	sign := Add(ib, llir.NewAnd(bits, Literal(t, -1<<31)))
	quiet := Add(ib, llir.NewOr(sign, Literal(t, 0x7FC0<<16)))
	y := Add(ib, llir.NewSelect(ib.Fcmp(enum.FPredUNO, x, x, nil), quiet, rounded))
	return Add(ib, llir.NewTrunc(Add(ib, llir.NewLShr(y, Literal(t, 16))), WithElem(t, types.I16)))
}

// OddFloat rounds f64 to f32: to the neighbour whose last bit is odd unless x is
// a float itself.
func (ib *Builder) OddFloat(x value.Value) value.Value {
	single, bits := WithElem(x.Type(), types.Float), WithElem(x.Type(), types.I32)
	abs := "llvm.fabs." + Overload(x.Type())
	y := Add(ib, llir.NewFPTrunc(x, single))
	z := Add(ib, llir.NewFPExt(y, x.Type()))
	one := Literal(bits, 1)
	b := Add(ib, llir.NewBitCast(y, bits))
	inexact := ib.Fcmp(enum.FPredONE, z, x, nil)
	even := Add(ib, llir.NewICmp(enum.IPredEQ, Add(ib, llir.NewAnd(b, one)), Literal(bits, 0)))
	short := ib.Fcmp(enum.FPredOLT, ib.Intrinsic(abs, x.Type(), nil, z), ib.Intrinsic(abs, x.Type(), nil, x), nil)
	step := Add(ib, llir.NewSelect(short, one, Literal(bits, -1)))
	odd := Add(ib, llir.NewAdd(b, step))
	moved := Add(ib, llir.NewSelect(Add(ib, llir.NewAnd(inexact, even)), odd, b))
	return Add(ib, llir.NewBitCast(moved, single))
}
