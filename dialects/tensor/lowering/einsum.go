package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// An axis is an index of an einsum: how far it runs, and what it is where.
type axis struct {
	extent ir.Value
	static int64
}

// axesOf are the axes of an einsum, by index.
func (d down) axesOf(n ir.Node, s *tensor.Spec) []axis {
	out := make([]axis, len(s.Names))
	for x := range out {
		if out[x].static = s.Extents[x]; out[x].static != ir.Dynamic {
			out[x].extent = d.B.Index(out[x].static)
			continue
		}
		for i, in := range s.In {
			if at := slices.Index(in, x); at >= 0 && out[x].extent == 0 {
				out[x].extent = d.extents(n.Arg(i))[at]
			}
		}
	}
	return out
}

// along are the axes of the result.
func (d down) along(n ir.Node, s *tensor.Spec) []axis {
	all := d.axesOf(n, s)
	return lists.Map(s.Out, func(x int) axis { return all[x] })
}

// A space is the indices of a sum of products.
type space struct {
	by    emit
	axes  []axis
	index []ir.Value // of the loops that are open
}

// loops opens loops over indices.
func (s *space) loops(over []int, body func()) {
	if len(over) == 0 {
		body()
		return
	}
	s.by.each(upTo(s.axes[over[0]].extent), func(i ir.Value) {
		s.index[over[0]] = i
		s.loops(over[1:], body)
	})
}

// sum is the sum of terms over indices, carried by the loops over them.
func (s *space) sum(over []int, sum ir.Value, term func() ir.Value) ir.Value {
	if len(over) == 0 {
		return s.by.combine(tensor.ByAdd, sum, term())
	}
	return s.by.loop(0, s.axes[over[0]].extent, []ir.Value{sum}, func(i ir.Value, carried []ir.Value) []ir.Value {
		s.index[over[0]] = i
		return []ir.Value{s.sum(over[1:], carried[0], term)}
	})[0]
}

// A nesting is an einsum on its way to loops.
type nesting struct {
	down
	space
	n       ir.Node
	s       *tensor.Spec
	elem    ir.Type // of the result
	wide    ir.Type // in which it is summed
	extents []ir.Value
	paired  *pairs // of the operands, or nil
}

func (d down) lowerEinsum(n ir.Node) ir.Value {
	s := tensor.SpecOf(n.Graph(), n.Old())
	d.nesting(n, s).checkExtents()
	if d.isTaken(n) || d.isAbsorbed(n) || d.isFinished(n) {
		return 0
	}
	if d.attentionOf(n) != nil {
		return d.filled(n)
	}
	if v := d.split(n); v != 0 {
		return v
	}
	return d.filled(n)
}

func (d down) nesting(n ir.Node, s *tensor.Spec) *nesting {
	elem := d.info(n).Elem
	return &nesting{down: d, space: space{d.emit, d.axesOf(n, s), make([]ir.Value, len(s.Names))}, n: n, s: s, elem: elem, wide: wideOf(elem), extents: d.extents(n)}
}

// fillEinsum makes the loops.
func (d down) fillEinsum(n ir.Node, mem ir.Value) {
	if a := d.attentionOf(n); a != nil {
		d.fillAttention(a, mem)
		return
	}
	s := tensor.SpecOf(n.Graph(), n.Old())
	x := d.nesting(n, s)
	switch c, ok := x.contraction(); {
	case len(s.Summed()) == 0:
		x.loops(s.Out, func() { d.store(x.product(), mem, x.at(s.Out)) })
	case ok:
		x.fillContraction(c, mem, nil)
	case x.byRows():
		x.zero(mem, x.extents)
		last := len(s.Out) - 1
		x.loops(append(slices.Concat(s.Out[:last], x.summed()), s.Out[last]), func() { x.addTo(mem, x.at(s.Out), x.product()) })
	default:
		x.loops(s.Out, func() {
			d.store(d.narrow(x.sum(x.summed(), arith.Zero(x.B, x.wide), x.product), x.elem), mem, x.at(s.Out))
		})
	}
}

// checkExtents compares those that one index has in several places, where types leave them open.
func (x *nesting) checkExtents() {
	for i, in := range x.s.In {
		extents := x.down.extents(x.n.Arg(i))
		for at, k := range in {
			if k == tensor.Stretched || x.axes[k].static != ir.Dynamic && tensor.Shape(x.B.Ctx(), x.n.Arg(i).Type())[at] != ir.Dynamic {
				continue
			}
			x.agree(x.axes[k].extent, extents[at], "index "+x.s.Names[k]+" of an einsum runs up to different extents")
		}
	}
}

// at are the open loops' indices for those of a tensor.
func (x *nesting) at(of []int) []ir.Value {
	out := make([]ir.Value, len(of))
	for i, k := range of {
		if k == tensor.Stretched {
			out[i] = x.B.Index(0)
		} else {
			out[i] = x.index[k]
		}
	}
	return out
}

// product is that of the elements at the open indices.
func (x *nesting) product() ir.Value {
	if x.paired != nil {
		return x.paired.product(x)
	}
	var p ir.Value
	for i, a := range x.n.Args() {
		y := x.widen(x.element(a, x.at(x.s.In[i])), x.wide)
		if p == 0 {
			p = y
		} else {
			p = x.combine(tensor.ByMul, p, y)
		}
	}
	if len(x.s.Summed()) == 0 {
		return x.narrow(p, x.elem)
	}
	return p
}

// summed are the indices that are summed over, that by which most operands are contiguous last.
func (x *nesting) summed() []int {
	over := x.s.Summed()
	slices.SortStableFunc(over, func(a, b int) int { return x.contiguous(a) - x.contiguous(b) })
	return over
}

// contiguous counts the operands of which an index is the last.
func (x *nesting) contiguous(k int) (n int) {
	for _, in := range x.s.In {
		if len(in) > 0 && in[len(in)-1] == k {
			n++
		}
	}
	return n
}

// byRows reports that rows of the result are better updated than that elements are summed up: they are
// contiguous in an operand, and what is summed over is not contiguous in all.
func (x *nesting) byRows() bool {
	if len(x.s.Out) == 0 || x.elem != x.wide {
		return false
	}
	j, over := x.s.Out[len(x.s.Out)-1], x.summed()
	return x.contiguous(j) > 0 && x.contiguous(over[len(over)-1]) < len(x.s.In)
}
