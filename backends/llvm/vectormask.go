package llvm

import (
	"strconv"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
)

// An access with a mask is checked for the lanes that the mask sets alone. Addresses of the others may
// be anything: no instruction here says that they are within memory.

// lanesAt are the places, counted from the base of a view, of lanes whose indices are at, each a scalar or
// a vector.
func (f *fn) lanesAt(m *view, at []value.Value, n int) value.Value {
	lin := f.splatTo(m.off, n)
	for d, x := range at {
		if _, isVector := lanesIn(x); !isVector {
			x = f.splatTo(x, n)
		}
		lin = add(f, llir.NewAdd(lin, add(f, llir.NewMul(x, f.splatTo(m.strides[d], n)))))
	}
	return lin
}

// checkLanes stops the program where a lane that the mask sets lies out of bounds.
func (f *fn) checkLanes(m *view, at []value.Value, mask value.Value) {
	if f.opts.Unchecked || f.promised() {
		return
	}
	n, _ := lanesIn(mask)
	var bad value.Value
	or := func(x value.Value) {
		if bad != nil {
			x = add(f, llir.NewOr(bad, x))
		}
		bad = x
	}
	for d, x := range at {
		if _, isVector := lanesIn(x); !isVector {
			x = f.splatTo(x, n)
		}
		or(add(f, llir.NewICmp(enum.IPredUGE, x, f.splatTo(m.sizes[d], n))))
	}
	if !m.inside && m.length != nil {
		or(add(f, llir.NewICmp(enum.IPredUGE, f.lanesAt(m, at, n), f.splatTo(m.length, n))))
	}
	if bad != nil {
		f.check(add(f, llir.NewAnd(bad, mask)), "index out of bounds")
	}
}

// numbersLit is a constant vector of i64.
func numbersLit(list []int64) *lit {
	parts := make([]string, len(list))
	for i, x := range list {
		parts[i] = "i64 " + strconv.FormatInt(x, 10)
	}
	return &lit{typ: types.NewVector(uint64(len(list)), types.I64), text: "<" + strings.Join(parts, ", ") + ">"}
}

// laneIndices are the indices of the lanes of a part: in its dimensions they differ.
func (p *part) laneIndices(f *fn) []value.Value {
	out := append([]value.Value(nil), p.at...)
	lead, n := len(p.at)-len(p.shape), int64(1)
	for _, s := range p.shape {
		n = ir.Times(n, s)
	}
	after := n
	for d, s := range p.shape {
		after /= s
		list := make([]int64, n)
		for k := range list {
			list[k] = int64(k) / after % s
		}
		out[lead+d] = add(f, llir.NewAdd(f.splatTo(p.at[lead+d], int(n)), numbersLit(list)))
	}
	return out
}

// anywhere is the address of a place that may lie anywhere.
func (f *fn) anywhere(m *view, lin value.Value) value.Value {
	var t types.Type = ptr
	if n, isVector := lanesIn(lin); isVector {
		t = types.NewVector(uint64(n), ptr)
	}
	return add(f, &llir.InstGetElementPtr{ElemType: memType(f.c, m.elem), Src: m.base, Indices: []value.Value{lin}, Typ: t})
}

// maskedOperands are the mask and the last operand, as lanes of memory.
func (f *fn) maskedOperands(elem ir.Type) (mask, x value.Value) {
	args := f.g.Args(f.v)
	return f.of(args[len(args)-2]).v, f.inMemory(f.of(args[len(args)-1]).v, elem)
}

// maskedCall calls one of LLVM's accesses with a mask.
func (f *fn) maskedCall(name string, row types.Type, ret types.Type, args ...value.Value) value.Value {
	if name == "load" || name == "store" {
		name += "." + overload(row) + ".p0"
	} else {
		name += "." + overload(row)
	}
	return add(f, llir.NewCall(f.external("llvm.masked."+name, ret, typesOf(args)), args...))
}

func (f *fn) alignLit(elem ir.Type) value.Value { return i32(int64(f.alignOf(elem))) }

func emitMaskedLoad(f *fn) {
	t := f.g.Type(f.v)
	want := f.llType(t)
	p := f.partOf(0, t)
	mask, pass := f.maskedOperands(p.m.elem)
	f.checkLanes(p.m, p.laneIndices(f), mask)
	rows, row := f.newJoin(p), p.rowType(f)
	maskOf, passOf := f.newCut(mask, p), f.newCut(pass, p)
	p.rows(f, func(first value.Value, lane int) {
		rows.add(f, f.maskedCall("load", row, row, f.anywhere(p.m, first), f.alignLit(p.m.elem), maskOf(lane), passOf(lane)), lane)
	})
	f.vals[f.v] = val{v: f.narrowed(rows.join(f), want)}
}

func emitMaskedStore(f *fn) {
	args := f.g.Args(f.v)
	p := f.partOf(0, f.g.Type(args[len(args)-1]))
	mask, x := f.maskedOperands(p.m.elem)
	f.checkLanes(p.m, p.laneIndices(f), mask)
	row, maskOf, of := p.rowType(f), f.newCut(mask, p), f.newCut(x, p)
	p.rows(f, func(first value.Value, lane int) {
		f.maskedCall("store", row, types.Void, of(lane), f.anywhere(p.m, first), f.alignLit(p.m.elem), maskOf(lane))
	})
}

// lanePointers are the addresses of gather and scatter, which are checked.
func (f *fn) lanePointers(m *view, mask value.Value) value.Value {
	args := f.g.Args(f.v)
	index := f.of(args[len(args)-3]).v
	n, _ := lanesIn(index)
	wide := types.NewVector(uint64(n), types.I64)
	if !types.Equal(index.Type(), wide) {
		index = add(f, llir.NewSExt(index, wide))
	}
	at := f.valuesOf(args[1 : 1+len(m.sizes)])
	last := len(at) - 1
	at[last] = add(f, llir.NewAdd(f.splatTo(at[last], n), index))
	f.checkLanes(m, at, mask)
	return f.anywhere(m, f.lanesAt(m, at, n))
}

func emitGather(f *fn) {
	want := f.llType(f.g.Type(f.v))
	m := f.memArg(0)
	mask, pass := f.maskedOperands(m.elem)
	at := f.lanePointers(m, mask)
	x := add(f, llir.NewCall(f.external("llvm.masked.gather."+overload(pass.Type())+"."+overload(at.Type()), pass.Type(),
		[]types.Type{at.Type(), types.I32, mask.Type(), pass.Type()}), at, f.alignLit(m.elem), mask, pass))
	f.vals[f.v] = val{v: f.narrowed(x, want)}
}

func emitScatter(f *fn) {
	m := f.memArg(0)
	mask, x := f.maskedOperands(m.elem)
	at := f.lanePointers(m, mask)
	add(f, llir.NewCall(f.external("llvm.masked.scatter."+overload(x.Type())+"."+overload(at.Type()), types.Void,
		[]types.Type{x.Type(), at.Type(), types.I32, mask.Type()}), x, at, f.alignLit(m.elem), mask))
}

// packedPointer is the address of the first of elements one behind the other, as many as lanes are set.
func (f *fn) packedPointer(m *view, mask value.Value) value.Value {
	at := f.valuesOf(f.g.Args(f.v)[1 : 1+len(m.sizes)])
	if !f.opts.Unchecked && !f.promised() {
		n, _ := lanesIn(mask)
		wide := types.NewVector(uint64(n), types.I64)
		set := f.intrinsic("llvm.vector.reduce.add."+overload(wide), types.I64, nil, add(f, llir.NewZExt(mask, wide)))
		var bad value.Value = bit(false)
		last := len(at) - 1
		for d, x := range at[:last] {
			bad = f.or(bad, f.icmp(enum.IPredUGE, x, m.sizes[d]))
		}
		bad = f.or(bad, f.or(f.icmp(enum.IPredSLT, at[last], i64(0)), f.icmp(enum.IPredSGT, at[last], f.minus(m.sizes[last], set))))
		if !m.inside && m.length != nil {
			first := f.lanesAt(m, at, 1)
			lin := add(f, llir.NewExtractElement(first, i64(0)))
			bad = f.or(bad, f.or(f.icmp(enum.IPredUGE, lin, m.length), f.icmp(enum.IPredSGT, lin, f.minus(m.length, set))))
		}
		f.check(f.and(bad, f.icmp(enum.IPredSGT, set, i64(0))), "index out of bounds")
	}
	lin := add(f, llir.NewExtractElement(f.lanesAt(m, at, 1), i64(0)))
	return f.anywhere(m, lin)
}

func emitExpandLoad(f *fn) {
	want := f.llType(f.g.Type(f.v))
	m := f.memArg(0)
	mask, pass := f.maskedOperands(m.elem)
	x := f.maskedCall("expandload", pass.Type(), pass.Type(), f.packedPointer(m, mask), mask, pass)
	f.vals[f.v] = val{v: f.narrowed(x, want)}
}

// emitCompressStore keeps the compiler from looking at it beside other stores: LLVM 19 takes it for one
// that writes the lanes of its mask, and drops a masked store before it to the same address, or it
// before such a one.
func emitCompressStore(f *fn) {
	m := f.memArg(0)
	mask, x := f.maskedOperands(m.elem)
	to := f.packedPointer(m, mask)
	if lanes := f.compressed(x); lanes > 0 {
		f.storePacked(x, mask, to, m.elem, lanes)
		return
	}
	fence := func() {
		if f.gpu != nil {
			return // there it is taken apart long before
		}
		f.cur.Insts = append(f.cur.Insts, &llir.InstFence{Ordering: enum.AtomicOrderingAcquireRelease, SyncScope: "singlethread"})
	}
	fence()
	f.maskedCall("compressstore", x.Type(), types.Void, x, to, mask)
	fence()
}

// maskedEmitters are the accesses with masks.
func maskedEmitters() map[*ir.OpDef]func(*fn) {
	return map[*ir.OpDef]func(*fn){
		vector.MaskedLoad: emitMaskedLoad, vector.MaskedStore: emitMaskedStore, vector.Gather: emitGather,
		vector.Scatter: emitScatter, vector.ExpandLoad: emitExpandLoad, vector.CompressStore: emitCompressStore,
	}
}
