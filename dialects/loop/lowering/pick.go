package lowering

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// picks reports a region that picks one of two tuples, by a condition of the old graph: the
// first largest with its place, and the like. takesNew says that it takes the new one where
// the condition holds.
func (r *reducer) picks(d down) (cond ir.Node, takesNew, ok bool) {
	params, ys := r.combine.Params(), r.combine.Yields()
	n := len(ys)
	for i, y := range ys {
		if y.Def() != arith.Select || y.Arg(0).Type() != ir.I1 || i > 0 && y.Arg(0) != cond {
			return cond, false, false
		}
		cond = y.Arg(0)
		newFirst := y.Arg(1) == params[n+i] && y.Arg(2) == params[i]
		oldFirst := y.Arg(1) == params[i] && y.Arg(2) == params[n+i]
		if !newFirst && !oldFirst || i > 0 && newFirst != takesNew {
			return cond, false, false
		}
		takesNew = newFirst
	}
	return cond, takesNew, true
}

// picked is the old or the new tuple. The more there have been, the less often it is the new
// one, so that what is picked is no chain that each round waits for.
func (r *reducer) picked(d down, cond ir.Node, takesNew bool, acc, tuple []ir.Value) []ir.Value {
	c, given := r.takes(d, cond, takesNew, acc, tuple), d.arrays.allParts(tuple)
	return d.B.Results(scf.BuildRareIf(d.B, c, func() []ir.Value { return given }, func() []ir.Value { return acc }))
}

// takes says whether a tuple is picked.
func (r *reducer) takes(d down, cond ir.Node, takesNew bool, acc, tuple []ir.Value) ir.Value {
	d.Body(r.combine, append(d.arrays.wholes(r.g.Types, acc), tuple...)...)
	if c := d.Of(cond); takesNew {
		return c
	}
	return d.kit().Not(d.Of(cond))
}

// pickRounds is how many rounds of a loop that only picks tuples are looked at together: where
// none of them would be picked by what there was before, none is, and LLVM makes vectors of
// that question. It is not asked of the first, among which there are most that are picked.
const pickRounds = 1024

// onlyPicks reports a loop whose generators all pick one of the tuples that each round gives, and
// whose body may run twice.
func (d down) onlyPicks(n ir.Node, items []item) bool {
	for _, it := range items {
		r, ok := it.s.(*reducer)
		if !ok || !r.g.IsRegional() || tupleOf(n.Graph(), it.given) == nil {
			return false
		}
		if _, _, ok := r.picks(d); !ok || !d.source.cheap(r.combine.Old()) {
			return false
		}
	}
	return len(items) > 0 && d.source.cheap(n.Region(0).Old())
}

// pick makes the loop: round is one, as it is made in any loop.
func (d down) pick(n ir.Node, size ir.Value, items []item, round func(i ir.Value, carried []ir.Value) []ir.Value) {
	k := d.kit()
	step := k.Index(pickRounds)
	first := k.Min(step, size)
	states := k.For(k.Index(0), first, statesOf(items), round)
	setStates(items, k.ForStep(first, size, step, states, func(from ir.Value, before []ir.Value) []ir.Value {
		to := k.Min(k.Add(from, step), size)
		some := k.For(from, to, []ir.Value{k.Int(ir.I64, 0)}, func(i ir.Value, some []ir.Value) []ir.Value {
			setStates(items, before)
			d.Body(n.Region(0), i)
			return []ir.Value{k.Choose(d.picksAny(items), k.Int(ir.I64, 1), some[0])}
		})[0]
		return d.B.Results(scf.BuildRareIf(d.B, k.Not(k.IsZero(some)), func() []ir.Value { return k.For(from, to, before, round) },
			func() []ir.Value { return before }))
	}))
}

// picksAny says that one of the generators picks what its round gives.
func (d down) picksAny(items []item) ir.Value {
	out := arith.ConstBool(d.B, false)
	for _, it := range items {
		r := it.s.(*reducer)
		cond, takesNew, _ := r.picks(d)
		out = d.kit().Or(out, r.takes(d, cond, takesNew, r.acc, d.news(tupleOf(d.Schedule().Graph(), it.given))))
	}
	return out
}

// tupleOf is the one tuple that each round gives; nil if there are others, or none.
func tupleOf(g *ir.Graph, given []ir.Value) []ir.Value {
	if !loop.EmitsIn(g, given) {
		return given
	}
	if v, _, _ := g.Projection(given[0]); g.Def(v) == loop.Emit {
		return g.Args(v)
	}
	return nil
}
