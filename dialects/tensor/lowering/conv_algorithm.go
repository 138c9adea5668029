package lowering

import (
	"fmt"
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// A convWay is how a convolution becomes loops.
type convWay uint8

const (
	convRows      convWay = iota // a product of matrices for each row of the result and place in the kernel
	convByRows                   // rows of the result are updated
	convSummed                   // each element is summed up, in a wider type
	convDirect                   // the same, the sum written out, for vectors of columns where the machine has them (strips)
	convPointwise                // one product of matrices: an image has as many columns as places
	convPatches                  // a product of matrices for some rows of the result, whose columns are the parts of the image under the kernel
)

const (
	leastChannels = 4       // of a product of matrices, its rows and what it sums over
	mostTaps      = 64      // products of a sum that is written out
	usualLanes    = 16      // of a vector
	fewColumns    = 64      // for which factors of rows are used so seldom that they need not stay in a cache
	fewTerms      = 512     // that a product sums over at least, where it does not over all
	patchElements = 1 << 18 // of the columns of one product, which stay in the second cache
	mostTogether  = 4       // rows of the result that are summed up at once: what is read for one is read for those below it
)

// wayOf chooses, and says why. Kernels of one place are a product as they are; with few kernels to a group, as in a depthwise
// convolution, nothing is used often enough to be brought together first; else the parts of the image under the kernel
// are (Chellapilla et al., "High performance convolutional neural networks for document processing", 2006), for so
// few rows of the result at a time that they stay in the second cache (as an implicit product of matrices does, Chetlur et al., "cuDNN", 2014).
func (x windowed) wayOf() (way convWay, why string) {
	c, n, w := x.B.Ctx(), x.n, x.w
	elem, kernel, out := x.info(n).Elem, tensor.Shape(c, n.Arg(1).Type()), tensor.Shape(c, n.Type())
	taps, _ := ir.Product(kernel[2:]...)
	places := int64(0)
	if !slices.Contains(out[2:], ir.Dynamic) {
		places, _ = ir.Product(out[2:]...)
	}
	per, terms := kernel[0]/w.Groups, taps*kernel[1]
	paired := x.isPairedConv(n)
	if paired {
		terms = taps * kernel[1] / 2
	}
	switch {
	case paired && places > 0 && terms*(places/out[2]) <= patchElements:
		return convPatches, fmt.Sprintf("a product of matrices of the parts of the image under the kernel, brought together for some rows of the result, two channels at a time as pairs: %d to an element", terms)
	case elem != wideOf(elem) || elem != x.info(n.Arg(0)).Elem:
		return convSummed, "each element is a sum of a wider type, rounded once"
	case elem != ir.F32 && elem != ir.F64:
		return convByRows, "rows of the result are updated: integers have no tiles"
	case per < leastChannels || terms < leastChannels:
		if why = fmt.Sprintf("%d kernels to a group and %d products to an element are too few for a product of matrices", per, terms); terms > 0 && terms <= mostTaps {
			return convDirect, "each element is a sum that is written out: " + why
		}
		return convByRows, "rows of the result are updated: " + why
	case taps == 1 && !slices.ContainsFunc(w.Strides, func(s int64) bool { return s != 1 }) && !x.isVirtual(n.Arg(0)) && !x.isVirtual(n.Arg(1)):
		return convPointwise, "a product of matrices as it is: the kernels have one place, and steps of 1"
	case places > 0 && terms*(places/out[2]) <= patchElements && !x.isVirtual(n.Arg(1)):
		return convPatches, fmt.Sprintf("a product of matrices of the parts of the image under the kernel, brought together for some rows of the result: %d products to an element", terms)
	case places == 0:
		why = "the extents of the result are open"
	case x.isVirtual(n.Arg(1)):
		why = "the kernels have no memory of their own"
	default:
		why = fmt.Sprintf("what is under the kernel for a row of the result, %d elements, does not stay in the cache", terms*(places/out[2]))
	}
	if kernel[1] < leastChannels {
		return convByRows, "rows of the result are updated: " + why
	}
	return convRows, "a product of matrices for each row of the result and place of the kernel: " + why
}

func (x windowed) isDirect() bool {
	way, _ := x.wayOf()
	return way == convDirect
}

// finishTo makes of complete sums elements of the result; nil if they are.
func (x *convolving) finishTo(result, sums ir.Value) func(at []ir.Value) {
	if x.finish == nil {
		return nil
	}
	return func(at []ir.Value) { x.store(x.finishMerged(x.load(sums, at), at), result, at) }
}

// results are the memory of the sums and that of the result, with all places as one dimension.
func (x *convolving) results() (sums, result ir.Value) {
	sums, _ = x.merged(x.sums, x.n, 2)
	if result = sums; x.sums != x.mem {
		root := x.finish.root
		result, _ = x.merged(x.mem, root, len(tensor.Shape(x.B.Ctx(), root.Type()))-len(x.w.Low))
	}
	return sums, result
}

// merged is the memory of a tensor with some of its last dimensions as one.
func (d down) merged(mem ir.Value, n ir.Node, keep int) (ir.Value, []ir.Value) {
	c := d.B.Ctx()
	shape, extents := tensor.Shape(c, n.Type()), d.extents(n)
	last, _ := ir.Product(shape[keep:]...)
	if slices.Contains(shape[keep:], ir.Dynamic) {
		last = ir.Dynamic
	}
	to := append(slices.Clone(extents[:keep]), d.count(extents[keep:]))
	t := c.Tensor(append(slices.Clone(shape[:keep]), last), d.info(n).Elem)
	return d.recast(mem, tensor.MemoryOf(c, t), to), to
}

// pointwise is a product for each image and group: kernels by channels, channels by places.
func (x *convolving) pointwise() {
	image, extents := x.merged(x.memory(x.n.Arg(0)), x.n.Arg(0), 2)
	kernel, _ := x.merged(x.memory(x.n.Arg(1)), x.n.Arg(1), 1)
	mem, result := x.results()
	shape, per := x.kernelShape(), x.perGroup()
	x.loops(groups, func() {
		x.sumUp(sums{rows: upTo(x.B.Index(per)), columns: upTo(extents[2]), depth: upTo(x.B.Index(shape[1])), mem: mem, begin: true, end: x.finishTo(result, mem),
			open: func(m, j ir.Value) []ir.Value { return []ir.Value{x.out[0], x.channel(m, per), j} },
			term: func(m, j, k ir.Value) ir.Value {
				return x.combine(tensor.ByMul, x.load(kernel, []ir.Value{x.channel(m, per), k}), x.load(image, []ir.Value{x.out[0], x.channel(k, shape[1]), j}))
			}})
	})
}

// patches makes a product for some rows of the result at a time or, if these are few, for some channels, whose sums
// are added up. All extents but that of the batch are known.
func (x *convolving) patches() {
	c := x.B.Ctx()
	shape, out := x.kernelShape(), tensor.Shape(c, x.n.Type())
	p := &patching{convolving: x, per: x.perGroup(), channels: shape[1], paired: x.isPairedConv(x.n)}
	if p.paired {
		p.channels /= 2
	}
	p.all = p.channels
	p.taps, _ = ir.Product(shape[2:]...)
	p.row, _ = ir.Product(out[3:]...)
	if p.paired {
		p.weights = p.pairedWeights()
		defer func() { x.B.Op(memref.Dealloc, p.weights) }()
	} else {
		p.weights, _ = x.merged(x.memory(x.n.Arg(1)), x.n.Arg(1), 1)
	}
	p.sums, p.result = x.results()
	rows := out[2]
	if few := patchElements / p.taps / max(p.row*rows, p.per); few < p.all && few*p.taps >= fewTerms && p.row*rows > fewColumns {
		parts := (p.all + few - 1) / few
		p.channels = (p.all + parts - 1) / parts
		if whole := (p.channels + usualLanes - 1) / usualLanes * usualLanes; whole <= few {
			p.channels = whole // so that vectors along what is summed up are whole
		}
	} else {
		rows = rowsAtOnce(out[2], p.row, max(1, patchElements/(p.all*p.taps*p.row)))
	}
	p.parts = x.local(c.Tensor([]int64{p.channels * p.taps, rows * p.row}, x.elem), nil)
	x.loops(groups, func() {
		x.each(upTo(x.B.Index(out[2]/rows)), func(i ir.Value) {
			p.block(x.plus(x.B.Index(0), rows, i), rows)
		})
		if out[2]%rows > 0 {
			p.block(x.B.Index(out[2]/rows*rows), out[2]%rows)
		}
	})
	x.B.Op(memref.Dealloc, p.parts)
}

// rowsAtOnce is how many rows of some of a length are taken at once, at most as many as said: so many that the columns of all products make the
// fewest vectors of a width that is usual, and as many of these.
func rowsAtOnce(all, row, most int64) int64 {
	most = min(all, most)
	best, least := most, int64(math.MaxInt64)
	for n := most; 2*n > most; n-- {
		vectors := func(rows int64) int64 { return (rows*row + usualLanes - 1) / usualLanes }
		if v := all/n*vectors(n) + vectors(all%n); v < least {
			best, least = n, v
		}
	}
	return best
}

// A patching is a convolution that brings the parts of the image together that are under the kernel.
type patching struct {
	*convolving
	per, channels, taps, row int64    // kernels of a group, channels at once, places of the kernel, elements of the result for one place in its first dimension
	weights, parts           ir.Value // memory
	sums, result             ir.Value // of one index for all places
	all                      int64    // channels of a group
	paired                   bool     // whether a channel is a pair of two
}

// block makes some rows of the result.
func (p *patching) block(first ir.Value, rows int64) {
	all, whole := p.all, p.channels == p.all
	p.part(p.B.Index(0), first, p.channels, rows, true, whole)
	p.each(upTo(p.B.Index(all/p.channels-1)), func(i ir.Value) {
		p.part(p.plus(p.B.Index(p.channels), p.channels, i), first, p.channels, rows, false, false)
	})
	if all%p.channels > 0 {
		p.part(p.B.Index(all/p.channels*p.channels), first, all%p.channels, rows, false, false)
	}
	if !whole && p.finish != nil {
		p.finishBlock(first, rows)
	}
}

// finishBlock does to the sums of some rows what is done to them, while they stay in the second cache.
func (p *patching) finishBlock(first ir.Value, rows int64) {
	p.nest([]ir.Value{p.B.Index(p.per), p.B.Index(rows * p.row)}, func(index []ir.Value) {
		at := []ir.Value{p.out[0], p.channel(index[0], p.per), p.plus(p.plus(p.B.Index(0), p.row, first), 1, index[1])}
		p.finishTo(p.result, p.sums)(at)
	})
}

// part adds what some channels from one on contribute to some rows, or begins and ends the sums.
func (p *patching) part(channel, first ir.Value, channels, rows int64, begin, end bool) {
	p.gather(channel, first, channels, rows)
	from, terms := p.plus(p.B.Index(0), p.row, first), p.plus(p.B.Index(0), p.taps, channel)
	s := sums{rows: upTo(p.B.Index(p.per)), columns: upTo(p.B.Index(rows * p.row)), depth: upTo(p.B.Index(channels * p.taps)), mem: p.sums, begin: begin,
		open: func(m, j ir.Value) []ir.Value { return []ir.Value{p.out[0], p.channel(m, p.per), p.plus(from, 1, j)} },
		term: func(m, j, k ir.Value) ir.Value {
			return p.times(p.load(p.weights, []ir.Value{p.channel(m, p.per), p.plus(terms, 1, k)}), p.load(p.parts, []ir.Value{k, j}))
		}}
	if end {
		s.end = p.finishTo(p.result, p.sums)
	}
	p.sumUp(s)
}

// gather brings together what is under the kernel, for some channels and rows.
func (p *patching) gather(channel, first ir.Value, channels, rows int64) {
	p.each(upTo(p.B.Index(channels)), func(c ir.Value) {
		p.in[0] = p.plus(channel, 1, c)
		p.loops(p.factor[1:], func() {
			k := p.termOf(c)
			p.each(upTo(p.B.Index(rows)), func(y ir.Value) {
				p.out[2] = p.plus(first, 1, y)
				p.loops(p.places[1:], func() {
					j := y
					for d, i := range p.out[3:] {
						j = p.plus(p.plus(p.B.Index(0), tensor.Shape(p.B.Ctx(), p.n.Type())[3+d], j), 1, i)
					}
					p.store(p.gathered(), p.parts, []ir.Value{k, j})
				})
			})
		})
	})
}
