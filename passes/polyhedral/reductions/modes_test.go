package reductions_test

import (
	"runtime/debug"
	"slices"
	"testing"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/tests/built"
)

// The heuristic loses nothing where every operator has an inverse and only reuse is asked for (Yang,
// Atkinson and Carbin, section 6.3). Where reductions without inverse depend on each other and all is asked for, it seldom does: an
// answer takes what another has only if it adds up all that the other does, so that it waits for what the other waits for
// anyway. Of two into one array from both sides, parts can exclude each other, and the exact mode finds what the heuristic does not.
func TestModesAgree(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(800))
	inverses, others, worse := tally{}, tally{}, 0
	for seed := *programSeed; inverses[""].programs < *modes; seed++ {
		p := newRandom(t, seed)
		all, options := inverses, "reuse "
		if slices.ContainsFunc(p.sys.Statements, func(st *poly.Stmt) bool { return st.Operator != poly.Set && !st.Operator.HasInverse() }) {
			all, options = others, ""
			if !slices.Contains(p.kinds(), "dependent without inverse") {
				continue
			}
		}
		var err error
		if p.before, err = p.sys.Costs(); err != nil {
			p.fails(t, "%v", err)
		}
		var got []poly.Costs
		for _, mode := range []string{"heuristic", "exact"} {
			g := built.Through(t, p.g, "simplify-reductions{"+options+"mode="+mode+"}")
			if p.after, err = systemOf(t, g).Costs(); err != nil {
				p.fails(t, "%v", err)
			}
			got = append(got, p.after)
		}
		if h, x := got[0].Total, got[1].Total; h.String() != x.String() {
			if worse++; options != "" || larger(x, h) {
				p.fails(t, "%sheuristic %s, exact %s", options, h, x)
			}
		}
		all.count(p)
	}
	t.Logf("with inverse, by reuse: %d programs, %d simplified; %s", inverses[""].programs, inverses[""].simplified, inverses)
	if worse > 1+others[""].programs/200 {
		t.Errorf("the heuristic loses in %d of %d programs", worse, others[""].programs)
	}
	t.Logf("others, by all: %d programs, %d simplified; %s", others[""].programs, others[""].simplified, others)
}
