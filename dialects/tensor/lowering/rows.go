package lowering

import (
	gomath "math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// A row is the elements along a dimension at one place of the others: f16 and bf16 as f32.
type row struct {
	rows
	size ir.Value
	at   []ir.Value // an index; that along the dimension is free
	elem ir.Type
	wide ir.Type
}

// rows are an op that makes something of all elements along one dimension.
type rows struct {
	down
	n   ir.Node
	dim int
}

func (d down) rows(n ir.Node) rows {
	if n.Def() == tensor.LayerNorm {
		return rows{d, n, len(tensor.Shape(d.B.Ctx(), n.Type())) - 1}
	}
	return rows{d, n, dimOf(n)}
}

// all runs body for all places of the other dimensions of the operand.
func (x rows) all(body func(r *row, rest []ir.Value)) {
	extents, dim := x.extents(x.n.Arg(0)), x.dim
	elem := x.info(x.n.Arg(0)).Elem
	x.nest(slices.Delete(slices.Clone(extents), dim, dim+1), func(rest []ir.Value) {
		r := &row{x, extents[dim], slices.Insert(slices.Clone(rest), dim, 0), elem, wideOf(elem)}
		body(r, rest)
	})
}

// index is that of element i.
func (r *row) index(i ir.Value) []ir.Value {
	r.at[r.dim] = i
	return slices.Clone(r.at)
}

func (r *row) get(i ir.Value) ir.Value { return r.widen(r.element(r.n.Arg(0), r.index(i)), r.wide) }

func (r *row) float(x float64) ir.Value { return arith.ConstFloat(r.B, r.wide, x) }

// sum adds what f makes of each element.
func (r *row) sum(f func(i ir.Value) ir.Value) ir.Value {
	return r.loop(0, r.size, []ir.Value{r.float(0)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		return []ir.Value{r.combine(tensor.ByAdd, acc[0], f(i))}
	})[0]
}

func (r *row) greatest() ir.Value {
	return r.loop(0, r.size, []ir.Value{r.float(gomath.Inf(-1))}, func(i ir.Value, acc []ir.Value) []ir.Value {
		return []ir.Value{r.higher(acc[0], r.get(i))}
	})[0]
}

func (r *row) each(f func(i ir.Value)) {
	r.loop(0, r.size, nil, func(i ir.Value, _ []ir.Value) []ir.Value { f(i); return nil })
}

func dimOf(n ir.Node) int { return int(n.Graph().Ctx.AttrInfo(n.Attr("dim")).Int) }

// fillSoftmax: the exponentials stand where the result is to be until their sum is known.
func (x rows) fillSoftmax(mem ir.Value) {
	x.all(func(r *row, _ []ir.Value) {
		high := r.greatest()
		exp := func(i ir.Value) ir.Value { return r.exp(arith.SubF(r.B, r.get(i), high)) }
		if r.wide != r.elem { // which would be rounded there
			sum := r.sum(exp)
			by := arith.DivF(r.B, r.float(1), sum)
			r.each(func(i ir.Value) { r.store(r.narrow(arith.MulF(r.B, exp(i), by), r.elem), mem, r.index(i)) })
			return
		}
		sum := r.sum(func(i ir.Value) ir.Value {
			e := exp(i)
			r.store(e, mem, r.index(i))
			return e
		})
		by := arith.DivF(r.B, r.float(1), sum)
		r.each(func(i ir.Value) {
			at := r.index(i)
			r.store(arith.MulF(r.B, r.load(mem, at), by), mem, at)
		})
	})
}

func (x rows) fillLogSumExp(mem ir.Value) {
	x.all(func(r *row, rest []ir.Value) {
		high := r.greatest()
		sum := r.sum(func(i ir.Value) ir.Value { return r.exp(arith.SubF(r.B, r.get(i), high)) })
		y := arith.AddF(r.B, high, r.B.Op(math.Log, sum))
		infinite := arith.CmpF(r.B, arith.OEQ, r.B.Op(math.Absf, high), r.float(gomath.Inf(1)))
		r.store(r.narrow(arith.Choose(r.B, infinite, high, y), r.elem), mem, rest)
	})
}

func (x rows) fillLayerNorm(mem ir.Value) {
	n := x.n
	epsilon := gomath.Float64frombits(x.B.Ctx().AttrInfo(n.Attr("epsilon")).Bits)
	x.all(func(r *row, _ []ir.Value) {
		size := x.numberOf(r.size, r.wide)
		mean := arith.DivF(r.B, r.sum(r.get), size)
		variance := arith.DivF(r.B, r.sum(func(i ir.Value) ir.Value {
			x := arith.SubF(r.B, r.get(i), mean)
			return arith.Float(r.B, arith.Mulf, freeSum, x, x)
		}), size)
		root := r.B.Op(math.Sqrt, arith.AddF(r.B, variance, r.float(epsilon)))
		r.each(func(i ir.Value) {
			x := arith.DivF(r.B, arith.SubF(r.B, r.get(i), mean), root)
			scale, bias := r.element(n.Arg(1), []ir.Value{i}), r.element(n.Arg(2), []ir.Value{i})
			y := arith.AddF(r.B, arith.MulF(r.B, x, r.widen(scale, r.wide)), r.widen(bias, r.wide))
			r.store(r.narrow(y, r.elem), mem, r.index(i))
		})
	})
}

// check refuses an argmax of nothing, and numbers for another dimension than there is.
func (x rows) check() {
	n := x.n
	if !tensorTraps(n) {
		return
	}
	extents := x.extents(n.Arg(0))
	if n.Def() == tensor.Argmax {
		others := x.count(slices.Delete(slices.Clone(extents), x.dim, x.dim+1))
		some := arith.CmpI(x.B, arith.NE, extents[x.dim], x.B.Index(0))
		x.assert(x.B.Op(arith.Ori, some, arith.CmpI(x.B, arith.EQ, others, x.B.Index(0))), "the place of the greatest of no elements")
		return
	}
	for i := 1; i < 3; i++ {
		x.agree(extents[len(extents)-1], x.extents(n.Arg(i))[0], "a dimension with another number of numbers for it")
	}
}

// fillArgmax goes along the elements with the greatest so far, and where that is.
func (x rows) fillArgmax(mem ir.Value) {
	x.all(func(r *row, rest []ir.Value) {
		n, none := x.n, x.B.Index(0)
		first := r.element(n.Arg(0), r.index(none))
		rs := r.loop(0, r.size, []ir.Value{first, none}, func(i ir.Value, best []ir.Value) []ir.Value {
			x := r.element(n.Arg(0), r.index(i))
			better := r.greater(x, best[0])
			return []ir.Value{arith.Choose(r.B, better, x, best[0]), arith.Choose(r.B, better, i, best[1])}
		})
		r.store(arith.Cast(r.B, arith.IndexCast, rs[1], ir.I64), mem, rest)
	})
}

func (r *row) greater(x, y ir.Value) ir.Value {
	if !r.B.Ctx().IsFloat(r.elem) {
		return arith.CmpI(r.B, arith.SGT, x, y)
	}
	more := arith.CmpF(r.B, arith.FUGT, x, y) // or one is NaN
	return r.B.Op(arith.Andi, more, arith.CmpF(r.B, arith.ORD, y, y))
}
