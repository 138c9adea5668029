package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
)

func emitSameView(f *fn) {
	m := f.memArg(0)
	f.layout(f.g.Type(f.v)) // refuses unranked memrefs
	f.vals[f.v] = val{m: m}
}

func emitRank(f *fn) { f.set(i64(int64(len(f.memArg(0).sizes)))) }

// emitAddress is the address at which the memory begins that a view is of.
func emitAddress(f *fn) {
	m := f.memArg(0)
	if m.moved {
		f.fail("needs the start of memory that came from outside with an offset known only there; pass the whole memory, with the identity layout")
	}
	f.set(add(f, llir.NewPtrToInt(m.base, types.I64)))
}

func emitDim(f *fn) {
	m, at := f.memArg(0), f.arg(1)
	const reason = "a memref has no such dimension"
	n, ok := number(at)
	switch {
	case ok && n >= 0 && n < int64(len(m.sizes)):
		f.set(m.sizes[n])
		return
	case ok || len(m.sizes) == 0:
		f.check(bit(true), reason)
		f.set(i64(0))
		return
	}
	f.check(f.icmp(enum.IPredUGE, at, i64(int64(len(m.sizes)))), reason)
	out := m.sizes[0]
	for i, s := range m.sizes[1:] {
		out = add(f, llir.NewSelect(f.icmp(enum.IPredEQ, at, i64(int64(i+1))), s, out))
	}
	f.set(out)
}

// parts returns offsets, sizes and strides of subview and reinterpret_cast.
func (f *fn) parts() (out [3][]value.Value) {
	seg := f.segments()
	for i, name := range []string{"static_offsets", "static_sizes", "static_strides"} {
		out[i], _ = values(f.c.Ints(f.g.Attr(f.v, name)), f.valuesOf(seg[i+1]))
	}
	return out
}

// emitReinterpret gives the memory that a view is of an offset, sizes and strides
// of its own.
func emitReinterpret(f *fn) {
	m := *f.memArg(0)
	if m.moved {
		f.fail("needs the start of memory that came from outside with an offset known only there; pass the whole memory, with the identity layout")
	}
	p := f.parts()
	if m.inside && m.length == nil {
		m.length = f.product(m.sizes)
	}
	m.off, m.sizes, m.strides = p[0][0], p[1], p[2]
	m.ident, m.inside = f.layout(f.g.Type(f.v)).ident, false
	if !f.opts.Unchecked {
		f.checkSizes(m.sizes)
		f.checkWhole(&m)
	}
	m.inside = m.length != nil
	f.vals[f.v] = val{m: &m}
}

// checkSizes checks that the sizes of a view are not negative.
func (f *fn) checkSizes(sizes []value.Value) {
	var bad value.Value = bit(false)
	for _, n := range sizes {
		bad = f.or(bad, f.icmp(enum.IPredSLT, n, i64(0)))
	}
	f.check(bad, "a size of a view is negative")
}

// checkPart checks that a part of memory of some sizes, whose offsets may be known to be in bounds, lies in it.
func (f *fn) checkPart(sizes []value.Value, p [3][]value.Value) {
	f.checkSizes(p[1])
	var bad value.Value = bit(false)
	offsets := ir.MixedBounds(f.c.Ints(f.g.Attr(f.v, "static_offsets")), f.segments()[1])
	for i, n := range sizes {
		extent, okN := number(n)
		size, okSize := number(p[1][i])
		stride, okStride := number(p[2][i])
		starts := i64(extent - ir.Times(size-1, stride)) // below which the whole part is in bounds
		if okN && okSize && okStride && stride >= 0 && size > 0 && f.within(p[0][i], offsets[i].Value, starts) {
			continue
		}
		bad = f.or(bad, f.beyond(&view{off: p[0][i], sizes: p[1][i : i+1], strides: p[2][i : i+1]}, n))
	}
	f.check(f.and(bad, f.full(p[1])), "a part is not in its memory")
}

func emitSubview(f *fn) {
	src := f.memArg(0)
	p := f.parts()
	m := *src
	for i := range src.sizes {
		m.off = f.sum(m.off, f.times(p[0][i], src.strides[i]))
	}
	static := f.c.Ints(f.g.Attr(f.v, "static_sizes"))
	kept := memref.KeptDims(static, f.c.Info(f.g.Type(f.v)).Shape)
	if kept == nil && len(f.c.Info(f.g.Type(f.v)).Shape) > 0 {
		f.fail("has a rank that does not follow from its sizes")
	}
	m.sizes, m.strides = nil, nil
	for _, i := range kept {
		m.sizes = append(m.sizes, p[1][i])
		m.strides = append(m.strides, f.times(p[2][i], src.strides[i]))
	}
	m.ident = f.layout(f.g.Type(f.v)).ident
	if !f.opts.Unchecked {
		f.checkPart(src.sizes, p)
	}
	f.vals[f.v] = val{m: &m}
}

// emitView sees bytes from a shift on as elements of another type. All that follows
// takes it that they are aligned.
func emitView(f *fn) {
	src, shift := f.memArg(0), f.arg(1)
	f.check(f.icmp(enum.IPredSLT, shift, i64(0)), "the shift of memref.view is negative")
	l := f.layout(f.g.Type(f.v))
	m := &view{elem: l.elem, off: i64(0), ident: true, moved: src.moved}
	start := f.sum(src.off, shift)
	m.base = f.address(src, start)
	f.checkAligned(src, start, m)
	m.sizes, _ = values(l.sizes, f.indices(2))
	for i, n := range l.sizes {
		if n == ir.Dynamic {
			f.check(f.icmp(enum.IPredSLT, m.sizes[i], i64(0)), "a size of memref.view is negative")
		}
	}
	count := f.checkedProduct(m.sizes, "a memref.view is too large")
	m.strides = f.rowMajor(m.sizes)
	if src.length != nil {
		left := f.minus(src.length, start)
		if size := f.bytesOf(l.elem); size > 1 {
			left = add(f, llir.NewSDiv(left, i64(size)))
		}
		m.length, m.inside = f.intrinsic("llvm.smax.i64", types.I64, nil, left, i64(0)), true
		f.check(f.icmp(enum.IPredUGT, count, m.length), "a view reaches beyond its memory")
	}
	f.vals[f.v] = val{m: m}
}

// checkAligned checks that a view which starts at a byte of src is aligned to its
// elements; src.base is known to be for allocations.
func (f *fn) checkAligned(src *view, start value.Value, m *view) {
	align := int64(f.alignOf(m.elem))
	n, known := number(start)
	if f.opts.Unchecked || known && src.align > 0 && src.align%align == 0 && n%align == 0 {
		return
	}
	addr := start
	if src.align == 0 || src.align%align != 0 {
		addr = add(f, llir.NewPtrToInt(m.base, types.I64))
	}
	odd := add(f, llir.NewAnd(addr, i64(align-1)))
	f.check(f.icmp(enum.IPredNE, odd, i64(0)), "a memref.view is not aligned to its elements")
}

func (f *fn) groups() [][]int {
	groups, _, ok := memref.Groups(f.c, f.g.Attr(f.v, "reassociation"))
	if !ok {
		f.fail("has a reassociation that is none")
	}
	return groups
}

func emitExpand(f *fn) {
	m := *f.memArg(0)
	sizes, strides := m.sizes, m.strides
	l := f.layout(f.g.Type(f.v))
	m.sizes, _ = values(l.sizes, f.indices(1))
	m.strides = f.rowMajor(m.sizes)
	f.checkSizes(m.sizes)
	const reason = "to another number of elements"
	for i, g := range f.groups() {
		var parts []value.Value
		for _, d := range g {
			parts = append(parts, m.sizes[d])
		}
		f.check(f.icmp(enum.IPredNE, f.checkedProduct(parts, reason), sizes[i]), reason)
		n := strides[i]
		for j := len(g) - 1; j >= 0; j-- {
			m.strides[g[j]] = n
			if j > 0 {
				n = f.times(n, m.sizes[g[j]])
			}
		}
	}
	m.ident = l.ident
	f.vals[f.v] = val{m: &m}
}

// emitCollapse joins dimensions: the stride is that of the innermost one that has
// more than one element.
func emitCollapse(f *fn) {
	src := f.memArg(0)
	m := *src
	m.sizes, m.strides = nil, nil
	for _, g := range f.groups() {
		var size, stride value.Value = i64(1), i64(1)
		for j := len(g) - 1; j >= 0; j-- {
			n, s := src.sizes[g[j]], src.strides[g[j]]
			if k, ok := number(size); ok {
				if k == 1 {
					stride = s
				}
			} else if !src.ident {
				stride = add(f, llir.NewSelect(f.icmp(enum.IPredEQ, size, i64(1)), s, stride))
			}
			size = f.times(size, n)
		}
		m.sizes, m.strides = append(m.sizes, size), append(m.strides, stride)
	}
	m.ident = f.layout(f.g.Type(f.v)).ident
	f.vals[f.v] = val{m: &m}
}

func emitTranspose(f *fn) {
	src := f.memArg(0)
	m := *src
	perm, ok := expr.MapOf(f.c, f.g.Attr(f.v, "permutation")).Permuted()
	if !ok {
		f.fail("has a permutation that is none")
	}
	m.sizes, m.strides = nil, nil
	for _, d := range perm {
		m.sizes, m.strides = append(m.sizes, src.sizes[d]), append(m.strides, src.strides[d])
	}
	m.ident = f.layout(f.g.Type(f.v)).ident
	f.vals[f.v] = val{m: &m}
}

// emitReshape takes the sizes from memory; their product must be that of the source.
func emitReshape(f *fn) {
	src, dims := f.memArg(0), f.memArg(1)
	m := *src
	m.sizes = nil
	const reason = "memref.reshape to another number of elements"
	for i := range len(f.layout(f.g.Type(f.v)).sizes) {
		n := f.loadFrom(f.element(dims, []value.Value{i64(int64(i))}, nil), dims.elem)
		if widthOf(n.Type()) < 64 {
			n = add(f, llir.NewSExt(n, types.I64))
		}
		f.check(f.icmp(enum.IPredSLT, n, i64(0)), "memref.reshape to a negative size")
		m.sizes = append(m.sizes, n)
	}
	f.check(f.icmp(enum.IPredNE, f.checkedProduct(m.sizes, reason), f.product(src.sizes)), reason)
	m.strides = f.rowMajor(m.sizes)
	m.ident = true
	f.vals[f.v] = val{m: &m}
}

// emitMetadata takes a view apart.
func emitMetadata(f *fn) {
	src := f.memArg(0)
	if src.moved {
		f.fail("needs the start of memory that came from outside with an offset known only there; pass the whole memory, with the identity layout")
	}
	base := *src
	base.off, base.sizes, base.strides, base.ident = i64(0), nil, nil, true
	out := []val{{m: &base}, {v: src.off}}
	out = append(out, asVals(src.sizes)...)
	f.setAll(append(out, asVals(src.strides)...))
}
