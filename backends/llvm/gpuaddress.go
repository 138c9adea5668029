package llvm

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// A step is a part of an address: what changes in loops of one depth.
type step struct {
	depth int // of the innermost region whose parameters it needs
	sum   value.Value
}

// constantDepth is behind all others, so that constants become the offsets of instructions.
const constantDepth = 1 << 30

// stepwise is the address of an element in a kernel, in steps: first what changes least. LLVM takes the first ones out of
// loops; what is left of them is a product and a sum, which a GPU has one instruction for. It does
// not take sums of indices apart itself, and where it knows that their bits are apart makes bits of them. The indices of
// are untranslated; nil if there is only one step.
func (f *fn) stepwise(m *view, of []ir.Value) value.Value {
	steps := []step{}
	put := func(depth int, x value.Value) {
		i := slices.IndexFunc(steps, func(s step) bool { return s.depth == depth })
		if i < 0 {
			steps = append(steps, step{depth, x})
			return
		}
		steps[i].sum = f.sum(steps[i].sum, x, nsw...)
	}
	put(0, m.off)
	for i, v := range of {
		for _, t := range f.terms(v, nil) {
			x := f.of(t).v
			depth := f.depthOf(t)
			if _, ok := number(x); ok {
				depth = constantDepth
			}
			put(depth, f.times(x, m.strides[i], nsw...))
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int { return a.depth - b.depth })
	if len(steps) == 1 {
		return nil
	}
	p := m.base
	for _, s := range steps {
		if n, ok := number(s.sum); ok && n == 0 {
			continue
		}
		p = add(f, &llir.InstGetElementPtr{ElemType: memType(f.c, m.elem), Src: p, Indices: []value.Value{s.sum}, Typ: ptr})
	}
	return p
}

// terms takes a sum apart.
func (f *fn) terms(v ir.Value, out []ir.Value) []ir.Value {
	if f.g.Def(v) == arith.Addi {
		for _, a := range f.g.Args(v) {
			out = f.terms(a, out)
		}
		return out
	}
	return append(out, v)
}

// depthOf is how many regions are around the one whose parameters a value needs.
func (f *fn) depthOf(v ir.Value) (n int) {
	for r := f.g.Home(v); r != ir.Root; r = f.g.Parent(r) {
		n++
	}
	return n
}
