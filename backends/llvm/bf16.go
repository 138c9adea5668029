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

// emitExtf makes signaling NaN quiet, as every conversion does.
func emitExtf(f *fn) {
	x := f.arg(0)
	if isBF16(f.c, f.typeOf(0)) {
		t := withElem(x.Type(), types.I32)
		bits := add(f, llir.NewBitCast(x, t))
		quiet := add(f, llir.NewOr(bits, literal(t, 0x40<<16)))
		bits2 := add(f, llir.NewSelect(f.fcmp(enum.FPredUNO, x, x, nil), quiet, bits))
		x = add(f, llir.NewBitCast(bits2, x.Type()))
	}
	if t := f.resultType(); !types.Equal(t, x.Type()) {
		x = add(f, llir.NewFPExt(x, t))
	}
	f.set(x)
}

// emitIntToFloat rounds once. What goes on to bf16 must come exactly or rounded to
// odd: by f32 where that holds all integers of the width, else by f64.
func emitIntToFloat(signed bool) func(*fn) {
	return func(f *fn) {
		x, t := f.arg(0), f.resultType()
		if isBF16(f.c, f.g.Type(f.v)) {
			w := widthOf(x.Type())
			if signed {
				w-- // the least one is a power of two
			}
			t = withElem(t, types.Float)
			if w > 24 {
				t = withElem(t, types.Double)
			}
			if w > 53 {
				x = f.jammed(x, signed)
			}
		}
		if signed {
			f.set(add(f, llir.NewSIToFP(x, t)))
		} else {
			f.set(add(f, llir.NewUIToFP(x, t)))
		}
	}
}

// jammed rounds an integer of more than 53 bits to odd, to one that f64 holds: where
// its magnitude is 2^53 or more, the last 11 bits become one, which says whether they
// were zero. For two's complement that is right for either sign.
func (f *fn) jammed(x value.Value, signed bool) value.Value {
	t := x.Type()
	rest := add(f, llir.NewAnd(x, literal(t, 1<<11-1)))
	sticky := add(f, llir.NewSelect(add(f, llir.NewICmp(enum.IPredNE, rest, literal(t, 0))), literal(t, 1<<11), literal(t, 0)))
	odd := add(f, llir.NewOr(add(f, llir.NewAnd(x, literal(t, -1<<11))), sticky))
	const exact = 1 << 53
	size, most := x, int64(exact)
	if signed {
		size, most = add(f, llir.NewAdd(x, literal(t, exact))), 2*exact
	}
	return add(f, llir.NewSelect(add(f, llir.NewICmp(enum.IPredUGT, size, literal(t, most))), odd, x))
}

// The sign of a float of 16 bits, and the rest.
const (
	sign16 = -1 << 15
	rest16 = 1<<15 - 1
)

// emitAbsf, emitCopysign and emitNegf work on the sign alone, NaN included.
func emitAbsf(f *fn) {
	x := f.arg(0)
	if !isBF16(f.c, f.typeOf(0)) {
		floatIntrinsic("fabs")(f)
		return
	}
	f.set(add(f, llir.NewAnd(x, literal(x.Type(), rest16))))
}

func emitCopysign(f *fn) {
	x, y := f.arg(0), f.arg(1)
	if !isBF16(f.c, f.typeOf(0)) {
		floatIntrinsic("copysign")(f)
		return
	}
	t := x.Type()
	f.set(add(f, llir.NewOr(add(f, llir.NewAnd(x, literal(t, rest16))), add(f, llir.NewAnd(y, literal(t, sign16))))))
}

func emitNegf(f *fn) {
	x := f.arg(0)
	switch f.elemOf(0) {
	case ir.BF16:
		f.set(add(f, llir.NewXor(x, literal(x.Type(), sign16))))
	case ir.F16: // LLVM goes by f32 on some processors, which NaN does not survive
		t := withElem(x.Type(), types.I16)
		flipped := add(f, llir.NewXor(add(f, llir.NewBitCast(x, t)), literal(t, sign16)))
		f.set(add(f, llir.NewBitCast(flipped, x.Type())))
	default:
		f.set(add(f, &llir.InstFNeg{X: x, Typ: x.Type(), FastMathFlags: f.fast()}))
	}
}
