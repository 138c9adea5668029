package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/ir"
)

// atomicOps are the kinds that LLVM has an instruction for, by MLIR's number.
var atomicOps = map[int64]enum.AtomicOp{
	0: enum.AtomicOpFAdd, 1: enum.AtomicOpAdd, 2: enum.AtomicOpXChg, 4: enum.AtomicOpMax, 5: enum.AtomicOpUMax,
	7: enum.AtomicOpMin, 8: enum.AtomicOpUMin, 11: enum.AtomicOpOr, 12: enum.AtomicOpAnd,
}

// atomicFloats are those without: intrinsics, or "" for a product.
var atomicFloats = map[int64]string{3: "maximum", 6: "minimum", 9: "", 13: "maximum", 14: "minimum"}

// emitAtomicRMW returns the old value.
func emitAtomicRMW(f *fn) {
	m, x := f.memArg(1), f.arg(0)
	p := f.at(m, 2)
	kind := f.c.AttrInfo(f.g.Attr(f.v, "kind")).Int
	bf16 := m.elem == ir.BF16
	if op, ok := atomicOps[kind]; ok && !f.alone(m) && !(bf16 && op == enum.AtomicOpFAdd) && types.Equal(memType(f.c, m.elem), x.Type()) {
		f.set(add(f, &llir.InstAtomicRMW{Op: op, Dst: p, X: x, Ordering: f.ordering(), SyncScope: f.scope(), Typ: x.Type()}))
		return
	}
	f.set(f.exchange(m, p, func(old value.Value) value.Value {
		if bf16 && kind != 2 {
			return f.toBF16(f.combine(kind, f.fromBF16(old), f.fromBF16(x)))
		}
		return f.combine(kind, old, x)
	}))
}

// combine is one step of an atomic op that LLVM has no instruction for.
func (f *fn) combine(kind int64, old, x value.Value) value.Value {
	t := x.Type()
	if name, ok := atomicFloats[kind]; ok {
		if name == "" {
			return add(f, newFMul(old, x))
		}
		if kind >= 13 {
			return f.num(name, nil, old, x)
		}
		return f.intrinsic("llvm."+name+"."+overload(t), t, nil, old, x)
	}
	integer := func(name string) value.Value { return f.intrinsic("llvm."+name+"."+overload(t), t, nil, old, x) }
	switch kind {
	case 0:
		return add(f, newFAdd(old, x))
	case 1:
		return add(f, llir.NewAdd(old, x))
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
		return add(f, llir.NewMul(old, x))
	case 11:
		return add(f, llir.NewOr(old, x))
	case 12:
		return add(f, llir.NewAnd(old, x))
	}
	f.fail("has an unknown kind %d", kind)
	return nil
}

// exchange replaces the element of m at p atomically by what next makes of it, and
// returns the old one.
func (f *fn) exchange(m *view, p value.Value, next func(old value.Value) value.Value) value.Value {
	elem := m.elem
	size, ok := memBytes(f.c, elem)
	if !ok || size > 8 || f.c.Info(elem).Kind == ir.KindVector {
		f.fail("is atomic on elements of type %s, which no instruction is", spell(f.c, elem))
	}
	if f.alone(m) {
		old := f.loadFrom(p, elem)
		f.storeTo(p, elem, next(old))
		return old
	}
	bits := intType(int(8 * size))
	first := add(f, &llir.InstLoad{ElemType: bits, Src: p, Align: llir.Align(size)})
	pre, loop, done := f.cur, f.block("atomic"), f.block("done")
	f.br(loop)
	f.place(loop)
	cur := add(f, &llir.InstPhi{Typ: bits, Incs: []*llir.Incoming{llir.NewIncoming(first, pre)}})
	old := f.fromBits(cur, elem)
	x := next(old)
	pair := types.NewStruct(bits, types.I1)
	r := add(f, &llir.InstCmpXchg{Ptr: p, Cmp: cur, New: f.toBits(x, bits), SuccessOrdering: f.ordering(),
		FailureOrdering: enum.AtomicOrderingMonotonic, SyncScope: f.scope(), Typ: pair})
	seen := add(f, llir.NewExtractValue(r, 0))
	cur.Incs = append(cur.Incs, llir.NewIncoming(seen, f.cur))
	f.cur.NewCondBr(add(f, llir.NewExtractValue(r, 1)), done, loop)
	f.place(done)
	return old
}

func (f *fn) fromBits(x value.Value, elem ir.Type) value.Value {
	t := f.llType(elem)
	switch {
	case types.Equal(x.Type(), t):
		return x
	case f.c.IsInt(elem):
		return add(f, llir.NewTrunc(x, t))
	}
	return add(f, llir.NewBitCast(x, t))
}

func (f *fn) toBits(x value.Value, bits *types.IntType) value.Value {
	switch t := x.Type().(type) {
	case *types.IntType:
		if t.BitSize == bits.BitSize {
			return x
		}
		return add(f, llir.NewZExt(x, bits))
	}
	return add(f, llir.NewBitCast(x, bits))
}

// emitGenericAtomic returns the old value, as memref.atomic_rmw does.
func emitGenericAtomic(f *fn) {
	m := f.memArg(0)
	p := f.at(m, 1)
	r := f.g.Regions(f.v)[0]
	f.set(f.exchange(m, p, func(old value.Value) value.Value { return f.bodyWith(r, []val{{v: old}})[0].v }))
}
