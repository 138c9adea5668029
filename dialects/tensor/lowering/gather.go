package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

func isGather(n ir.Node) bool {
	return n.Def() == tensor.Gather || n.Def() == tensor.GatherElements
}

func isScatter(n ir.Node) bool {
	return n.Def() == tensor.Scatter || n.Def() == tensor.ScatterElements
}

// byOne reports that each element has an index of its own.
func byOne(n ir.Node) bool {
	return n.Def() == tensor.GatherElements || n.Def() == tensor.ScatterElements
}

// gathered are the extents of the parts at the places of an op by indices.
func (d down) gathered(n ir.Node) []ir.Value {
	places := d.extents(n.Arg(1))
	if byOne(n) {
		return places
	}
	x, dim := d.extents(n.Arg(0)), dimOf(n)
	return slices.Concat(x[:dim], places, x[dim+1:])
}

// lowerIndexed checks all indices before anything is moved.
func (d down) lowerIndexed(n ir.Node) ir.Value {
	places, whole, dim := d.extents(n.Arg(1)), d.extents(n.Arg(0)), dimOf(n)
	if byOne(n) {
		for i, x := range places {
			if i != dim {
				d.assert(arith.CmpI(d.B, arith.ULE, x, whole[i]), "more places than elements in a dimension")
			}
		}
	}
	if isScatter(n) {
		for i, x := range d.extents(n.Arg(2)) {
			d.agree(x, d.gathered(n)[i], "updates of other extents than their indices")
		}
	}
	d.nest(places, func(at []ir.Value) {
		d.assert(arith.CmpI(d.B, arith.ULT, d.place(n, at), whole[dim]), "an index outside of a tensor")
	})
	return d.filled(n)
}

// place is an index along the dimension: a negative one counts from the end.
func (d down) place(n ir.Node, at []ir.Value) ir.Value {
	i := d.element(n.Arg(1), at)
	if d.B.Graph().Type(i) != ir.Index {
		i = arith.Cast(d.B, arith.IndexCast, i, ir.Index)
	}
	size := d.extents(n.Arg(0))[dimOf(n)]
	return arith.Choose(d.B, arith.CmpI(d.B, arith.SLT, i, d.B.Index(0)), arith.AddI(d.B, i, size), i)
}

// whole is the index in the operand of a place of the parts.
func (d down) whole(n ir.Node, part []ir.Value) []ir.Value {
	dim := dimOf(n)
	if byOne(n) {
		at := slices.Clone(part)
		at[dim] = d.place(n, part)
		return at
	}
	end := dim + len(tensor.Shape(d.B.Ctx(), n.Arg(1).Type()))
	return slices.Concat(part[:dim], []ir.Value{d.place(n, part[dim:end])}, part[end:])
}

func (d down) fillGather(n ir.Node, mem ir.Value) {
	d.nest(d.extents(n), func(part []ir.Value) { d.store(d.element(n.Arg(0), d.whole(n, part)), mem, part) })
}

// fillScatter goes through the updates in row-major order, one after the other.
func (d down) fillScatter(n ir.Node, mem ir.Value) {
	kind := tensor.KindOf(d.B.Ctx(), n.Attrs())
	d.nest(d.extents(n), func(index []ir.Value) { d.store(d.element(n.Arg(0), index), mem, index) })
	d.nest(d.extents(n.Arg(2)), func(part []ir.Value) {
		at := d.whole(n, part)
		y := d.element(n.Arg(2), part)
		if kind != tensor.BySet {
			y = d.inTurn(kind-1, d.load(mem, at), y)
		}
		d.store(y, mem, at)
	})
}

// inTurn combines as d.combine does, but in no other order.
func (d down) inTurn(by int, x, y ir.Value) ir.Value {
	if !d.B.Ctx().IsFloat(d.B.Graph().Type(x)) {
		return d.combine(by, x, y)
	}
	op := []*ir.OpDef{arith.Addf, arith.Mulf, arith.Minimumf, arith.Maximumf}[by]
	return arith.Float(d.B, op, 0, x, y)
}
