package vectors

import (
	"strconv"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/emit"
	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/backends/llvm/internal/memory"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
)

// An access with a mask is checked for the lanes that the mask sets alone. Addresses of the others may
// be anything: no instruction here says that they are within memory.

// lanesAt are the places, counted from the base of a view, of lanes whose indices are at, each a scalar or
// a vector.
func lanesAt(f *emit.Fn, m *emit.View, at []value.Value, n int) value.Value {
	lin := splatTo(f, m.Off, n)
	for d, x := range at {
		if _, isVector := emit.LanesIn(x); !isVector {
			x = splatTo(f, x, n)
		}
		lin = emit.Add(f.B, llir.NewAdd(lin, emit.Add(f.B, llir.NewMul(x, splatTo(f, m.Strides[d], n)))))
	}
	return lin
}

// checkLanes stops the program where a lane that the mask sets lies out of bounds.
func checkLanes(f *emit.Fn, m *emit.View, at []value.Value, mask value.Value) {
	if f.Opts.Unchecked || f.Promised() {
		return
	}
	n, _ := emit.LanesIn(mask)
	var bad value.Value
	or := func(x value.Value) {
		if bad != nil {
			x = emit.Add(f.B, llir.NewOr(bad, x))
		}
		bad = x
	}
	for d, x := range at {
		if _, isVector := emit.LanesIn(x); !isVector {
			x = splatTo(f, x, n)
		}
		or(emit.Add(f.B, llir.NewICmp(enum.IPredUGE, x, splatTo(f, m.Sizes[d], n))))
	}
	if !m.Inside && m.Length != nil {
		or(emit.Add(f.B, llir.NewICmp(enum.IPredUGE, lanesAt(f, m, at, n), splatTo(f, m.Length, n))))
	}
	if bad != nil {
		f.Check(emit.Add(f.B, llir.NewAnd(bad, mask)), "index out of bounds")
	}
}

// numbersLit is a constant vector of i64.
func numbersLit(list []int64) *lit.Lit {
	parts := make([]string, len(list))
	for i, x := range list {
		parts[i] = "i64 " + strconv.FormatInt(x, 10)
	}
	return &lit.Lit{Typ: types.NewVector(uint64(len(list)), types.I64), Text: "<" + strings.Join(parts, ", ") + ">"}
}

// laneIndices are the indices of the lanes of a part: in its dimensions they differ.
func (p *part) laneIndices(f *emit.Fn) []value.Value {
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
		out[lead+d] = emit.Add(f.B, llir.NewAdd(splatTo(f, p.at[lead+d], int(n)), numbersLit(list)))
	}
	return out
}

// anywhere is the address of a place that may lie anywhere.
func anywhere(f *emit.Fn, m *emit.View, lin value.Value) value.Value {
	var t types.Type = lit.Ptr
	if n, isVector := emit.LanesIn(lin); isVector {
		t = types.NewVector(uint64(n), lit.Ptr)
	}
	return emit.Add(f.B, &llir.InstGetElementPtr{ElemType: lit.MemType(f.C, m.Elem), Src: m.Base, Indices: []value.Value{lin}, Typ: t})
}

// maskedOperands are the mask and the last operand, as lanes of memory.
func maskedOperands(f *emit.Fn, elem ir.Type) (mask, x value.Value) {
	args := f.G.Args(f.V)
	return f.Of(args[len(args)-2]).V, inMemory(f, f.Of(args[len(args)-1]).V, elem)
}

// maskedCall calls one of LLVM's accesses with a mask.
func maskedCall(f *emit.Fn, name string, row types.Type, ret types.Type, args ...value.Value) value.Value {
	if name == "load" || name == "store" {
		name += "." + emit.Overload(row) + ".p0"
	} else {
		name += "." + emit.Overload(row)
	}
	return emit.Add(f.B, llir.NewCall(f.External("llvm.masked."+name, ret, emit.TypesOf(args)), args...))
}

func alignLit(f *emit.Fn, elem ir.Type) value.Value { return lit.I32(int64(memory.AlignOf(f, elem))) }

func emitMaskedLoad(f *emit.Fn) {
	t := f.G.Type(f.V)
	want := f.LLType(t)
	p := partOf(f, 0, t)
	mask, pass := maskedOperands(f, p.m.Elem)
	checkLanes(f, p.m, p.laneIndices(f), mask)
	rows, row := newJoin(f, p), p.rowType(f)
	maskOf, passOf := newCut(f, mask, p), newCut(f, pass, p)
	p.rows(f, func(first value.Value, lane int) {
		rows.add(f, maskedCall(f, "load", row, row, anywhere(f, p.m, first), alignLit(f, p.m.Elem), maskOf(lane), passOf(lane)), lane)
	})
	f.Vals[f.V] = emit.Val{V: f.B.Narrowed(rows.join(f), want)}
}

func emitMaskedStore(f *emit.Fn) {
	args := f.G.Args(f.V)
	p := partOf(f, 0, f.G.Type(args[len(args)-1]))
	mask, x := maskedOperands(f, p.m.Elem)
	checkLanes(f, p.m, p.laneIndices(f), mask)
	row, maskOf, of := p.rowType(f), newCut(f, mask, p), newCut(f, x, p)
	p.rows(f, func(first value.Value, lane int) {
		maskedCall(f, "store", row, types.Void, of(lane), anywhere(f, p.m, first), alignLit(f, p.m.Elem), maskOf(lane))
	})
}

// lanePointers are the addresses of gather and scatter, which are checked.
func lanePointers(f *emit.Fn, m *emit.View, mask value.Value) value.Value {
	args := f.G.Args(f.V)
	index := f.Of(args[len(args)-3]).V
	n, _ := emit.LanesIn(index)
	wide := types.NewVector(uint64(n), types.I64)
	if !types.Equal(index.Type(), wide) {
		index = emit.Add(f.B, llir.NewSExt(index, wide))
	}
	at := f.ValuesOf(args[1 : 1+len(m.Sizes)])
	last := len(at) - 1
	at[last] = emit.Add(f.B, llir.NewAdd(splatTo(f, at[last], n), index))
	checkLanes(f, m, at, mask)
	return anywhere(f, m, lanesAt(f, m, at, n))
}

func emitGather(f *emit.Fn) {
	want := f.LLType(f.G.Type(f.V))
	m := f.MemArg(0)
	mask, pass := maskedOperands(f, m.Elem)
	at := lanePointers(f, m, mask)
	x := emit.Add(f.B, llir.NewCall(f.External("llvm.masked.gather."+emit.Overload(pass.Type())+"."+emit.Overload(at.Type()), pass.Type(),
		[]types.Type{at.Type(), types.I32, mask.Type(), pass.Type()}), at, alignLit(f, m.Elem), mask, pass))
	f.Vals[f.V] = emit.Val{V: f.B.Narrowed(x, want)}
}

func emitScatter(f *emit.Fn) {
	m := f.MemArg(0)
	mask, x := maskedOperands(f, m.Elem)
	at := lanePointers(f, m, mask)
	emit.Add(f.B, llir.NewCall(f.External("llvm.masked.scatter."+emit.Overload(x.Type())+"."+emit.Overload(at.Type()), types.Void,
		[]types.Type{x.Type(), at.Type(), types.I32, mask.Type()}), x, at, alignLit(f, m.Elem), mask))
}

// packedPointer is the address of the first of elements one behind the other, as many as lanes are set.
func packedPointer(f *emit.Fn, m *emit.View, mask value.Value) value.Value {
	at := f.ValuesOf(f.G.Args(f.V)[1 : 1+len(m.Sizes)])
	if !f.Opts.Unchecked && !f.Promised() {
		n, _ := emit.LanesIn(mask)
		wide := types.NewVector(uint64(n), types.I64)
		set := f.B.Intrinsic("llvm.vector.reduce.add."+emit.Overload(wide), types.I64, nil, emit.Add(f.B, llir.NewZExt(mask, wide)))
		var bad value.Value = lit.Bit(false)
		last := len(at) - 1
		for d, x := range at[:last] {
			bad = f.B.Or(bad, f.B.Icmp(enum.IPredUGE, x, m.Sizes[d]))
		}
		bad = f.B.Or(bad, f.B.Or(f.B.Icmp(enum.IPredSLT, at[last], lit.I64(0)), f.B.Icmp(enum.IPredSGT, at[last], f.B.Minus(m.Sizes[last], set))))
		if !m.Inside && m.Length != nil {
			first := lanesAt(f, m, at, 1)
			lin := emit.Add(f.B, llir.NewExtractElement(first, lit.I64(0)))
			bad = f.B.Or(bad, f.B.Or(f.B.Icmp(enum.IPredUGE, lin, m.Length), f.B.Icmp(enum.IPredSGT, lin, f.B.Minus(m.Length, set))))
		}
		f.Check(f.B.And(bad, f.B.Icmp(enum.IPredSGT, set, lit.I64(0))), "index out of bounds")
	}
	lin := emit.Add(f.B, llir.NewExtractElement(lanesAt(f, m, at, 1), lit.I64(0)))
	return anywhere(f, m, lin)
}

func emitExpandLoad(f *emit.Fn) {
	want := f.LLType(f.G.Type(f.V))
	m := f.MemArg(0)
	mask, pass := maskedOperands(f, m.Elem)
	x := maskedCall(f, "expandload", pass.Type(), pass.Type(), packedPointer(f, m, mask), mask, pass)
	f.Vals[f.V] = emit.Val{V: f.B.Narrowed(x, want)}
}

// emitCompressStore keeps the compiler from looking at it beside other stores: LLVM 19 takes it for one
// that writes the lanes of its mask, and drops a masked store before it to the same address, or it
// before such a one.
func emitCompressStore(f *emit.Fn) {
	m := f.MemArg(0)
	mask, x := maskedOperands(f, m.Elem)
	to := packedPointer(f, m, mask)
	if lanes := compressed(f, x); lanes > 0 {
		storePacked(f, x, mask, to, m.Elem, lanes)
		return
	}
	fence := func() {
		if f.Gpu != nil {
			return // there it is taken apart long before
		}
		f.B.Cur.Insts = append(f.B.Cur.Insts, &llir.InstFence{Ordering: enum.AtomicOrderingAcquireRelease, SyncScope: "singlethread"})
	}
	fence()
	maskedCall(f, "compressstore", x.Type(), types.Void, x, to, mask)
	fence()
}

// MaskedEmitters are the accesses with masks.
func MaskedEmitters() map[*ir.OpDef]func(*emit.Fn) {
	return map[*ir.OpDef]func(*emit.Fn){
		vector.MaskedLoad: emitMaskedLoad, vector.MaskedStore: emitMaskedStore, vector.Gather: emitGather,
		vector.Scatter: emitScatter, vector.ExpandLoad: emitExpandLoad, vector.CompressStore: emitCompressStore,
	}
}
