package lowering

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// extents are those of a tensor.
func (d down) extents(n ir.Node) []ir.Value {
	c := d.B.Ctx()
	shape := tensor.Shape(c, n.Type())
	out := make([]ir.Value, len(shape))
	for i, x := range shape {
		if x == ir.Dynamic {
			out[i] = d.extent(n, i)
		} else {
			out[i] = d.B.Index(x)
		}
	}
	return out
}

// extent is one that the type leaves open.
func (d down) extent(n ir.Node, i int) ir.Value {
	c := d.B.Ctx()
	operand := func(from int) ir.Value { // that says it
		for _, x := range tensor.Shape(c, n.Type())[:i] {
			if x == ir.Dynamic {
				from++
			}
		}
		return d.Of(n.Arg(from))
	}
	switch k := kindOf(n); {
	case n.Def() == tensor.Fill || n.Def() == tensor.Reshape:
		return operand(1)
	case n.Def() == tensor.Iota:
		return operand(0)
	case n.Def() == tensor.Transpose:
		return d.extents(n.Arg(0))[c.Ints(n.Attr("perm"))[i]]
	case k == mapped:
		if x := d.extentOfMap(n, i); x != 0 {
			return x
		}
	case n.Def() == tensor.Conv && i < 2:
		return d.extents(n.Arg(0))[0] // the kernels are known
	case n.Def() == tensor.Conv:
		return d.windowed(n).outExtent(i - 2)
	case n.Def() == tensor.Slice:
		return operand(1 + len(tensor.Shape(c, n.Arg(0).Type())))
	case n.Def() == tensor.Softmax || n.Def() == tensor.LayerNorm:
		return d.extents(n.Arg(0))[i]
	case n.Def() == tensor.Argmax || n.Def() == tensor.LogSumExp:
		if i >= dimOf(n) {
			i++
		}
		return d.extents(n.Arg(0))[i]
	case n.Def() == tensor.Pool && i < 2:
		return d.extents(n.Arg(0))[i]
	case n.Def() == tensor.Pool:
		return d.windowed(n).outExtent(i - 2)
	case isScatter(n):
		return d.extents(n.Arg(0))[i]
	case isGather(n):
		return indexed{d, n}.gathered()[i]
	case n.Def() == tensor.Pad || n.Def() == tensor.Extend:
		return arith.AddI(d.B, d.extents(n.Arg(0))[i], d.B.Index(c.Ints(n.Attr("low"))[i]+c.Ints(n.Attr("high"))[i]))
	case n.Def() == tensor.Concat:
		x := d.extents(n.Arg(0))[i]
		for _, a := range n.Args()[1:] {
			if i == dimOf(n) {
				x = arith.AddI(d.B, x, d.extents(a)[i])
			}
		}
		return x
	case n.Def() == tensor.Reduce:
		return d.extents(n.Arg(0))[kept(c, n)[i]]
	case n.Def() == tensor.Einsum:
		return d.along(n, tensor.SpecOf(n.Graph(), n.Old()))[i].extent
	}
	return d.B.Op(memref.Dim, d.memory(n), d.B.Index(int64(i)))
}

// extentOfMap is that of the first operand that is not broadcast along a dimension; 0 if all are.
func (d down) extentOfMap(n ir.Node, i int) ir.Value {
	c := d.B.Ctx()
	rank := len(tensor.Shape(c, n.Type()))
	for _, a := range n.Args() {
		if !tensor.Takes(c, a.Type()) {
			continue // the condition of a select
		}
		shape := tensor.Shape(c, a.Type())
		if at := i - (rank - len(shape)); at >= 0 && shape[at] != 1 {
			return d.extents(a)[at]
		}
	}
	return 0
}

// element is one of a tensor, at an index that is in it.
func (d down) element(n ir.Node, index []ir.Value) ir.Value {
	if f := d.override[n.Old()]; f != nil {
		return f()
	}
	if !d.isVirtual(n) {
		return d.load(d.memory(n), index)
	}
	return d.makeElement(n, index)
}

// makeElement is element of an op that need not be virtual.
func (d down) makeElement(n ir.Node, index []ir.Value) ir.Value {
	c := d.B.Ctx()
	elem := d.info(n).Elem
	switch {
	case n.Def() == arith.Constant:
		value, _ := c.Elements(n.Attr("value"))
		return d.B.Const(elem, ir.Val{Bits: c.Elem(value, 0)})
	case n.Def() == tensor.Fill:
		return d.Of(n.Arg(0))
	case n.Def() == tensor.Iota:
		return d.numberOf(index[c.AttrInfo(n.Attr("dim")).Int], elem)
	case n.Def() == tensor.Transpose:
		from := make([]ir.Value, len(index))
		for i, at := range c.Ints(n.Attr("perm")) {
			from[at] = index[i]
		}
		return d.element(n.Arg(0), from)
	case n.Def() == tensor.Slice:
		return d.element(n.Arg(0), d.sliced(n, index))
	}
	xs := make([]ir.Value, n.NumArgs())
	for i, a := range n.Args() {
		if tensor.Takes(c, a.Type()) {
			xs[i] = d.element(a, d.stretch(a, index))
		} else {
			xs[i] = d.Of(a)
		}
	}
	if n.Def() == tensor.Map {
		return d.Body(n.Region(0), xs...)[0]
	}
	return d.B.Must(ir.Call{Def: n.Def(), Args: xs, Attr: n.Attrs(), Type: elem, Loc: d.B.Loc})
}

// stretch is an index of an operand that is stretched to the index of a result.
func (d down) stretch(a ir.Node, index []ir.Value) []ir.Value {
	shape := tensor.Shape(d.B.Ctx(), a.Type())
	out := append([]ir.Value{}, index[len(index)-len(shape):]...)
	for i, x := range shape {
		if x == 1 {
			out[i] = d.B.Index(0)
		}
	}
	return out
}

// made is an op's memory, if its elements are not made where they are used.
func (d down) made(n ir.Node) ir.Value {
	if d.isVirtual(n) {
		return 0
	}
	return d.filled(n)
}

// lowerMoved is the rule of what makes or moves elements.
func (d down) lowerMoved(n ir.Node) ir.Value {
	d.checkExtents(n)
	return d.made(n)
}

// checkExtents refuses negative ones.
func (d down) checkExtents(n ir.Node) {
	if n.Def() == tensor.Slice {
		d.checkSlice(n)
		return
	}
	if n.Def() != tensor.Fill && n.Def() != tensor.Iota {
		return
	}
	for i, x := range tensor.Shape(d.B.Ctx(), n.Type()) {
		if x == ir.Dynamic {
			d.assert(arith.CmpI(d.B, arith.SGE, d.extent(n, i), d.B.Index(0)), "an extent is negative")
		}
	}
}

// lowerMap is the rule of maps and of ops that work on each element. That operands fit is checked here
// even if the elements are made elsewhere.
func (d down) lowerMap(n ir.Node) ir.Value {
	if f := d.finishOf(n); f != nil && f.waits {
		return 0
	} else if f != nil && f.under != (ir.Node{}) {
		return d.regrouped(f)
	}
	d.checkOperands(n)
	return d.made(n)
}

// checkOperands compares the extents that operands have in common, where types leave them open.
func (d down) checkOperands(n ir.Node) {
	c := d.B.Ctx()
	shape := tensor.Shape(c, n.Type())
	first := make([]ir.Value, len(shape))
	open := make([]bool, len(shape))
	for _, a := range n.Args() {
		if !tensor.Takes(c, a.Type()) {
			continue
		}
		own := tensor.Shape(c, a.Type())
		extents := d.extents(a)
		for i, x := range own {
			at := i + len(shape) - len(own)
			if x == 1 {
				continue
			}
			if first[at] == 0 {
				first[at], open[at] = extents[i], x == ir.Dynamic
			} else if open[at] || x == ir.Dynamic {
				d.agree(first[at], extents[i], "operands of a map whose extents differ")
			}
		}
	}
}
