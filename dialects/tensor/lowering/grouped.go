package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// A grouping is an einsum of two operands as a product of matrices, or of a batch of such: several indices that have the same
// part in it become one, by a reshape, which moves nothing where they stand side by side in one order everywhere, and else after a transpose.
type grouping struct {
	rows                int // the operand that has them; the other has the columns
	batch, i, j, k      []int
	left, right, result []int // orders of the indices of both operands and of the result
}

// groupingOf is how an einsum of known extents is grouped, or nil if no part of it has several indices.
func groupingOf(s *tensor.Spec) *grouping {
	if len(s.In) != 2 || len(s.Out) == 0 || slices.Contains(s.Extents, ir.Dynamic) {
		return nil
	}
	p := s.Product()
	if p.RowOperand < 0 || len(p.Own) > 0 || !tensor.IsPlain(s.In[0]) || !tensor.IsPlain(s.In[1]) {
		return nil
	}
	g, a, b := &grouping{rows: p.RowOperand}, s.In[p.RowOperand], s.In[1-p.RowOperand]
	// order are the indices of a part in the order in which a tensor has them.
	order := func(in, part []int) []int {
		return slices.DeleteFunc(slices.Clone(in), func(x int) bool { return !slices.Contains(part, x) })
	}
	g.batch, g.i, g.j, g.k = order(s.Out, p.Batches), order(s.Out, p.Rows), order(s.Out, p.Columns), order(a, p.Sums)
	if len(b) > len(a) {
		g.k = order(b, p.Sums)
	}
	if min(len(g.i), len(g.j), len(g.k)) == 0 || max(len(g.i), len(g.j), len(g.k)) == 1 {
		return nil
	}
	if !slices.Equal(s.Out, slices.Concat(g.batch, g.i, g.j)) { // it is transposed anyway
		g.i, g.j = order(a, p.Rows), order(b, p.Columns)
	}
	side := func(in, own []int) []int {
		if other := slices.Concat(g.batch, g.k, own); slices.Equal(in, other) {
			return other
		}
		return slices.Concat(g.batch, own, g.k)
	}
	g.left, g.right, g.result = side(a, g.i), slices.Concat(g.batch, g.k, g.j), slices.Concat(g.batch, g.i, g.j)
	if other := slices.Concat(g.batch, g.j, g.k); slices.Equal(b, other) {
		g.right = other
	}
	moves := !slices.Equal(g.left, a) || !slices.Equal(g.right, b) || !slices.Equal(g.result, s.Out)
	longest := func(list []int) (n int64) {
		for _, x := range list {
			n = max(n, s.Extents[x])
		}
		return n
	}
	if moves && len(g.k) == 1 && min(longest(g.i), longest(g.k), s.Extents[s.Out[len(s.Out)-1]]) >= longAlone {
		return nil
	}
	return g
}

// longAlone is how far rows, columns and sums of a product run that is one without other indices of theirs: loops around it take less time than moving elements,
// so that they stand side by side.
const longAlone = 32

// mayGroup reports an einsum of numbers that products of matrices are made of.
func (p *plan) mayGroup(n ir.Node) bool {
	c := n.Graph().Ctx
	elem := tensor.Elem(c, n.Type())
	return isKnown(n) && !slices.ContainsFunc(n.Args(), func(a ir.Node) bool {
		t := tensor.Elem(c, a.Type())
		return !(t == elem && (elem == ir.F32 || elem == ir.F64)) && !(elem == ir.I32 && (t == ir.I8 || t == ir.I16))
	})
}

// grouped makes a product of matrices of an einsum whose parts have several indices.
func (x splitting) grouped() ir.Value {
	s, g := x.s, groupingOf(x.s)
	whole := &tensor.Spec{Names: []string{"b", "i", "j", "k"}}
	parts := [][]int{g.batch, g.i, g.j, g.k}
	for _, list := range parts {
		n, _ := ir.Product(s.Shape(list)...)
		whole.Extents = append(whole.Extents, n)
	}
	// merged are the parts in the order in which a list of indices has them.
	merged := func(order []int) (out []int) {
		for _, x := range order {
			p := slices.IndexFunc(parts, func(list []int) bool { return slices.Contains(list, x) })
			if len(out) == 0 || out[len(out)-1] != p {
				out = append(out, p)
			}
		}
		return out
	}
	operand := func(i int, order []int) ir.Value {
		in := merged(order)
		whole.In = append(whole.In, in)
		return x.reshaped(x.ordered(x.Of(x.args[i]), s.In[i], order), whole.Shape(in))
	}
	a, b := operand(g.rows, g.left), operand(1-g.rows, g.right)
	whole.Out = merged(g.result)
	v := tensor.BuildEinsum(x.B, whole, tensor.Elem(x.B.Ctx(), x.n.Type()), a, b)
	return x.ordered(x.reshaped(v, s.Shape(g.result)), g.result, s.Out)
}

// ordered is a tensor whose indices have another order.
func (e emit) ordered(v ir.Value, have, want []int) ir.Value {
	if slices.Equal(have, want) {
		return v
	}
	perm := make([]int64, len(want))
	for i, x := range want {
		perm[i] = int64(slices.Index(have, x))
	}
	return tensor.BuildTranspose(e.B, v, perm...)
}
