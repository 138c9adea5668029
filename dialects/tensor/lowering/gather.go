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

// An indexed is an op by indices: a gather or a scatter.
type indexed struct {
	down
	n ir.Node
}

// gathered are the extents of the parts at the places of an op by indices.
func (x indexed) gathered() []ir.Value {
	places := x.extents(x.n.Arg(1))
	if byOne(x.n) {
		return places
	}
	whole, dim := x.extents(x.n.Arg(0)), dimOf(x.n)
	return slices.Concat(whole[:dim], places, whole[dim+1:])
}

// lowerIndexed checks all indices before anything is moved.
func (x indexed) lowerIndexed() ir.Value {
	places, whole, dim := x.extents(x.n.Arg(1)), x.extents(x.n.Arg(0)), dimOf(x.n)
	if byOne(x.n) {
		for i, n := range places {
			if i != dim {
				x.assert(arith.CmpI(x.B, arith.ULE, n, whole[i]), "more places than elements in a dimension")
			}
		}
	}
	if isScatter(x.n) {
		for i, n := range x.extents(x.n.Arg(2)) {
			x.agree(n, x.gathered()[i], "updates of other extents than their indices")
		}
	}
	x.nest(places, func(at []ir.Value) {
		x.assert(arith.CmpI(x.B, arith.ULT, x.place(at), whole[dim]), "an index outside of a tensor")
	})
	return x.filled(x.n)
}

// place is an index along the dimension: a negative one counts from the end.
func (x indexed) place(at []ir.Value) ir.Value {
	i := x.element(x.n.Arg(1), at)
	if x.B.Graph().Type(i) != ir.Index {
		i = arith.Cast(x.B, arith.IndexCast, i, ir.Index)
	}
	size := x.extents(x.n.Arg(0))[dimOf(x.n)]
	return arith.Choose(x.B, arith.CmpI(x.B, arith.SLT, i, x.B.Index(0)), arith.AddI(x.B, i, size), i)
}

// whole is the index in the operand of a place of the parts.
func (x indexed) whole(part []ir.Value) []ir.Value {
	dim := dimOf(x.n)
	if byOne(x.n) {
		at := slices.Clone(part)
		at[dim] = x.place(part)
		return at
	}
	end := dim + len(tensor.Shape(x.B.Ctx(), x.n.Arg(1).Type()))
	return slices.Concat(part[:dim], []ir.Value{x.place(part[dim:end])}, part[end:])
}

func (x indexed) fillGather(mem ir.Value) {
	x.nest(x.extents(x.n), func(part []ir.Value) { x.store(x.element(x.n.Arg(0), x.whole(part)), mem, part) })
}

// fillScatter goes through the updates in row-major order, one after the other.
func (x indexed) fillScatter(mem ir.Value) {
	kind := tensor.KindOf(x.B.Ctx(), x.n.Attrs())
	x.nest(x.extents(x.n), func(index []ir.Value) { x.store(x.element(x.n.Arg(0), index), mem, index) })
	x.nest(x.extents(x.n.Arg(2)), func(part []ir.Value) {
		at := x.whole(part)
		y := x.element(x.n.Arg(2), part)
		if kind != tensor.BySet {
			y = x.inTurn(kind-1, x.load(mem, at), y)
		}
		x.store(y, mem, at)
	})
}
