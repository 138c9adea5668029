package tensor

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// Fresh is what an op of another dialect is (ir.Interface) whose results are memory of their own once they are memory: none of its operands',
// unless it writes into that of one that is.
type Fresh struct{}

// BuildEinsum makes an einsum by a spec, with elements of the given type. The names of the indices do not matter.
func BuildEinsum(b *ir.Builder, s *Spec, elem ir.Type, args ...ir.Value) ir.Value {
	return BuildEinsumOf(b, s, b.Ctx().Tensor(s.Kept(), elem), args...)
}

// BuildEinsumOf is BuildEinsum of a result of the given type.
func BuildEinsumOf(b *ir.Builder, s *Spec, t ir.Type, args ...ir.Value) ir.Value {
	c := b.Ctx()
	return b.Must(ir.Call{Def: Einsum, Args: args, Attr: c.With(0, "spec", c.StringAttr(s.Compact().String())), Type: t, Loc: b.Loc})
}

// BuildTranspose makes a transpose.
func BuildTranspose(b *ir.Builder, x ir.Value, perm ...int64) ir.Value {
	return b.OpAttr(Transpose, b.Ctx().With(0, "perm", Ints(b.Ctx(), perm...)), x)
}

// Compact is the spec without indices that it does not have.
func (s *Spec) Compact() *Spec {
	out := &Spec{}
	place := map[int]int{Stretched: Stretched}
	renamed := func(in []int) []int {
		list := make([]int, len(in))
		for i, x := range in {
			if _, ok := place[x]; !ok {
				place[x] = len(out.Names)
				out.Names, out.Extents = append(out.Names, s.Names[x]), append(out.Extents, s.Extents[x])
			}
			list[i] = place[x]
		}
		return list
	}
	for _, in := range s.In {
		out.In = append(out.In, renamed(in))
	}
	out.Out = renamed(s.Out)
	return out
}

// With is the spec with the operands of an einsum in the place of operand i, which is its result.
func (s *Spec) With(i int, inner *Spec) *Spec {
	out := &Spec{Out: s.Out, Names: slices.Clone(s.Names), Extents: slices.Clone(s.Extents)}
	place := make([]int, len(inner.Names))
	for x := range place {
		at := slices.Index(inner.Out, x)
		if at >= 0 && s.In[i][at] != Stretched {
			place[x] = s.In[i][at]
			continue
		}
		place[x] = len(out.Names)
		out.Names, out.Extents = append(out.Names, inner.Names[x]), append(out.Extents, inner.Extents[x])
	}
	var terms [][]int
	for _, in := range inner.In {
		term := make([]int, len(in))
		for d, x := range in {
			term[d] = Stretched
			if x != Stretched {
				term[d] = place[x]
			}
		}
		terms = append(terms, term)
	}
	out.In = slices.Concat(s.In[:i], terms, s.In[i+1:])
	return out
}

// Ordered lists a set of indices in the order in which terms have them.
func (s *Spec) Ordered(set uint64, terms ...[]int) []int {
	out := []int{}
	for _, in := range terms {
		for _, x := range in {
			if x != Stretched && set&(1<<x) != 0 && !slices.Contains(out, x) {
				out = append(out, x)
			}
		}
	}
	return out
}
