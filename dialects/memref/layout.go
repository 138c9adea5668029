package memref

import (
	"github.com/irc-lang/irc/dialects/memref/layouts"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
)

// permutationOf reads the permutation of memref.transpose.
func permutationOf(c *ir.Context, a ir.Attr) ([]int, bool) {
	m := expr.MapOf(c, a)
	if m == nil || m.Syms != 0 {
		return nil, false
	}
	return m.Permuted()
}

// symbolCount counts the symbols of a type's layout, each of which an
// allocation takes as an operand.
func symbolCount(c *ir.Context, t ir.Type) int {
	l := c.Info(t).Layout
	if l == 0 {
		return 0
	}
	switch info := c.AttrInfo(l); info.Kind {
	case ir.AttrMap:
		return expr.MapOf(c, l).Syms
	case ir.AttrStrided: // a symbol for each number that is not known
		n := count(info.Shape, ir.Dynamic)
		if info.Int == ir.Dynamic {
			n++
		}
		return n
	}
	return 0
}

// stridedType returns the memref type with the given shape and layout; the identity
// layout where it is one.
func stridedType(c *ir.Context, like *ir.TypeInfo, shape, strides []int64, offset int64) ir.Type {
	t := ir.TypeInfo{Kind: ir.KindMemRef, Shape: shape, Elem: like.Elem, Space: like.Space}
	row, same := layouts.RowMajor(shape), offset == 0
	for i := range row {
		same = same && strides[i] == row[i] && strides[i] != ir.Dynamic
	}
	if !same {
		t.Layout = c.Attr(ir.AttrInfo{Kind: ir.AttrStrided, Shape: strides, Int: offset})
	}
	return c.Type(t)
}

// refines reports that every memref of type sub is one of type t as well: t
// knows at most as much of shape and layout.
func refines(c *ir.Context, t, sub ir.Type) bool {
	a, b := c.Info(t), c.Info(sub)
	if a.Unranked || b.Unranked || len(a.Shape) != len(b.Shape) {
		return t == sub
	}
	sa, oa, ok1 := layouts.Layout(c, t)
	sb, ob, ok2 := layouts.Layout(c, sub)
	if !ok1 || !ok2 {
		return t == sub
	}
	knows := func(x, y int64) bool { return x == ir.Dynamic || x == y }
	if a.Elem != b.Elem || a.Space != b.Space || !knows(oa, ob) {
		return false
	}
	for i := range a.Shape {
		if !knows(a.Shape[i], b.Shape[i]) || !knows(sa[i], sb[i]) {
			return false
		}
	}
	return true
}
