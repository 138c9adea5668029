package memory

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/emit"
	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/backends/llvm/internal/numbers"
	"github.com/irc-lang/irc/ir"
)

// atomicOps are the kinds that LLVM has an instruction for, by MLIR's number.
var atomicOps = map[int64]enum.AtomicOp{
	0: enum.AtomicOpFAdd, 1: enum.AtomicOpAdd, 2: enum.AtomicOpXChg, 4: enum.AtomicOpMax, 5: enum.AtomicOpUMax,
	7: enum.AtomicOpMin, 8: enum.AtomicOpUMin, 11: enum.AtomicOpOr, 12: enum.AtomicOpAnd,
}

// atomicFloats are those without: intrinsics, or "" for a product.
var atomicFloats = map[int64]string{3: "maximum", 6: "minimum", 9: "", 13: "maximum", 14: "minimum"}

// EmitAtomicRMW returns the old value.
func EmitAtomicRMW(f *emit.Fn) {
	m, x := f.MemArg(1), f.Arg(0)
	p := f.At(m, 2)
	kind := f.C.AttrInfo(f.G.Attr(f.V, "kind")).Int
	bf16 := m.Elem == ir.BF16
	if op, ok := atomicOps[kind]; ok && !f.Alone(m) && !(bf16 && op == enum.AtomicOpFAdd) && types.Equal(lit.MemType(f.C, m.Elem), x.Type()) {
		f.Set(emit.Add(f.B, &llir.InstAtomicRMW{Op: op, Dst: p, X: x, Ordering: f.Ordering(), SyncScope: f.Scope(), Typ: x.Type()}))
		return
	}
	f.Set(exchange(f, m, p, func(old value.Value) value.Value {
		if bf16 && kind != 2 {
			return f.B.ToBF16(combine(f, kind, f.B.FromBF16(old), f.B.FromBF16(x)))
		}
		return combine(f, kind, old, x)
	}))
}

// combine is one step of an atomic op that LLVM has no instruction for.
func combine(f *emit.Fn, kind int64, old, x value.Value) value.Value {
	t := x.Type()
	if name, ok := atomicFloats[kind]; ok {
		if name == "" {
			return emit.Add(f.B, emit.NewFMul(old, x))
		}
		if kind >= 13 {
			return numbers.Num(f, name, nil, old, x)
		}
		return f.B.Intrinsic("llvm."+name+"."+emit.Overload(t), t, nil, old, x)
	}
	integer := func(name string) value.Value { return f.B.Intrinsic("llvm."+name+"."+emit.Overload(t), t, nil, old, x) }
	switch kind {
	case 0:
		return emit.Add(f.B, emit.NewFAdd(old, x))
	case 1:
		return emit.Add(f.B, llir.NewAdd(old, x))
	case 2:
		return x
	case 4:
		return integer("smax")
	case 5:
		return integer("umax")
	case 7:
		return integer("smin")
	case 8:
		return integer("umin")
	case 10:
		return emit.Add(f.B, llir.NewMul(old, x))
	case 11:
		return emit.Add(f.B, llir.NewOr(old, x))
	case 12:
		return emit.Add(f.B, llir.NewAnd(old, x))
	}
	f.Fail("has an unknown kind %d", kind)
	return nil
}

// exchange replaces the element of m at p atomically by what next makes of it, and
// returns the old one.
func exchange(f *emit.Fn, m *emit.View, p value.Value, next func(old value.Value) value.Value) value.Value {
	elem := m.Elem
	size, ok := lit.MemBytes(f.C, elem)
	if !ok || size > 8 || f.C.Info(elem).Kind == ir.KindVector {
		f.Fail("is atomic on elements of type %s, which no instruction is", lit.Spell(f.C, elem))
	}
	if f.Alone(m) {
		old := LoadFrom(f, p, elem)
		StoreTo(f, p, elem, next(old))
		return old
	}
	bits := lit.IntType(int(8 * size))
	first := emit.Add(f.B, &llir.InstLoad{ElemType: bits, Src: p, Align: llir.Align(size)})
	pre, loop, done := f.B.Cur, f.B.Block("atomic"), f.B.Block("done")
	f.B.Br(loop)
	f.B.Place(loop)
	cur := emit.Add(f.B, &llir.InstPhi{Typ: bits, Incs: []*llir.Incoming{llir.NewIncoming(first, pre)}})
	old := FromBits(f, cur, elem)
	x := next(old)
	pair := types.NewStruct(bits, types.I1)
	r := emit.Add(f.B, &llir.InstCmpXchg{Ptr: p, Cmp: cur, New: ToBits(f, x, bits), SuccessOrdering: f.Ordering(),
		FailureOrdering: enum.AtomicOrderingMonotonic, SyncScope: f.Scope(), Typ: pair})
	seen := emit.Add(f.B, llir.NewExtractValue(r, 0))
	cur.Incs = append(cur.Incs, llir.NewIncoming(seen, f.B.Cur))
	f.B.Cur.NewCondBr(emit.Add(f.B, llir.NewExtractValue(r, 1)), done, loop)
	f.B.Place(done)
	return old
}

func FromBits(f *emit.Fn, x value.Value, elem ir.Type) value.Value {
	t := f.LLType(elem)
	switch {
	case types.Equal(x.Type(), t):
		return x
	case f.C.IsInt(elem):
		return emit.Add(f.B, llir.NewTrunc(x, t))
	}
	return emit.Add(f.B, llir.NewBitCast(x, t))
}

func ToBits(f *emit.Fn, x value.Value, bits *types.IntType) value.Value {
	switch t := x.Type().(type) {
	case *types.IntType:
		if t.BitSize == bits.BitSize {
			return x
		}
		return emit.Add(f.B, llir.NewZExt(x, bits))
	}
	return emit.Add(f.B, llir.NewBitCast(x, bits))
}

// EmitGenericAtomic returns the old value, as memref.atomic_rmw does.
func EmitGenericAtomic(f *emit.Fn) {
	m := f.MemArg(0)
	p := f.At(m, 1)
	r := f.G.Regions(f.V)[0]
	f.Set(exchange(f, m, p, func(old value.Value) value.Value { return f.BodyWith(r, []emit.Val{{V: old}})[0].V }))
}
