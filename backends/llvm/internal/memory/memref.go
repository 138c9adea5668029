package memory

import (
	"math"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/emit"
	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/dialects/memref/layouts"
	"github.com/irc-lang/irc/ir"
)

// BytesOf is the distance of neighbouring elements of a type.
func BytesOf(f *emit.Fn, elem ir.Type) int64 {
	n, ok := lit.MemBytes(f.C, elem)
	if !ok {
		f.Fail("needs the size of elements of type %s in memory, which depends on the target; use integers, floats, or vectors whose size is a power of two", lit.Spell(f.C, elem))
	}
	return n
}

func Alignment(f *emit.Fn) int64 {
	if a := f.G.Attr(f.V, "alignment"); a != 0 {
		n := f.C.AttrInfo(a).Int
		if n&(n-1) != 0 {
			f.Fail("has an alignment of %d, which LLVM does not take: it must be a power of 2", n)
		}
		return n
	}
	return 0
}

func EmitAlloc(f *emit.Fn) {
	m := extent(f, f.G.Segments(f.V)[0])
	owe(f, m)
	f.Vals[f.V] = emit.Val{M: m}
}

// malloc allocates memory for a view.
func malloc(f *emit.Fn, m *emit.View) {
	bytes, align := bytes(f, m), max(Alignment(f), Natural(f, m.Elem))
	if n, ok := lit.Number(bytes); ok {
		bytes = lit.I64(max(n, 1))
	} else {
		bytes = f.B.Intrinsic("llvm.umax.i64", types.I64, nil, bytes, lit.I64(1)) // malloc(0) may be null
	}
	if bits32(f.Emitter) { // size_t has 32 bits, and ptrdiff_t is what an allocation may have
		f.Check(f.B.Icmp(enum.IPredSGT, bytes, lit.I64(math.MaxInt32-align)), tooLarge)
	}
	if align <= emit.MallocAlign {
		m.Base, m.Align = emit.Add(f.B, llir.NewCall(allocator(f, "malloc", 1), sized(f, bytes))), emit.MallocAlign
	} else {
		whole := f.B.Sum(bytes, lit.I64(align-1)) // aligned_alloc wants a multiple
		if n, ok := lit.Number(whole); ok {
			whole = lit.I64(n &^ (align - 1))
		} else {
			whole = emit.Add(f.B, llir.NewAnd(whole, lit.I64(-align)))
		}
		m.Base, m.Align = emit.Add(f.B, llir.NewCall(allocator(f, "aligned_alloc", 2), sized(f, lit.I64(align)), sized(f, whole))), align
	}
	if !f.Opts.Unchecked {
		null := emit.Add(f.B, &llir.InstICmp{Pred: enum.IPredEQ, X: m.Base, Y: &lit.Lit{Typ: lit.Ptr, Text: "null"}, Typ: types.I1})
		f.Check(null, "out of memory")
	}
}

// owe is malloc for what the program must free.
func owe(f *emit.Fn, m *emit.View) {
	malloc(f, m)
	count(f, countAllocs)
}

func free(f *emit.Fn, m *emit.View) {
	emit.Add(f.B, llir.NewCall(f.Libc("free", types.Void, lit.Ptr), m.Base))
	count(f, countFrees)
}

// Natural is the alignment of an element in memory.
func Natural(f *emit.Fn, elem ir.Type) int64 { return min(BytesOf(f, elem), 64) }

// allocator declares a function that returns new memory.
func allocator(f *emit.Fn, name string, params int) *llir.Func {
	var ps []types.Type
	for range params {
		ps = append(ps, sizeType(f.Emitter))
	}
	a := f.Libc(name, lit.Ptr, ps...)
	a.ReturnAttrs = []llir.ReturnAttribute{enum.ReturnAttrNoAlias}
	return a
}

// handedOn reports memory that something other than an access or a view refers to: it may
// be carried on.
func handedOn(f *emit.Fn, v ir.Value) bool {
	return slices.ContainsFunc(ir.Uses(f.G).Of(v), func(user ir.Value) bool {
		def := f.G.Def(user)
		return !def.Has(ir.NoCapture) || def.Has(ir.View) && handedOn(f, user)
	})
}

// EmitAlloca reserves memory on the stack. Memory of fixed size is reserved once
// per call of the function, unless an iteration may hand it to the next.
func EmitAlloca(f *emit.Fn) {
	m := extent(f, f.G.Segments(f.V)[0])
	m.Align = max(Alignment(f), Natural(f, m.Elem), emit.MallocAlign)
	inst := emit.Alloca{InstAlloca: &llir.InstAlloca{ElemType: lit.MemType(f.C, m.Elem), Align: llir.Align(m.Align)}}
	n, fixed := lit.Number(m.Length)
	if fixed {
		if bytes, _ := lit.Number(bytes(f, m)); bytes == 0 {
			n = 0 // or it is too large, and this is not reached
		}
		inst.ElemType = types.NewArray(uint64(max(n, 1)), inst.ElemType)
	} else {
		bytes(f, m)
		inst.NElems = m.Length
	}
	if !fixed && f.Gpu != nil {
		f.Fail("has a size that is known only when it runs, which a kernel cannot reserve; make it static")
	}
	keeps := false
	for _, l := range f.Loops.Open {
		keeps = keeps || l.Keeps
	}
	keeps = keeps && handedOn(f, f.V)
	if fixed && !keeps {
		f.B.Top = append(f.B.Top, inst)
	} else {
		if f.Gpu != nil {
			f.Fail("stands in a loop that carries memrefs, where each iteration reserves anew, which a kernel cannot; move it out of the loop")
		}
		f.B.Stack++
		emit.Add(f.B, inst)
	}
	m.Base = inst
	f.Vals[f.V] = emit.Val{M: m}
}

func EmitAllocaScope(f *emit.Fn) {
	var ys []emit.Val
	r := f.G.Regions(f.V)[0]
	f.Loops.Open = append(f.Loops.Open, &emit.Loop{})
	f.B.Scoped(false, func() []emit.Val { ys = f.Body(r); return ys })
	f.Loops.Open = f.Loops.Open[:len(f.Loops.Open)-1]
	f.SetAll(ys)
}

// EmitDealloc frees the memory that a view is of.
func EmitDealloc(f *emit.Fn) {
	free(f, f.MemArg(0))
}

// EmitRealloc allocates, copies what fits, and frees the old memory.
func EmitRealloc(f *emit.Fn) {
	from := f.MemArg(0)
	to := extent(f, f.G.Args(f.V)[1:])
	owe(f, to)
	n := f.B.Intrinsic("llvm.smin.i64", types.I64, nil, from.Sizes[0], to.Sizes[0])
	bytes := f.B.Times(n, lit.I64(BytesOf(f, to.Elem)))
	move(f, to.Base, f.B.Address(from, from.Off), bytes)
	free(f, from)
	f.Vals[f.V] = emit.Val{M: to}
}

func move(f *emit.Fn, to, from, bytes value.Value) {
	size := sizeType(f.Emitter)
	move := f.External("llvm.memmove.p0.p0."+size.String(), types.Void, []types.Type{lit.Ptr, lit.Ptr, size, types.I1})
	emit.Add(f.B, llir.NewCall(move, to, from, sized(f, bytes), lit.Bit(false)))
}

// LoadFrom reads an element; storeTo writes one. In memory integers take whole
// bytes.
func LoadFrom(f *emit.Fn, p value.Value, elem ir.Type) value.Value {
	mem, t := lit.MemType(f.C, elem), f.LLType(elem)
	x := emit.Add(f.B, &llir.InstLoad{ElemType: mem, Src: p, Align: AlignOf(f, elem)})
	if types.Equal(mem, t) {
		return x
	}
	return emit.Add(f.B, llir.NewTrunc(x, t))
}

func StoreTo(f *emit.Fn, p value.Value, elem ir.Type, x value.Value) {
	mem := lit.MemType(f.C, elem)
	if !types.Equal(mem, x.Type()) {
		x = emit.Add(f.B, llir.NewZExt(x, mem))
	}
	emit.Add(f.B, &llir.InstStore{Src: x, Dst: p, Align: AlignOf(f, elem)})
}

// AlignOf is the alignment of accesses; vectors are aligned as their elements,
// since memory from outside may be.
func AlignOf(f *emit.Fn, elem ir.Type) llir.Align {
	n, ok := lit.MemBytes(f.C, f.C.ElemOrSelf(elem))
	if !ok {
		return 0
	}
	return llir.Align(n)
}

func indices(f *emit.Fn, from int) []value.Value { return f.ValuesOf(f.G.Args(f.V)[from:]) }

func EmitLoad(f *emit.Fn) {
	m := f.MemArg(0)
	f.Set(LoadFrom(f, f.At(m, 1), m.Elem))
}

func EmitStore(f *emit.Fn) {
	m := f.MemArg(1)
	StoreTo(f, f.At(m, 2), m.Elem, f.Arg(0))
}

// EmitCopy moves contiguous memory at once, and other memory element by element
// by way of a buffer unless both are certainly different: what overlaps is copied
// as it was.
func EmitCopy(f *emit.Fn) {
	from, to := f.MemArg(0), f.MemArg(1)
	for i := range from.Sizes {
		f.Check(f.B.Icmp(enum.IPredNE, from.Sizes[i], to.Sizes[i]), "memref.copy between different sizes")
	}
	if !f.Opts.Unchecked {
		checkWhole(f, from)
		checkWhole(f, to)
	}
	size := BytesOf(f, from.Elem)
	if gapless(f, from, 0) && gapless(f, to, 1) {
		move(f, f.B.Address(to, to.Off), f.B.Address(from, from.Off), f.B.Times(f.B.Product(from.Sizes), lit.I64(size)))
		return
	}
	if f.Gpu != nil {
		f.Fail("copies memory that is not contiguous, by way of a buffer that a kernel does not have; copy by loops")
	}
	n := f.B.Product(from.Sizes)
	buffer := &emit.View{Elem: from.Elem, Sizes: from.Sizes, Strides: f.B.RowMajor(from.Sizes), Off: lit.I64(0), Inside: true, Length: n}
	malloc(f, buffer)
	each(f, from, buffer)
	each(f, buffer, to)
	emit.Add(f.B, llir.NewCall(f.Libc("free", types.Void, lit.Ptr), buffer.Base))
}

// gapless reports that the elements of a view, operand i, lie one behind the other.
func gapless(f *emit.Fn, m *emit.View, i int) bool {
	if m.Ident {
		return true
	}
	l := f.Layout(f.G.Type(f.G.Args(f.V)[i]))
	return !slices.Contains(l.Strides, ir.Dynamic) && slices.Equal(l.Strides, layouts.RowMajor(l.Sizes))
}

// checkWhole checks that a view lies in its memory.
func checkWhole(f *emit.Fn, m *emit.View) {
	if m.Inside || m.Length == nil {
		return
	}
	f.Check(f.B.And(beyond(f, m, m.Length), full(f, m.Sizes)), "index out of bounds")
}

// full reports sizes of which none is 0.
func full(f *emit.Fn, sizes []value.Value) value.Value {
	var full value.Value = lit.Bit(true)
	for _, n := range sizes {
		full = f.B.And(full, f.B.Icmp(enum.IPredSGT, n, lit.I64(0)))
	}
	return full
}

// beyond reports a view that has elements but not all of them in memory of a length.
func beyond(f *emit.Fn, m *emit.View, length value.Value) value.Value {
	low, high, bad := corners(f, m)
	return f.B.Or(bad, f.B.Or(f.B.Icmp(enum.IPredSLT, low, lit.I64(0)), f.B.Icmp(enum.IPredSLE, length, high)))
}

// each copies all elements, in order.
func each(f *emit.Fn, from, to *emit.View) {
	f.Loops.Everywhere(from.Sizes, func(at []value.Value) {
		x := LoadFrom(f, f.B.Address(from, f.B.Linear(from, at)), from.Elem)
		StoreTo(f, f.B.Address(to, f.B.Linear(to, at)), to.Elem, x)
	})
}

func EmitGetGlobal(f *emit.Fn) {
	name := f.C.AttrInfo(f.G.Attr(f.V, "name")).Str
	g := f.Globals[name]
	if g == nil {
		f.Fail("refers to @%s, which is no memref.global of this module", name)
	}
	l := f.Layout(f.G.Type(f.V))
	m := &emit.View{Elem: l.Elem, Base: g.Ref, Off: lit.I64(0), Inside: true, Ident: true}
	m.Sizes, _ = emit.Values(l.Sizes, nil)
	m.Strides = f.B.RowMajor(m.Sizes)
	m.Length = f.B.Product(m.Sizes)
	f.Vals[f.V] = emit.Val{M: m}
}

// EmitPrefetch is a hint, which is no access: an address outside of memory does no harm. On a
// GPU it is nothing.
func EmitPrefetch(f *emit.Fn) {
	if f.Gpu != nil {
		return
	}
	m := f.MemArg(0)
	at := &llir.InstGetElementPtr{ElemType: lit.MemType(f.C, m.Elem), Src: m.Base, Indices: []value.Value{f.B.Linear(m, indices(f, 1))}, Typ: lit.Ptr}
	hint := func(name string) value.Value { return lit.I32(f.C.AttrInfo(f.G.Attr(f.V, name)).Int) }
	prefetch := f.External("llvm.prefetch.p0", types.Void, []types.Type{lit.Ptr, types.I32, types.I32, types.I32})
	emit.Add(f.B, llir.NewCall(prefetch, emit.Add(f.B, at), hint("isWrite"), hint("localityHint"), hint("isDataCache")))
}

func EmitAssumeAlignment(f *emit.Fn) {
	m := f.MemArg(0)
	n := Alignment(f)
	assume := f.External("llvm.assume", types.Void, []types.Type{types.I1})
	c := emit.Add(f.B, llir.NewCall(assume, lit.Bit(true)))
	c.OperandBundles = []*llir.OperandBundle{{Tag: "align", Inputs: []value.Value{f.B.Address(m, m.Off), lit.I64(n)}}}
}
