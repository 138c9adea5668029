package function

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// ordered writes the positions of v's elements, from 1, to at in ascending order of the
// elements; equal ones keep theirs. It merges runs of 1, 2, 4, ... elements (Knuth, The
// Art of Computer Programming, volume 3, section 5.2.4); spare is of the same length.
func heapsort(k kit.Ops, v, at, spare kit.View) {
	b, n := k.B, v.N
	zero, one := b.Index(0), b.Index(1)
	k.Each(zero, n, func(i ir.Value) { at.Store(k, k.ToFloat(arith.AddI(b, i, one)), i) })
	key := func(i ir.Value) ir.Value { return v.Load(k, arith.SubI(b, k.ToIndex(at.Load(k, i)), one)) }
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
				right := k.And(arith.CmpI(b, arith.SLT, j, hi),
					k.Or(arith.CmpI(b, arith.SGE, i, mid), k.Cmp(arith.OLT, key(sj), key(si))))
				spare.Store(k, k.Pick(right, at.Load(k, sj), at.Load(k, si)), t)
				step := arith.Choose(b, right, one, zero)
				return []ir.Value{arith.AddI(b, i, arith.SubI(b, one, step)), arith.AddI(b, j, step)}
			})
			return nil
		})
		k.Copy(at, spare)
		return []ir.Value{step}
	})
}

func lowerOrder(k kit.Ops, w kit.Workspace, out kit.View, p []kit.View) ir.Value {
	heapsort(k, p[0], out, w.Vector(k, p[0].N))
	return 0
}

// sorted is the elements in ascending order, in work vector 0; work vector 1 is used.
func sortedBy(k kit.Ops, w kit.Workspace, v kit.View) (at kit.View) {
	at = w.Vector(k, v.N)
	heapsort(k, v, at, w.Vector(k, v.N))
	return at
}

func lowerSort(k kit.Ops, w kit.Workspace, out kit.View, p []kit.View) ir.Value {
	at := sortedBy(k, w, p[0])
	k.Each(k.B.Index(0), p[0].N, func(i ir.Value) {
		out.Store(k, p[0].Load(k, arith.SubI(k.B, k.ToIndex(at.Load(k, i)), k.B.Index(1))), i)
	})
	return 0
}

func lowerRank(k kit.Ops, w kit.Workspace, out kit.View, p []kit.View) ir.Value {
	at, one := sortedBy(k, w, p[0]), k.B.Index(1)
	k.Each(k.B.Index(0), p[0].N, func(i ir.Value) {
		out.Store(k, k.ToFloat(arith.AddI(k.B, i, one)), arith.SubI(k.B, k.ToIndex(at.Load(k, i)), one))
	})
	return 0
}

// position is an index from 0 into a vector, and whether s is one from 1.
func positionIn(k kit.Ops, v kit.View, s ir.Value) (i, ok ir.Value) {
	r := arith.Float(k.B, math.Round, 0, s)
	near := k.Cmp(arith.OLE, k.Abs(arith.SubF(k.B, s, r)), k.Num(IndexSlack))
	ok = k.And(near, k.Between(r, k.Num(1), k.ToFloat(v.N)))
	return arith.SubI(k.B, k.ToIndex(k.Pick(ok, r, k.Num(1))), k.B.Index(1)), ok
}

func lowerRankOne(k kit.Ops, _ kit.Workspace, _ kit.View, p []kit.View) ir.Value {
	i, ok := positionIn(k, p[0], p[1].Scalar)
	x := p[0].Load(k, i)
	n := k.Fold(p[0].N, []ir.Value{k.Num(0)}, func(j ir.Value, acc []ir.Value) []ir.Value {
		return []ir.Value{k.Add(acc[0], k.Flag(k.Cmp(arith.OLE, p[0].Load(k, j), x)))}
	})[0]
	return k.Valid(ok, n)
}

func lowerRankedOne(k kit.Ops, w kit.Workspace, _ kit.View, p []kit.View) ir.Value {
	i, ok := positionIn(k, p[0], p[1].Scalar)
	at := sortedBy(k, w, p[0])
	return k.Valid(ok, p[0].Load(k, arith.SubI(k.B, k.ToIndex(at.Load(k, i)), k.B.Index(1))))
}

// lowerInterpolate is linear between the points of a grid, which must ascend; outside
// it has the end values.
func lowerInterpolate(k kit.Ops, _ kit.Workspace, _ kit.View, p []kit.View) ir.Value {
	x, xs, ys, b := p[0].Scalar, p[1], p[2], k.B
	zero, one := b.Index(0), b.Index(1)
	last := arith.SubI(b, xs.N, one)
	acc := k.Fold(last, []ir.Value{ys.Load(k, zero), k.Num(1)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		j := arith.AddI(b, i, one)
		x0, x1, y0, y1 := xs.Load(k, i), xs.Load(k, j), ys.Load(k, i), ys.Load(k, j)
		slope := k.Div(arith.MulF(b, arith.SubF(b, y1, y0), arith.SubF(b, x, x0)), arith.SubF(b, x1, x0))
		return []ir.Value{k.Pick(k.Cmp(arith.OGT, x, x0), arith.AddF(b, y0, slope), acc[0]), k.Least(acc[1], k.Flag(k.Cmp(arith.OLT, x0, x1)))}
	})
	y := k.Pick(k.Cmp(arith.OGT, x, xs.Load(k, last)), ys.Load(k, last), acc[0])
	return k.Valid(k.And(k.IsNumber(x), k.Positive(acc[1])), y)
}

func lowerCountBelow(k kit.Ops, _ kit.Workspace, _ kit.View, p []kit.View) ir.Value {
	return kit.CountBelow(kit.ArrayOps{Ops: k}, p[0].Scalar, k.PartOf(p[1]))
}
