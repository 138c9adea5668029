package memory

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/emit"
	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/dialects/memref/layouts"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/lists"
)

func EmitSameView(f *emit.Fn) {
	m := f.MemArg(0)
	f.Layout(f.G.Type(f.V)) // refuses unranked memrefs
	f.Vals[f.V] = emit.Val{M: m}
}

func EmitRank(f *emit.Fn) { f.Set(lit.I64(int64(len(f.MemArg(0).Sizes)))) }

// EmitAddress is the address at which the memory begins that a view is of.
func EmitAddress(f *emit.Fn) {
	m := f.MemArg(0)
	if m.Moved {
		f.Fail("needs the start of memory that came from outside with an offset known only there; pass the whole memory, with the identity layout")
	}
	f.Set(emit.Add(f.B, llir.NewPtrToInt(m.Base, types.I64)))
}

func EmitDim(f *emit.Fn) {
	m, at := f.MemArg(0), f.Arg(1)
	const reason = "a memref has no such dimension"
	n, ok := lit.Number(at)
	switch {
	case ok && n >= 0 && n < int64(len(m.Sizes)):
		f.Set(m.Sizes[n])
		return
	case ok || len(m.Sizes) == 0:
		f.Check(lit.Bit(true), reason)
		f.Set(lit.I64(0))
		return
	}
	f.Check(f.B.Icmp(enum.IPredUGE, at, lit.I64(int64(len(m.Sizes)))), reason)
	out := m.Sizes[0]
	for i, s := range m.Sizes[1:] {
		out = emit.Add(f.B, llir.NewSelect(f.B.Icmp(enum.IPredEQ, at, lit.I64(int64(i+1))), s, out))
	}
	f.Set(out)
}

// parts returns offsets, sizes and strides of subview and reinterpret_cast.
func parts(f *emit.Fn) (out [3][]value.Value) {
	seg := f.G.Segments(f.V)
	for i, name := range []string{"static_offsets", "static_sizes", "static_strides"} {
		out[i], _ = emit.Values(f.C.Ints(f.G.Attr(f.V, name)), f.ValuesOf(seg[i+1]))
	}
	return out
}

// EmitReinterpret gives the memory that a view is of an offset, sizes and strides
// of its own.
func EmitReinterpret(f *emit.Fn) {
	m := *f.MemArg(0)
	if m.Moved {
		f.Fail("needs the start of memory that came from outside with an offset known only there; pass the whole memory, with the identity layout")
	}
	p := parts(f)
	if m.Inside && m.Length == nil {
		m.Length = f.B.Product(m.Sizes)
	}
	m.Off, m.Sizes, m.Strides = p[0][0], p[1], p[2]
	m.Ident, m.Inside = f.Layout(f.G.Type(f.V)).Ident, false
	if !f.Opts.Unchecked {
		checkSizes(f, m.Sizes)
		checkWhole(f, &m)
	}
	m.Inside = m.Length != nil
	f.Vals[f.V] = emit.Val{M: &m}
}

// checkSizes checks that the sizes of a view are not negative.
func checkSizes(f *emit.Fn, sizes []value.Value) {
	var bad value.Value = lit.Bit(false)
	for _, n := range sizes {
		bad = f.B.Or(bad, f.B.Icmp(enum.IPredSLT, n, lit.I64(0)))
	}
	f.Check(bad, "a size of a view is negative")
}

// checkPart checks that a part of memory of some sizes, whose offsets may be known to be in bounds, lies in it.
func checkPart(f *emit.Fn, sizes []value.Value, p [3][]value.Value) {
	checkSizes(f, p[1])
	var bad value.Value = lit.Bit(false)
	offsets := ir.MixedBounds(f.C.Ints(f.G.Attr(f.V, "static_offsets")), f.G.Segments(f.V)[1])
	for i, n := range sizes {
		extent, okN := lit.Number(n)
		size, okSize := lit.Number(p[1][i])
		stride, okStride := lit.Number(p[2][i])
		starts := lit.I64(extent - ir.Times(size-1, stride)) // below which the whole part is in bounds
		if okN && okSize && okStride && stride >= 0 && size > 0 && f.Within(p[0][i], offsets[i].Value, starts) {
			continue
		}
		bad = f.B.Or(bad, beyond(f, &emit.View{Off: p[0][i], Sizes: p[1][i : i+1], Strides: p[2][i : i+1]}, n))
	}
	f.Check(f.B.And(bad, full(f, p[1])), "a part is not in its memory")
}

func EmitSubview(f *emit.Fn) {
	src := f.MemArg(0)
	p := parts(f)
	m := *src
	for i := range src.Sizes {
		m.Off = f.B.Sum(m.Off, f.B.Times(p[0][i], src.Strides[i]))
	}
	static := f.C.Ints(f.G.Attr(f.V, "static_sizes"))
	kept := layouts.KeptDims(static, f.C.Info(f.G.Type(f.V)).Shape)
	if kept == nil && len(f.C.Info(f.G.Type(f.V)).Shape) > 0 {
		f.Fail("has a rank that does not follow from its sizes")
	}
	m.Sizes, m.Strides = nil, nil
	for _, i := range kept {
		m.Sizes = append(m.Sizes, p[1][i])
		m.Strides = append(m.Strides, f.B.Times(p[2][i], src.Strides[i]))
	}
	m.Ident = f.Layout(f.G.Type(f.V)).Ident
	if !f.Opts.Unchecked {
		checkPart(f, src.Sizes, p)
	}
	f.Vals[f.V] = emit.Val{M: &m}
}

// EmitView sees bytes from a shift on as elements of another type. All that follows
// takes it that they are aligned.
func EmitView(f *emit.Fn) {
	src, shift := f.MemArg(0), f.Arg(1)
	f.Check(f.B.Icmp(enum.IPredSLT, shift, lit.I64(0)), "the shift of memref.view is negative")
	l := f.Layout(f.G.Type(f.V))
	m := &emit.View{Elem: l.Elem, Off: lit.I64(0), Ident: true, Moved: src.Moved}
	start := f.B.Sum(src.Off, shift)
	m.Base = f.B.Address(src, start)
	checkAligned(f, src, start, m)
	m.Sizes, _ = emit.Values(l.Sizes, indices(f, 2))
	for i, n := range l.Sizes {
		if n == ir.Dynamic {
			f.Check(f.B.Icmp(enum.IPredSLT, m.Sizes[i], lit.I64(0)), "a size of memref.view is negative")
		}
	}
	count := checkedProduct(f, m.Sizes, "a memref.view is too large")
	m.Strides = f.B.RowMajor(m.Sizes)
	if src.Length != nil {
		left := f.B.Minus(src.Length, start)
		if size := BytesOf(f, l.Elem); size > 1 {
			left = emit.Add(f.B, llir.NewSDiv(left, lit.I64(size)))
		}
		m.Length, m.Inside = f.B.Intrinsic("llvm.smax.i64", types.I64, nil, left, lit.I64(0)), true
		f.Check(f.B.Icmp(enum.IPredUGT, count, m.Length), "a view reaches beyond its memory")
	}
	f.Vals[f.V] = emit.Val{M: m}
}

// checkAligned checks that a view which starts at a byte of src is aligned to its
// elements; src.base is known to be for allocations.
func checkAligned(f *emit.Fn, src *emit.View, start value.Value, m *emit.View) {
	align := int64(AlignOf(f, m.Elem))
	n, known := lit.Number(start)
	if f.Opts.Unchecked || known && src.Align > 0 && src.Align%align == 0 && n%align == 0 {
		return
	}
	addr := start
	if src.Align == 0 || src.Align%align != 0 {
		addr = emit.Add(f.B, llir.NewPtrToInt(m.Base, types.I64))
	}
	odd := emit.Add(f.B, llir.NewAnd(addr, lit.I64(align-1)))
	f.Check(f.B.Icmp(enum.IPredNE, odd, lit.I64(0)), "a memref.view is not aligned to its elements")
}

func groups(f *emit.Fn) [][]int {
	groups, _, ok := layouts.Groups(f.C, f.G.Attr(f.V, "reassociation"))
	if !ok {
		f.Fail("has a reassociation that is none")
	}
	return groups
}

func EmitExpand(f *emit.Fn) {
	m := *f.MemArg(0)
	sizes, strides := m.Sizes, m.Strides
	l := f.Layout(f.G.Type(f.V))
	m.Sizes, _ = emit.Values(l.Sizes, indices(f, 1))
	m.Strides = f.B.RowMajor(m.Sizes)
	checkSizes(f, m.Sizes)
	const reason = "to another number of elements"
	for i, g := range groups(f) {
		parts := lists.Map(g, func(d int) value.Value { return m.Sizes[d] })
		f.Check(f.B.Icmp(enum.IPredNE, checkedProduct(f, parts, reason), sizes[i]), reason)
		n := strides[i]
		for j := len(g) - 1; j >= 0; j-- {
			m.Strides[g[j]] = n
			if j > 0 {
				n = f.B.Times(n, m.Sizes[g[j]])
			}
		}
	}
	m.Ident = l.Ident
	f.Vals[f.V] = emit.Val{M: &m}
}

// EmitCollapse joins dimensions: the stride is that of the innermost one that has
// more than one element.
func EmitCollapse(f *emit.Fn) {
	src := f.MemArg(0)
	m := *src
	m.Sizes, m.Strides = nil, nil
	for _, g := range groups(f) {
		var size, stride value.Value = lit.I64(1), lit.I64(1)
		for j := len(g) - 1; j >= 0; j-- {
			n, s := src.Sizes[g[j]], src.Strides[g[j]]
			if k, ok := lit.Number(size); ok {
				if k == 1 {
					stride = s
				}
			} else if !src.Ident {
				stride = emit.Add(f.B, llir.NewSelect(f.B.Icmp(enum.IPredEQ, size, lit.I64(1)), s, stride))
			}
			size = f.B.Times(size, n)
		}
		m.Sizes, m.Strides = append(m.Sizes, size), append(m.Strides, stride)
	}
	m.Ident = f.Layout(f.G.Type(f.V)).Ident
	f.Vals[f.V] = emit.Val{M: &m}
}

func EmitTranspose(f *emit.Fn) {
	src := f.MemArg(0)
	m := *src
	perm, ok := expr.MapOf(f.C, f.G.Attr(f.V, "permutation")).Permuted()
	if !ok {
		f.Fail("has a permutation that is none")
	}
	m.Sizes, m.Strides = nil, nil
	for _, d := range perm {
		m.Sizes, m.Strides = append(m.Sizes, src.Sizes[d]), append(m.Strides, src.Strides[d])
	}
	m.Ident = f.Layout(f.G.Type(f.V)).Ident
	f.Vals[f.V] = emit.Val{M: &m}
}

// EmitReshape takes the sizes from memory; their product must be that of the source.
func EmitReshape(f *emit.Fn) {
	src, dims := f.MemArg(0), f.MemArg(1)
	m := *src
	m.Sizes = nil
	const reason = "memref.reshape to another number of elements"
	for i := range len(f.Layout(f.G.Type(f.V)).Sizes) {
		n := LoadFrom(f, f.Element(dims, []value.Value{lit.I64(int64(i))}, nil), dims.Elem)
		if emit.WidthOf(n.Type()) < 64 {
			n = emit.Add(f.B, llir.NewSExt(n, types.I64))
		}
		f.Check(f.B.Icmp(enum.IPredSLT, n, lit.I64(0)), "memref.reshape to a negative size")
		m.Sizes = append(m.Sizes, n)
	}
	f.Check(f.B.Icmp(enum.IPredNE, checkedProduct(f, m.Sizes, reason), f.B.Product(src.Sizes)), reason)
	m.Strides = f.B.RowMajor(m.Sizes)
	m.Ident = true
	f.Vals[f.V] = emit.Val{M: &m}
}

// EmitMetadata takes a view apart.
func EmitMetadata(f *emit.Fn) {
	src := f.MemArg(0)
	if src.Moved {
		f.Fail("needs the start of memory that came from outside with an offset known only there; pass the whole memory, with the identity layout")
	}
	base := *src
	base.Off, base.Sizes, base.Strides, base.Ident = lit.I64(0), nil, nil, true
	out := []emit.Val{{M: &base}, {V: src.Off}}
	out = append(out, emit.AsVals(src.Sizes)...)
	f.SetAll(append(out, emit.AsVals(src.Strides)...))
}
