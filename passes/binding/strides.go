package binding

import (
	"slices"

	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/target"
)

// Vectors of a loop's rounds read a column of a matrix, or each third element, one by one
// (gathers); what a setup has packed, in the order of the rounds, they read at once. That pays
// while the data stay in a cache: from memory whole lines come in any order, and a second copy
// of large data is not to be had for nothing.

// findStrided finds the static loads that innermost loops do with steps of more than an element, and which
// are worth packing on the target. Not those along which a loop around goes step by step: the vectors may be
// of its rounds.
func (t *Times) findStrided(on *target.Target) {
	if on.Lanes(8) < 2 || len(on.Caches) == 0 {
		return
	}
	most := on.Caches[min(1, len(on.Caches)-1)] / 8
	known := affine.Of(t.g)
	asked := map[ir.Region]bool{} // bodies of innermost loops with enough rounds for vectors
	for v := range t.s.All() {
		r := t.s.Place(v)
		if !t.reads[v] || t.dynamic[v] || t.isOwn(t.root(t.g.Args(v)[0])) || r == ir.Root {
			continue
		}
		yes, ok := asked[r]
		if !ok {
			yes = t.isInnermost(r) && t.trips(known, r) >= uint64(on.Costs.MinRounds)
			asked[r] = yes
		}
		if yes && t.isStrided(known, v, t.g.Params(r)[0], most) {
			t.strided[v] = true
		}
	}
}

// trips is how many rounds a loop has; 0 if that is not known.
func (t *Times) trips(known affine.Analysis, body ir.Region) uint64 {
	l, _ := ir.As[ir.LoopLike](t.g.NodeOf(t.g.Owner(body)))
	n, ok := known.Trips(l, 0)
	if !ok {
		return 0
	}
	return n
}

// isStrided reports a load that goes on by more than an element with each round of its loop, and by an
// element with no loop around.
func (t *Times) isStrided(known affine.Analysis, load, iv ir.Value, most int64) bool {
	steps, ok := t.steps(known, load, most)
	if !ok || steps[iv] == 0 || isElement(steps[iv]) {
		return false
	}
	for x, step := range steps {
		if r, i, isParam := t.g.Param(x); isParam && i == 0 && r != ir.Root && isElement(step) {
			return false
		}
	}
	return true
}

// isElement reports a step from an element to the next or the last.
func isElement(step uint64) bool { return step == 1 || step == ^uint64(0) }

// isInnermost reports the body of a loop that has no other in it.
func (t *Times) isInnermost(r ir.Region) bool {
	return t.g.Def(t.g.Owner(r)) == scf.For && !slices.ContainsFunc(t.s.Body(r), func(v ir.Value) bool {
		return len(t.g.Regions(v)) > 0 && t.g.Def(v) != scf.If
	})
}

// steps says by how many elements a load goes on as a value grows by one; false if its memory
// has not extents that are known, or more elements than that.
func (t *Times) steps(known affine.Analysis, load ir.Value, most int64) (map[ir.Value]uint64, bool) {
	m := t.g.Ctx.Info(t.g.Type(t.g.Args(load)[0]))
	if m.Kind != ir.KindMemRef || m.Layout != 0 {
		return nil, false
	}
	out, size := map[ir.Value]uint64{}, int64(1)
	for i, d := range slices.Backward(m.Shape) {
		if d <= 0 || d > most/size {
			return nil, false
		}
		for _, x := range known.Linear(t.g.Args(load)[1+i]).Terms {
			out[x.Value] += x.Coef * uint64(size)
		}
		size = ir.Times(size, d)
	}
	return out, true
}
