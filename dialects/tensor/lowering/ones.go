package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
)

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

// withoutOnes makes the product without them; 0 if it has none.
func (d down) withoutOnes(n ir.Node, s *tensor.Spec, args []ir.Node) ir.Value {
	if !d.hasOnes(n, d.flat(n)) {
		return 0
	}
	c := d.B.Ctx()
	shape := func(in []int) (out []int64) {
		for _, x := range in {
			out = append(out, s.Extents[x])
		}
		return out
	}
	rest := &tensor.Spec{Out: withoutOnesIn(s, s.Out), Names: s.Names, Extents: s.Extents}
	values := make([]ir.Value, len(args))
	for i, a := range args {
		in := withoutOnesIn(s, s.In[i])
		t := c.Tensor(shape(in), tensor.Elem(c, a.Type()))
		values[i] = d.given(d.recast(d.memory(a), tensor.MemoryOf(c, t), nil)) // a reshape would be taken into the product
		rest.In = append(rest.In, in)
	}
	y := tensor.BuildEinsumOf(d.B, rest, c.Tensor(shape(rest.Out), tensor.Elem(c, n.Type())), values...)
	return d.reshaped(y, tensor.Shape(c, n.Type()))
}
