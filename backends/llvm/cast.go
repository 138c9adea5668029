package llvm

import (
	"math/big"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// leastText writes the least signed integer of a width.
func leastText(w int64) string {
	n := new(big.Int).Lsh(big.NewInt(1), uint(w-1))
	return n.Neg(n).String()
}

// convert emits a conversion instruction.
func convert[I instruction](make func(x value.Value, to types.Type) I) func(*fn) {
	return func(f *fn) {
		if f.memrefCast() {
			return
		}
		f.set(add(f, make(f.arg(0), f.resultType())))
	}
}

// memrefCast handles index_cast and bitcast of memrefs, which change the elements'
// type: fine for bitcast, where both have the same bytes.
func (f *fn) memrefCast() bool {
	m := f.of(f.g.Args(f.v)[0]).m
	if m == nil {
		return false
	}
	to := f.c.Info(f.g.Type(f.v)).Elem
	a, ok1 := memBytes(f.c, m.elem)
	b, ok2 := memBytes(f.c, to)
	if !ok1 || !ok2 || a != b {
		f.fail("converts memory from %s to %s, elements of other sizes; load, convert and store the elements", spell(f.c, m.elem), spell(f.c, to))
	}
	out := *m
	out.elem = to
	f.vals[f.v] = val{m: &out}
	return true
}

// emitIndexCast extends, truncates or does nothing, depending on the widths.
func emitIndexCast(signed bool) func(*fn) {
	return func(f *fn) {
		if f.memrefCast() {
			return
		}
		x, t := f.arg(0), f.resultType()
		switch a, b := widthOf(x.Type()), widthOf(t); {
		case a == b:
			f.set(x)
		case a > b:
			f.set(f.truncate(x, t))
		case signed:
			f.set(add(f, llir.NewSExt(x, t)))
		default:
			f.set(add(f, llir.NewZExt(x, t)))
		}
	}
}

// truncate folds constants, which index casts of sizes often are.
func (f *fn) truncate(x value.Value, t types.Type) value.Value {
	if n, ok := number(x); ok {
		if w := widthOf(t); w < 64 && w > 1 {
			return intLit(t, n<<(64-w)>>(64-w))
		}
	}
	return add(f, llir.NewTrunc(x, t))
}

func emitBitcast(f *fn) {
	if f.memrefCast() {
		return
	}
	t := f.resultType()
	if types.Equal(f.arg(0).Type(), t) {
		f.set(f.arg(0))
		return
	}
	f.set(add(f, llir.NewBitCast(f.arg(0), t)))
}

// emitTruncf rounds to nearest even, LLVM's only mode.
func emitTruncf(f *fn) {
	if a := f.g.Attr(f.v, "roundingmode"); a != 0 && f.c.AttrInfo(a).Int != 0 {
		f.fail("has a rounding mode other than to_nearest_even, which LLVM's fptrunc lacks; round with math.* first")
	}
	if isBF16(f.c, f.g.Type(f.v)) {
		f.set(f.arg(0)) // which rounds it
		return
	}
	f.set(f.narrow(f.arg(0), f.resultType()))
}

// narrow rounds floats to a narrower type. f16 is reached from f64 by way of f32
// rounded to odd, so that the second rounding is as one (Boldo and Melquiond 2008):
// the direct instruction needs a function of compiler-rt.
func (f *fn) narrow(x value.Value, t types.Type) value.Value {
	if scalarOf(x.Type()) != types.Type(types.Double) || scalarOf(t) != types.Type(types.Half) {
		return add(f, llir.NewFPTrunc(x, t))
	}
	return add(f, llir.NewFPTrunc(f.oddFloat(x), t))
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
