package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/arith/pair16"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// A product of integers of 8 or 16 bits that is summed up in 32 takes two steps at once: each operand gets memory in which the
// elements of two values of k stand side by side as a pair, which processors multiply and add as one. Where k is odd the last pair
// has a zero. Nothing is rounded, and what wraps is what would.

// leastPaired is the extent from which on a known index is worth it.
const leastPaired = 4

// isPaired reports a contraction of such integers.
func (x *nesting) isPaired(c contraction) bool {
	if x.elem != ir.I32 {
		return false
	}
	for i := range x.s.In {
		if t := tensor.Elem(x.B.Ctx(), x.n.Arg(i).Type()); t != ir.I8 && t != ir.I16 {
			return false
		}
	}
	return !slices.ContainsFunc([]int{c.i, c.j, c.k}, func(k int) bool { return x.axes[k].static != ir.Dynamic && x.axes[k].static < leastPaired })
}

// pairs are the operands of a contraction in pairs.
type pairs struct {
	memory [2]ir.Value
	in     [2][]int // the indices of each
}

// pair makes them, and half as many steps of k.
func (x *nesting) pair(c contraction) *pairs {
	p := &pairs{}
	whole := x.axes[c.k]
	halves := whole
	halves.extent = x.B.Op(arith.Ceildivsi, whole.extent, x.B.Index(2))
	if whole.static != ir.Dynamic {
		halves.static = (whole.static + 1) / 2
	}
	for i, in := range x.s.In {
		for _, k := range in {
			if k != tensor.Stretched && !slices.Contains(p.in[i], k) {
				p.in[i] = append(p.in[i], k)
			}
		}
		x.axes[c.k] = halves
		var shape []int64
		var extents []ir.Value
		for _, k := range p.in[i] {
			shape, extents = append(shape, x.axes[k].static), append(extents, x.axes[k].extent)
		}
		p.memory[i] = x.local(x.B.Ctx().Tensor(shape, ir.I32), extents)
		two := axis{extent: x.B.Op(arith.Divsi, whole.extent, x.B.Index(2))}
		x.axes[c.k] = two
		x.loops(p.in[i], func() {
			at := x.index[c.k]
			low := x.half(i, c.k, x.plus(x.B.Index(0), 2, at))
			high := x.half(i, c.k, x.plus(x.B.Index(1), 2, at))
			x.index[c.k] = at
			x.store(pair16.Make(x.B, low, high), p.memory[i], x.at(p.in[i]))
		})
		x.last(c, i, p, whole.extent, two.extent)
	}
	x.axes[c.k] = halves
	return p
}

// last makes the pairs of the last value of an odd number of them.
func (x *nesting) last(c contraction, i int, p *pairs, all, whole ir.Value) {
	left := x.B.Op(arith.Remsi, all, x.B.Index(2))
	if n, ok := x.B.Graph().Const(left); ok && n.Int(64) == 0 {
		return
	}
	x.axes[c.k] = axis{extent: left}
	x.loops(p.in[i], func() {
		low := x.half(i, c.k, x.plus(x.plus(x.B.Index(0), 2, whole), 1, x.index[c.k]))
		x.index[c.k] = x.plus(whole, 1, x.B.Index(0))
		x.store(pair16.Make(x.B, low, arith.Zero(x.B, ir.I32)), p.memory[i], x.at(p.in[i]))
	})
}

// half is the element of an operand at the open indices, and a value of k.
func (x *nesting) half(i, k int, at ir.Value) ir.Value {
	x.index[k] = at
	return x.widen(x.element(x.n.Arg(i), x.at(x.s.In[i])), ir.I32)
}

// product is that of the pairs at the open indices.
func (p *pairs) product(x *nesting) ir.Value {
	return pair16.Product(x.B, x.load(p.memory[0], x.at(p.in[0])), x.load(p.memory[1], x.at(p.in[1])))
}

func (p *pairs) free(x *nesting) {
	for _, mem := range p.memory {
		x.B.Op(memref.Dealloc, mem)
	}
}
