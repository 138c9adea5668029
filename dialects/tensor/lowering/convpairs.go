package lowering

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/arith/pair16"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// A convolution of integers of 8 or 16 bits that is summed up in 32 takes two channels at a time: their elements under one place of the kernel, and
// in it, stand side by side as a pair (see pairs.go). An odd number of channels gets one of zeros first.

// isPairedConv reports such a convolution with so many kernels and channels that products of matrices are worth it.
func (p *plan) isPairedConv(n ir.Node) bool {
	c := n.Graph().Ctx
	t, kernel, groups := tensor.Elem(c, n.Arg(0).Type()), tensor.Shape(c, n.Arg(1).Type()), tensor.WindowOf(c, n.Attrs()).Groups
	return tensor.Elem(c, n.Type()) == ir.I32 && (t == ir.I8 || t == ir.I16) && isKnown(n) && isKnown(n.Arg(0)) &&
		kernel[0]/groups >= leastChannels && kernel[1] > 1 && (kernel[1]%2 == 0 || groups == 1)
}

// hasOddChannels reports one that needs a channel of zeros.
func (p *plan) hasOddChannels(n ir.Node) bool {
	return p.isPairedConv(n) && tensor.Shape(n.Graph().Ctx, n.Arg(1).Type())[1]%2 == 1
}

// withEvenChannels adds the channel.
func (x windowed) withEvenChannels() ir.Value {
	c, n := x.B.Ctx(), x.n
	more := func(a ir.Node) ir.Value {
		none := make([]int64, len(tensor.Shape(c, a.Type())))
		one := make([]int64, len(none))
		one[1] = 1
		attr := c.With(c.With(0, "low", tensor.Ints(c, none...)), "high", tensor.Ints(c, one...))
		return x.B.OpAttr(tensor.Pad, attr, x.Of(a), arith.Zero(x.B, x.info(a).Elem))
	}
	return x.B.Must(ir.Call{Def: tensor.Conv, Args: []ir.Value{more(n.Arg(0)), more(n.Arg(1))}, Attr: n.Attrs(), Type: n.Type(), Loc: x.B.Loc})
}

// pair is the pair of what element gives for both channels of one.
func (p *patching) pair(c ir.Value, element func(c ir.Value) ir.Value) ir.Value {
	half := func(k int64) ir.Value { return p.widen(element(p.plus(p.B.Index(k), 2, c)), ir.I32) }
	return pair16.Make(p.B, half(0), half(1))
}

// pairedWeights is new memory of the kernels in pairs.
func (p *patching) pairedWeights() ir.Value {
	shape := p.kernelShape()
	mem := p.local(p.B.Ctx().Tensor([]int64{shape[0], p.all * p.taps}, ir.I32), nil)
	p.nest([]ir.Value{p.B.Index(shape[0]), p.B.Index(p.all)}, func(index []ir.Value) {
		m, c := index[0], index[1]
		p.loops(p.factor[1:], func() {
			v := p.pair(c, func(c ir.Value) ir.Value { return p.element(p.n.Arg(1), append([]ir.Value{m, c}, p.in[1:]...)) })
			p.store(v, mem, []ir.Value{m, p.termOf(c)})
		})
	})
	return mem
}

// termOf is the place of the open indices in the kernel, and of a channel, as one index.
func (p *patching) termOf(c ir.Value) ir.Value {
	shape, k := p.kernelShape(), c
	for d, i := range p.in[1:] {
		k = p.plus(p.plus(p.B.Index(0), shape[2+d], k), 1, i)
	}
	return k
}

// gathered is what is under the open place of the kernel: an element, or a pair of them.
func (p *patching) gathered() ir.Value {
	if !p.paired {
		return p.image()
	}
	c := p.in[0]
	v := p.pair(c, func(c ir.Value) ir.Value { p.in[0] = c; return p.image() })
	p.in[0] = c
	return v
}

// times is the product of a kernel's element and an image's, or of pairs of them.
func (p *patching) times(a, b ir.Value) ir.Value {
	if p.paired {
		return pair16.Product(p.B, a, b)
	}
	return p.combine(tensor.ByMul, a, b)
}
