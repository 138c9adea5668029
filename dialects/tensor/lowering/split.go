package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// split makes einsums of two operands of one of more, those of which operands are einsums that nothing else uses
// taken in, in the order that costs least; of two operands it first sums up what only one of them has. It is 0
// for one that is to be loops.
func (d down) split(n ir.Node) ir.Value {
	f := d.flat(n)
	args := make([]ir.Node, len(f.Args))
	for i, a := range f.Args {
		args[i] = a.Node
	}
	switch {
	case len(args) > 2:
		return tensor.InOrder(d.B, f.Spec, n.Type(), d.All(args))
	case len(args) == 2:
		if v := d.withoutOnes(n, f.Spec, args); v != 0 {
			return v
		}
		if v := d.ownSums(n, f.Spec, args); v != 0 {
			return v
		}
		if d.isNarrow(n) && f.Spec.IsProduct() {
			return d.widened(n, f.Spec, args)
		}
		if v := d.rowsLast(n, f.Spec, args); v != 0 {
			return v
		}
		return d.grouped(n, f.Spec, args)
	}
	return 0
}

// isSplit reports an einsum that split makes others of.
func (p *plan) isSplit(n ir.Node) bool {
	if n.Def() != tensor.Einsum || p.attentionOf(n) != nil || p.isAbsorbed(n) {
		return false
	}
	f := p.flat(n)
	return len(f.Args) > 2 || len(f.Args) == 2 && (p.hasOnes(n, f) || len(f.Spec.Product().Own) > 0 || rowOrColumn(f.Spec) >= 0 || groupingOf(f.Spec) != nil && p.mayGroup(n) || p.isNarrow(n) && f.Spec.IsProduct())
}

// flat takes into an einsum those that it alone uses, if that lets the order of all cost less.
func (p *plan) flat(n ir.Node) *tensor.Chain {
	f := p.flattened[n.Old()]
	if f == nil {
		own := p.attentionOf(n) != nil || p.isAbsorbed(n)
		f = tensor.ChainOf(n, func(a ir.Node) bool {
			return !own && a.Def() == tensor.Einsum && a.NumUses() == 1 && p.together(a, []ir.Node{n})
		})
		p.flattened[n.Old()] = f
	}
	return f
}

// isTaken reports an einsum that its user takes in.
func (p *plan) isTaken(n ir.Node) bool {
	if n.NumUses() != 1 {
		return false
	}
	u := n.Users()[0]
	return u.Def() == tensor.Einsum && p.flat(u).Taken[n.Old()]
}

// ownSums sums an operand over the indices that it alone has and the result has not.
func (d down) ownSums(n ir.Node, s *tensor.Spec, args []ir.Node) ir.Value {
	elem := tensor.Elem(d.B.Ctx(), n.Type())
	values, terms, found := d.All(args), slices.Clone(s.In), false
	for i, in := range terms {
		left := s.Ordered(s.Left(1<<i), in)
		if len(s.Ordered(allOf(in), in)) > len(left) {
			t := &tensor.Spec{In: [][]int{in}, Out: left, Names: s.Names, Extents: s.Extents}
			values[i], terms[i], found = tensor.BuildEinsum(d.B, t, elem, values[i]), left, true
		}
	}
	if !found {
		return 0
	}
	return tensor.BuildEinsumOf(d.B, &tensor.Spec{In: terms, Out: s.Out, Names: s.Names, Extents: s.Extents}, n.Type(), values...)
}

// allOf is the set of some indices.
func allOf(in []int) (out uint64) {
	for _, x := range in {
		if x != tensor.Stretched {
			out |= 1 << x
		}
	}
	return out
}

// rowsLast gives the result of a product of matrices an order of indices that ends with one of columns, and
// brings it into its own after that.
func (d down) rowsLast(n ir.Node, s *tensor.Spec, args []ir.Node) ir.Value {
	at := rowOrColumn(s)
	if at < 0 {
		return 0
	}
	out := append(slices.Delete(slices.Clone(s.Out), at, at+1), s.Out[at])
	shape := tensor.Shape(d.B.Ctx(), n.Type())
	moved := append(slices.Delete(slices.Clone(shape), at, at+1), shape[at])
	t := d.B.Ctx().Tensor(moved, tensor.Elem(d.B.Ctx(), n.Type()))
	v := tensor.BuildEinsumOf(d.B, &tensor.Spec{In: s.In, Out: out, Names: s.Names, Extents: s.Extents}, t, d.All(args)...)
	perm := make([]int64, len(out))
	for i, x := range s.Out {
		perm[i] = int64(slices.Index(out, x))
	}
	return tensor.BuildTranspose(d.B, v, perm...)
}

// rowOrColumn is where the result of a product of matrices has the last index that only one operand has, if it ends with one
// that both have; else -1.
func rowOrColumn(s *tensor.Spec) int {
	if len(s.Out) < 3 {
		return -1
	}
	p := s.Product()
	if p.Left >= 0 || !s.IsProduct() {
		return -1
	}
	at := len(s.Out) - 2
	for slices.Contains(p.Batches, s.Out[at]) {
		at--
	}
	return at
}
