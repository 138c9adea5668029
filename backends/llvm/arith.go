package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir/affine"
)

// overflow returns the flags of the current op.
func (f *fn) overflow() []enum.OverflowFlag {
	var out []enum.OverflowFlag
	flags := arith.OverflowOf(f.c, f.g.AttrsOf(f.v))
	if flags&arith.NUW != 0 {
		out = append(out, enum.OverflowFlagNUW)
	}
	if flags&arith.NSW != 0 {
		out = append(out, enum.OverflowFlagNSW)
	}
	return out
}

func emitAddi(f *fn) {
	if x := f.pairProducts(); x != nil {
		f.set(x)
		return
	}
	i := add(f, llir.NewAdd(f.arg(0), f.arg(1)))
	i.OverflowFlags = f.overflow()
	f.set(i)
}

func emitSubi(f *fn) {
	i := add(f, llir.NewSub(f.arg(0), f.arg(1)))
	i.OverflowFlags = f.overflow()
	f.set(i)
}

func emitMuli(f *fn) {
	i := add(f, llir.NewMul(f.arg(0), f.arg(1)))
	i.OverflowFlags = f.overflow()
	f.set(i)
}

func emitShli(f *fn) {
	i := add(f, llir.NewShl(f.arg(0), f.arg(1)))
	i.OverflowFlags = f.overflow()
	f.set(i)
}

// binary emits an instruction of two operands.
func binary[I instruction](make func(x, y value.Value) I) func(*fn) {
	return func(f *fn) { f.set(add(f, make(f.arg(0), f.arg(1)))) }
}

// floating emits a float instruction with the op's licences.
func floating[I instruction](make func(x, y value.Value) I, flags func(I) *[]enum.FastMathFlag) func(*fn) {
	return func(f *fn) {
		i := make(f.arg(0), f.arg(1))
		*flags(i) = f.fast()
		f.set(add(f, i))
	}
}

func fAddFlags(i *llir.InstFAdd) *[]enum.FastMathFlag { return &i.FastMathFlags }

func fSubFlags(i *llir.InstFSub) *[]enum.FastMathFlag { return &i.FastMathFlags }

func fMulFlags(i *llir.InstFMul) *[]enum.FastMathFlag { return &i.FastMathFlags }

func fDivFlags(i *llir.InstFDiv) *[]enum.FastMathFlag { return &i.FastMathFlags }

func fRemFlags(i *llir.InstFRem) *[]enum.FastMathFlag { return &i.FastMathFlags }

// intIntrinsic emits an integer intrinsic of two operands.
func intIntrinsic(name string) func(*fn) {
	return func(f *fn) {
		t := f.arg(0).Type()
		f.set(f.intrinsic("llvm."+name+"."+overload(t), t, nil, f.arg(0), f.arg(1)))
	}
}

// carrying emits an intrinsic that gives a result and an overflow bit.
func emitAddUI(f *fn) {
	t := f.arg(0).Type()
	bits := types.Type(types.I1)
	if v, ok := t.(*types.VectorType); ok {
		bits = types.NewVector(v.Len, types.I1)
	}
	r := f.intrinsic("llvm.uadd.with.overflow."+overload(t), types.NewStruct(t, bits), nil, f.arg(0), f.arg(1))
	f.setAll([]val{{v: add(f, llir.NewExtractValue(r, 0))}, {v: add(f, llir.NewExtractValue(r, 1))}})
}

// widened returns an integer type of twice the width.
func widened(t types.Type) types.Type {
	if v, ok := t.(*types.VectorType); ok {
		return types.NewVector(v.Len, widened(v.ElemType))
	}
	return intType(2 * int(t.(*types.IntType).BitSize))
}

// emitMulExtended multiplies in twice the width.
func emitMulExtended(signed bool) func(*fn) {
	return func(f *fn) {
		t := f.arg(0).Type()
		w := widened(t)
		extend := func(x value.Value) value.Value {
			if signed {
				return add(f, llir.NewSExt(x, w))
			}
			return add(f, llir.NewZExt(x, w))
		}
		p := add(f, llir.NewMul(extend(f.arg(0)), extend(f.arg(1))))
		high := add(f, llir.NewLShr(p, splatOf(w, intLit(scalarOf(w), widthOf(t)))))
		f.setAll([]val{{v: add(f, llir.NewTrunc(p, t))}, {v: add(f, llir.NewTrunc(high, t))}})
	}
}

var ipreds = []enum.IPred{enum.IPredEQ, enum.IPredNE, enum.IPredSLT, enum.IPredSLE, enum.IPredSGT, enum.IPredSGE,

	enum.IPredULT, enum.IPredULE, enum.IPredUGT, enum.IPredUGE}

var fpreds = []enum.FPred{enum.FPredFalse, enum.FPredOEQ, enum.FPredOGT, enum.FPredOGE, enum.FPredOLT, enum.FPredOLE,

	enum.FPredONE, enum.FPredORD, enum.FPredUEQ, enum.FPredUGT, enum.FPredUGE, enum.FPredULT, enum.FPredULE,
	enum.FPredUNE, enum.FPredUNO, enum.FPredTrue}

func emitCmpi(f *fn) {
	p := arith.PredicateOfI(f.c, f.g.AttrsOf(f.v))
	f.set(add(f, llir.NewICmp(ipreds[p], f.arg(0), f.arg(1))))
}

func emitCmpf(f *fn) {
	p := arith.PredicateOfF(f.c, f.g.AttrsOf(f.v))
	f.set(f.fcmp(fpreds[p], f.arg(0), f.arg(1), f.fast()))
}

// emitSelect selects each field of a memref on its own.
func emitSelect(f *fn) {
	args := f.args(f.g.Args(f.v))
	if args[1].m == nil {
		f.set(add(f, llir.NewSelect(args[0].v, args[1].v, args[2].v)))
		return
	}
	t := f.g.Type(f.v)
	x, y := f.toCarried(t, args[1]), f.toCarried(t, args[2])
	out := make([]value.Value, len(x))
	for i := range x {
		out[i] = add(f, llir.NewSelect(args[0].v, x[i], y[i]))
	}
	f.vals[f.v] = f.fromCarried(t, out)
	f.afterPhis()
}

// emitDiv emits a division: what would be undefined in LLVM is trapped before.
func emitDiv(signed bool, do func(f *fn, x, y value.Value) value.Value) func(*fn) {
	return func(f *fn) {
		x, y := f.arg(0), f.arg(1)
		f.checkDivision(x, y, signed)
		f.set(do(f, x, y))
	}
}

func (f *fn) checkDivision(x, y value.Value, signed bool) {
	n, constant := number(y)
	if constant && n != 0 && (!signed || n != -1) {
		return
	}
	by, of := f.divides(1), f.divides(0)
	t := y.Type()
	zero := splatOf(t, intLit(scalarOf(t), 0))
	if !by.Nonzero() {
		f.check(add(f, llir.NewICmp(enum.IPredEQ, y, zero)), "division by zero")
	}
	w := widthOf(t)
	if !signed || by.Width > 0 && !by.Has(-1) || of.Width > 0 && !of.Has(affine.Any(of.Width).Low) {
		return
	}
	least := &lit{typ: scalarOf(t), text: leastText(w)}
	minus := splatOf(t, intLit(scalarOf(t), -1))
	isLeast := add(f, llir.NewICmp(enum.IPredEQ, x, splatOf(t, least)))
	isMinus := add(f, llir.NewICmp(enum.IPredEQ, y, minus))
	f.check(add(f, llir.NewAnd(isLeast, isMinus)), "signed overflow")
}

// divides is what is certain of operand i of a division.
func (f *fn) divides(i int) affine.Number { return f.known.At(f.region).Number(f.g.Args(f.v)[i]) }

func emitDivui(f *fn, x, y value.Value) value.Value { return add(f, llir.NewUDiv(x, y)) }

func emitDivsi(f *fn, x, y value.Value) value.Value { return add(f, llir.NewSDiv(x, y)) }

func emitRemui(f *fn, x, y value.Value) value.Value { return add(f, llir.NewURem(x, y)) }

func emitRemsi(f *fn, x, y value.Value) value.Value { return add(f, llir.NewSRem(x, y)) }

// emitCeildivui: x = 0 gives 0, else (x - 1) / y + 1, which cannot overflow.
func emitCeildivui(f *fn, x, y value.Value) value.Value {
	t := x.Type()
	zero, one := splatOf(t, intLit(scalarOf(t), 0)), splatOf(t, intLit(scalarOf(t), 1))
	q := add(f, llir.NewUDiv(add(f, llir.NewSub(x, one)), y))
	up := add(f, llir.NewAdd(q, one))
	return add(f, llir.NewSelect(add(f, llir.NewICmp(enum.IPredEQ, x, zero)), zero, up))
}

// emitRounded is the quotient towards zero, moved by one if it is not exact and
// was rounded the wrong way: down if the signs are equal for a ceiling, up if
// they differ for a floor.
func emitRounded(ceil bool) func(f *fn, x, y value.Value) value.Value {
	return func(f *fn, x, y value.Value) value.Value {
		t := x.Type()
		zero := splatOf(t, intLit(scalarOf(t), 0))
		q := add(f, llir.NewSDiv(x, y))
		r := add(f, llir.NewSub(x, add(f, llir.NewMul(q, y))))
		inexact := add(f, llir.NewICmp(enum.IPredNE, r, zero))
		signs := add(f, llir.NewXor(x, y))
		pred, by := enum.IPredSLT, int64(-1)
		if ceil {
			pred, by = enum.IPredSGE, 1
		}
		wrong := add(f, llir.NewAnd(inexact, add(f, llir.NewICmp(pred, signs, zero))))
		moved := add(f, llir.NewAdd(q, splatOf(t, intLit(scalarOf(t), by))))
		return add(f, llir.NewSelect(wrong, moved, q))
	}
}
