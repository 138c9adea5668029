package lowering

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
)

const (
	fewestLanes = 4 // of a vector of columns
	mostApart   = 2 // columns of the image between those under neighbouring columns of the result
	fewChunks   = 3 // vectors of a row that are written out rather than made in a loop
	mostRim     = 8 // pads of one side of an image
)

// A strips is a convolution whose sums are written out, for vectors of columns of the result: a row of the image is read as it lies, and
// each place of the kernel takes its columns of that. So no copy with pads, or with the columns of a step side by side, is made: on small
// images that takes as long as the sums. A vector at the rim has a mask of the image's columns, and no lane for pads.
type strips struct {
	*convolving
	image         ir.Value // memory
	most          int64    // lanes of a vector
	height, width int64    // of the image
	rows, columns int64    // of the result
	each          int64    // columns of the result that are summed up at once
	lanes         int64    // of the vector that has those
	read          int64    // lanes of the vectors that are read of the image
	parts         []part   // what is read for each place along a row of the kernel
	weights       []ir.Value
	loaded        map[[3]int64]ir.Value // vectors of a chunk by channel, row and column
}

// A part is vectors of a row that some places of the kernel share: the first column, counted from that under the first place, and how many.
type part struct{ from, count int64 }

// A chunk is some columns of the result. Columns of the image, counted from that under the first place of the kernel, are in the image from lo up to hi.
type chunk struct {
	first  ir.Value
	n      int64
	lo, hi int64
}

// A band is some rows of the result, with the same of rows of the image.
type band struct {
	first  ir.Value
	n      int64
	lo, hi int64
}

// unbounded is beyond all columns that are read for a chunk in the midst of an image.
const unbounded = math.MaxInt32

// strips is the convolution in vectors of columns; nil where the machine has too few lanes, extents are open, or memory is not at hand.
func (x *convolving) strips() *strips {
	c, t := x.B.Ctx(), x.e.Target
	if t == nil || t.Kind != target.CPU || len(x.out) != 4 || !isKnown(x.n.Arg(0)) || x.isVirtual(x.n.Arg(0)) || c.Info(x.B.Graph().Type(x.mem)).Layout != 0 || x.finish != nil && !x.finish.hasBytes() {
		return nil
	}
	image, out := tensor.Shape(c, x.n.Arg(0).Type()), tensor.Shape(c, x.n.Type())
	s := &strips{convolving: x, height: image[2], width: image[3], rows: out[2], columns: out[3], most: int64(t.Lanes(c.Info(x.elem).Width / 8))}
	if s.most < fewestLanes || x.w.Strides[1] > mostApart || s.rows == 0 || s.columns == 0 {
		return nil
	}
	for i := range x.w.Low {
		if max(x.w.Low[i], x.w.High[i]) > mostRim {
			return nil
		}
	}
	chunks := (s.columns + s.most - 1) / s.most
	s.each = (s.columns + chunks - 1) / chunks
	for s.lanes = fewestLanes; s.lanes < s.each; s.lanes *= 2 {
	}
	s.plan()
	return s
}

// plan says which vectors each place along a row of the kernel takes its columns of. Without steps it reads a vector of its own:
// reading takes less than moving lanes does. Else places share vectors, as many as one of them needs.
func (s *strips) plan() {
	step, apart := s.w.Strides[1], s.w.Dilations[1]
	s.read = s.most
	if step == 1 {
		s.read = s.lanes
	}
	span := step*(s.each-1) + 1
	count := (span + s.read - 1) / s.read
	for t := range s.kernelShape()[3] {
		p := part{from: t * apart, count: count}
		if step > 1 && t > 0 && t*apart+span-s.parts[t-1].from <= count*s.read {
			p = s.parts[t-1]
		}
		s.parts = append(s.parts, p)
	}
}

// fill makes the loops.
func (s *strips) fill() {
	s.image = s.memory(s.n.Arg(0))
	s.loops(each[:1], func() {
		s.groups(func() {
			s.loops(each[2:], func() {
				s.weights = nil
				s.places(func([3]int64) {
					s.weights = append(s.weights, s.element(s.n.Arg(1), append([]ir.Value{s.place()[1]}, s.in...)))
				})
				s.bands()
			})
		})
	})
}

// groups makes the loop over groups. Cores share them where that is worth it: for parallelize, bands and chunks access memory in too many places.
func (s *strips) groups(body func()) {
	work, _ := ir.Product(append(slices.Clone(s.kernelShape()), s.rows, s.columns)...)
	t := s.e.Target
	if t.Cores == 1 || s.w.Groups < int64(t.Cores) || work/s.most < int64(t.Costs.MinParallel) {
		s.loops(groups[1:], body)
		return
	}
	args, attr := affine.ParallelOf(s.B, 0, []affine.Point{affine.Number(0)}, []affine.Point{affine.Number(s.w.Groups)}, 1, nil)
	r := s.B.Region(ir.Loop, []ir.Type{ir.Index}, func(p []ir.Value) {
		s.B.Enter(affine.Parallel, attr, args, 0, p)
		s.index[0] = p[0]
		body()
		s.B.Op(affine.Yield)
	})
	s.B.Must(ir.Call{Def: affine.Parallel, Args: args, Attr: attr, Regions: []ir.Region{r}})
}

// places goes through channel, row and column of the kernel.
func (s *strips) places(body func(at [3]int64)) {
	kernel := s.kernelShape()[1:]
	for c := range kernel[0] {
		for y := range kernel[1] {
			for z := range kernel[2] {
				s.in[0], s.in[1], s.in[2] = s.B.Index(c), s.B.Index(y), s.B.Index(z)
				body([3]int64{c, y, z})
			}
		}
	}
}

// inner are the n-th up to, and without, the m-th element along a dimension of the result of which the kernel touches no pads.
func (s *strips) inner(d int, extent, all int64) (n, m int64) {
	span := (s.kernelShape()[2+d]-1)*s.w.Dilations[d] + 1
	step := s.w.Strides[d]
	n = min(all, (s.w.Low[d]+step-1)/step)
	m = n
	if left := extent + s.w.Low[d] - span; left >= 0 {
		m = max(n, min(all, left/step+1))
	}
	return n, m
}

// bands makes the code of all rows, some at a time: a loop for those in the midst of the image.
func (s *strips) bands() {
	together := s.together()
	some := func(from, to int64) {
		for from < to {
			n := min(together, to-from)
			s.chunks(band{first: s.B.Index(from), n: n, lo: s.w.Low[0] - from*s.w.Strides[0], hi: s.height + s.w.Low[0] - from*s.w.Strides[0]})
			from += n
		}
	}
	from, to := s.inner(0, s.height, s.rows)
	whole := (to - from) / together
	if whole < fewChunks {
		some(0, s.rows)
		return
	}
	some(0, from)
	s.convolving.each(upTo(s.B.Index(whole)), func(i ir.Value) {
		s.chunks(band{first: s.plus(s.B.Index(from), together, i), n: together, hi: unbounded})
	})
	some(from+whole*together, s.rows)
}

// chunks makes the code of all columns of some rows: a loop for those whose vectors are all in the image.
func (s *strips) chunks(b band) {
	last, step := s.parts[len(s.parts)-1], s.w.Strides[1]
	some := func(from, to int64) {
		for ; from < to; from += s.each {
			at := s.w.Low[1] - from*step
			s.chunk(b, chunk{first: s.B.Index(from), n: min(s.each, s.columns-from), lo: at, hi: s.width + at})
		}
	}
	from := (s.w.Low[1] + step*s.each - 1) / (step * s.each)
	to := from
	if left := s.width + s.w.Low[1] - last.from - last.count*s.read; left >= 0 {
		to = max(from, min(left/(step*s.each)+1, s.columns/s.each))
	}
	if to-from < fewChunks {
		some(0, s.columns)
		return
	}
	some(0, from*s.each)
	s.convolving.each(upTo(s.B.Index(to-from)), func(i ir.Value) {
		s.chunk(b, chunk{first: s.plus(s.B.Index(from*s.each), s.each, i), n: s.each, hi: unbounded})
	})
	some(to*s.each, s.columns)
}

// chunk sums up some columns of some rows.
func (s *strips) chunk(b band, x chunk) {
	s.loaded = map[[3]int64]ir.Value{}
	sums := make([]ir.Value, b.n)
	for r := range sums {
		k := 0
		s.places(func(at [3]int64) {
			row := int64(r)*s.w.Strides[0] + at[1]*s.w.Dilations[0]
			p := arith.Float(s.B, arith.Mulf, freeSum, vector.BuildBroadcast(s.B, s.weights[k], s.lanes), s.under(b, x, at[0], row, at[2]))
			if k++; k > 1 {
				p = arith.Float(s.B, arith.Addf, freeSum, sums[r], p)
			}
			sums[r] = p
		})
	}
	for r, sum := range sums {
		s.out[2], s.out[3] = s.plus(s.B.Index(int64(r)), 1, b.first), x.first
		if s.finish != nil {
			sum = s.made(s.finish.root, sum, x.n)
		}
		args := append([]ir.Value{s.mem}, s.place()...)
		if x.n == s.lanes {
			s.B.OpAttr(vector.Store, s.inside(), append([]ir.Value{sum}, args...)...)
		} else {
			s.B.OpAttr(vector.MaskedStore, s.inside(), append(args, s.below(x.n, s.lanes), sum)...)
		}
	}
}

// made is what a map makes of n sums beside one another; as finished, for the ops that findProduct allows.
func (s *strips) made(n ir.Node, sums ir.Value, count int64) ir.Value {
	c := s.B.Ctx()
	repeated := func(v ir.Value) ir.Value { return vector.BuildBroadcast(s.B, v, s.lanes) }
	xs := make([]ir.Value, n.NumArgs())
	for i, a := range n.Args() {
		isVirtual := tensor.Takes(c, a.Type()) && s.isVirtual(a)
		switch {
		case a.Old() == s.finish.product.Old():
			xs[i] = sums
		case !tensor.Takes(c, a.Type()):
			xs[i] = repeated(s.Of(a))
		case isVirtual && kindOf(a) == mapped:
			xs[i] = s.made(a, sums, count)
		case isVirtual || isStretched(tensor.Shape(c, a.Type()), 1):
			xs[i] = repeated(s.element(a, s.stretch(a, s.place())))
		default:
			xs[i] = s.vector(s.memory(a), s.stretch(a, s.place()), count, s.lanes)
		}
	}
	if n.Def() != tensor.Map {
		return s.B.Must(ir.Call{Def: n.Def(), Args: xs, Attr: n.Attrs(), Type: c.Vector([]int64{s.lanes}, s.info(n).Elem), Loc: s.B.Loc})
	}
	have := map[ir.Node]ir.Value{}
	for i, p := range n.Region(0).Params() {
		have[p] = xs[i]
	}
	return vector.Lift(s.Mirror, n.Region(0), have, s.lanes)
}

// under is what a place along a row of the kernel finds in a row of the image for each column.
func (s *strips) under(b band, x chunk, channel, row, tap int64) ir.Value {
	zero := arith.Zero(s.B, s.B.Ctx().Vector([]int64{s.lanes}, s.elem))
	if row < b.lo || row >= b.hi {
		return zero
	}
	from := max(s.parts[tap].from, x.lo)
	take, pads, isInside := make([]int, s.lanes), make([]int, s.lanes), true
	used := int64(0)
	for l := range take {
		at := tap*s.w.Dilations[1] + s.w.Strides[1]*min(int64(l), x.n-1)
		pads[l] = l
		switch {
		case at >= x.lo && at < x.hi:
			take[l] = int(at - from)
			used = max(used, (at-from)/s.read+1)
		case x.hi < from+s.read:
			take[l] = int(s.read - 1) // which is behind the image
		default:
			pads[l], isInside = int(s.lanes), false
		}
	}
	if used == 0 {
		return zero
	}
	v := s.row(b, x, channel, row, from)
	if used > 1 {
		v = vector.BuildShuffle(s.B, v, s.row(b, x, channel, row, from+s.read), take)
	} else {
		v = vector.BuildTake(s.B, v, take)
	}
	if !isInside {
		v = vector.BuildShuffle(s.B, v, zero, pads)
	}
	return v
}

// row is a vector of a row of the image, with zeros behind its end.
func (s *strips) row(b band, x chunk, channel, row, from int64) ir.Value {
	key := [3]int64{channel, row, from}
	if v, ok := s.loaded[key]; ok {
		return v
	}
	c := s.B.Ctx()
	index := []ir.Value{s.out[0], s.channel(s.B.Index(channel), tensor.Shape(c, s.n.Arg(1).Type())[1]),
		s.plus(s.B.Index(row-s.w.Low[0]), s.w.Strides[0], b.first), s.plus(s.B.Index(from-s.w.Low[1]), s.w.Strides[1], x.first)}
	v := s.vector(s.image, index, x.hi-from, s.read)
	s.loaded[key] = v
	return v
}

// vector loads so many lanes from an index on, of which the first n are there, and the others are zeros.
func (s *strips) vector(memory ir.Value, index []ir.Value, n, lanes int64) ir.Value {
	t := s.B.Ctx().Vector([]int64{lanes}, s.B.Ctx().Info(s.B.Graph().Type(memory)).Elem)
	def, args := vector.Load, append([]ir.Value{memory}, index...)
	if n < lanes {
		def, args = vector.MaskedLoad, append(args, s.below(n, lanes), arith.Zero(s.B, t))
	}
	return s.B.Must(ir.Call{Def: def, Args: args, Attr: s.inside(), Type: t})
}

// below is a mask of the first n lanes.
func (s *strips) below(n, lanes int64) ir.Value {
	return s.B.Must(ir.Call{Def: vector.CreateMask, Args: []ir.Value{s.B.Index(n)}, Type: s.B.Ctx().Vector([]int64{lanes}, ir.I1)})
}

func (s *strips) inside() ir.Attr {
	return s.B.Ctx().WithDiscardable(0, memref.InBoundsAttr, s.B.Ctx().UnitAttr())
}
