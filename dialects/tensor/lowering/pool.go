package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// lowerPool pads the image first, with what changes nothing, and makes a sum and a quotient of an average.
func (p windowed) lowerPool() ir.Value {
	n, w := p.n, p.w
	kind, elem := tensor.KindOf(p.B.Ctx(), n.Attrs()), p.info(n).Elem
	p.checkWindow()
	switch {
	case kind >= tensor.PoolAverage:
		sum := tensor.BuildPool(p.B, tensor.PoolAdd, p.Of(n.Arg(0)), kernelOf(n), w, wideOf(elem))
		return p.average(sum, kind == tensor.PoolAverage && w.Padded())
	case w.Padded():
		return p.unpadded(p.identity(tensor.CombinerOf(kind), p.info(n.Arg(0)).Elem))
	}
	return p.filled(n)
}

// average divides sums by the places of the window, or by how many of them are inside of the image: the product
// of such numbers of each dimension.
func (p windowed) average(sum ir.Value, inside bool) ir.Value {
	n, elem := p.n, p.info(p.n).Elem
	wide, args := wideOf(elem), []ir.Value{sum}
	if inside {
		for i := range kernelOf(n) {
			args = append(args, p.counts(sum, i, wide))
		}
	}
	return tensor.BuildMap(p.B, n.Type(), args, func(xs []ir.Value) ir.Value {
		var by ir.Value
		if inside {
			by = xs[1]
			for _, x := range xs[2:] {
				by = arith.MulF(p.B, by, x)
			}
		} else {
			places := 1.0
			for _, k := range kernelOf(n) {
				places *= float64(k)
			}
			by = arith.ConstFloat(p.B, wide, places)
		}
		return p.narrow(arith.DivF(p.B, xs[0], by), elem)
	})
}

// counts are how many places of a window are inside of the image along a dimension, for all places that the window has
// there; with extents of 1 behind it, so that it is aligned with the result.
func (p windowed) counts(sum ir.Value, i int, wide ir.Type) ir.Value {
	c, n, w := p.B.Ctx(), p.n, p.w
	shape := slices.Clone(tensor.Shape(c, n.Type())[2+i:])
	for k := 1; k < len(shape); k++ {
		shape[k] = 1
	}
	var extents []ir.Value
	if shape[0] == ir.Dynamic {
		extents = []ir.Value{p.B.OpAttr(tensor.Dim, c.With(0, "dim", c.IntAttr(int64(2+i), ir.I64)), sum)}
	}
	places := p.B.Must(ir.Call{Def: tensor.Iota, Args: extents, Attr: c.With(0, "dim", c.IntAttr(0, ir.I64)), Type: c.Tensor(shape, ir.I64)})
	size := arith.Cast(p.B, arith.IndexCast, p.extents(n.Arg(0))[2+i], ir.I64)
	number := func(x int64) ir.Value { return arith.ConstInt(p.B, ir.I64, x) }
	return tensor.BuildMap(p.B, c.Tensor(shape, wide), []ir.Value{places}, func(xs []ir.Value) ir.Value {
		// the places k of the window with 0 <= first + k dilation < size
		first := arith.SubI(p.B, arith.MulI(p.B, xs[0], number(w.Strides[i])), number(w.Low[i]))
		up := func(x ir.Value) ir.Value { // x / dilation, rounded up, from 0 to the window's extent
			q := p.B.Op(arith.Ceildivsi, x, number(w.Dilations[i]))
			return p.B.Op(arith.Minsi, p.B.Op(arith.Maxsi, q, number(0)), number(kernelOf(n)[i]))
		}
		count := arith.SubI(p.B, up(arith.SubI(p.B, size, first)), up(arith.SubI(p.B, number(0), first)))
		return arith.Cast(p.B, arith.Sitofp, count, wide)
	})
}

// fillPool combines the elements under the window, which is inside of the image everywhere.
func (p windowed) fillPool(mem ir.Value) {
	n, w, window := p.n, p.w, kernelOf(p.n)
	elem, by := p.info(n).Elem, tensor.CombinerOf(tensor.KindOf(p.B.Ctx(), n.Attrs()))
	t := elem
	if by == tensor.ByAdd {
		t = wideOf(elem)
	}
	p.nest(p.extents(n), func(index []ir.Value) {
		at := slices.Clone(index)
		var inner func(k int, acc ir.Value) ir.Value
		inner = func(k int, acc ir.Value) ir.Value {
			if k == len(window) {
				return p.combine(by, acc, p.widen(p.element(n.Arg(0), at), t))
			}
			first := p.plus(p.B.Index(0), w.Strides[k], index[2+k])
			return p.loop(0, p.B.Index(window[k]), []ir.Value{acc}, func(i ir.Value, carried []ir.Value) []ir.Value {
				at[2+k] = p.plus(first, w.Dilations[k], i)
				return []ir.Value{inner(k+1, carried[0])}
			})[0]
		}
		p.store(p.narrow(inner(0, p.identity(by, t)), elem), mem, index)
	})
}
