package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/ir"
)

// floatIntrinsic emits an LLVM intrinsic on floats, which works on vectors too.
func floatIntrinsic(name string) func(*fn) {
	return func(f *fn) {
		t := f.arg(0).Type()
		f.set(f.intrinsic("llvm."+name+"."+overload(t), t, f.fast(), f.operands()...))
	}
}

// operands are all operands of the current op, which are scalars or vectors.
func (f *fn) operands() []value.Value {
	out := make([]value.Value, len(f.g.Args(f.v)))
	for i := range out {
		out[i] = f.arg(i)
	}
	return out
}

// libm emits a call of a function of libm, one for each lane of a vector. The
// 16-bit formats are computed as f32.
func libm(name string) func(*fn) {
	return func(f *fn) {
		f.set(f.libmCall(name, f.fast(), f.operands()...))
	}
}

func (f *fn) libmCall(name string, fast []enum.FastMathFlag, args ...value.Value) value.Value {
	return f.lanewise(args, func(xs []value.Value) value.Value {
		switch t := xs[0].Type(); t {
		case types.Double:
			return f.pure(name, t, fast, xs...)
		case types.Float:
			return f.pure(name+"f", t, fast, xs...)
		case types.Half:
			wide := make([]value.Value, len(xs))
			for i, x := range xs {
				wide[i] = add(f, llir.NewFPExt(x, types.Float))
			}
			return add(f, llir.NewFPTrunc(f.pure(name+"f", types.Float, fast, wide...), t))
		default:
			f.fail("on %s is not translated: there is no such function in libm; use f64 or f32", t)
			return nil
		}
	})
}

// lanewise applies do to each lane of vectors, or to scalars as they are.
func (f *fn) lanewise(args []value.Value, do func(xs []value.Value) value.Value) value.Value {
	v, ok := args[0].Type().(*types.VectorType)
	if !ok {
		return do(args)
	}
	var out value.Value
	for i := range int64(v.Len) {
		xs := make([]value.Value, len(args))
		for k, a := range args {
			xs[k] = add(f, llir.NewExtractElement(a, i32(i)))
		}
		y := do(xs)
		if out == nil {
			out = &lit{typ: types.NewVector(v.Len, y.Type()), text: "poison"}
		}
		out = add(f, llir.NewInsertElement(out, y, i32(i)))
	}
	return out
}

func emitRsqrt(f *fn) {
	x := f.arg(0)
	one := splatOf(x.Type(), &lit{typ: scalarOf(x.Type()), text: "1.0"})
	root := f.intrinsic("llvm.sqrt."+overload(x.Type()), x.Type(), f.fast(), x)
	q := newFDiv(one, root)
	q.FastMathFlags = f.fast()
	f.set(add(f, q))
}

// bitCount emits an intrinsic that also asks whether 0 is poison: it is not.
func bitCount(name string) func(*fn) {
	return func(f *fn) {
		t := f.arg(0).Type()
		f.set(f.intrinsic("llvm."+name+"."+overload(t), t, nil, f.arg(0), bit(false)))
	}
}

func emitCtpop(f *fn) {
	t := f.arg(0).Type()
	f.set(f.intrinsic("llvm.ctpop."+overload(t), t, nil, f.arg(0)))
}

// emitFpowi is pow(|x|, n) with the sign of x if n is odd: converting n to a
// float may lose its parity, but not for a magnitude that matters.
func emitFpowi(f *fn) {
	operands := f.operands()
	wide := operands[0].Type()
	f.set(f.lanewise(operands, func(xs []value.Value) value.Value {
		x, n := xs[0], xs[1]
		if x.Type() == types.Type(types.Half) {
			x = add(f, llir.NewFPExt(x, types.Float))
		}
		t := x.Type()
		name := overload(t)
		abs := f.intrinsic("llvm.fabs."+name, t, nil, x)
		p := f.intrinsic("llvm.pow."+name, t, f.fast(), abs, add(f, llir.NewSIToFP(n, t)))
		odd := add(f, llir.NewTrunc(n, types.I1))
		if types.Equal(n.Type(), types.I1) {
			odd = nil
		}
		signed := f.intrinsic("llvm.copysign."+name, t, nil, p, x)
		var y value.Value = signed
		if odd != nil {
			y = add(f, llir.NewSelect(odd, signed, p))
		} else {
			y = add(f, llir.NewSelect(n, signed, p))
		}
		if s := scalarOf(wide); s != t {
			y = add(f, llir.NewFPTrunc(y, s))
		}
		return y
	}))
}

func emitIpowi(f *fn) {
	t := scalarOf(f.arg(0).Type()).(*types.IntType)
	power := f.ipowi(t)
	f.set(f.lanewise(f.operands(), func(xs []value.Value) value.Value {
		return add(f, llir.NewCall(power, xs...))
	}))
}

// ipowi makes the function x^n of an integer type: by squaring for n >= 0, else
// 1 / x^-n rounded towards zero.
func (e *emitter) ipowi(t *types.IntType) *llir.Func {
	name := "irc.ipowi." + overload(t)
	if f := e.runtime[name]; f != nil {
		return f
	}
	x, n := llir.NewParam("x", t), llir.NewParam("n", t)
	f := e.IR.NewFunc(name, t, x, n)
	f.Linkage = enum.LinkageInternal
	for _, a := range []string{"nounwind", "willreturn", "memory(none)"} {
		f.FuncAttrs = append(f.FuncAttrs, attr(a))
	}
	e.runtime[name] = f
	zero, one, minus := intLit(t, 0), intLit(t, 1), intLit(t, -1)
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

// emitNum is maxnumf or minnumf: the operand that is a number, else maximum or
// minimum. LLVM's maxnum leaves the sign of zeros open.
func emitNum(name string) func(*fn) {
	return func(f *fn) { f.set(f.num(name, f.fast(), f.arg(0), f.arg(1))) }
}

func (f *fn) num(name string, fast []enum.FastMathFlag, x, y value.Value) value.Value {
	t := x.Type()
	m := f.intrinsic("llvm."+name+"."+overload(t), t, fast, x, y)
	noX, noY := f.fcmp(enum.FPredUNO, x, x, nil), f.fcmp(enum.FPredUNO, y, y, nil)
	return add(f, llir.NewSelect(noX, y, add(f, llir.NewSelect(noY, x, m))))
}

// emitFma rounds once. For the 16-bit formats LLVM would round to f32 before:
// there the product is exact in f64, and the sum is rounded to odd (Boldo and
// Melquiond 2008) by its error, which Knuth's TwoSum gives.
func emitFma(f *fn) {
	elem := f.elemOf(0)
	if elem != ir.F16 && elem != ir.BF16 {
		floatIntrinsic("fma")(f)
		return
	}
	f.set(f.lanewise(f.operands(), func(xs []value.Value) value.Value {
		var w [3]value.Value
		for i, x := range xs {
			w[i] = add(f, llir.NewFPExt(x, types.Double))
		}
		sum := f.addOdd(add(f, newFMul(w[0], w[1])), w[2])
		if elem == ir.BF16 {
			return sum // which set rounds
		}
		return f.narrow(sum, types.Half)
	}))
}

// addOdd is the sum of two f64 rounded to odd.
func (f *fn) addOdd(p, z value.Value) value.Value {
	s := add(f, newFAdd(p, z))
	b := add(f, newFSub(s, p))
	err := add(f, newFAdd(add(f, newFSub(p, add(f, newFSub(s, b)))), add(f, newFSub(z, b))))
	zero := splatOf(types.Double, &lit{typ: types.Double, text: "0.0"})
	bits := add(f, llir.NewBitCast(s, types.I64))
	even := add(f, llir.NewICmp(enum.IPredEQ, add(f, llir.NewAnd(bits, i64(1))), i64(0)))
	// An infinite or undefined sum has an error that is NaN: it stays.
	inexact := f.fcmp(enum.FPredONE, err, zero, nil)
	same := add(f, llir.NewICmp(enum.IPredEQ, f.fcmp(enum.FPredOGT, err, zero, nil), f.fcmp(enum.FPredOGT, s, zero, nil)))
	moved := add(f, llir.NewAdd(bits, add(f, llir.NewSelect(same, i64(1), i64(-1)))))
	odd := add(f, llir.NewSelect(add(f, llir.NewAnd(inexact, even)), moved, bits))
	return add(f, llir.NewBitCast(odd, types.Double))
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
