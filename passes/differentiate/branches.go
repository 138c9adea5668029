package differentiate

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// The way back through a branch goes through the region that ran. Which one it was is asked again of the same condition, or, where that
// is a float's and records are on a stack, of a record: rounded otherwise it would be another region.

// branch goes back through the region that ran.
func (f *frame) branch(n ir.Node, l ir.BranchLike) {
	v, outside := n.Old(), f.captured[n.Old()]
	zs := make([]ir.Value, f.g.Results(v))
	for k := range zs {
		zs[k] = f.take(ref{v, k})
	}
	before := make([]ir.Value, len(outside))
	for i, c := range outside {
		before[i] = f.orZero(c)
	}
	region := func(r ir.Region) func() []ir.Value {
		return func() []ir.Value {
			if !f.g.HasBlock(r) {
				return before
			}
			in := f.inner(r, outside, before)
			in.have()
			in.start(r)
			for k, y := range f.g.Yields(r) {
				in.give(y, zs[k], f.arms.clean(ref{v, k}))
			}
			in.sweep()
			return in.adjoints(outside)
		}
	}
	regions := f.g.Regions(v)
	after := f.cases(n, l, regions, region)
	for i, c := range outside {
		f.adj[c] = after[i]
	}
}

// cases are conditionals that go where the branch went.
func (f *frame) cases(n ir.Node, l ir.BranchLike, regions []ir.Region, of func(ir.Region) func() []ir.Value) []ir.Value {
	on := f.value(l.On)
	if len(regions) == 2 && l.Default == 1 && l.Values[0] == 1 {
		return f.b.Results(scf.BuildIf(f.b, on, of(regions[0]), of(regions[1])))
	}
	var chain func(i int) []ir.Value
	chain = func(i int) []ir.Value {
		if i == l.Default {
			i++
		}
		if i >= len(regions) {
			return of(regions[l.Default])()
		}
		is := f.b.OpAttr(arith.Cmpi, arith.PredicateI(f.b.Ctx(), arith.EQ), on, f.b.Const(f.b.Graph().Type(on), ir.Val{Bits: uint64(l.Values[i])}))
		return f.b.Results(scf.BuildIf(f.b, is, of(regions[i]), func() []ir.Value { return chain(i + 1) }))
	}
	return chain(0)
}
