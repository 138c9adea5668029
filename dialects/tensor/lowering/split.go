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
	switch {
	case len(f.args) > 2:
		return d.inOrder(n, f.s, f.args)
	case len(f.args) == 2:
		if v := d.ownSums(n, f.s, f.args); v != 0 {
			return v
		}
		return d.rowsLast(n, f.s, f.args)
	}
	return 0
}

// A flattened is an einsum with others in it: its spec, its operands, and those that were taken in.
type flattened struct {
	s     *tensor.Spec
	args  []ir.Node
	taken map[ir.Value]bool
}

// flat takes into an einsum those that it alone uses, if that lets the order of all cost less.
func (p *plan) flat(n ir.Node) *flattened {
	if f := p.flattened[n.Old()]; f != nil {
		return f
	}
	c, s := n.Graph().Ctx, tensor.SpecOf(n.Graph(), n.Old())
	asIs := &flattened{s: s, args: n.Args()}
	if p.attentionOf(n) != nil || p.isAbsorbed(n) {
		p.flattened[n.Old()] = asIs
		return asIs
	}
	f := &flattened{s: s, args: n.Args(), taken: map[ir.Value]bool{}}
	cost := 0.0
	if len(f.args) > 1 {
		cost = s.Path().Cost
	}
	for i := 0; len(f.args) > 1 && i < len(f.args); i++ {
		a := f.args[i]
		if a.Def() != tensor.Einsum || a.NumUses() != 1 || a.NumArgs() < 2 || tensor.Elem(c, a.Type()) != tensor.Elem(c, n.Type()) || !p.together(a, []ir.Node{n}) {
			continue
		}
		if inner := tensor.SpecOf(a.Graph(), a.Old()); len(f.s.Names)+len(inner.Names) <= mostIndices {
			cost += inner.Path().Cost
			f.s, f.args, f.taken[a.Old()] = f.s.With(i, inner), slices.Concat(f.args[:i], a.Args(), f.args[i+1:]), true
			i--
		}
	}
	if len(f.taken) > 0 && f.s.Path().Cost >= cost*(1-1e-9) {
		f = asIs
	}
	p.flattened[n.Old()] = f
	return f
}

// isTaken reports an einsum that its user takes in.
func (p *plan) isTaken(n ir.Node) bool {
	if n.NumUses() != 1 {
		return false
	}
	u := n.Users()[0]
	return u.Def() == tensor.Einsum && p.flat(u).taken[n.Old()]
}

// mostIndices bounds those of an einsum that others are taken into.
const mostIndices = 48

// inOrder takes operands two at a time.
func (d down) inOrder(n ir.Node, s *tensor.Spec, args []ir.Node) ir.Value {
	values := d.All(args)
	terms := slices.Clone(s.In)
	sets := make([]uint64, len(values))
	for i := range sets {
		sets[i] = 1 << i
	}
	elem := tensor.Elem(d.B.Ctx(), n.Type())
	steps := s.Path().Steps
	for k, step := range steps {
		a, b := step[0], step[1]
		sets = append(sets, sets[a]|sets[b])
		out := s.Out
		if k < len(steps)-1 {
			out = s.Ordered(s.Left(sets[len(sets)-1]), terms[a], terms[b])
		}
		t := &tensor.Spec{In: [][]int{terms[a], terms[b]}, Out: out, Names: s.Names, Extents: s.Extents}
		if k == len(steps)-1 {
			return tensor.BuildEinsumOf(d.B, t, n.Type(), values[a], values[b])
		}
		values = append(values, tensor.BuildEinsum(d.B, t, elem, values[a], values[b]))
		terms = append(terms, out)
	}
	panic("ten.einsum: an order without a step")
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
	if len(s.Out) < 3 {
		return 0
	}
	last := s.Out[len(s.Out)-1]
	if !slices.Contains(s.In[0], last) || !slices.Contains(s.In[1], last) {
		return 0
	}
	var rows, columns, sums bool
	at := -1
	for i, x := range s.Out {
		switch a, b := slices.Contains(s.In[0], x), slices.Contains(s.In[1], x); {
		case a && !b:
			rows, at = true, i
		case b && !a:
			columns, at = true, i
		}
	}
	for _, x := range s.Summed() {
		sums = sums || slices.Contains(s.In[0], x) && slices.Contains(s.In[1], x)
	}
	if !rows || !columns || !sums {
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
