// Package nn is a language of convolutions and activations. A convolution that is followed by a relu on every path, with one
// threshold, computes it at once: whether that is so it asks a prophecy.
package nn

import "github.com/irc-lang/irc/tools/stage"

// A Tensor is a row of numbers.
type Tensor = stage.Slice[float32]

// next is what comes after a convolution: nothing yet, a relu with one threshold, or several things.
type next = stage.Agreed[float32]

// A Net stages layers, one after the other.
type Net struct {
	*stage.S
	last *stage.Static[*stage.Prophecy[next]] // of the convolution that was the last layer, or nil
}

// Network is the staged function of layers.
func Network(layers func(n *Net, c stage.Dyn[bool], in, weights, out Tensor)) func(s *stage.S, c stage.Dyn[bool], in, weights, out Tensor) {
	return func(s *stage.S, c stage.Dyn[bool], in, weights, out Tensor) {
		n := &Net{s, stage.NewStatic[*stage.Prophecy[next]](s, "the last convolution", nil)}
		layers(n, c, in, weights, out)
		n.begin()
	}
}

// begin is the beginning of a layer that is no relu, and the end of the net: what comes after a convolution is no relu.
func (n *Net) begin() {
	if p := n.last.Get(); p != nil {
		p.Require(next{Differs: true})
	}
	n.last.Set(nil)
}

// Conv puts into out, for each i, the sum of in[i+k] times one of so many weights.
func (n *Net) Conv(out, in, weights Tensor, size int) {
	n.begin()
	after := stage.NewProphecy(n.S, "what comes after the convolution", stage.Agree[float32])
	relu := after.Get()
	n.each(in.Len().Sub(size-1), func(i stage.Dyn[int]) {
		sum := stage.Lit(n.S, float32(0))
		for k := range stage.Range(n.S, size) {
			sum = stage.FMA(in.At(i.Add(k)), weights.At(k), sum)
		}
		if relu.Known {
			sum = activate(sum, relu.Value)
		}
		out.Set(i, sum)
	})
	n.last.Set(after)
}

// Relu makes elements 0 that are not above a threshold. What a convolution has done is not done again.
func (n *Net) Relu(x Tensor, size stage.Dyn[int], threshold float32) {
	if p := n.last.Get(); p != nil {
		p.Require(next{Known: true, Value: threshold})
		if p.Get().Known {
			n.last.Set(nil)
			return
		}
	}
	n.last.Set(nil)
	n.each(size, func(i stage.Dyn[int]) { x.Set(i, activate(x.At(i), threshold)) })
}

// Scale multiplies elements.
func (n *Net) Scale(x Tensor, size stage.Dyn[int], by float32) {
	n.begin()
	n.each(size, func(i stage.Dyn[int]) { x.Set(i, x.At(i).Mul(by)) })
}

func activate(x stage.Dyn[float32], threshold float32) stage.Dyn[float32] {
	return stage.Select[float32](x.Gt(threshold), x, 0)
}

// each stages a loop.
func (n *Net) each(size stage.Dyn[int], f func(i stage.Dyn[int])) {
	i := stage.Var[int](n.S, "i", 0)
	for n.While(i.Lt(size)) {
		f(i.Get())
		i.Set(i.Add(1))
	}
}
