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
// not take sums of indices apart itself, and where it knows that their bits are apart makes bits of them. The indices are
// those of the access, untranslated; the result is nil if there is one step only. Parts of a sum may wrap around.
func (f *fn) stepwise(m *view, of []ir.Value) value.Value {
	var terms [][]ir.Value
	depths := map[int]bool{}
	for _, v := range of {
		list := f.terms(v, nil)
		terms = append(terms, list)
		for _, t := range list {
			depths[f.depthOf(t)] = true
		}
	}
	if delete(depths, constantDepth); len(depths) < 2 {
		return nil
	}
	steps := []step{{0, m.off}}
	for i, list := range terms {
		for _, t := range list {
			steps = f.step(steps, f.depthOf(t), f.times(f.of(t).v, m.strides[i]))
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int { return a.depth - b.depth })
	p := m.base
	for _, s := range steps {
		if n, ok := number(s.sum); ok && n == 0 {
			continue
		}
		p = add(f, &llir.InstGetElementPtr{ElemType: memType(f.c, m.elem), Src: p, Indices: []value.Value{s.sum}, Typ: ptr})
	}
	return p
}

// step adds to the step of a depth.
func (f *fn) step(steps []step, depth int, x value.Value) []step {
	if i := slices.IndexFunc(steps, func(s step) bool { return s.depth == depth }); i >= 0 {
		steps[i].sum = f.sum(steps[i].sum, x)
		return steps
	}
	return append(steps, step{depth, x})
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

// depthOf is how many regions are around the one whose parameters a value needs; that of a constant is constantDepth.
func (f *fn) depthOf(v ir.Value) (n int) {
	if _, ok := f.g.Const(v); ok {
		return constantDepth
	}
	for r := f.g.Home(v); r != ir.Root; r = f.g.Parent(r) {
		n++
	}
	return n
}
