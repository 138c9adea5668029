package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

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
//     precision (Figueroa 1995). Denormals of the two formats share their exponent: a
//     result below 2^-126 is a multiple of 2^-149 unless it is a product or quotient,
//     and one of 8-bit operands that is no tie of bf16 is farther than 2^-142 from
//     each tie or less than half of the least denormal, so that the first rounding
//     makes no tie of it.
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

// isBF16 reports bf16 and vectors of it.
func isBF16(c *ir.Context, t ir.Type) bool { return c.ElemOrSelf(t) == ir.BF16 }

// withElem is t, a scalar or vector, with another type of elements.
func withElem(t, elem types.Type) types.Type {
	if v, ok := t.(*types.VectorType); ok {
		return types.NewVector(v.Len, elem)
	}
	return elem
}

// literal is an integer constant of a scalar or vector type.
func literal(t types.Type, n int64) *lit { return splatOf(t, intLit(scalarOf(t), n)) }

// fromBF16 is the f32 that a bf16 is the upper half of.
func (f *fn) fromBF16(x value.Value) value.Value {
	t := x.Type()
	wide := withElem(t, types.I32)
	bits := add(f, llir.NewShl(add(f, llir.NewZExt(x, wide)), literal(wide, 16)))
	return add(f, llir.NewBitCast(bits, withElem(t, types.Float)))
}

// toBF16 rounds f32 or f64 to nearest even; NaN keeps its sign and becomes quiet.
// A carry goes from the significand into the exponent, and from the largest finite
// number to infinity, as it should.
func (f *fn) toBF16(x value.Value) value.Value {
	if scalarOf(x.Type()) == types.Type(types.Double) {
		x = f.oddFloat(x)
	}
	t := withElem(x.Type(), types.I32)
	bits := add(f, llir.NewBitCast(x, t))
	last := add(f, llir.NewAnd(add(f, llir.NewLShr(bits, literal(t, 16))), literal(t, 1)))
	rounded := add(f, llir.NewAdd(add(f, llir.NewAdd(bits, literal(t, 0x7FFF))), last))
	sign := add(f, llir.NewAnd(bits, literal(t, -1<<31)))
	quiet := add(f, llir.NewOr(sign, literal(t, 0x7FC0<<16)))
	y := add(f, llir.NewSelect(f.fcmp(enum.FPredUNO, x, x, nil), quiet, rounded))
	return add(f, llir.NewTrunc(add(f, llir.NewLShr(y, literal(t, 16))), withElem(t, types.I16)))
}

// oddFloat rounds f64 to f32: to the neighbour whose last bit is odd unless x is
// a float itself.
func (f *fn) oddFloat(x value.Value) value.Value {
	single, bits := withElem(x.Type(), types.Float), withElem(x.Type(), types.I32)
	abs := "llvm.fabs." + overload(x.Type())
	y := add(f, llir.NewFPTrunc(x, single))
	z := add(f, llir.NewFPExt(y, x.Type()))
	one := literal(bits, 1)
	b := add(f, llir.NewBitCast(y, bits))
	inexact := f.fcmp(enum.FPredONE, z, x, nil)
	even := add(f, llir.NewICmp(enum.IPredEQ, add(f, llir.NewAnd(b, one)), literal(bits, 0)))
	short := f.fcmp(enum.FPredOLT, f.intrinsic(abs, x.Type(), nil, z), f.intrinsic(abs, x.Type(), nil, x), nil)
	step := add(f, llir.NewSelect(short, one, literal(bits, -1)))
	odd := add(f, llir.NewAdd(b, step))
	moved := add(f, llir.NewSelect(add(f, llir.NewAnd(inexact, even)), odd, b))
	return add(f, llir.NewBitCast(moved, single))
}
