package numbers

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/emit"
	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir/affine"
)

// overflow returns the flags of the current op.
func overflow(f *emit.Fn) []enum.OverflowFlag {
	var out []enum.OverflowFlag
	flags := arith.OverflowOf(f.C, f.G.AttrsOf(f.V))
	if flags&arith.NUW != 0 {
		out = append(out, enum.OverflowFlagNUW)
	}
	if flags&arith.NSW != 0 {
		out = append(out, enum.OverflowFlagNSW)
	}
	return out
}

func EmitAddi(f *emit.Fn) {
	if x := pairProducts(f); x != nil {
		f.Set(x)
		return
	}
	i := emit.Add(f.B, llir.NewAdd(f.Arg(0), f.Arg(1)))
	i.OverflowFlags = overflow(f)
	f.Set(i)
}

func EmitSubi(f *emit.Fn) {
	i := emit.Add(f.B, llir.NewSub(f.Arg(0), f.Arg(1)))
	i.OverflowFlags = overflow(f)
	f.Set(i)
}

func EmitMuli(f *emit.Fn) {
	i := emit.Add(f.B, llir.NewMul(f.Arg(0), f.Arg(1)))
	i.OverflowFlags = overflow(f)
	f.Set(i)
}

func EmitShli(f *emit.Fn) {
	i := emit.Add(f.B, llir.NewShl(f.Arg(0), f.Arg(1)))
	i.OverflowFlags = overflow(f)
	f.Set(i)
}

// Binary emits an instruction of two operands.
func Binary[I emit.Instruction](make func(x, y value.Value) I) func(*emit.Fn) {
	return func(f *emit.Fn) { f.Set(emit.Add(f.B, make(f.Arg(0), f.Arg(1)))) }
}

// Floating emits a float instruction with the op's licences.
func Floating[I emit.Instruction](make func(x, y value.Value) I, flags func(I) *[]enum.FastMathFlag) func(*emit.Fn) {
	return func(f *emit.Fn) {
		i := make(f.Arg(0), f.Arg(1))
		*flags(i) = f.Fast()
		f.Set(emit.Add(f.B, i))
	}
}

func FAddFlags(i *llir.InstFAdd) *[]enum.FastMathFlag { return &i.FastMathFlags }

func FSubFlags(i *llir.InstFSub) *[]enum.FastMathFlag { return &i.FastMathFlags }

func FMulFlags(i *llir.InstFMul) *[]enum.FastMathFlag { return &i.FastMathFlags }

func FDivFlags(i *llir.InstFDiv) *[]enum.FastMathFlag { return &i.FastMathFlags }

func FRemFlags(i *llir.InstFRem) *[]enum.FastMathFlag { return &i.FastMathFlags }

// IntIntrinsic emits an integer intrinsic of two operands.
func IntIntrinsic(name string) func(*emit.Fn) {
	return func(f *emit.Fn) {
		t := f.Arg(0).Type()
		f.Set(f.B.Intrinsic("llvm."+name+"."+emit.Overload(t), t, nil, f.Arg(0), f.Arg(1)))
	}
}

// carrying emits an intrinsic that gives a result and an overflow bit.
func EmitAddUI(f *emit.Fn) {
	t := f.Arg(0).Type()
	bits := types.Type(types.I1)
	if v, ok := t.(*types.VectorType); ok {
		bits = types.NewVector(v.Len, types.I1)
	}
	r := f.B.Intrinsic("llvm.uadd.with.overflow."+emit.Overload(t), types.NewStruct(t, bits), nil, f.Arg(0), f.Arg(1))
	f.SetAll([]emit.Val{{V: emit.Add(f.B, llir.NewExtractValue(r, 0))}, {V: emit.Add(f.B, llir.NewExtractValue(r, 1))}})
}

// widened returns an integer type of twice the width.
func widened(t types.Type) types.Type {
	if v, ok := t.(*types.VectorType); ok {
		return types.NewVector(v.Len, widened(v.ElemType))
	}
	return lit.IntType(2 * int(t.(*types.IntType).BitSize))
}

// EmitMulExtended multiplies in twice the width.
func EmitMulExtended(signed bool) func(*emit.Fn) {
	return func(f *emit.Fn) {
		t := f.Arg(0).Type()
		w := widened(t)
		extend := func(x value.Value) value.Value {
			if signed {
				return emit.Add(f.B, llir.NewSExt(x, w))
			}
			return emit.Add(f.B, llir.NewZExt(x, w))
		}
		p := emit.Add(f.B, llir.NewMul(extend(f.Arg(0)), extend(f.Arg(1))))
		high := emit.Add(f.B, llir.NewLShr(p, lit.SplatOf(w, lit.IntLit(emit.ScalarOf(w), emit.WidthOf(t)))))
		f.SetAll([]emit.Val{{V: emit.Add(f.B, llir.NewTrunc(p, t))}, {V: emit.Add(f.B, llir.NewTrunc(high, t))}})
	}
}

var ipreds = []enum.IPred{enum.IPredEQ, enum.IPredNE, enum.IPredSLT, enum.IPredSLE, enum.IPredSGT, enum.IPredSGE,

	enum.IPredULT, enum.IPredULE, enum.IPredUGT, enum.IPredUGE}

var fpreds = []enum.FPred{enum.FPredFalse, enum.FPredOEQ, enum.FPredOGT, enum.FPredOGE, enum.FPredOLT, enum.FPredOLE,

	enum.FPredONE, enum.FPredORD, enum.FPredUEQ, enum.FPredUGT, enum.FPredUGE, enum.FPredULT, enum.FPredULE,
	enum.FPredUNE, enum.FPredUNO, enum.FPredTrue}

func EmitCmpi(f *emit.Fn) {
	p := arith.PredicateOfI(f.C, f.G.AttrsOf(f.V))
	f.Set(emit.Add(f.B, llir.NewICmp(ipreds[p], f.Arg(0), f.Arg(1))))
}

func EmitCmpf(f *emit.Fn) {
	p := arith.PredicateOfF(f.C, f.G.AttrsOf(f.V))
	f.Set(f.B.Fcmp(fpreds[p], f.Arg(0), f.Arg(1), f.Fast()))
}

// EmitSelect selects each field of a memref on its own.
func EmitSelect(f *emit.Fn) {
	args := f.Args(f.G.Args(f.V))
	if args[1].M == nil {
		f.Set(emit.Add(f.B, llir.NewSelect(args[0].V, args[1].V, args[2].V)))
		return
	}
	t := f.G.Type(f.V)
	x, y := f.Phis.ToCarried(t, args[1]), f.Phis.ToCarried(t, args[2])
	out := make([]value.Value, len(x))
	for i := range x {
		out[i] = emit.Add(f.B, llir.NewSelect(args[0].V, x[i], y[i]))
	}
	f.Vals[f.V] = f.Phis.FromCarried(t, out)
	f.Phis.After()
}

// EmitDiv emits a division: what would be undefined in LLVM is trapped before.
func EmitDiv(signed bool, do func(f *emit.Fn, x, y value.Value) value.Value) func(*emit.Fn) {
	return func(f *emit.Fn) {
		x, y := f.Arg(0), f.Arg(1)
		checkDivision(f, x, y, signed)
		f.Set(do(f, x, y))
	}
}

func checkDivision(f *emit.Fn, x, y value.Value, signed bool) {
	n, constant := lit.Number(y)
	if constant && n != 0 && (!signed || n != -1) {
		return
	}
	by, of := divides(f, 1), divides(f, 0)
	t := y.Type()
	zero := lit.SplatOf(t, lit.IntLit(emit.ScalarOf(t), 0))
	if !by.Nonzero() {
		f.Check(emit.Add(f.B, llir.NewICmp(enum.IPredEQ, y, zero)), "division by zero")
	}
	w := emit.WidthOf(t)
	if !signed || by.Width > 0 && !by.Has(-1) || of.Width > 0 && !of.Has(affine.Any(of.Width).Low) {
		return
	}
	least := &lit.Lit{Typ: emit.ScalarOf(t), Text: leastText(w)}
	minus := lit.SplatOf(t, lit.IntLit(emit.ScalarOf(t), -1))
	isLeast := emit.Add(f.B, llir.NewICmp(enum.IPredEQ, x, lit.SplatOf(t, least)))
	isMinus := emit.Add(f.B, llir.NewICmp(enum.IPredEQ, y, minus))
	f.Check(emit.Add(f.B, llir.NewAnd(isLeast, isMinus)), "signed overflow")
}

// divides is what is certain of operand i of a division.
func divides(f *emit.Fn, i int) affine.Number { return f.Known.At(f.Region).Number(f.G.Args(f.V)[i]) }

func EmitDivui(f *emit.Fn, x, y value.Value) value.Value { return emit.Add(f.B, llir.NewUDiv(x, y)) }

func EmitDivsi(f *emit.Fn, x, y value.Value) value.Value { return emit.Add(f.B, llir.NewSDiv(x, y)) }

func EmitRemui(f *emit.Fn, x, y value.Value) value.Value { return emit.Add(f.B, llir.NewURem(x, y)) }

func EmitRemsi(f *emit.Fn, x, y value.Value) value.Value { return emit.Add(f.B, llir.NewSRem(x, y)) }

// EmitCeildivui: x = 0 gives 0, else (x - 1) / y + 1, which cannot overflow.
func EmitCeildivui(f *emit.Fn, x, y value.Value) value.Value {
	t := x.Type()
	zero, one := lit.SplatOf(t, lit.IntLit(emit.ScalarOf(t), 0)), lit.SplatOf(t, lit.IntLit(emit.ScalarOf(t), 1))
	q := emit.Add(f.B, llir.NewUDiv(emit.Add(f.B, llir.NewSub(x, one)), y))
	up := emit.Add(f.B, llir.NewAdd(q, one))
	return emit.Add(f.B, llir.NewSelect(emit.Add(f.B, llir.NewICmp(enum.IPredEQ, x, zero)), zero, up))
}

// EmitRounded is the quotient towards zero, moved by one if it is not exact and
// was rounded the wrong way: down if the signs are equal for a ceiling, up if
// they differ for a floor.
func EmitRounded(ceil bool) func(f *emit.Fn, x, y value.Value) value.Value {
	return func(f *emit.Fn, x, y value.Value) value.Value {
		t := x.Type()
		zero := lit.SplatOf(t, lit.IntLit(emit.ScalarOf(t), 0))
		q := emit.Add(f.B, llir.NewSDiv(x, y))
		r := emit.Add(f.B, llir.NewSub(x, emit.Add(f.B, llir.NewMul(q, y))))
		inexact := emit.Add(f.B, llir.NewICmp(enum.IPredNE, r, zero))
		signs := emit.Add(f.B, llir.NewXor(x, y))
		pred, by := enum.IPredSLT, int64(-1)
		if ceil {
			pred, by = enum.IPredSGE, 1
		}
		wrong := emit.Add(f.B, llir.NewAnd(inexact, emit.Add(f.B, llir.NewICmp(pred, signs, zero))))
		moved := emit.Add(f.B, llir.NewAdd(q, lit.SplatOf(t, lit.IntLit(emit.ScalarOf(t), by))))
		return emit.Add(f.B, llir.NewSelect(wrong, moved, q))
	}
}
