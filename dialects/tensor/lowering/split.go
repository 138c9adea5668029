package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

// A splitting is an einsum, with those that it takes in, on its way to others.
type splitting struct {
	down
	n    ir.Node
	s    *tensor.Spec
	args []ir.Node
}

// splitBy is how others are made of an einsum; nil of one that is to be loops. Of more than two operands come einsums of two, in the order
// that costs least; of two operands what only one of them has is summed up first.
func (p *plan) splitBy(n ir.Node) func(x splitting) ir.Value {
	switch f := p.flat(n); {
	case len(f.Args) > 2:
		return splitting.inOrder
	case len(f.Args) < 2:
		return nil
	case p.hasOnes(n, f):
		return splitting.withoutOnes
	case len(f.Spec.Product().Own) > 0:
		return splitting.ownSums
	case p.isNarrow(n) && f.Spec.IsProduct():
		return splitting.widened
	case rowOrColumn(f.Spec) >= 0:
		return splitting.rowsLast
	case p.mayGroup(n) && groupingOf(f.Spec) != nil:
		return splitting.grouped
	}
	return nil
}

// split makes others of an einsum; 0 if it is to be loops.
func (d down) split(n ir.Node) ir.Value {
	by, f := d.splitBy(n), d.flat(n)
	if by == nil {
		return 0
	}
	x := splitting{down: d, n: n, s: f.Spec}
	for _, a := range f.Args {
		x.args = append(x.args, a.Node)
	}
	return by(x)
}

// isSplit reports an einsum that split makes others of.
func (p *plan) isSplit(n ir.Node) bool {
	return n.Def() == tensor.Einsum && p.attentionOf(n) == nil && !p.isAbsorbed(n) && p.splitBy(n) != nil
}

func (x splitting) inOrder() ir.Value {
	return tensor.InOrder(x.B, x.s, x.n.Type(), x.All(x.args))
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

// ownSums sums each operand over the indices that it alone has and the result has not.
func (x splitting) ownSums() ir.Value {
	s, own := x.s, x.s.Product().Own
	values, terms := x.All(x.args), slices.Clone(s.In)
	for i, in := range terms {
		if slices.ContainsFunc(in, func(k int) bool { return slices.Contains(own, k) }) {
			terms[i] = s.Ordered(s.Remaining(1<<i), in)
			t := &tensor.Spec{In: [][]int{in}, Out: terms[i], Names: s.Names, Extents: s.Extents}
			values[i] = tensor.BuildEinsum(x.B, t, tensor.Elem(x.B.Ctx(), x.n.Type()), values[i])
		}
	}
	return tensor.BuildEinsumOf(x.B, &tensor.Spec{In: terms, Out: s.Out, Names: s.Names, Extents: s.Extents}, x.n.Type(), values...)
}

// rowsLast gives the result of a product of matrices an order of indices that ends with one of columns, and
// brings it into its own after that.
func (x splitting) rowsLast() ir.Value {
	s, c, at := x.s, x.B.Ctx(), rowOrColumn(x.s)
	out := append(slices.Delete(slices.Clone(s.Out), at, at+1), s.Out[at])
	shape := tensor.Shape(c, x.n.Type())
	t := c.Tensor(append(slices.Delete(slices.Clone(shape), at, at+1), shape[at]), tensor.Elem(c, x.n.Type()))
	v := tensor.BuildEinsumOf(x.B, &tensor.Spec{In: s.In, Out: out, Names: s.Names, Extents: s.Extents}, t, x.All(x.args)...)
	return x.ordered(v, out, s.Out)
}

// rowOrColumn is where the result of a product of matrices has the last index that only one operand has, if it ends with one
// that both have; else -1.
func rowOrColumn(s *tensor.Spec) int {
	if len(s.Out) < 3 {
		return -1
	}
	p := s.Product()
	if p.RowOperand >= 0 || !s.IsProduct() {
		return -1
	}
	at := len(s.Out) - 2
	for slices.Contains(p.Batches, s.Out[at]) {
		at--
	}
	return at
}

// Indices that only have one value are no loops, and would be sums or batches of a product: it is one of the operands without them, which is
// the same memory.

// isOne reports an index with one value.
func isOne(s *tensor.Spec, x int) bool { return x == tensor.Stretched || s.Extents[x] == 1 }

// withoutOnesIn is a list of indices without those.
func withoutOnesIn(s *tensor.Spec, in []int) []int {
	return slices.DeleteFunc(slices.Clone(in), func(x int) bool { return isOne(s, x) })
}

// hasOnes reports a product with indices that have one value, of operands of known extents with memory.
func (p *plan) hasOnes(n ir.Node, f *tensor.Chain) bool {
	if !isKnown(n) {
		return false
	}
	some := slices.ContainsFunc(f.Spec.Out, func(x int) bool { return isOne(f.Spec, x) })
	rest := &tensor.Spec{Out: withoutOnesIn(f.Spec, f.Spec.Out), Names: f.Spec.Names, Extents: f.Spec.Extents}
	for i, in := range f.Spec.In {
		if a := f.Args[i].Node; !isKnown(a) || f.Args[i].IsNumber || p.isVirtual(a) {
			return false
		}
		some = some || slices.ContainsFunc(in, func(x int) bool { return isOne(f.Spec, x) })
		rest.In = append(rest.In, withoutOnesIn(f.Spec, in))
	}
	return some && rest.IsProduct()
}

// withoutOnes makes the product without them.
func (x splitting) withoutOnes() ir.Value {
	c, s := x.B.Ctx(), x.s
	rest := &tensor.Spec{Out: withoutOnesIn(s, s.Out), Names: s.Names, Extents: s.Extents}
	values := make([]ir.Value, len(x.args))
	for i, a := range x.args {
		in := withoutOnesIn(s, s.In[i])
		t := c.Tensor(s.Shape(in), tensor.Elem(c, a.Type()))
		values[i] = x.given(x.recast(x.memory(a), tensor.MemoryOf(c, t), nil)) // a reshape would be taken into the product
		rest.In = append(rest.In, in)
	}
	y := tensor.BuildEinsumOf(x.B, rest, c.Tensor(s.Shape(rest.Out), tensor.Elem(c, x.n.Type())), values...)
	return x.reshaped(y, tensor.Shape(c, x.n.Type()))
}

// Products of f16 and bf16 are summed up as f32, and rounded once: where their elements are used several times, they are
// made f32 before, once each, and the product is one of f32, for which there are tiles in registers.

// isNarrow reports an einsum or a convolution that takes or gives floats narrower than those in which it sums up.
func (p *plan) isNarrow(n ir.Node) bool {
	c := n.Graph().Ctx
	wide, narrow := wideOf(tensor.Elem(c, n.Type())), tensor.Elem(c, n.Type()) != wideOf(tensor.Elem(c, n.Type()))
	for _, a := range n.Args() {
		narrow = narrow || tensor.Elem(c, a.Type()) != wide
	}
	return narrow && c.IsFloat(wide)
}

// widened makes the product of wider elements, and rounds it.
func (x splitting) widened() ir.Value {
	c := x.B.Ctx()
	wide := wideOf(tensor.Elem(c, x.n.Type()))
	v := tensor.BuildEinsumOf(x.B, x.s, c.Tensor(tensor.Shape(c, x.n.Type()), wide), x.widenAll(x.args, wide)...)
	return x.rounded(v, x.n)
}

// widenedConv does so with a convolution.
func (x windowed) widenedConv() ir.Value {
	c, n := x.B.Ctx(), x.n
	wide := wideOf(tensor.Elem(c, n.Type()))
	v := x.B.Must(ir.Call{Def: tensor.Conv, Args: x.widenAll(n.Args(), wide), Attr: n.Attrs(), Type: c.Tensor(tensor.Shape(c, n.Type()), wide), Loc: x.B.Loc})
	return x.rounded(v, n)
}

func (d down) widenAll(args []ir.Node, wide ir.Type) (out []ir.Value) {
	c := d.B.Ctx()
	for _, a := range args {
		v := d.Of(a)
		if tensor.Elem(c, a.Type()) != wide {
			v = arith.Cast(d.B, arith.Extf, v, c.Tensor(tensor.Shape(c, a.Type()), wide))
		}
		out = append(out, v)
	}
	return out
}

func (d down) rounded(v ir.Value, n ir.Node) ir.Value {
	if d.B.Graph().Type(v) == n.Type() {
		return v
	}
	return arith.Cast(d.B, arith.Truncf, v, n.Type())
}
