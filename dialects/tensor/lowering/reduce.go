package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// kept are the dimensions that a reduction leaves.
func kept(c *ir.Context, n ir.Node) (out []int) {
	dims := c.Ints(n.Attr("dims"))
	for i := range tensor.Shape(c, n.Arg(0).Type()) {
		if !slices.Contains(dims, int64(i)) {
			out = append(out, i)
		}
	}
	return out
}

// fillReduce: a loop over what is kept, and in it loops that carry what is combined.
func (d down) fillReduce(n ir.Node, mem ir.Value) {
	c := d.B.Ctx()
	elem, by := d.info(n).Elem, tensor.KindOf(c, n.Attrs())
	from, dims, stay := d.extents(n.Arg(0)), c.Ints(n.Attr("dims")), kept(c, n)
	wide := wideOf(elem)
	d.nest(d.extents(n), func(index []ir.Value) {
		at := make([]ir.Value, len(from))
		for i, k := range stay {
			at[k] = index[i]
		}
		var inner func(k int, acc ir.Value) ir.Value
		inner = func(k int, acc ir.Value) ir.Value {
			if k == len(dims) {
				x := d.element(n.Arg(0), at)
				if by <= tensor.ByMul {
					x = d.widen(x, wide)
				}
				return d.combine(by, acc, x)
			}
			return d.loop(0, from[dims[k]], []ir.Value{acc}, func(i ir.Value, carried []ir.Value) []ir.Value {
				at[dims[k]] = i
				return []ir.Value{inner(k+1, carried[0])}
			})[0]
		}
		t := elem
		if by <= tensor.ByMul {
			t = wide
		}
		d.store(d.narrow(inner(0, d.identity(by, t)), elem), mem, index)
	})
}
