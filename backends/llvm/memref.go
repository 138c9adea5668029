package llvm

import (
	"math"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// bytesOf is the distance of neighbouring elements of a type.
func (f *fn) bytesOf(elem ir.Type) int64 {
	n, ok := memBytes(f.c, elem)
	if !ok {
		f.fail("needs the size of elements of type %s in memory, which depends on the target; use integers, floats, or vectors whose size is a power of two", spell(f.c, elem))
	}
	return n
}

func (f *fn) alignment() int64 {
	if a := f.g.Attr(f.v, "alignment"); a != 0 {
		n := f.c.AttrInfo(a).Int
		if n&(n-1) != 0 {
			f.fail("has an alignment of %d, which LLVM does not take: it must be a power of 2", n)
		}
		return n
	}
	return 0
}

func emitAlloc(f *fn) {
	m := f.extent(f.segments()[0])
	f.owe(m)
	f.vals[f.v] = val{m: m}
}

// malloc allocates memory for a view.
func (f *fn) malloc(m *view) {
	bytes, align := f.bytes(m), max(f.alignment(), f.natural(m.elem))
	if n, ok := number(bytes); ok {
		bytes = i64(max(n, 1))
	} else {
		bytes = f.intrinsic("llvm.umax.i64", types.I64, nil, bytes, i64(1)) // malloc(0) may be null
	}
	if f.bits32() { // size_t has 32 bits, and ptrdiff_t is what an allocation may have
		f.check(f.icmp(enum.IPredSGT, bytes, i64(math.MaxInt32-align)), tooLarge)
	}
	if align <= mallocAlign {
		m.base, m.align = add(f, llir.NewCall(f.allocator("malloc", 1), f.sized(bytes))), mallocAlign
	} else {
		whole := f.sum(bytes, i64(align-1)) // aligned_alloc wants a multiple
		if n, ok := number(whole); ok {
			whole = i64(n &^ (align - 1))
		} else {
			whole = add(f, llir.NewAnd(whole, i64(-align)))
		}
		m.base, m.align = add(f, llir.NewCall(f.allocator("aligned_alloc", 2), f.sized(i64(align)), f.sized(whole))), align
	}
	if !f.opts.Unchecked {
		null := add(f, &llir.InstICmp{Pred: enum.IPredEQ, X: m.base, Y: &lit{typ: ptr, text: "null"}, Typ: types.I1})
		f.check(null, "out of memory")
	}
}

// owe is malloc for what the program must free.
func (f *fn) owe(m *view) {
	f.malloc(m)
	f.count(countAllocs)
}

func (f *fn) free(m *view) {
	add(f, llir.NewCall(f.libc("free", types.Void, ptr), m.base))
	f.count(countFrees)
}

// natural is the alignment of an element in memory.
func (f *fn) natural(elem ir.Type) int64 { return min(f.bytesOf(elem), 64) }

// allocator declares a function that returns new memory.
func (f *fn) allocator(name string, params int) *llir.Func {
	var ps []types.Type
	for range params {
		ps = append(ps, f.sizeType())
	}
	a := f.libc(name, ptr, ps...)
	a.ReturnAttrs = []llir.ReturnAttribute{enum.ReturnAttrNoAlias}
	return a
}

// handedOn reports memory that something other than an access or a view refers to: it may
// be carried on.
func (f *fn) handedOn(v ir.Value) bool {
	return slices.ContainsFunc(ir.Uses(f.g).Of(v), func(user ir.Value) bool {
		def := f.g.Def(user)
		return !def.Has(ir.NoCapture) || def.Has(ir.View) && f.handedOn(user)
	})
}

// emitAlloca reserves memory on the stack. Memory of fixed size is reserved once
// per call of the function, unless an iteration may hand it to the next.
func emitAlloca(f *fn) {
	m := f.extent(f.segments()[0])
	m.align = max(f.alignment(), f.natural(m.elem), mallocAlign)
	inst := alloca{&llir.InstAlloca{ElemType: memType(f.c, m.elem), Align: llir.Align(m.align)}}
	n, fixed := number(m.length)
	if fixed {
		if bytes, _ := number(f.bytes(m)); bytes == 0 {
			n = 0 // or it is too large, and this is not reached
		}
		inst.ElemType = types.NewArray(uint64(max(n, 1)), inst.ElemType)
	} else {
		f.bytes(m)
		inst.NElems = m.length
	}
	if !fixed && f.gpu != nil {
		f.fail("has a size that is known only when it runs, which a kernel cannot reserve; make it static")
	}
	keeps := false
	for _, l := range f.loops {
		keeps = keeps || l.keeps
	}
	keeps = keeps && f.handedOn(f.v)
	if fixed && !keeps {
		f.top = append(f.top, inst)
	} else {
		if f.gpu != nil {
			f.fail("stands in a loop that carries memrefs, where each iteration reserves anew, which a kernel cannot; move it out of the loop")
		}
		f.stack++
		add(f, inst)
	}
	m.base = inst
	f.vals[f.v] = val{m: m}
}

func emitAllocaScope(f *fn) {
	var ys []val
	r := f.g.Regions(f.v)[0]
	f.loops = append(f.loops, &loop{})
	f.scoped(false, func() []val { ys = f.body(r); return ys })
	f.loops = f.loops[:len(f.loops)-1]
	f.setAll(ys)
}

// emitDealloc frees the memory that a view is of.
func emitDealloc(f *fn) {
	f.free(f.memArg(0))
}

// emitRealloc allocates, copies what fits, and frees the old memory.
func emitRealloc(f *fn) {
	from := f.memArg(0)
	to := f.extent(f.g.Args(f.v)[1:])
	f.owe(to)
	n := f.intrinsic("llvm.smin.i64", types.I64, nil, from.sizes[0], to.sizes[0])
	bytes := f.times(n, i64(f.bytesOf(to.elem)))
	f.move(to.base, f.address(from, from.off), bytes)
	f.free(from)
	f.vals[f.v] = val{m: to}
}

func (f *fn) move(to, from, bytes value.Value) {
	size := f.sizeType()
	move := f.external("llvm.memmove.p0.p0."+size.String(), types.Void, []types.Type{ptr, ptr, size, types.I1})
	add(f, llir.NewCall(move, to, from, f.sized(bytes), bit(false)))
}

// loadFrom reads an element; storeTo writes one. In memory integers take whole
// bytes.
func (f *fn) loadFrom(p value.Value, elem ir.Type) value.Value {
	mem, t := memType(f.c, elem), f.llType(elem)
	x := add(f, &llir.InstLoad{ElemType: mem, Src: p, Align: f.alignOf(elem)})
	if types.Equal(mem, t) {
		return x
	}
	return add(f, llir.NewTrunc(x, t))
}

func (f *fn) storeTo(p value.Value, elem ir.Type, x value.Value) {
	mem := memType(f.c, elem)
	if !types.Equal(mem, x.Type()) {
		x = add(f, llir.NewZExt(x, mem))
	}
	add(f, &llir.InstStore{Src: x, Dst: p, Align: f.alignOf(elem)})
}

// alignOf is the alignment of accesses; vectors are aligned as their elements,
// since memory from outside may be.
func (f *fn) alignOf(elem ir.Type) llir.Align {
	n, ok := memBytes(f.c, f.c.ElemOrSelf(elem))
	if !ok {
		return 0
	}
	return llir.Align(n)
}

func (f *fn) indices(from int) []value.Value { return f.valuesOf(f.g.Args(f.v)[from:]) }

func emitLoad(f *fn) {
	m := f.memArg(0)
	f.set(f.loadFrom(f.at(m, 1), m.elem))
}

func emitStore(f *fn) {
	m := f.memArg(1)
	f.storeTo(f.at(m, 2), m.elem, f.arg(0))
}

// emitCopy moves contiguous memory at once, and other memory element by element
// by way of a buffer unless both are certainly different: what overlaps is copied
// as it was.
func emitCopy(f *fn) {
	from, to := f.memArg(0), f.memArg(1)
	for i := range from.sizes {
		f.check(f.icmp(enum.IPredNE, from.sizes[i], to.sizes[i]), "memref.copy between different sizes")
	}
	if !f.opts.Unchecked {
		f.checkWhole(from)
		f.checkWhole(to)
	}
	size := f.bytesOf(from.elem)
	if f.gapless(from, 0) && f.gapless(to, 1) {
		f.move(f.address(to, to.off), f.address(from, from.off), f.times(f.product(from.sizes), i64(size)))
		return
	}
	if f.gpu != nil {
		f.fail("copies memory that is not contiguous, by way of a buffer that a kernel does not have; copy by loops")
	}
	n := f.product(from.sizes)
	buffer := &view{elem: from.elem, sizes: from.sizes, strides: f.rowMajor(from.sizes), off: i64(0), inside: true, length: n}
	f.malloc(buffer)
	f.each(from, buffer)
	f.each(buffer, to)
	add(f, llir.NewCall(f.libc("free", types.Void, ptr), buffer.base))
}

// gapless reports that the elements of a view, operand i, lie one behind the other.
func (f *fn) gapless(m *view, i int) bool {
	if m.ident {
		return true
	}
	l := f.layout(f.g.Type(f.g.Args(f.v)[i]))
	return !slices.Contains(l.strides, ir.Dynamic) && slices.Equal(l.strides, memref.RowMajor(l.sizes))
}

// checkWhole checks that a view lies in its memory.
func (f *fn) checkWhole(m *view) {
	if m.inside || m.length == nil {
		return
	}
	f.check(f.and(f.beyond(m, m.length), f.full(m.sizes)), "index out of bounds")
}

// full reports sizes of which none is 0.
func (f *fn) full(sizes []value.Value) value.Value {
	var full value.Value = bit(true)
	for _, n := range sizes {
		full = f.and(full, f.icmp(enum.IPredSGT, n, i64(0)))
	}
	return full
}

// beyond reports a view that has elements but not all of them in memory of a length.
func (f *fn) beyond(m *view, length value.Value) value.Value {
	low, high, bad := f.corners(m)
	return f.or(bad, f.or(f.icmp(enum.IPredSLT, low, i64(0)), f.icmp(enum.IPredSLE, length, high)))
}

// each copies all elements, in order.
func (f *fn) each(from, to *view) {
	f.everywhere(from.sizes, func(at []value.Value) {
		x := f.loadFrom(f.address(from, f.linear(from, at)), from.elem)
		f.storeTo(f.address(to, f.linear(to, at)), to.elem, x)
	})
}

func emitGetGlobal(f *fn) {
	name := f.c.AttrInfo(f.g.Attr(f.v, "name")).Str
	g := f.globals[name]
	if g == nil {
		f.fail("refers to @%s, which is no memref.global of this module", name)
	}
	l := f.layout(f.g.Type(f.v))
	m := &view{elem: l.elem, base: g.ref, off: i64(0), inside: true, ident: true}
	m.sizes, _ = values(l.sizes, nil)
	m.strides = f.rowMajor(m.sizes)
	m.length = f.product(m.sizes)
	f.vals[f.v] = val{m: m}
}

// emitPrefetch is a hint, which is no access: an address outside of memory does no harm. On a
// GPU it is nothing.
func emitPrefetch(f *fn) {
	if f.gpu != nil {
		return
	}
	m := f.memArg(0)
	at := &llir.InstGetElementPtr{ElemType: memType(f.c, m.elem), Src: m.base, Indices: []value.Value{f.linear(m, f.indices(1))}, Typ: ptr}
	hint := func(name string) value.Value { return i32(f.c.AttrInfo(f.g.Attr(f.v, name)).Int) }
	prefetch := f.external("llvm.prefetch.p0", types.Void, []types.Type{ptr, types.I32, types.I32, types.I32})
	add(f, llir.NewCall(prefetch, add(f, at), hint("isWrite"), hint("localityHint"), hint("isDataCache")))
}

func emitAssumeAlignment(f *fn) {
	m := f.memArg(0)
	n := f.alignment()
	assume := f.external("llvm.assume", types.Void, []types.Type{types.I1})
	c := add(f, llir.NewCall(assume, bit(true)))
	c.OperandBundles = []*llir.OperandBundle{{Tag: "align", Inputs: []value.Value{f.address(m, m.off), i64(n)}}}
}
