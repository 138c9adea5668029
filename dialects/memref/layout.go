package memref

import (
	"math"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/lists"
)

// Layout returns the strides and the offset of a ranked memref type, with
// ir.Dynamic for what is not static; ok is false for a layout that is not
// strided.
func Layout(c *ir.Context, t ir.Type) (strides []int64, offset int64, ok bool) {
	info := c.Info(t)
	if info.Kind != ir.KindMemRef || info.Unranked {
		return nil, 0, false
	}
	if info.Layout == 0 {
		return RowMajor(info.Shape), 0, true
	}
	a := c.AttrInfo(info.Layout)
	switch a.Kind {
	case ir.AttrStrided:
		return a.Shape, a.Int, len(a.Shape) == len(info.Shape)
	case ir.AttrMap:
		return mapLayout(expr.MapOf(c, info.Layout), info.Shape)
	}
	return nil, 0, false
}

// RowMajor returns the strides of contiguous memory.
func RowMajor(shape []int64) []int64 {
	out := make([]int64, len(shape))
	n := int64(1)
	for i := len(shape) - 1; i >= 0; i-- {
		out[i] = n
		n = times(n, shape[i])
	}
	return out
}

// times multiplies extents that may be dynamic; nothing of what is dynamic is
// nothing. What is too large is the greatest number: no engine runs such a type.
func times(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	if a == ir.Dynamic || b == ir.Dynamic {
		return ir.Dynamic
	}
	return max(ir.Times(a, b), -math.MaxInt64)
}

// plus adds extents that may be dynamic.
func plus(a, b int64) int64 {
	if a == ir.Dynamic || b == ir.Dynamic {
		return ir.Dynamic
	}
	n, ok := ir.Sum(a, b)
	if !ok && a > 0 {
		return math.MaxInt64
	} else if !ok {
		return -math.MaxInt64
	}
	return n
}

// mapLayout reads an affine map as strides: one linear expression of the
// dimensions, or a permutation of them, which reorders contiguous memory.
func mapLayout(m *expr.Map, shape []int64) ([]int64, int64, bool) {
	if m == nil || m.Dims != len(shape) {
		return nil, 0, false
	}
	if perm, ok := m.Permuted(); ok {
		// Dimension perm[k] is the k-th from the outermost in memory.
		inner := lists.Map(perm, func(d int) int64 { return shape[d] })
		strides := make([]int64, len(perm))
		for k, n := range RowMajor(inner) {
			strides[perm[k]] = n
		}
		return strides, 0, true
	}
	if len(m.Results) != 1 {
		return nil, 0, false
	}
	strides, offset := make([]int64, m.Dims), int64(0)
	return strides, offset, linearLayout(m.Results[0], 1, strides, &offset)
}

// linearLayout adds a multiple of an expression to strides and offset; what has a symbol in it
// is Dynamic.
func linearLayout(e *expr.Expr, by int64, strides []int64, offset *int64) bool {
	switch e.Op {
	case expr.OpConst:
		*offset = plus(*offset, times(e.N, by))
	case expr.OpSym:
		*offset = plus(*offset, times(ir.Dynamic, by))
	case expr.OpDim:
		strides[e.N] = plus(strides[e.N], by)
	case expr.OpAdd:
		return linearLayout(e.L, by, strides, offset) && linearLayout(e.R, by, strides, offset)
	case expr.OpMul:
		factor := int64(ir.Dynamic)
		if e.R.IsConst() {
			factor = e.R.N
		} else if e.R.Op != expr.OpSym {
			return false
		}
		return linearLayout(e.L, times(by, factor), strides, offset)
	default:
		return false
	}
	return true
}

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
	row, same := RowMajor(shape), offset == 0
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
	sa, oa, ok1 := Layout(c, t)
	sb, ob, ok2 := Layout(c, sub)
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
