package lowering

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// direct sums each element up, where strips does not. The image of a group gets its pads in memory that stays in the caches. Of steps in the last dimension
// the columns that are so far apart stand side by side there, so that vectors are read as they are.
func (x *convolving) direct() {
	x.loops(groups, func() {
		switch {
		case x.isPhased():
			x.phased = true
			x.own = x.withPhases()
		case x.w.Padded():
			x.own = x.withPads()
		}
		x.loops(each[2:], x.directRows)
		if x.own != 0 {
			x.B.Op(memref.Dealloc, x.own)
			x.own = 0
		}
	})
}

// directRows makes the loops over places, some rows of the last two dimensions at a time.
func (x *convolving) directRows() {
	last := len(x.out) - 1
	together := int64(1)
	if last > 2 {
		together = x.together()
	}
	if together == 1 {
		x.loops(x.places, func() { x.storeSum(x.unrolled(0, 0)) })
		return
	}
	x.loops(x.places[:last-3], func() {
		rows := tensor.Shape(x.B.Ctx(), x.n.Type())[last-1]
		whole := rows / together
		x.each(upTo(x.B.Index(whole)), func(i ir.Value) {
			x.directRow(x.plus(x.B.Index(0), together, i), together)
		})
		if left := rows % together; left > 0 {
			x.directRow(x.B.Index(rows-left), left)
		}
	})
}

// together is how many rows of the result are summed up at once.
func (x *convolving) together() int64 {
	terms, _ := ir.Product(x.kernelShape()[1:]...)
	rows := tensor.Shape(x.B.Ctx(), x.n.Type())[len(x.out)-2]
	if rows == ir.Dynamic {
		return 1
	}
	return max(1, min(mostTogether, mostTaps/terms, rows))
}

// directRow makes the loop over the places of some rows from one on.
func (x *convolving) directRow(first ir.Value, rows int64) {
	last := len(x.out) - 1
	x.loops(x.places[last-2:], func() {
		sums := make([]ir.Value, rows)
		for r := range sums {
			x.out[last-1] = x.plus(x.B.Index(int64(r)), 1, first)
			sums[r] = x.unrolled(0, 0)
		}
		for r, sum := range sums {
			x.out[last-1] = x.plus(x.B.Index(int64(r)), 1, first)
			x.storeSum(sum)
		}
	})
}

// mostBorder is how many columns of pads are written out.
const mostBorder = 16

// isPhased reports steps in the last dimension, and an image whose last extent is known and has few pads there.
func (x *convolving) isPhased() bool {
	last := len(x.w.Strides) - 1
	return x.w.Strides[last] > 1 && x.w.Low[last]+x.w.High[last]+x.w.Strides[last] <= mostBorder && tensor.Shape(x.B.Ctx(), x.n.Arg(0).Type())[2+last] != ir.Dynamic
}

// ownMemory is memory of the channels of a group, with pads in all dimensions but so many of the last, which have the extents that are given.
func (x *convolving) ownMemory(last []int64) (own ir.Value, b *bordered) {
	c := x.B.Ctx()
	channels := tensor.Shape(c, x.n.Arg(1).Type())[1]
	image, extents := tensor.Shape(c, x.n.Arg(0).Type())[2:], x.extents(x.n.Arg(0))[2:]
	n := len(image)
	if len(last) > 0 {
		n--
	}
	b = &bordered{down: x.down, inner: append([]ir.Value{x.B.Index(channels)}, extents[:n]...), low: append([]int64{0}, x.w.Low[:n]...), high: append([]int64{0}, x.w.High[:n]...),
		value: arith.Zero(x.B, x.elem)}
	shape := []int64{channels}
	for i, k := range image[:n] {
		if k != ir.Dynamic {
			k += x.w.Low[i] + x.w.High[i]
		}
		shape = append(shape, k)
	}
	outer := slices.Clone(b.inner)
	for i := range outer {
		outer[i] = arith.AddI(x.B, b.inner[i], x.B.Index(b.low[i]+b.high[i]))
	}
	for _, k := range last {
		outer = append(outer, x.B.Index(k))
	}
	b.mem = x.local(c.Tensor(append(shape, last...), x.elem), outer)
	return b.mem, b
}

// withPads is memory of the channels of a group with the pads of each.
func (x *convolving) withPads() ir.Value {
	own, b := x.ownMemory(nil)
	b.store(nil, nil, x.ofGroup)
	return own
}

// ofGroup is an element of the image of the group.
func (x *convolving) ofGroup(index []ir.Value) ir.Value {
	return x.element(x.n.Arg(0), append([]ir.Value{x.out[0], x.channel(index[0], x.kernelShape()[1])}, index[1:]...))
}

// withPhases is memory of the channels of a group with the pads of each, in whose rows column x, pads counted, is element x / s of part x mod s for a step of s.
func (x *convolving) withPhases() ir.Value {
	last := len(x.w.Strides) - 1
	step, low := x.w.Strides[last], x.w.Low[last]
	extent := tensor.Shape(x.B.Ctx(), x.n.Arg(0).Type())[2+last]
	columns := (extent + low + x.w.High[last] + step - 1) / step
	own, b := x.ownMemory([]int64{step, columns})
	zero := arith.Zero(x.B, x.elem)
	// The columns of part p that are in the image begin at first[p]; all parts have at least n.
	first, have, n := make([]int64, step), make([]int64, step), int64(math.MaxInt64)
	for p := range step {
		first[p] = max(0, (low-p+step-1)/step)
		have[p] = max(0, (extent+low-p+step-1)/step-first[p])
		n = min(n, have[p])
	}
	b.part = func(to, from []ir.Value) {
		if from == nil {
			x.nest([]ir.Value{x.B.Index(step), x.B.Index(columns)}, func(index []ir.Value) { x.store(zero, own, slices.Concat(to, index)) })
			return
		}
		put := func(p int64, q ir.Value) {
			x.store(x.ofGroup(append(slices.Clip(from), x.plus(x.B.Index(p-low), step, q))), own, append(slices.Clip(to), x.B.Index(p), q))
		}
		for p := range step {
			for q := range columns {
				switch {
				case q < first[p] || q >= first[p]+have[p]:
					x.store(zero, own, append(slices.Clip(to), x.B.Index(p), x.B.Index(q)))
				case q >= first[p]+n:
					put(p, x.B.Index(q))
				}
			}
		}
		x.loop(x.wholeLanes(n), x.B.Index(n), nil, func(i ir.Value, _ []ir.Value) []ir.Value {
			for p := range step {
				put(p, x.plus(x.B.Index(first[p]), 1, i))
			}
			return nil
		})
	}
	b.store(nil, nil, nil)
	return own
}

// unrolled is the sum over the kernel from dimension d on, place by place.
func (x *convolving) unrolled(d int, acc ir.Value) ir.Value {
	if d == len(x.in) {
		if acc == 0 {
			return x.term()
		}
		return x.combine(tensor.ByAdd, acc, x.term())
	}
	for i := range x.kernelShape()[1+d] {
		x.in[d], x.tap = x.B.Index(i), i
		acc = x.unrolled(d+1, acc)
	}
	return acc
}
