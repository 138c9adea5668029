package source

import (
	"github.com/irc-lang/irc/dialects/memref/layouts"
	"github.com/irc-lang/irc/ir"
	affine "github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/lists"
)

// Views of views: nothing is written but the sizes and strides that are new.

func emitSameView(f *Function) {
	m := f.Memory(0)
	f.Layout(f.G, f.V, f.G.Type(f.V)) // refuses unranked memrefs
	f.GiveView(m)
}

func emitDim(f *Function) {
	m, at := f.Memory(0), f.Arg(1)
	if at.Constant && at.Num >= 0 && at.Num < int64(len(m.Sizes)) {
		f.Give(m.Sizes[at.Num])
		return
	}
	if len(m.Sizes) == 0 {
		f.Check(Boolean(true), "a memref has no such dimension")
		f.Give(f.Number(0))
		return
	}
	at = f.Code.Place(f.Lang.Signed(at, 64))
	f.Check(f.Lang.AtLeast(at, int64(len(m.Sizes))), "a memref has no such dimension")
	f.Set(f.Lang.Pick(m.Sizes, at))
}

func emitRank(f *Function) { f.Give(f.Number(int64(len(f.Memory(0).Sizes)))) }

// parts are offsets, sizes and strides of subview and reinterpret_cast.
func (f *Function) parts() (out [3][]Expr) {
	seg := f.G.Segments(f.V)
	for i, attr := range []string{"static_offsets", "static_sizes", "static_strides"} {
		out[i], _ = f.Values(f.Ctx.Ints(f.G.Attr(f.V, attr)), f.places(seg[i+1]))
	}
	return out
}

// places are operands that are sizes, strides and the like.
func (f *Function) places(vs []ir.Value) (out []Expr) {
	return lists.Map(vs, func(v ir.Value) Expr { return f.Code.Place(f.Lang.Signed(f.ScalarOf(v), 64)) })
}

func emitReinterpret(f *Function) {
	m := *f.Memory(0)
	if m.Moved {
		f.Fail("needs the start of memory that came from outside with an offset; pass the whole memory, with the identity layout")
	}
	f.Code.lengthOf(&m)
	p := f.parts()
	m.Off, m.Sizes, m.Strides = p[0][0], p[1], p[2]
	m.Ident, m.Inside, m.Exact = false, m.Length != nil && f.checkReach(&m), false
	f.GiveView(&m)
}

// checkReach checks that a view of memory of a known length lies in it, if its strides are known.
func (f *Function) checkReach(m *View) bool {
	for _, s := range m.Strides {
		if !s.Constant {
			return false
		}
	}
	f.checkSizes(m.Sizes)
	bad := f.conditions.leaves(m.Off, *m.Length, m.Sizes, m.Strides)
	f.Check(and(f.conditions.full(m.Sizes), bad), "a view reaches beyond its memory")
	return true
}

// checkPart checks that a part of memory of some sizes, whose offsets may be known to be in bounds, lies in it.
func (f *Function) checkPart(sizes []Expr, p [3][]Expr) {
	f.checkSizes(p[1])
	bad := Boolean(false)
	offsets := ir.MixedBounds(f.Ctx.Ints(f.G.Attr(f.V, "static_offsets")), f.G.Segments(f.V)[1])
	for i, n := range sizes {
		size, stride := p[1][i], p[2][i]
		starts := f.Number(n.Num - ir.Times(size.Num-1, stride.Num)) // below which the whole part is in bounds
		if n.Constant && size.Constant && stride.Constant && stride.Num >= 0 && size.Num > 0 && f.within(offsets[i].Value, p[0][i], starts) {
			continue
		}
		bad = or(bad, f.conditions.leaves(p[0][i], n, p[1][i:i+1], p[2][i:i+1]))
	}
	f.Check(and(f.conditions.full(p[1]), bad), "a part is not in its memory")
}

func emitSubview(f *Function) {
	src := f.Memory(0)
	p := f.parts()
	m := *src
	f.Code.lengthOf(&m)
	strides := f.Code.StridesOf(src)
	for i := range src.Sizes {
		m.Off = f.Code.Plus(m.Off, f.Code.times(p[0][i], strides[i]))
	}
	shape := f.Ctx.Info(f.G.Type(f.V)).Shape
	kept := layouts.KeptDims(f.Ctx.Ints(f.G.Attr(f.V, "static_sizes")), shape)
	if kept == nil && len(shape) > 0 {
		f.Fail("has a rank that does not follow from its sizes")
	}
	f.checkPart(src.Sizes, p)
	m.Sizes, m.Strides, m.Ident, m.Exact = nil, []Expr{}, false, false
	for _, i := range kept {
		m.Sizes = append(m.Sizes, p[1][i])
		m.Strides = append(m.Strides, f.Code.times(p[2][i], strides[i]))
	}
	f.GiveView(&m)
}

func (f *Function) groups() [][]int {
	groups, _, ok := layouts.Groups(f.Ctx, f.G.Attr(f.V, "reassociation"))
	if !ok {
		f.Fail("has a reassociation that is none")
	}
	return groups
}

func emitExpand(f *Function) {
	m := *f.Memory(0)
	f.Code.lengthOf(&m)
	sizes, strides := m.Sizes, f.Code.StridesOf(&m)
	m.Sizes, _ = f.Values(f.Layout(f.G, f.V, f.G.Type(f.V)).Sizes, f.places(f.G.Args(f.V)[1:]))
	m.Strides = make([]Expr, len(m.Sizes))
	f.checkSizes(m.Sizes)
	for i, g := range f.groups() {
		f.Check(f.conditions.splits(sizes[i], m.Sizes[g[0]:g[len(g)-1]+1]), "to another number of elements")
		n := strides[i]
		for j := len(g) - 1; j >= 0; j-- {
			if m.Strides[g[j]] = n; j > 0 {
				n = f.Code.times(n, m.Sizes[g[j]])
			}
		}
	}
	m.Ident, m.Exact = false, false
	f.GiveView(&m)
}

// emitCollapse joins dimensions of memory without gaps.
func emitCollapse(f *Function) {
	src := f.Memory(0)
	if !src.Ident {
		f.Refuse("joins dimensions of memory whose strides are its own", "copy it to an allocation first")
	}
	m := *src
	m.Sizes, m.Exact = nil, false
	for _, g := range f.groups() {
		size := f.Number(1)
		for _, d := range g {
			size = f.Code.times(size, src.Sizes[d])
		}
		m.Sizes = append(m.Sizes, size)
	}
	m.Strides = nil
	f.GiveView(&m)
}

func emitTranspose(f *Function) {
	src := f.Memory(0)
	m := *src
	perm, ok := affine.MapOf(f.Ctx, f.G.Attr(f.V, "permutation")).Permuted()
	if !ok {
		f.Fail("has a permutation that is none")
	}
	strides := f.Code.StridesOf(src)
	f.Code.lengthOf(&m)
	m.Sizes, m.Strides, m.Ident = nil, []Expr{}, false
	for _, d := range perm {
		m.Sizes, m.Strides = append(m.Sizes, src.Sizes[d]), append(m.Strides, strides[d])
	}
	f.GiveView(&m)
}
