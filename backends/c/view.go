package c

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	affine "github.com/irc-lang/irc/ir/affine/expr"
)

// view is a memref inside of a function: the element at index (i, ...) is
// base[off + i*stride + ...]. All parts are constants or variables.
type view struct {
	elem           ir.Type
	base           expr
	off            expr
	sizes, strides []expr
	length         *expr // number of elements from base on, nil if nobody knows
	inside         bool  // all elements are known to lie in [base, base+length)
	moved          bool  // base is the element (0, ..., 0) of a type whose offset is open
	ident          bool  // strides follow from the sizes, row-major without gaps
}

// number is an integer of 64 bits.
func number(n int64) expr { return integer(n, 64) }

// plus and times compute sizes and places; what would be too large wraps around.
func (f *function) plus(x, y expr) expr {
	switch {
	case x.constant && y.constant:
		return number(x.num + y.num)
	case x.constant && x.num == 0:
		return y
	case y.constant && y.num == 0:
		return x
	}
	return f.hoisted(modular(sum, "+", x, y, 64), "n")
}

func (f *function) times(x, y expr) expr {
	switch {
	case x.constant && y.constant:
		return number(x.num * y.num)
	case x.constant && x.num == 0 || y.constant && y.num == 1:
		return x
	case y.constant && y.num == 0 || x.constant && x.num == 1:
		return y
	}
	return f.hoisted(modular(product, "*", x, y, 64), "n")
}

func (f *function) product(xs []expr) expr {
	p := number(1)
	for _, x := range xs {
		p = f.times(p, x)
	}
	return p
}

// rowMajor are the strides of memory without gaps.
func (f *function) rowMajor(sizes []expr) []expr {
	out := make([]expr, len(sizes))
	n := number(1)
	for i := len(sizes) - 1; i >= 0; i-- {
		out[i] = n
		if i > 0 {
			n = f.times(n, sizes[i])
		}
	}
	return out
}

// stridesOf are the strides of a view.
func (f *function) stridesOf(m *view) []expr {
	if m.strides == nil && m.ident {
		return f.rowMajor(m.sizes)
	}
	return m.strides
}

// place is the index of an element, counted from base: each index of those given is an
// operand of the expression once.
func (f *function) placeOf(m *view, at []expr) expr {
	if m.ident && m.strides == nil {
		lin := number(0)
		for i, x := range at {
			x = signed(x, 64)
			if i == 0 {
				lin = x
				continue
			}
			if n := m.sizes[i]; !(n.constant && n.num == 1) {
				lin = binary(product, "*", lin, n)
			}
			lin = added(lin, x)
		}
		return added(m.off, lin)
	}
	lin := m.off
	for i, x := range at {
		x = signed(x, 64)
		if s := m.strides[i]; s.constant && s.num == 0 {
			continue
		} else if !(s.constant && s.num == 1) {
			x = binary(product, "*", x, s)
		}
		lin = added(lin, x)
	}
	return lin
}

// added is a sum of which nothing is left out but zeros.
func added(x, y expr) expr {
	switch {
	case x.constant && x.num == 0 && !x.acts:
		return y
	case y.constant && y.num == 0 && !y.acts:
		return x
	}
	return binary(sum, "+", x, y)
}

// pointer is the address of the element at a place.
func pointer(m *view, at expr) expr {
	if at.constant && at.num == 0 {
		return m.base
	}
	return made(sum, m.base.in(sum)+" + "+at.in(sum+1), m.base, at)
}

// values fills in the open entries of a list.
func values(static []int64, open []expr) (out, rest []expr) {
	for _, n := range static {
		if n == ir.Dynamic {
			out, open = append(out, open[0]), open[1:]
		} else {
			out = append(out, number(n))
		}
	}
	return out, open
}

// pick selects the entries that a type leaves open.
func pick(static []int64, xs []expr) (out []expr) {
	for i, n := range static {
		if n == ir.Dynamic {
			out = append(out, xs[i])
		}
	}
	return out
}

// parameter is an argument of the function, whose fields are variables.
func (f *function) parameter(t ir.Type, base string) val {
	fs := f.fields(f.emitter.g, f.callee.v, t, base)
	xs := make([]expr, len(fs))
	for i, x := range fs {
		xs[i] = name(x.name)
	}
	return f.fromFields(f.emitter.g, f.callee.v, t, xs)
}

// fromFields makes a value of what crosses the border of a function.
func (f *function) fromFields(g *ir.Graph, v ir.Value, t ir.Type, xs []expr) val {
	if !f.isMemory(t) {
		return val{x: xs[0]}
	}
	l := f.layout(g, v, t)
	m := &view{elem: l.elem, base: xs[0], off: number(0), ident: l.ident}
	m.sizes, xs = values(l.sizes, xs[1:])
	if l.ident {
		m.inside = true
		return val{m: m}
	}
	m.strides, _ = values(l.strides, xs)
	m.moved = l.offset != 0
	return val{m: m}
}

// toFields is the inverse of fromFields.
func (f *function) toFields(t ir.Type, x val) []expr {
	if x.m == nil {
		return []expr{signed(x.x, f.width(t))}
	}
	l := f.layout(f.g, f.v, t)
	f.checkType(l, x.m)
	out := append([]expr{pointer(x.m, x.m.off)}, pick(l.sizes, x.m.sizes)...)
	if !l.ident {
		out = append(out, pick(l.strides, f.stridesOf(x.m))...)
	}
	return out
}

// carried are the variables that hold a value: of a memref its base, its offset if that is
// open, and what else its type leaves open.
func (f *function) carried(t ir.Type, name string) []field {
	fs := f.fields(f.g, f.v, t, name)
	if f.isMemory(t) && f.layout(f.g, f.v, t).offset == ir.Dynamic {
		fs = slices.Insert(fs, 1, field{"int64_t", name + "_offset"})
	}
	return fs
}

// fromCarried makes a value of variables.
func (f *function) fromCarried(t ir.Type, fs []field) val {
	xs := make([]expr, len(fs))
	for i, x := range fs {
		xs[i] = name(x.name)
	}
	if !f.isMemory(t) {
		return val{x: xs[0]}
	}
	l := f.layout(f.g, f.v, t)
	m := &view{elem: l.elem, base: xs[0], ident: l.ident}
	off, xs := values([]int64{l.offset}, xs[1:])
	m.off = off[0]
	m.sizes, xs = values(l.sizes, xs)
	if !l.ident {
		m.strides, _ = values(l.strides, xs)
	}
	return val{m: m}
}

// toCarried is the inverse of fromCarried.
func (f *function) toCarried(t ir.Type, x val) []expr {
	if x.m == nil {
		return []expr{signed(x.x, f.width(t))}
	}
	l := f.layout(f.g, f.v, t)
	f.checkType(l, x.m)
	base := x.m.base
	if l.offset != ir.Dynamic && !(x.m.off.constant && x.m.off.num == l.offset) {
		base = pointer(x.m, f.plus(x.m.off, number(-l.offset)))
	}
	out := append([]expr{base}, pick([]int64{l.offset}, []expr{x.m.off})...)
	out = append(out, pick(l.sizes, x.m.sizes)...)
	if !l.ident {
		out = append(out, pick(l.strides, f.stridesOf(x.m))...)
	}
	return out
}

// checkType checks the sizes and strides that only the type tells beyond this place: a
// memref.cast may have claimed what does not hold.
func (f *function) checkType(l layout, m *view) {
	differs := func(static []int64, xs []expr) {
		for i, n := range static {
			if n != ir.Dynamic && !(xs[i].constant && xs[i].num == n) {
				f.check(binary(equality, "!=", xs[i], number(n)), "a memref is not as its type says")
			}
		}
	}
	differs(l.sizes, m.sizes)
	if !l.ident {
		differs(l.strides, f.stridesOf(m))
	}
}

func emitSameView(f *function) {
	m := f.memory(0)
	f.layout(f.g, f.v, f.g.Type(f.v)) // refuses unranked memrefs
	f.vals[f.v] = val{m: m}
}

func emitDim(f *function) {
	m, at := f.memory(0), f.arg(1)
	if at.constant && at.num >= 0 && at.num < int64(len(m.sizes)) {
		f.vals[f.v] = val{x: m.sizes[at.num]}
		return
	}
	if len(m.sizes) == 0 {
		f.check(boolean(true), "a memref has no such dimension")
		f.vals[f.v] = val{x: number(0)}
		return
	}
	at = f.hoisted(signed(at, 64), "n")
	f.check(binary(relation, ">=", unsigned(at, 64), number(int64(len(m.sizes)))), "a memref has no such dimension")
	x := m.sizes[0]
	for i, s := range m.sizes[1:] {
		s = wide(s, 64)
		x = made(conditional, fmt.Sprintf("%s == %d ? %s : %s", at.text, i+1, s.text, x.in(conditional)), at, s, x)
	}
	f.set(x)
}

func emitRank(f *function) { f.vals[f.v] = val{x: number(int64(len(f.memory(0).sizes)))} }

// parts are offsets, sizes and strides of subview and reinterpret_cast.
func (f *function) parts() (out [3][]expr) {
	seg := f.segments()
	for i, attr := range []string{"static_offsets", "static_sizes", "static_strides"} {
		var open []expr
		for _, v := range seg[i+1] {
			open = append(open, f.hoisted(signed(f.scalarOf(v), 64), "n"))
		}
		out[i], _ = values(f.ctx.Ints(f.g.Attr(f.v, attr)), open)
	}
	return out
}

func emitReinterpret(f *function) {
	m := *f.memory(0)
	if m.moved {
		f.fail("needs the start of memory that came from outside with an offset; pass the whole memory, with the identity layout")
	}
	f.lengthOf(&m)
	p := f.parts()
	m.off, m.sizes, m.strides = p[0][0], p[1], p[2]
	m.ident, m.inside = false, false
	f.vals[f.v] = val{m: &m}
}

func emitSubview(f *function) {
	src := f.memory(0)
	p := f.parts()
	m := *src
	f.lengthOf(&m)
	strides := f.stridesOf(src)
	for i := range src.sizes {
		m.off = f.plus(m.off, f.times(p[0][i], strides[i]))
	}
	shape := f.ctx.Info(f.g.Type(f.v)).Shape
	kept := memref.KeptDims(f.ctx.Ints(f.g.Attr(f.v, "static_sizes")), shape)
	if kept == nil && len(shape) > 0 {
		f.fail("has a rank that does not follow from its sizes")
	}
	m.sizes, m.strides, m.ident, m.inside = nil, []expr{}, false, false
	for _, i := range kept {
		m.sizes = append(m.sizes, p[1][i])
		m.strides = append(m.strides, f.times(p[2][i], strides[i]))
	}
	f.vals[f.v] = val{m: &m}
}

func (f *function) groups() [][]int {
	groups, _, ok := memref.Groups(f.ctx, f.g.Attr(f.v, "reassociation"))
	if !ok {
		f.fail("has a reassociation that is none")
	}
	return groups
}

func emitExpand(f *function) {
	m := *f.memory(0)
	f.lengthOf(&m)
	strides := f.stridesOf(&m)
	var open []expr
	for _, v := range f.g.Args(f.v)[1:] {
		open = append(open, f.hoisted(signed(f.scalarOf(v), 64), "n"))
	}
	m.sizes, _ = values(f.layout(f.g, f.v, f.g.Type(f.v)).sizes, open)
	m.strides = make([]expr, len(m.sizes))
	for i, g := range f.groups() {
		n := strides[i]
		for j := len(g) - 1; j >= 0; j-- {
			if m.strides[g[j]] = n; j > 0 {
				n = f.times(n, m.sizes[g[j]])
			}
		}
	}
	m.ident, m.inside = false, false
	f.vals[f.v] = val{m: &m}
}

// emitCollapse joins dimensions of memory without gaps.
func emitCollapse(f *function) {
	src := f.memory(0)
	if !src.ident {
		f.fail("joins dimensions of memory whose strides are its own, which is not printed as C; copy it to an allocation first")
	}
	m := *src
	m.sizes = nil
	for _, g := range f.groups() {
		size := number(1)
		for _, d := range g {
			size = f.times(size, src.sizes[d])
		}
		m.sizes = append(m.sizes, size)
	}
	m.strides = nil
	f.vals[f.v] = val{m: &m}
}

func emitTranspose(f *function) {
	src := f.memory(0)
	m := *src
	perm, ok := affine.MapOf(f.ctx, f.g.Attr(f.v, "permutation")).Permuted()
	if !ok {
		f.fail("has a permutation that is none")
	}
	strides := f.stridesOf(src)
	m.sizes, m.strides, m.ident = nil, []expr{}, false
	f.lengthOf(&m)
	for _, d := range perm {
		m.sizes, m.strides = append(m.sizes, src.sizes[d]), append(m.strides, strides[d])
	}
	f.vals[f.v] = val{m: &m}
}
