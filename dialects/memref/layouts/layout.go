package layouts

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
		n = Times(n, shape[i])
	}
	return out
}

// Times multiplies extents that may be dynamic; nothing of what is dynamic is
// nothing. What is too large is the greatest number: no engine runs such a type.
func Times(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	if a == ir.Dynamic || b == ir.Dynamic {
		return ir.Dynamic
	}
	return max(ir.Times(a, b), -math.MaxInt64)
}

// Plus adds extents that may be dynamic.
func Plus(a, b int64) int64 {
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
		*offset = Plus(*offset, Times(e.N, by))
	case expr.OpSym:
		*offset = Plus(*offset, Times(ir.Dynamic, by))
	case expr.OpDim:
		strides[e.N] = Plus(strides[e.N], by)
	case expr.OpAdd:
		return linearLayout(e.L, by, strides, offset) && linearLayout(e.R, by, strides, offset)
	case expr.OpMul:
		factor := int64(ir.Dynamic)
		if e.R.IsConst() {
			factor = e.R.N
		} else if e.R.Op != expr.OpSym {
			return false
		}
		return linearLayout(e.L, Times(by, factor), strides, offset)
	default:
		return false
	}
	return true
}
