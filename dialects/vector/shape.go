package vector

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// maxLanes bounds the vectors that are computed with.
const maxLanes = 1 << 16

// lanes is the number of lanes of a type, 1 of what is no vector. ok is false for scalable
// vectors and for those that are too long to compute with.
func lanes(c *ir.Context, t ir.Type) (n int, ok bool) {
	info := c.Info(t)
	if info.Kind != ir.KindVector {
		return 1, true
	}
	if slices.Contains(info.Scalable, true) {
		return 0, false
	}
	n = 1
	for _, d := range info.Shape {
		if d <= 0 || d > maxLanes || int64(n)*d > maxLanes {
			return 0, false
		}
		n = ir.Times(n, int(d))
	}
	return n, true
}

// shapeOf is the shape of a vector, nil of a scalar.
func shapeOf(c *ir.Context, t ir.Type) []int64 {
	if info := c.Info(t); info.Kind == ir.KindVector {
		return info.Shape
	}
	return nil
}

// count is the number of points of a shape.
func count(shape []int64) int {
	n := 1
	for _, d := range shape {
		n = ir.Times(n, int(d))
	}
	return n
}

// stridesOf are the distances of neighbours in each dimension, in lanes.
func stridesOf(shape []int64) []int {
	out, n := make([]int, len(shape)), 1
	for i := len(shape) - 1; i >= 0; i-- {
		out[i] = n
		n = ir.Times(n, int(shape[i]))
	}
	return out
}

// points calls do with each point of a shape, in row-major order, and its number.
func points(shape []int64, do func(i int, at []int)) {
	at := make([]int, len(shape))
	for i := range count(shape) {
		do(i, at)
		lists.NextPoint(at, shape)
	}
}

// likeVector is a vector of another shape, which scales where the old one did: of its dimensions
// from are those of the new one, and without any left it is the element.
func likeVector(c *ir.Context, info *ir.TypeInfo, from []int) ir.Type {
	if len(from) == 0 {
		return info.Elem
	}
	out := ir.TypeInfo{Kind: ir.KindVector, Elem: info.Elem}
	scales := false
	for _, d := range from {
		out.Shape = append(out.Shape, info.Shape[d])
		s := info.Scalable != nil && info.Scalable[d]
		out.Scalable = append(out.Scalable, s)
		scales = scales || s
	}
	if !scales {
		out.Scalable = nil
	}
	return c.Type(out)
}

// quote spells a type for a message.
func quote(c *ir.Call, t ir.Type) string { return elementwise.Quote(c.Ctx(), t) }

// lanesOf are the lanes of a value of n lanes; of poison each is.
func lanesOf(v ir.Val, n int) ir.Vector {
	if x, ok := v.Ref.(ir.Vector); ok && len(x) == n {
		return x
	}
	out := make(ir.Vector, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// valOf makes a value of type t of its lanes.
func valOf(c *ir.Context, t ir.Type, lanes ir.Vector) ir.Val {
	if c.Info(t).Kind == ir.KindVector {
		return ir.Val{Ref: lanes}
	}
	return lanes[0]
}
