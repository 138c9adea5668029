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
	down
	n    ir.Node // the op
	dim  int
	size ir.Value
	at   []ir.Value // an index; that along the dimension is free
	elem ir.Type
	wide ir.Type
}

// rows runs body for all places of the other dimensions of the operand.
func (d down) rows(n ir.Node, dim int, body func(r *row, rest []ir.Value)) {
	extents := d.extents(n.Arg(0))
	elem := d.info(n.Arg(0)).Elem
	d.nest(slices.Delete(slices.Clone(extents), dim, dim+1), func(rest []ir.Value) {
		r := &row{d, n, dim, extents[dim], slices.Insert(slices.Clone(rest), dim, 0), elem, wideOf(elem)}
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
func (d down) fillSoftmax(n ir.Node, mem ir.Value) {
	d.rows(n, dimOf(n), func(r *row, _ []ir.Value) {
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

func (d down) fillLogSumExp(n ir.Node, mem ir.Value) {
	d.rows(n, dimOf(n), func(r *row, rest []ir.Value) {
		high := r.greatest()
		sum := r.sum(func(i ir.Value) ir.Value { return r.exp(arith.SubF(r.B, r.get(i), high)) })
		y := arith.AddF(r.B, high, r.B.Op(math.Log, sum))
		infinite := arith.CmpF(r.B, arith.OEQ, r.B.Op(math.Absf, high), r.float(gomath.Inf(1)))
		r.store(r.narrow(arith.Choose(r.B, infinite, high, y), r.elem), mem, rest)
	})
}

func (d down) fillLayerNorm(n ir.Node, mem ir.Value) {
	c := d.B.Ctx()
	epsilon := gomath.Float64frombits(c.AttrInfo(n.Attr("epsilon")).Bits)
	last := len(tensor.Shape(c, n.Type())) - 1
	d.rows(n, last, func(r *row, _ []ir.Value) {
		size := d.numberOf(r.size, r.wide)
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

// checkRows refuses an argmax of nothing, and numbers for another dimension than there is.
func (d down) checkRows(n ir.Node) {
	if !tensorTraps(n) {
		return
	}
	extents := d.extents(n.Arg(0))
	if n.Def() == tensor.Argmax {
		others := d.count(slices.Delete(slices.Clone(extents), dimOf(n), dimOf(n)+1))
		some := arith.CmpI(d.B, arith.NE, extents[dimOf(n)], d.B.Index(0))
		d.assert(d.B.Op(arith.Ori, some, arith.CmpI(d.B, arith.EQ, others, d.B.Index(0))), "the place of the greatest of no elements")
		return
	}
	for i := 1; i < 3; i++ {
		d.agree(extents[len(extents)-1], d.extents(n.Arg(i))[0], "a dimension with another number of numbers for it")
	}
}

// fillArgmax goes along the elements with the greatest so far, and where that is.
func (d down) fillArgmax(n ir.Node, mem ir.Value) {
	d.rows(n, dimOf(n), func(r *row, rest []ir.Value) {
		none := d.B.Index(0)
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
