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

// resultType is the LLVM type of the current op's only result.
func (f *fn) resultType() types.Type { return f.llType(f.g.Type(f.v)) }

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
