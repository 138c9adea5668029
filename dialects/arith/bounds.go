package arith

import (
	"math"
	"math/bits"

	"github.com/irc-lang/irc/ir"
)

// An Interval bounds an integer, read as signed, both ends included.
type Interval struct{ Low, High int64 }

const boundsDepth = 6

// Bounds returns what is known of an integer value: from constants, from what
// the Builder was told (Builder.SetRange) and from the ops that made it. For a
// vector it holds for each element.
func Bounds(b *ir.Builder, v ir.Value) Interval { return bounds(b, v, boundsDepth) }

func bounds(b *ir.Builder, v ir.Value, depth int) Interval {
	g := b.Graph()
	w := g.Ctx.Info(g.Ctx.ElemOrSelf(g.Type(v))).Width
	if w > 64 || w == 0 {
		return Interval{math.MinInt64, math.MaxInt64}
	}
	all := Interval{math.MinInt64 >> (64 - w), math.MaxInt64 >> (64 - w)}
	if x, ok := NumberOf(g, v); ok {
		return Interval{sext(w, x), sext(w, x)}
	}
	if lo, hi, ok := b.Range(v); ok {
		all = all.meet(Interval{lo, hi})
	}
	if depth == 0 {
		return all
	}
	r, ok := boundsOfOp(b, v, depth-1)
	if !ok || r.Low < all.Low && r.High > all.High {
		return all
	}
	if r.Low < math.MinInt64>>(64-w) || r.High > math.MaxInt64>>(64-w) {
		return all // it may wrap
	}
	return all.meet(r)
}

func (x Interval) meet(y Interval) Interval { return Interval{max(x.Low, y.Low), min(x.High, y.High)} }

// boundsOfOp works on whole numbers; ok is false where they may leave 64 bits.
func boundsOfOp(b *ir.Builder, v ir.Value, depth int) (r Interval, ok bool) {
	g := b.Graph()
	args := g.Args(v)
	arg := func(i int) Interval { return bounds(b, args[i], depth) }
	switch g.Def(v).Name { // by name: Traps is part of the definitions of some of these ops
	case "arith.addi":
		x, y := arg(0), arg(1)
		return Interval{x.Low + y.Low, x.High + y.High}, sumFits(x.Low, y.Low) && sumFits(x.High, y.High)
	case "arith.subi":
		x, y := arg(0), arg(1)
		if y.Low == math.MinInt64 {
			return r, false
		}
		return Interval{x.Low - y.High, x.High - y.Low}, sumFits(x.Low, -y.High) && sumFits(x.High, -y.Low)
	case "arith.muli":
		return product(arg(0), arg(1))
	case "arith.maxsi":
		x, y := arg(0), arg(1)
		return Interval{max(x.Low, y.Low), max(x.High, y.High)}, true
	case "arith.minsi":
		x, y := arg(0), arg(1)
		return Interval{min(x.Low, y.Low), min(x.High, y.High)}, true
	case "arith.select":
		x, y := arg(1), arg(2)
		return Interval{min(x.Low, y.Low), max(x.High, y.High)}, true
	case "arith.extsi", "arith.index_cast":
		return arg(0), true
	case "arith.andi":
		y := arg(1)
		return Interval{0, y.High}, y.Low >= 0
	case "arith.remui":
		y := arg(1)
		return Interval{0, y.High - 1}, y.Low > 0
	case "arith.extui":
		w := g.Ctx.Info(g.Ctx.ElemOrSelf(g.Type(args[0]))).Width
		return Interval{0, int64(mask(w))}, w < 64
	}
	return r, false
}

func sumFits(x, y int64) bool {
	s := x + y
	return (s < x) == (y < 0)
}

// product multiplies intervals by their corners.
func product(x, y Interval) (r Interval, ok bool) {
	r = Interval{math.MaxInt64, math.MinInt64}
	for _, a := range []int64{x.Low, x.High} {
		for _, c := range []int64{y.Low, y.High} {
			hi, lo := bits.Mul64(uint64(a), uint64(c))
			if a < 0 {
				hi -= uint64(c)
			}
			if c < 0 {
				hi -= uint64(a)
			}
			if !fits(64, hi, lo) {
				return r, false
			}
			r = Interval{min(r.Low, int64(lo)), max(r.High, int64(lo))}
		}
	}
	return r, true
}
