package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// lowerPool pads the image first, with what changes nothing, and makes a sum and a quotient of an average.
func (d down) lowerPool(n ir.Node) ir.Value {
	c, w := d.B.Ctx(), tensor.WindowOf(d.B.Ctx(), n.Attrs())
	kind, elem := tensor.KindOf(c, n.Attrs()), d.info(n).Elem
	d.checkWindow(n)
	switch {
	case kind >= tensor.PoolAverage:
		sum := tensor.BuildPool(d.B, tensor.PoolAdd, d.Of(n.Arg(0)), kernelOf(n), w, wideOf(elem))
		return d.average(n, sum, kind == tensor.PoolAverage && w.Padded())
	case w.Padded():
		padded := d.padded(n.Arg(0), w, d.identity(tensor.CombinerOf(kind), d.info(n.Arg(0)).Elem))
		return d.B.Must(ir.Call{Def: tensor.Pool, Args: []ir.Value{padded}, Attr: d.unpadded(n), Type: n.Type(), Loc: d.B.Loc})
	}
	return d.filled(n)
}

// average divides sums by the places of the window, or by how many of them are inside of the image: the product
// of such numbers of each dimension.
func (d down) average(n ir.Node, sum ir.Value, inside bool) ir.Value {
	elem := d.info(n).Elem
	wide, args := wideOf(elem), []ir.Value{sum}
	if inside {
		for i := range kernelOf(n) {
			args = append(args, d.counts(n, sum, i, wide))
		}
	}
	return tensor.BuildMap(d.B, n.Type(), args, func(xs []ir.Value) ir.Value {
		var by ir.Value
		if inside {
			by = xs[1]
			for _, x := range xs[2:] {
				by = arith.MulF(d.B, by, x)
			}
		} else {
			places := 1.0
			for _, k := range kernelOf(n) {
				places *= float64(k)
			}
			by = arith.ConstFloat(d.B, wide, places)
		}
		return d.narrow(arith.DivF(d.B, xs[0], by), elem)
	})
}

// counts are how many places of a window are inside of the image along a dimension, for all places that the window has
// there; with extents of 1 behind it, so that it is aligned with the result.
func (d down) counts(n ir.Node, sum ir.Value, i int, wide ir.Type) ir.Value {
	c, w := d.B.Ctx(), tensor.WindowOf(d.B.Ctx(), n.Attrs())
	shape := slices.Clone(tensor.Shape(c, n.Type())[2+i:])
	for k := 1; k < len(shape); k++ {
		shape[k] = 1
	}
	var extents []ir.Value
	if shape[0] == ir.Dynamic {
		extents = []ir.Value{d.B.OpAttr(tensor.Dim, c.With(0, "dim", c.IntAttr(int64(2+i), ir.I64)), sum)}
	}
	places := d.B.Must(ir.Call{Def: tensor.Iota, Args: extents, Attr: c.With(0, "dim", c.IntAttr(0, ir.I64)), Type: c.Tensor(shape, ir.I64)})
	size := arith.Cast(d.B, arith.IndexCast, d.extents(n.Arg(0))[2+i], ir.I64)
	number := func(x int64) ir.Value { return arith.ConstInt(d.B, ir.I64, x) }
	return tensor.BuildMap(d.B, c.Tensor(shape, wide), []ir.Value{places}, func(xs []ir.Value) ir.Value {
		// the places k of the window with 0 <= first + k dilation < size
		first := arith.SubI(d.B, arith.MulI(d.B, xs[0], number(w.Strides[i])), number(w.Low[i]))
		up := func(x ir.Value) ir.Value { // x / dilation, rounded up, from 0 to the window's extent
			q := d.B.Op(arith.Ceildivsi, x, number(w.Dilations[i]))
			return d.B.Op(arith.Minsi, d.B.Op(arith.Maxsi, q, number(0)), number(kernelOf(n)[i]))
		}
		count := arith.SubI(d.B, up(arith.SubI(d.B, size, first)), up(arith.SubI(d.B, number(0), first)))
		return arith.Cast(d.B, arith.Sitofp, count, wide)
	})
}

// fillPool combines the elements under the window, which is inside of the image everywhere.
func (d down) fillPool(n ir.Node, mem ir.Value) {
	w, window := tensor.WindowOf(d.B.Ctx(), n.Attrs()), kernelOf(n)
	elem, by := d.info(n).Elem, tensor.CombinerOf(tensor.KindOf(d.B.Ctx(), n.Attrs()))
	t := elem
	if by == tensor.ByAdd {
		t = wideOf(elem)
	}
	d.nest(d.extents(n), func(index []ir.Value) {
		at := slices.Clone(index)
		var inner func(k int, acc ir.Value) ir.Value
		inner = func(k int, acc ir.Value) ir.Value {
			if k == len(window) {
				return d.combine(by, acc, d.widen(d.element(n.Arg(0), at), t))
			}
			first := d.plus(d.B.Index(0), w.Strides[k], index[2+k])
			return d.loop(0, d.B.Index(window[k]), []ir.Value{acc}, func(i ir.Value, carried []ir.Value) []ir.Value {
				at[2+k] = d.plus(first, w.Dilations[k], i)
				return []ir.Value{inner(k+1, carried[0])}
			})[0]
		}
		d.store(d.narrow(inner(0, d.identity(by, t)), elem), mem, index)
	})
}
