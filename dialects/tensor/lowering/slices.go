package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// sliced is the index in the operand of a slice.
func (d down) sliced(n ir.Node, index []ir.Value) []ir.Value {
	out := make([]ir.Value, len(index))
	for i, step := range d.B.Ctx().Ints(n.Attr("steps")) {
		out[i] = d.plus(d.Of(n.Arg(1+i)), step, index[i])
	}
	return out
}

// checkSlice refuses a slice that is not inside of its operand.
func (d down) checkSlice(n ir.Node) {
	whole, part := d.extents(n.Arg(0)), d.extents(n)
	zero, one := d.B.Index(0), d.B.Index(1)
	is := func(p arith.CmpIPredicate, x, y ir.Value) ir.Value { return arith.CmpI(d.B, p, x, y) }
	for i, step := range d.B.Ctx().Ints(n.Attr("steps")) {
		start := d.Of(n.Arg(1 + i))
		left := arith.SubI(d.B, arith.SubI(d.B, whole[i], one), start)
		fits := d.B.Op(arith.Andi, is(arith.SGE, left, zero), is(arith.SGE, d.B.Op(arith.Divui, left, d.B.Index(step)), arith.SubI(d.B, part[i], one)))
		fits = d.B.Op(arith.Ori, fits, is(arith.EQ, part[i], zero))
		fits = d.B.Op(arith.Andi, fits, d.B.Op(arith.Andi, is(arith.SGE, part[i], zero), is(arith.ULE, start, whole[i])))
		d.assert(fits, "a slice outside of its tensor")
	}
}

// fillPad stores the operand and, around it, the value.
func (d down) fillPad(n ir.Node, mem ir.Value) {
	c := d.B.Ctx()
	low, high := c.Ints(n.Attr("low")), c.Ints(n.Attr("high"))
	b := &bordered{down: d, inner: d.extents(n.Arg(0)), low: low, high: high, mem: mem, value: d.Of(n.Arg(1))}
	b.store(nil, nil, func(index []ir.Value) ir.Value { return d.element(n.Arg(0), index) })
}

// A bordered is memory with some elements inside of a border of a value, of so many places before and behind them.
type bordered struct {
	down
	inner     []ir.Value // extents
	low, high []int64
	mem       ir.Value
	value     ir.Value
	part      func(to, from []ir.Value) // stores what is at a place, if these are no elements; nil for from is in the border
}

// store makes the loops from a dimension on: to is the place in the memory, from that among the elements.
func (b *bordered) store(to, from []ir.Value, element func(index []ir.Value) ir.Value) {
	i := len(to)
	if i == len(b.inner) {
		b.put(to, from, element)
		return
	}
	each := func(n, first ir.Value, body func(to, from []ir.Value)) {
		b.each(upTo(n), func(k ir.Value) {
			body(append(slices.Clip(to), b.plus(first, 1, k)), append(slices.Clip(from), k))
		})
	}
	border := func(to, _ []ir.Value) {
		var rest []ir.Value
		for k := i + 1; k < len(b.inner); k++ {
			rest = append(rest, arith.AddI(b.B, b.inner[k], b.B.Index(b.low[k]+b.high[k])))
		}
		b.nest(rest, func(index []ir.Value) { b.put(slices.Concat(to, index), nil, nil) })
	}
	if b.low[i] > 0 {
		each(b.B.Index(b.low[i]), b.B.Index(0), border)
	}
	each(b.inner[i], b.B.Index(b.low[i]), func(to, from []ir.Value) { b.store(to, from, element) })
	if b.high[i] > 0 {
		each(b.B.Index(b.high[i]), arith.AddI(b.B, b.inner[i], b.B.Index(b.low[i])), border)
	}
}

// put stores what is at a place: of the border, if element is nil.
func (b *bordered) put(to, from []ir.Value, element func(index []ir.Value) ir.Value) {
	switch {
	case b.part != nil:
		b.part(to, from)
	case element == nil:
		b.down.store(b.value, b.mem, to)
	default:
		b.down.store(element(from), b.mem, to)
	}
}

// paste stores a tensor from an index on.
func (d down) paste(n ir.Node, mem ir.Value, at []ir.Value) {
	d.nest(d.extents(n), func(index []ir.Value) {
		to := make([]ir.Value, len(index))
		for i := range index {
			to[i] = d.plus(at[i], 1, index[i])
		}
		d.store(d.element(n, index), mem, to)
	})
}

func (d down) fillConcat(n ir.Node, mem ir.Value) {
	at := make([]ir.Value, len(tensor.Shape(d.B.Ctx(), n.Type())))
	for i := range at {
		at[i] = d.B.Index(0)
	}
	dim := dimOf(n)
	for _, a := range n.Args() {
		d.paste(a, mem, slices.Clone(at))
		at[dim] = arith.AddI(d.B, at[dim], d.extents(a)[dim])
	}
}

func (d down) checkConcat(n ir.Node) {
	first := d.extents(n.Arg(0))
	for _, a := range n.Args()[1:] {
		for i, x := range d.extents(a) {
			if i != dimOf(n) {
				d.agree(first[i], x, "tensors one behind the other whose other extents differ")
			}
		}
	}
}

// mostRims bounds the dimensions that one nest extends, since it has three loops for each.
const mostRims = 2

// extending is a tensor with more elements before and behind those along each dimension, which a mode makes of these.
type extending struct {
	down
	n         ir.Node
	mode      int
	low, high []int64
}

func (d down) extending(n ir.Node) extending {
	c := d.B.Ctx()
	return extending{d, n, tensor.ModeOf(c, n.Attrs()), c.Ints(n.Attr("low")), c.Ints(n.Attr("high"))}
}

// lowerExtend extends some dimensions, and what comes of that in the others.
func (x extending) lowerExtend() ir.Value {
	c, n, low, high := x.B.Ctx(), x.n, x.low, x.high
	now, later, rims := make([]int64, 2*len(low)), make([]int64, 2*len(low)), 0
	for i := range low {
		if least := tensor.LeastExtent(x.mode, low[i], high[i]); least > 0 && tensor.Shape(c, n.Type())[i] == ir.Dynamic {
			x.assert(arith.CmpI(x.B, arith.SGE, x.extents(n.Arg(0))[i], x.B.Index(least)), "a tensor is extended by more elements than it has")
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
		return x.filled(n)
	}
	v := x.Of(n.Arg(0))
	for _, by := range [][]int64{now, later} {
		attr := c.With(c.With(n.Attrs(), "low", tensor.Ints(c, by[:len(low)]...)), "high", tensor.Ints(c, by[len(low):]...))
		v = x.B.OpAttr(tensor.Extend, attr, v)
	}
	return v
}

// fillExtend has loops for what is before, among and behind the elements of each dimension, and all combinations.
func (x extending) fillExtend(mem ir.Value) {
	n, low, high := x.n, x.low, x.high
	sizes := x.extents(n.Arg(0))
	var from, to []ir.Value
	var next func()
	next = func() {
		k := len(from)
		if k == len(low) {
			x.store(x.element(n.Arg(0), slices.Clone(from)), mem, slices.Clone(to))
			return
		}
		part := func(extent, first ir.Value, source func(i ir.Value) ir.Value) {
			x.each(upTo(extent), func(i ir.Value) {
				from, to = append(from, source(i)), append(to, x.plus(first, 1, i))
				next()
				from, to = from[:k], to[:k]
			})
		}
		zero, size := x.B.Index(0), sizes[k]
		if low[k] > 0 {
			part(x.B.Index(low[k]), zero, func(i ir.Value) ir.Value { return x.before(x.mode, i, low[k], size) })
		}
		part(size, x.B.Index(low[k]), func(i ir.Value) ir.Value { return i })
		if high[k] > 0 {
			part(x.B.Index(high[k]), x.plus(x.B.Index(low[k]), 1, size), func(i ir.Value) ir.Value { return x.behind(x.mode, i, size) })
		}
	}
	next()
}
