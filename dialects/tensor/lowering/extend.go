package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// mostRims bounds the dimensions that one nest extends, since it has three loops for each.
const mostRims = 2

// lowerExtend extends some dimensions, and what comes of that in the others.
func (d down) lowerExtend(n ir.Node) ir.Value {
	c := d.B.Ctx()
	mode, low, high := tensor.ModeOf(c, n.Attrs()), c.Ints(n.Attr("low")), c.Ints(n.Attr("high"))
	now, later, rims := make([]int64, 2*len(low)), make([]int64, 2*len(low)), 0
	for i := range low {
		if least := tensor.LeastExtent(mode, low[i], high[i]); least > 0 && tensor.Shape(c, n.Type())[i] == ir.Dynamic {
			d.assert(arith.CmpI(d.B, arith.SGE, d.extents(n.Arg(0))[i], d.B.Index(least)), "a tensor is extended by more elements than it has")
		}
		to := now
		if low[i]+high[i] > 0 {
			if rims++; rims > mostRims {
				to = later
			}
		}
		to[i], to[len(low)+i] = low[i], high[i]
	}
	if rims <= mostRims {
		return d.filled(n)
	}
	v := d.Of(n.Arg(0))
	for _, by := range [][]int64{now, later} {
		attr := c.With(c.With(n.Attrs(), "low", tensor.Ints(c, by[:len(low)]...)), "high", tensor.Ints(c, by[len(low):]...))
		v = d.B.OpAttr(tensor.Extend, attr, v)
	}
	return v
}

// fillExtend has loops for what is before, among and behind the elements of each dimension, and all combinations.
func (d down) fillExtend(n ir.Node, mem ir.Value) {
	c := d.B.Ctx()
	mode, low, high := tensor.ModeOf(c, n.Attrs()), c.Ints(n.Attr("low")), c.Ints(n.Attr("high"))
	sizes := d.extents(n.Arg(0))
	var from, to []ir.Value
	var next func()
	next = func() {
		k := len(from)
		if k == len(low) {
			d.store(d.element(n.Arg(0), slices.Clone(from)), mem, slices.Clone(to))
			return
		}
		part := func(extent, first ir.Value, source func(i ir.Value) ir.Value) {
			d.loop(0, extent, nil, func(i ir.Value, _ []ir.Value) []ir.Value {
				from, to = append(from, source(i)), append(to, d.plus(first, 1, i))
				next()
				from, to = from[:k], to[:k]
				return nil
			})
		}
		zero, size := d.B.Index(0), sizes[k]
		if low[k] > 0 {
			part(d.B.Index(low[k]), zero, func(i ir.Value) ir.Value { return d.before(mode, i, low[k], size) })
		}
		part(size, d.B.Index(low[k]), func(i ir.Value) ir.Value { return i })
		if high[k] > 0 {
			part(d.B.Index(high[k]), d.plus(d.B.Index(low[k]), 1, size), func(i ir.Value) ir.Value { return d.behind(mode, i, size) })
		}
	}
	next()
}

// before is the element that stands at place i of so many before those of a dimension.
func (d down) before(mode int, i ir.Value, low int64, size ir.Value) ir.Value {
	switch mode {
	case tensor.ByEdge:
		return d.B.Index(0)
	case tensor.ByReflection:
		return d.plus(d.B.Index(low), -1, i)
	}
	return d.plus(d.plus(size, 1, d.B.Index(-low)), 1, i)
}

// behind is the element that stands at place i behind those of a dimension.
func (d down) behind(mode int, i, size ir.Value) ir.Value {
	switch mode {
	case tensor.ByEdge:
		return d.plus(size, 1, d.B.Index(-1))
	case tensor.ByReflection:
		return d.plus(d.plus(size, 1, d.B.Index(-2)), -1, i)
	}
	return i
}
