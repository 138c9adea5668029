package numbers

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/emit"
	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/ir"
)

// FloatIntrinsic emits an LLVM intrinsic on floats, which works on vectors too.
func FloatIntrinsic(name string) func(*emit.Fn) {
	return func(f *emit.Fn) {
		t := f.Arg(0).Type()
		f.Set(f.B.Intrinsic("llvm."+name+"."+emit.Overload(t), t, f.Fast(), Operands(f)...))
	}
}

// Operands are all operands of the current op, which are scalars or vectors.
func Operands(f *emit.Fn) []value.Value {
	out := make([]value.Value, len(f.G.Args(f.V)))
	for i := range out {
		out[i] = f.Arg(i)
	}
	return out
}

// Libm emits a call of a function of libm, one for each lane of a vector. The
// 16-bit formats are computed as f32.
func Libm(name string) func(*emit.Fn) {
	return func(f *emit.Fn) {
		f.Set(libmCall(f, name, f.Fast(), Operands(f)...))
	}
}

func libmCall(f *emit.Fn, name string, fast []enum.FastMathFlag, args ...value.Value) value.Value {
	return lanewise(f, args, func(xs []value.Value) value.Value {
		switch t := xs[0].Type(); t {
		case types.Double:
			return f.B.Pure(name, t, fast, xs...)
		case types.Float:
			return f.B.Pure(name+"f", t, fast, xs...)
		case types.Half:
			wide := make([]value.Value, len(xs))
			for i, x := range xs {
				wide[i] = emit.Add(f.B, llir.NewFPExt(x, types.Float))
			}
			return emit.Add(f.B, llir.NewFPTrunc(f.B.Pure(name+"f", types.Float, fast, wide...), t))
		default:
			f.Fail("on %s is not translated: there is no such function in libm; use f64 or f32", t)
			return nil
		}
	})
}

// lanewise applies do to each lane of vectors, or to scalars as they are.
func lanewise(f *emit.Fn, args []value.Value, do func(xs []value.Value) value.Value) value.Value {
	v, ok := args[0].Type().(*types.VectorType)
	if !ok {
		return do(args)
	}
	var out value.Value
	for i := range int64(v.Len) {
		xs := make([]value.Value, len(args))
		for k, a := range args {
			xs[k] = emit.Add(f.B, llir.NewExtractElement(a, lit.I32(i)))
		}
		y := do(xs)
		if out == nil {
			out = &lit.Lit{Typ: types.NewVector(v.Len, y.Type()), Text: "poison"}
		}
		out = emit.Add(f.B, llir.NewInsertElement(out, y, lit.I32(i)))
	}
	return out
}

func EmitRsqrt(f *emit.Fn) {
	x := f.Arg(0)
	one := lit.SplatOf(x.Type(), &lit.Lit{Typ: emit.ScalarOf(x.Type()), Text: "1.0"})
	root := f.B.Intrinsic("llvm.sqrt."+emit.Overload(x.Type()), x.Type(), f.Fast(), x)
	q := emit.NewFDiv(one, root)
	q.FastMathFlags = f.Fast()
	f.Set(emit.Add(f.B, q))
}

// BitCount emits an intrinsic that also asks whether 0 is poison: it is not.
func BitCount(name string) func(*emit.Fn) {
	return func(f *emit.Fn) {
		t := f.Arg(0).Type()
		f.Set(f.B.Intrinsic("llvm."+name+"."+emit.Overload(t), t, nil, f.Arg(0), lit.Bit(false)))
	}
}

func EmitCtpop(f *emit.Fn) {
	t := f.Arg(0).Type()
	f.Set(f.B.Intrinsic("llvm.ctpop."+emit.Overload(t), t, nil, f.Arg(0)))
}

// EmitFpowi is pow(|x|, n) with the sign of x if n is odd: converting n to a
// float may lose its parity, but not for a magnitude that matters.
func EmitFpowi(f *emit.Fn) {
	operands := Operands(f)
	wide := operands[0].Type()
	f.Set(lanewise(f, operands, func(xs []value.Value) value.Value {
		x, n := xs[0], xs[1]
		if x.Type() == types.Type(types.Half) {
			x = emit.Add(f.B, llir.NewFPExt(x, types.Float))
		}
		t := x.Type()
		name := emit.Overload(t)
		abs := f.B.Intrinsic("llvm.fabs."+name, t, nil, x)
		p := f.B.Intrinsic("llvm.pow."+name, t, f.Fast(), abs, emit.Add(f.B, llir.NewSIToFP(n, t)))
		odd := emit.Add(f.B, llir.NewTrunc(n, types.I1))
		if types.Equal(n.Type(), types.I1) {
			odd = nil
		}
		signed := f.B.Intrinsic("llvm.copysign."+name, t, nil, p, x)
		var y value.Value = signed
		if odd != nil {
			y = emit.Add(f.B, llir.NewSelect(odd, signed, p))
		} else {
			y = emit.Add(f.B, llir.NewSelect(n, signed, p))
		}
		if s := emit.ScalarOf(wide); s != t {
			y = emit.Add(f.B, llir.NewFPTrunc(y, s))
		}
		return y
	}))
}

func EmitIpowi(f *emit.Fn) {
	t := emit.ScalarOf(f.Arg(0).Type()).(*types.IntType)
	power := ipowi(f.Emitter, t)
	f.Set(lanewise(f, Operands(f), func(xs []value.Value) value.Value {
		return emit.Add(f.B, llir.NewCall(power, xs...))
	}))
}

// ipowi makes the function x^n of an integer type: by squaring for n >= 0, else
// 1 / x^-n rounded towards zero.
func ipowi(e *emit.Emitter, t *types.IntType) *llir.Func {
	name := "irc.ipowi." + emit.Overload(t)
	if f := e.Runtime[name]; f != nil {
		return f
	}
	x, n := llir.NewParam("x", t), llir.NewParam("n", t)
	f := e.IR.NewFunc(name, t, x, n)
	f.Linkage = enum.LinkageInternal
	for _, a := range []string{"nounwind", "willreturn", "memory(none)"} {
		f.FuncAttrs = append(f.FuncAttrs, emit.Attr(a))
	}
	e.Runtime[name] = f
	zero, one, minus := lit.IntLit(t, 0), lit.IntLit(t, 1), lit.IntLit(t, -1)
	entry, neg, loop, done := f.NewBlock("entry"), f.NewBlock("negative"), f.NewBlock("loop"), f.NewBlock("done")
	entry.NewCondBr(entry.NewICmp(enum.IPredSLT, n, zero), neg, loop)

	odd := neg.NewICmp(enum.IPredNE, neg.NewAnd(n, one), zero)
	alternating := neg.NewSelect(odd, minus, one)
	atMinus := neg.NewSelect(neg.NewICmp(enum.IPredEQ, x, minus), alternating, zero)
	neg.NewRet(neg.NewSelect(neg.NewICmp(enum.IPredEQ, x, one), one, atMinus))

	k, m, r := &llir.InstPhi{Typ: t}, &llir.InstPhi{Typ: t}, &llir.InstPhi{Typ: t}
	loop.Insts = append(loop.Insts, k, m, r)
	bitSet := loop.NewICmp(enum.IPredNE, loop.NewAnd(k, one), zero)
	r1 := loop.NewSelect(bitSet, loop.NewMul(r, m), r)
	m1 := loop.NewMul(m, m)
	var k1 value.Value = zero
	if t.BitSize > 1 {
		k1 = loop.NewLShr(k, one)
	}
	loop.NewCondBr(loop.NewICmp(enum.IPredEQ, k1, zero), done, loop)
	for _, p := range []struct {
		phi         *llir.InstPhi
		first, next value.Value
	}{{k, n, k1}, {m, x, m1}, {r, one, r1}} {
		p.phi.Incs = []*llir.Incoming{llir.NewIncoming(p.first, entry), llir.NewIncoming(p.next, loop)}
	}
	done.NewRet(r1)
	return f
}

// EmitNum is maxnumf or minnumf: the operand that is a number, else maximum or
// minimum. LLVM's maxnum leaves the sign of zeros open.
func EmitNum(name string) func(*emit.Fn) {
	return func(f *emit.Fn) { f.Set(Num(f, name, f.Fast(), f.Arg(0), f.Arg(1))) }
}

func Num(f *emit.Fn, name string, fast []enum.FastMathFlag, x, y value.Value) value.Value {
	t := x.Type()
	m := f.B.Intrinsic("llvm."+name+"."+emit.Overload(t), t, fast, x, y)
	noX, noY := f.B.Fcmp(enum.FPredUNO, x, x, nil), f.B.Fcmp(enum.FPredUNO, y, y, nil)
	return emit.Add(f.B, llir.NewSelect(noX, y, emit.Add(f.B, llir.NewSelect(noY, x, m))))
}

// EmitFma rounds once. For the 16-bit formats LLVM would round to f32 before:
// there the product is exact in f64, and the sum is rounded to odd (Boldo and
// Melquiond 2008) by its error, which Knuth's TwoSum gives.
func EmitFma(f *emit.Fn) {
	elem := f.ElemOf(0)
	if elem != ir.F16 && elem != ir.BF16 {
		FloatIntrinsic("fma")(f)
		return
	}
	f.Set(lanewise(f, Operands(f), func(xs []value.Value) value.Value {
		var w [3]value.Value
		for i, x := range xs {
			w[i] = emit.Add(f.B, llir.NewFPExt(x, types.Double))
		}
		sum := addOdd(f, emit.Add(f.B, emit.NewFMul(w[0], w[1])), w[2])
		if elem == ir.BF16 {
			return sum // which set rounds
		}
		return narrow(f, sum, types.Half)
	}))
}

// addOdd is the sum of two f64 rounded to odd.
func addOdd(f *emit.Fn, p, z value.Value) value.Value {
	s := emit.Add(f.B, emit.NewFAdd(p, z))
	b := emit.Add(f.B, emit.NewFSub(s, p))
	err := emit.Add(f.B, emit.NewFAdd(emit.Add(f.B, emit.NewFSub(p, emit.Add(f.B, emit.NewFSub(s, b)))), emit.Add(f.B, emit.NewFSub(z, b))))
	zero := lit.SplatOf(types.Double, &lit.Lit{Typ: types.Double, Text: "0.0"})
	bits := emit.Add(f.B, llir.NewBitCast(s, types.I64))
	even := emit.Add(f.B, llir.NewICmp(enum.IPredEQ, emit.Add(f.B, llir.NewAnd(bits, lit.I64(1))), lit.I64(0)))
	// An infinite or undefined sum has an error that is NaN: it stays.
	inexact := f.B.Fcmp(enum.FPredONE, err, zero, nil)
	same := emit.Add(f.B, llir.NewICmp(enum.IPredEQ, f.B.Fcmp(enum.FPredOGT, err, zero, nil), f.B.Fcmp(enum.FPredOGT, s, zero, nil)))
	moved := emit.Add(f.B, llir.NewAdd(bits, emit.Add(f.B, llir.NewSelect(same, lit.I64(1), lit.I64(-1)))))
	odd := emit.Add(f.B, llir.NewSelect(emit.Add(f.B, llir.NewAnd(inexact, even)), moved, bits))
	return emit.Add(f.B, llir.NewBitCast(odd, types.Double))
}

// The sign of a float of 16 bits, and the rest.
const (
	sign16 = -1 << 15
	rest16 = 1<<15 - 1
)

// EmitAbsf, emitCopysign and emitNegf work on the sign alone, NaN included.
func EmitAbsf(f *emit.Fn) {
	x := f.Arg(0)
	if !emit.IsBF16(f.C, f.TypeOf(0)) {
		FloatIntrinsic("fabs")(f)
		return
	}
	f.Set(emit.Add(f.B, llir.NewAnd(x, emit.Literal(x.Type(), rest16))))
}

func EmitCopysign(f *emit.Fn) {
	x, y := f.Arg(0), f.Arg(1)
	if !emit.IsBF16(f.C, f.TypeOf(0)) {
		FloatIntrinsic("copysign")(f)
		return
	}
	t := x.Type()
	f.Set(emit.Add(f.B, llir.NewOr(emit.Add(f.B, llir.NewAnd(x, emit.Literal(t, rest16))), emit.Add(f.B, llir.NewAnd(y, emit.Literal(t, sign16))))))
}

func EmitNegf(f *emit.Fn) {
	x := f.Arg(0)
	switch f.ElemOf(0) {
	case ir.BF16:
		f.Set(emit.Add(f.B, llir.NewXor(x, emit.Literal(x.Type(), sign16))))
	case ir.F16: // LLVM goes by f32 on some processors, which NaN does not survive
		t := emit.WithElem(x.Type(), types.I16)
		flipped := emit.Add(f.B, llir.NewXor(emit.Add(f.B, llir.NewBitCast(x, t)), emit.Literal(t, sign16)))
		f.Set(emit.Add(f.B, llir.NewBitCast(flipped, x.Type())))
	default:
		f.Set(emit.Add(f.B, &llir.InstFNeg{X: x, Typ: x.Type(), FastMathFlags: f.Fast()}))
	}
}
