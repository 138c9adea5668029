package lowering

import (
	"cmp"
	"slices"

	"github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// A contraction is the three innermost loops of an einsum of two operands that poly-tile knows: rows i, that one
// operand has, columns j, that the other has and that is the last index of the result, and k, which both have and
// which is summed over.
type contraction struct {
	outer   []int
	i, j, k int
}

// contraction finds the loops. Of several that may be i or k it takes the longest.
func (x *nesting) contraction() (c contraction, ok bool) {
	s := x.s
	if len(s.In) != 2 || len(s.Out) < 2 {
		return c, false
	}
	p := s.Product()
	if p.RowOperand < 0 || len(p.Rows) == 0 || len(p.Sums) == 0 {
		return c, false
	}
	c = contraction{i: x.longest(p.Rows), j: s.Out[len(s.Out)-1], k: x.longest(p.Sums)}
	c.outer = slices.DeleteFunc(slices.Concat(s.Out, s.Summed()), func(k int) bool { return k == c.i || k == c.j || k == c.k })
	return c, x.isOfFloats() || x.isPaired(c)
}

// isOfFloats reports operands and a result of one type of floats, as tiles have them.
func (x *nesting) isOfFloats() bool {
	return (x.elem == ir.F32 || x.elem == ir.F64) && !slices.ContainsFunc(x.n.Args(), func(a ir.Node) bool { return tensor.Elem(x.B.Ctx(), a.Type()) != x.elem })
}

// longest is the first of the indices that run farthest; open extents are taken to be longer than known ones.
func (x *nesting) longest(of []int) int {
	return slices.MaxFunc(of, func(a, b int) int { return cmp.Compare(uint64(x.axes[a].static), uint64(x.axes[b].static)) })
}

// fillContraction makes the loops of a contraction. Its sums begin with zeros: in the marked loops, if each element is summed up
// by one of the loops around them. Unless it is nil, done makes what is done to each sum that is complete.
func (x *nesting) fillContraction(c contraction, mem ir.Value, done func(at []ir.Value)) {
	several := x.isSummedOutside(c)
	if several {
		x.zero(mem, x.extents)
	}
	if x.isPaired(c) {
		x.paired = x.pair(c)
		defer x.paired.free(x)
	}
	x.loops(c.outer, func() {
		x.sumUp(sums{rows: upTo(x.axes[c.i].extent), columns: upTo(x.axes[c.j].extent), depth: upTo(x.axes[c.k].extent), mem: mem, begin: !several, end: done,
			open: func(i, j ir.Value) []ir.Value { x.index[c.i], x.index[c.j] = i, j; return x.at(x.s.Out) },
			term: func(_, _, k ir.Value) ir.Value { x.index[c.k] = k; return x.product() }})
	})
}

// A sums is C[i, j] += the sum over k of products, as three loops from 0 on that are marked: tiles in registers are made of them.
type sums struct {
	rows, columns, depth []affine.Point // bounds, of which the least counts
	mem                  ir.Value
	open                 func(i, j ir.Value) []ir.Value // where the element of a row and a column is
	term                 func(i, j, k ir.Value) ir.Value
	begin                bool                // with zeros, not with what is there
	end                  func(at []ir.Value) // done to each sum that is complete, or nil
}

// sumUp makes the loops.
func (e emit) sumUp(x sums) {
	c := e.B.Ctx()
	e.loopTo(c.WithDiscardable(0, affine.ContractionAttr, c.UnitAttr()), 1, x.rows, nil, func(i ir.Value, _ []ir.Value) []ir.Value {
		e.each(x.columns, func(j ir.Value) {
			at := x.open(i, j)
			if x.begin {
				e.store(arith.Zero(e.B, c.Info(e.B.Graph().Type(x.mem)).Elem), x.mem, at)
			}
			e.each(x.depth, func(k ir.Value) { e.addTo(x.mem, at, x.term(i, j, k)) })
			if x.end != nil {
				x.end(at)
			}
		})
		return nil
	})
}

// addTo adds a number to an element.
func (e emit) addTo(mem ir.Value, at []ir.Value, x ir.Value) {
	e.store(e.combine(tensor.ByAdd, e.load(mem, at), x), mem, at)
}

// isSummedOutside reports sums over loops around the marked ones, in which they are not complete.
func (x *nesting) isSummedOutside(c contraction) bool {
	return slices.ContainsFunc(c.outer, func(k int) bool { return !slices.Contains(x.s.Out, k) })
}
