package bugs

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// ordered writes the positions of v's elements, from 1, to at in ascending order of the
// elements; equal ones keep theirs. It merges runs of 1, 2, 4, ... elements (Knuth, The
// Art of Computer Programming, volume 3, section 5.2.4); spare is of the same length.
func (k kit) ordered(v, at, spare view) {
	b, n := k.b, v.n
	zero, one := b.Index(0), b.Index(1)
	k.each(zero, n, func(i ir.Value) { at.store(k, k.toFloat(arith.AddI(b, i, one)), i) })
	key := func(i ir.Value) ir.Value { return v.load(k, arith.SubI(b, k.toIndex(at.load(k, i)), one)) }
	scf.BuildWhile(b, []ir.Value{one}, func(s []ir.Value) (ir.Value, []ir.Value) {
		return arith.CmpI(b, arith.SLT, s[0], n), s
	}, func(s []ir.Value) []ir.Value {
		width := s[0]
		step := arith.AddI(b, width, width)
		scf.BuildFor(b, zero, n, step, nil, func(lo ir.Value, _ []ir.Value) []ir.Value {
			mid := b.Op(arith.Minsi, arith.AddI(b, lo, width), n)
			hi := b.Op(arith.Minsi, arith.AddI(b, lo, step), n)
			scf.BuildFor(b, lo, hi, one, []ir.Value{lo, mid}, func(t ir.Value, c []ir.Value) []ir.Value {
				i, j := c[0], c[1]
				last := arith.SubI(b, n, one)
				si, sj := b.Op(arith.Minsi, i, last), b.Op(arith.Minsi, j, last)
				right := k.and(arith.CmpI(b, arith.SLT, j, hi),
					k.or(arith.CmpI(b, arith.SGE, i, mid), k.cmp(arith.OLT, key(sj), key(si))))
				spare.store(k, k.pick(right, at.load(k, sj), at.load(k, si)), t)
				step := arith.Choose(b, right, one, zero)
				return []ir.Value{arith.AddI(b, i, arith.SubI(b, one, step)), arith.AddI(b, j, step)}
			})
			return nil
		})
		k.copy(at, spare)
		return []ir.Value{step}
	})
}

func lowerOrder(k kit, w workspace, out view, p []view) ir.Value {
	k.ordered(p[0], out, w.vector(k, 0, p[0].n))
	return 0
}

// sorted is the elements in ascending order, in work vector 0; work vector 1 is used.
func (k kit) sorted(w workspace, v view) (at view) {
	at = w.vector(k, 0, v.n)
	k.ordered(v, at, w.vector(k, 1, v.n))
	return at
}

func lowerSort(k kit, w workspace, out view, p []view) ir.Value {
	at := k.sorted(w, p[0])
	k.each(k.b.Index(0), p[0].n, func(i ir.Value) {
		out.store(k, p[0].load(k, arith.SubI(k.b, k.toIndex(at.load(k, i)), k.b.Index(1))), i)
	})
	return 0
}

func lowerRank(k kit, w workspace, out view, p []view) ir.Value {
	at, one := k.sorted(w, p[0]), k.b.Index(1)
	k.each(k.b.Index(0), p[0].n, func(i ir.Value) {
		out.store(k, k.toFloat(arith.AddI(k.b, i, one)), arith.SubI(k.b, k.toIndex(at.load(k, i)), one))
	})
	return 0
}

// position is an index from 0 into a vector, and whether s is one from 1.
func (k kit) position(v view, s ir.Value) (i, ok ir.Value) {
	r := arith.Float(k.b, math.Round, 0, s)
	near := k.cmp(arith.OLE, k.abs(arith.SubF(k.b, s, r)), k.num(indexSlack))
	ok = k.and(near, k.between(r, k.num(1), k.toFloat(v.n)))
	return arith.SubI(k.b, k.toIndex(k.pick(ok, r, k.num(1))), k.b.Index(1)), ok
}

func lowerRankOne(k kit, _ workspace, _ view, p []view) ir.Value {
	i, ok := k.position(p[0], p[1].scalar)
	x := p[0].load(k, i)
	n := k.fold(p[0].n, []ir.Value{k.num(0)}, func(j ir.Value, acc []ir.Value) []ir.Value {
		return []ir.Value{k.add(acc[0], k.flag(k.cmp(arith.OLE, p[0].load(k, j), x)))}
	})[0]
	return k.valid(ok, n)
}

func lowerRankedOne(k kit, w workspace, _ view, p []view) ir.Value {
	i, ok := k.position(p[0], p[1].scalar)
	at := k.sorted(w, p[0])
	return k.valid(ok, p[0].load(k, arith.SubI(k.b, k.toIndex(at.load(k, i)), k.b.Index(1))))
}

// lowerInterpolate is linear between the points of a grid, which must ascend; outside
// it has the end values.
func lowerInterpolate(k kit, _ workspace, _ view, p []view) ir.Value {
	x, xs, ys, b := p[0].scalar, p[1], p[2], k.b
	zero, one := b.Index(0), b.Index(1)
	last := arith.SubI(b, xs.n, one)
	acc := k.fold(last, []ir.Value{ys.load(k, zero), k.num(1)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		j := arith.AddI(b, i, one)
		x0, x1, y0, y1 := xs.load(k, i), xs.load(k, j), ys.load(k, i), ys.load(k, j)
		slope := k.div(arith.MulF(b, arith.SubF(b, y1, y0), arith.SubF(b, x, x0)), arith.SubF(b, x1, x0))
		return []ir.Value{k.pick(k.cmp(arith.OGT, x, x0), arith.AddF(b, y0, slope), acc[0]), k.least(acc[1], k.flag(k.cmp(arith.OLT, x0, x1)))}
	})
	y := k.pick(k.cmp(arith.OGT, x, xs.load(k, last)), ys.load(k, last), acc[0])
	return k.valid(k.and(k.isNumber(x), k.positive(acc[1])), y)
}

func lowerCountBelow(k kit, _ workspace, _ view, p []view) ir.Value {
	return k.countBelow(p[0].scalar, p[1])
}

// countBelow is the number of elements strictly below t; NaN where one is NaN.
func (k kit) countBelow(t ir.Value, cuts view) ir.Value {
	acc := k.fold(cuts.n, []ir.Value{k.num(0), k.num(gomath.Inf(1))}, func(i ir.Value, acc []ir.Value) []ir.Value {
		c := cuts.load(k, i)
		return []ir.Value{k.add(acc[0], k.flag(k.cmp(arith.OLT, c, t))), k.least(acc[1], c)}
	})
	return k.valid(k.and(k.isNumber(t), k.isNumber(acc[1])), acc[0])
}
