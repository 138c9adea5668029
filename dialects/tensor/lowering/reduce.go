package lowering

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// freeSum is what sums may do: be taken in any order, and be fused with products.
const freeSum = arith.Reassoc | arith.Contract

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

// wideOf is the type in which sums of numbers of a type are taken.
func wideOf(t ir.Type) ir.Type {
	if t == ir.F16 || t == ir.BF16 {
		return ir.F32
	}
	return t
}

// widen makes a number of a wider type of a number.
func (d down) widen(x ir.Value, t ir.Type) ir.Value {
	switch from := d.B.Graph().Type(x); {
	case from == t:
		return x
	case d.B.Ctx().IsFloat(t):
		return arith.Cast(d.B, arith.Extf, x, t)
	}
	return arith.Cast(d.B, arith.Extsi, x, t)
}

// narrow rounds a sum to the type of the result.
func (d down) narrow(x ir.Value, t ir.Type) ir.Value {
	if d.B.Graph().Type(x) == t {
		return x
	}
	return arith.Cast(d.B, arith.Truncf, x, t)
}

func (d down) identity(by int, t ir.Type) ir.Value {
	if d.B.Ctx().IsFloat(t) {
		return arith.ConstFloat(d.B, t, []float64{0, 1, math.Inf(1), math.Inf(-1)}[by])
	}
	w := d.B.Ctx().Info(t).Width
	least := int64(-1) << (w - 1)
	n := []int64{0, 1, ^least, least}[by]
	if t == ir.Index {
		return d.B.Index(n)
	}
	return arith.ConstInt(d.B, t, n)
}

func (d down) combine(by int, x, y ir.Value) ir.Value {
	if d.B.Ctx().IsFloat(d.B.Graph().Type(x)) {
		switch by {
		case tensor.ByAdd:
			return arith.Float(d.B, arith.Addf, freeSum, x, y)
		case tensor.ByMul:
			return arith.Float(d.B, arith.Mulf, freeSum, x, y)
		case tensor.ByMin:
			return arith.Float(d.B, arith.Minimumf, arith.Reassoc, x, y)
		}
		return arith.Float(d.B, arith.Maximumf, arith.Reassoc, x, y)
	}
	switch by {
	case tensor.ByAdd:
		return arith.AddI(d.B, x, y)
	case tensor.ByMul:
		return arith.MulI(d.B, x, y)
	case tensor.ByMin:
		return d.B.Op(arith.Minsi, x, y)
	}
	return d.B.Op(arith.Maxsi, x, y)
}
