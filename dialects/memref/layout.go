package memref

import (
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
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
		return mapLayout(a.Str, info.Shape)
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
// nothing.
func times(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	if a == ir.Dynamic || b == ir.Dynamic {
		return ir.Dynamic
	}
	return a * b
}

// plus adds extents that may be dynamic.
func plus(a, b int64) int64 {
	if a == ir.Dynamic || b == ir.Dynamic {
		return ir.Dynamic
	}
	return a + b
}

// affineHead splits "(d0, d1)[s0] -> (e0, e1)" into dimensions, symbols and the
// expressions.
func affineHead(s string) (dims, symbols, exprs []string, ok bool) {
	head, tail, ok := strings.Cut(s, "->")
	if !ok {
		return nil, nil, nil, false
	}
	list := func(s string, open, end byte) ([]string, string, bool) {
		s = strings.TrimSpace(s)
		if s == "" || s[0] != open {
			return nil, s, false
		}
		i := strings.LastIndexByte(s, end)
		if open == '(' && end == ')' {
			i = closing(s)
		}
		if i < 0 {
			return nil, s, false
		}
		var out []string
		if in := strings.TrimSpace(s[1:i]); in != "" {
			out = splitTop(in)
		}
		return out, s[i+1:], true
	}
	dims, head, ok = list(head, '(', ')')
	if !ok {
		return nil, nil, nil, false
	}
	symbols, _, _ = list(head, '[', ']')
	exprs, _, ok = list(tail, '(', ')')
	return dims, symbols, exprs, ok
}

// closing returns where the parenthesis that s begins with is closed, or -1.
func closing(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// splitTop splits at the commas outside of parentheses.
func splitTop(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	}
	return append(out, strings.TrimSpace(s[from:]))
}

// mapLayout reads an affine map as strides: one linear expression of the
// dimensions, or a permutation of them, which reorders contiguous memory.
func mapLayout(s string, shape []int64) ([]int64, int64, bool) {
	dims, _, exprs, ok := affineHead(s)
	if !ok || len(dims) != len(shape) {
		return nil, 0, false
	}
	if len(exprs) == len(dims) {
		if perm, ok := permutation(dims, exprs); ok {
			// Dimension perm[k] is the k-th from the outermost in memory.
			inner := make([]int64, len(perm))
			for k, d := range perm {
				inner[k] = shape[d]
			}
			strides := make([]int64, len(perm))
			for k, n := range RowMajor(inner) {
				strides[perm[k]] = n
			}
			return strides, 0, true
		}
	}
	if len(exprs) != 1 {
		return nil, 0, false
	}
	strides, offset := make([]int64, len(dims)), int64(0)
	for _, term := range strings.Split(exprs[0], "+") {
		dim, factor, ok := linearTerm(strings.TrimSpace(term), dims)
		switch {
		case !ok:
			return nil, 0, false
		case dim < 0:
			offset = plus(offset, factor)
		default:
			strides[dim] = plus(strides[dim], factor)
		}
	}
	return strides, offset, true
}

// linearTerm reads a product of at most one dimension with numbers and symbols;
// dim is -1 if it has none.
func linearTerm(s string, dims []string) (dim int, factor int64, ok bool) {
	dim, factor = -1, 1
	for _, f := range strings.Split(s, "*") {
		f = strings.TrimSpace(f)
		if n, err := strconv.ParseInt(f, 10, 64); err == nil {
			factor = times(factor, n)
			continue
		}
		if i := indexOf(dims, f); i >= 0 {
			if dim >= 0 {
				return 0, 0, false
			}
			dim = i
			continue
		}
		if strings.ContainsAny(f, " ()") || f == "" {
			return 0, 0, false
		}
		factor = ir.Dynamic // a symbol
	}
	return dim, factor, true
}

func indexOf(list []string, s string) int {
	for i, x := range list {
		if x == s {
			return i
		}
	}
	return -1
}

// permutation reads expressions that are the dimensions in another order.
func permutation(dims, exprs []string) ([]int, bool) {
	out, seen := make([]int, len(exprs)), make([]bool, len(dims))
	for i, e := range exprs {
		d := indexOf(dims, e)
		if d < 0 || seen[d] {
			return nil, false
		}
		out[i], seen[d] = d, true
	}
	return out, len(dims) == len(exprs)
}

// permutationOf reads the permutation of memref.transpose.
func permutationOf(c *ir.Context, a ir.Attr) ([]int, bool) {
	if a == 0 || c.AttrInfo(a).Kind != ir.AttrMap {
		return nil, false
	}
	dims, symbols, exprs, ok := affineHead(c.AttrInfo(a).Str)
	if !ok || len(symbols) != 0 {
		return nil, false
	}
	return permutation(dims, exprs)
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
		_, symbols, _, _ := affineHead(info.Str)
		return len(symbols)
	case ir.AttrStrided: // a symbol for each number that is not known
		n := count(info.Shape, ir.Dynamic)
		if info.Int == ir.Dynamic {
			n++
		}
		return n
	}
	return 0
}

// strided returns the memref type with the given shape and layout; the identity
// layout where it is one.
func strided(c *ir.Context, like *ir.TypeInfo, shape, strides []int64, offset int64) ir.Type {
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
