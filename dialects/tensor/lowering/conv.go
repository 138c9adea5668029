package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// A windowed is an op whose window goes over an image: a convolution or a pooling.
type windowed struct {
	down
	n ir.Node
	w tensor.Window
}

func (d down) windowed(n ir.Node) windowed {
	return windowed{d, n, tensor.WindowOf(d.B.Ctx(), n.Attrs())}
}

// lowerConv pads the image first, as an op of its own.
func (x windowed) lowerConv() ir.Value {
	x.checkWindow()
	switch n := x.n; {
	case x.isFinished(n):
		return 0
	case x.isNarrow(n):
		return x.widenedConv()
	case x.hasOddChannels(n):
		return x.withEvenChannels()
	case !x.w.Padded() || x.isDirect():
		return x.filled(n)
	}
	return x.unpadded(arith.Zero(x.B, x.info(x.n.Arg(0)).Elem))
}

// padsFirst reports a convolution or a pooling whose image gets its pads, or wider elements, before anything else.
func (d down) padsFirst(n ir.Node) bool {
	switch n.Def() {
	case tensor.Conv:
		x := d.windowed(n)
		return d.isNarrow(n) || d.hasOddChannels(n) || x.w.Padded() && !x.isDirect()
	case tensor.Pool:
		return d.windowed(n).w.Padded()
	}
	return false
}

// checkWindow refuses an image with its pads that is shorter than the window: there is an element, if that fits.
func (x windowed) checkWindow() {
	for i, size := range x.extents(x.n)[2:] {
		if tensor.Shape(x.B.Ctx(), x.n.Type())[2+i] == ir.Dynamic {
			x.assert(arith.CmpI(x.B, arith.SGT, size, x.B.Index(0)), "a kernel that is longer than the image and its pads")
		}
	}
}

// unpadded is the op without its pads, of an image that has them.
func (x windowed) unpadded(value ir.Value) ir.Value {
	c, front := x.B.Ctx(), []int64{0, 0}
	args := x.All(x.n.Args())
	attr := c.With(c.With(0, "low", tensor.Ints(c, slices.Concat(front, x.w.Low)...)), "high", tensor.Ints(c, slices.Concat(front, x.w.High)...))
	args[0] = x.B.OpAttr(tensor.Pad, attr, args[0], value)
	none := tensor.Ints(c, make([]int64, len(x.w.Low))...)
	return x.B.Must(ir.Call{Def: x.n.Def(), Args: args, Attr: c.With(c.With(x.n.Attrs(), "low", none), "high", none), Type: x.n.Type(), Loc: x.B.Loc})
}

// outExtent is how many places a kernel has in dimension i of an image; at most 0 where it does not fit.
func (x windowed) outExtent(i int) ir.Value {
	k := kernelOf(x.n)[i]
	left := arith.AddI(x.B, x.extents(x.n.Arg(0))[2+i], x.B.Index(x.w.Low[i]+x.w.High[i]-x.w.Dilations[i]*(k-1)-1))
	return arith.AddI(x.B, x.B.Op(arith.Floordivsi, left, x.B.Index(x.w.Strides[i])), x.B.Index(1))
}

// kernelOf are the extents of what goes over an image.
func kernelOf(n ir.Node) []int64 {
	c := n.Graph().Ctx
	if n.Def() == tensor.Pool {
		return c.Ints(n.Attr("window"))
	}
	return tensor.Shape(c, n.Arg(1).Type())[2:]
}

// A convolving is a convolution on its way to loops, without pads but for the one that is direct.
type convolving struct {
	windowed
	space
	extent         []ir.Value // of the result
	places, factor []int      // indices of places in the result, and of what is summed up
	mem            ir.Value
	sums           ir.Value // the same, unless the sums have another type
	elem           ir.Type
	wide           ir.Type
	out            []ir.Value // of the open indices: those in the result, in the group for the second
	in             []ir.Value // and channel of the group and place in the kernel
	own            ir.Value   // memory of the image of one group with its pads, if it is made
	phased         bool       // whether its rows are in parts (withPhases)
	finish         *finish    // what is done to its sums, or nil
	tap            int64      // place in the last dimension of the kernel, where the sum is written out
}

// fillConv makes the loops, and does to each sum what a finish says, if there is one.
func (d down) fillConv(n ir.Node, mem ir.Value, f *finish) {
	elem := d.info(n).Elem
	x := &convolving{windowed: d.windowed(n), extent: d.extents(n), mem: mem, elem: elem, wide: wideOf(elem), finish: f}
	x.begin()
	way, why := x.wayOf()
	d.e.Remark(n, "convolution: "+why)
	last := len(x.places) - 1
	outer, rows := x.places[:last:last], x.places[last:]
	switch way {
	case convSummed:
		x.loops(append(each, x.places...), func() { x.storeSum(x.narrow(x.sum(x.factor, arith.Zero(d.B, x.wide), x.term), elem)) })
	case convByRows:
		x.zero(mem, x.extent)
		x.loops(slices.Concat(each, outer, x.factor, rows), func() { x.addTo(mem, x.place(), x.term()) })
	case convDirect:
		if s := x.strips(); s != nil {
			s.fill()
		} else {
			x.direct()
		}
	case convPointwise, convPatches:
		sums, free := d.sumsOf(f, n, mem)
		if x.sums = sums; way == convPointwise {
			x.pointwise()
		} else {
			x.patches()
		}
		free()
	default:
		x.zero(mem, x.extent)
		x.loops(slices.Concat(groups, outer, x.factor[1:]), x.rows)
	}
}

// The indices of a convolution: the group, of the batch, the kernel of the group, places, the channel of the group, and places in the kernel. Loops go
// through them group by group of each element of the batch, and each kernel of the group.
var groups, each = []int{1, 0}, []int{1, 0, 2}

// begin numbers the indices.
func (x *convolving) begin() {
	kernel, n := x.extents(x.n.Arg(1)), len(x.extent)
	x.space = space{by: x.emit, index: make([]ir.Value, 2*n)}
	x.out, x.in = x.index[1:n+1], x.index[n+1:]
	per := x.B.Index(x.perGroup())
	for k, extent := range slices.Concat([]ir.Value{x.B.Index(x.w.Groups), x.extent[0], per}, x.extent[2:], kernel[1:]) {
		x.axes = append(x.axes, axis{extent: extent})
		if k > n {
			x.factor = append(x.factor, k)
		} else if k > 2 {
			x.places = append(x.places, k)
		}
	}
}

// perGroup is how many kernels a group has.
func (x windowed) perGroup() int64 { return x.kernelShape()[0] / x.w.Groups }

// kernelShape are the extents of the kernels: how many there are, channels of a group, and places.
func (x windowed) kernelShape() []int64 { return tensor.Shape(x.B.Ctx(), x.n.Arg(1).Type()) }

// rows is a product of matrices: kernels by channels, channels by places along the last dimension.
func (x *convolving) rows() {
	last := len(x.out) - 1
	x.sumUp(sums{rows: upTo(x.axes[2].extent), columns: upTo(x.extent[last]), depth: upTo(x.axes[x.factor[0]].extent), mem: x.mem,
		open: func(m, j ir.Value) []ir.Value { x.out[1], x.out[last] = m, j; return x.place() },
		term: func(_, _, k ir.Value) ir.Value { x.in[0] = k; return x.term() }})
}

// channel is a number in a group as one of all.
func (x *convolving) channel(i ir.Value, perGroup int64) ir.Value {
	return x.plus(i, perGroup, x.index[0])
}

// storeSum stores what is made of a sum.
func (x *convolving) storeSum(sum ir.Value) {
	x.store(x.finished(x.finish, sum, x.place()), x.mem, x.place())
}

// place is the index in the result.
func (x *convolving) place() []ir.Value {
	at := slices.Clone(x.out)
	at[1] = x.channel(at[1], x.perGroup())
	return at
}

// term is a product of an element of the kernel and one of the image.
func (x *convolving) term() ir.Value {
	of := x.place()[1]
	k := x.widen(x.element(x.n.Arg(1), append([]ir.Value{of}, x.in...)), x.wide)
	y := x.widen(x.image(), x.wide)
	return x.combine(tensor.ByMul, k, y)
}

// under is the index in the image of what is under a place of the kernel.
func (x *convolving) under() []ir.Value {
	from := []ir.Value{x.out[0], x.channel(x.in[0], x.kernelShape()[1])}
	for d := range x.w.Low {
		i := x.plus(x.B.Index(0), x.w.Strides[d], x.out[2+d])
		from = append(from, x.plus(i, x.w.Dilations[d], x.in[1+d]))
	}
	return from
}

// image is the element that is under a place of the kernel.
func (x *convolving) image() ir.Value {
	at := x.under()
	switch {
	case x.phased:
		last := len(x.w.Strides) - 1
		step, offset := x.w.Strides[last], x.tap*x.w.Dilations[last]
		at = append(at[2:2+last], x.B.Index(offset%step), x.plus(x.B.Index(offset/step), 1, x.out[2+last]))
		return x.load(x.own, append([]ir.Value{x.in[0]}, at...))
	case x.own != 0:
		return x.load(x.own, append([]ir.Value{x.in[0]}, at[2:]...))
	}
	return x.element(x.n.Arg(0), at)
}
