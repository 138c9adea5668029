package numbers

import (
	"math/big"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/emit"
	"github.com/irc-lang/irc/backends/llvm/internal/lit"
)

// leastText writes the least signed integer of a width.
func leastText(w int64) string {
	n := new(big.Int).Lsh(big.NewInt(1), uint(w-1))
	return n.Neg(n).String()
}

// Convert emits a conversion instruction.
func Convert[I emit.Instruction](make func(x value.Value, to types.Type) I) func(*emit.Fn) {
	return func(f *emit.Fn) {
		if memrefCast(f) {
			return
		}
		f.Set(emit.Add(f.B, make(f.Arg(0), f.ResultType())))
	}
}

// memrefCast handles index_cast and bitcast of memrefs, which change the elements'
// type: fine for bitcast, where both have the same bytes.
func memrefCast(f *emit.Fn) bool {
	m := f.Of(f.G.Args(f.V)[0]).M
	if m == nil {
		return false
	}
	to := f.C.Info(f.G.Type(f.V)).Elem
	a, ok1 := lit.MemBytes(f.C, m.Elem)
	b, ok2 := lit.MemBytes(f.C, to)
	if !ok1 || !ok2 || a != b {
		f.Fail("converts memory from %s to %s, elements of other sizes; load, convert and store the elements", lit.Spell(f.C, m.Elem), lit.Spell(f.C, to))
	}
	out := *m
	out.Elem = to
	f.Vals[f.V] = emit.Val{M: &out}
	return true
}

// EmitIndexCast extends, truncates or does nothing, depending on the widths.
func EmitIndexCast(signed bool) func(*emit.Fn) {
	return func(f *emit.Fn) {
		if memrefCast(f) {
			return
		}
		x, t := f.Arg(0), f.ResultType()
		switch a, b := emit.WidthOf(x.Type()), emit.WidthOf(t); {
		case a == b:
			f.Set(x)
		case a > b:
			f.Set(truncate(f, x, t))
		case signed:
			f.Set(emit.Add(f.B, llir.NewSExt(x, t)))
		default:
			f.Set(emit.Add(f.B, llir.NewZExt(x, t)))
		}
	}
}

// truncate folds constants, which index casts of sizes often are.
func truncate(f *emit.Fn, x value.Value, t types.Type) value.Value {
	if n, ok := lit.Number(x); ok {
		if w := emit.WidthOf(t); w < 64 && w > 1 {
			return lit.IntLit(t, n<<(64-w)>>(64-w))
		}
	}
	return emit.Add(f.B, llir.NewTrunc(x, t))
}

func EmitBitcast(f *emit.Fn) {
	if memrefCast(f) {
		return
	}
	t := f.ResultType()
	if types.Equal(f.Arg(0).Type(), t) {
		f.Set(f.Arg(0))
		return
	}
	f.Set(emit.Add(f.B, llir.NewBitCast(f.Arg(0), t)))
}

// EmitTruncf rounds to nearest even, LLVM's only mode.
func EmitTruncf(f *emit.Fn) {
	if a := f.G.Attr(f.V, "roundingmode"); a != 0 && f.C.AttrInfo(a).Int != 0 {
		f.Fail("has a rounding mode other than to_nearest_even, which LLVM's fptrunc lacks; round with math.* first")
	}
	if emit.IsBF16(f.C, f.G.Type(f.V)) {
		f.Set(f.Arg(0)) // which rounds it
		return
	}
	f.Set(narrow(f, f.Arg(0), f.ResultType()))
}

// narrow rounds floats to a narrower type. f16 is reached from f64 by way of f32
// rounded to odd, so that the second rounding is as one (Boldo and Melquiond 2008):
// the direct instruction needs a function of compiler-rt.
func narrow(f *emit.Fn, x value.Value, t types.Type) value.Value {
	if emit.ScalarOf(x.Type()) != types.Type(types.Double) || emit.ScalarOf(t) != types.Type(types.Half) {
		return emit.Add(f.B, llir.NewFPTrunc(x, t))
	}
	return emit.Add(f.B, llir.NewFPTrunc(f.B.OddFloat(x), t))
}

// EmitExtf makes signaling NaN quiet, as every conversion does.
func EmitExtf(f *emit.Fn) {
	x := f.Arg(0)
	if emit.IsBF16(f.C, f.TypeOf(0)) {
		t := emit.WithElem(x.Type(), types.I32)
		bits := emit.Add(f.B, llir.NewBitCast(x, t))
		quiet := emit.Add(f.B, llir.NewOr(bits, emit.Literal(t, 0x40<<16)))
		bits2 := emit.Add(f.B, llir.NewSelect(f.B.Fcmp(enum.FPredUNO, x, x, nil), quiet, bits))
		x = emit.Add(f.B, llir.NewBitCast(bits2, x.Type()))
	}
	if t := f.ResultType(); !types.Equal(t, x.Type()) {
		x = emit.Add(f.B, llir.NewFPExt(x, t))
	}
	f.Set(x)
}

// EmitIntToFloat rounds once. What goes on to bf16 must come exactly or rounded to
// odd: by f32 where that holds all integers of the width, else by f64.
func EmitIntToFloat(signed bool) func(*emit.Fn) {
	return func(f *emit.Fn) {
		x, t := f.Arg(0), f.ResultType()
		if emit.IsBF16(f.C, f.G.Type(f.V)) {
			w := emit.WidthOf(x.Type())
			if signed {
				w-- // the least one is a power of two
			}
			t = emit.WithElem(t, types.Float)
			if w > 24 {
				t = emit.WithElem(t, types.Double)
			}
			if w > 53 {
				x = jammed(f, x, signed)
			}
		}
		if signed {
			f.Set(emit.Add(f.B, llir.NewSIToFP(x, t)))
		} else {
			f.Set(emit.Add(f.B, llir.NewUIToFP(x, t)))
		}
	}
}

// jammed rounds an integer of more than 53 bits to odd, to one that f64 holds: where
// its magnitude is 2^53 or more, the last 11 bits become one, which says whether they
// were zero. For two's complement that is right for either sign.
func jammed(f *emit.Fn, x value.Value, signed bool) value.Value {
	t := x.Type()
	rest := emit.Add(f.B, llir.NewAnd(x, emit.Literal(t, 1<<11-1)))
	sticky := emit.Add(f.B, llir.NewSelect(emit.Add(f.B, llir.NewICmp(enum.IPredNE, rest, emit.Literal(t, 0))), emit.Literal(t, 1<<11), emit.Literal(t, 0)))
	odd := emit.Add(f.B, llir.NewOr(emit.Add(f.B, llir.NewAnd(x, emit.Literal(t, -1<<11))), sticky))
	const exact = 1 << 53
	size, most := x, int64(exact)
	if signed {
		size, most = emit.Add(f.B, llir.NewAdd(x, emit.Literal(t, exact))), 2*exact
	}
	return emit.Add(f.B, llir.NewSelect(emit.Add(f.B, llir.NewICmp(enum.IPredUGT, size, emit.Literal(t, most))), odd, x))
}
