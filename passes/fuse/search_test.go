package fuse

import (
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
)

// exhaustive is what the best of all plans saves.
func exhaustive(m *model, p *plan, l int) float64 {
	if l == len(m.loops) {
		return 0
	}
	p.open(l)
	best := exhaustive(m, p, l+1)
	p.leave(l)
	for k := range p.clusters {
		if in, no := p.legal(l, k); no.why == fits {
			gain := m.gain(p, l, k)
			p.join(l, k, in)
			best = max(best, gain+exhaustive(m, p, l+1))
			p.leave(l)
		}
	}
	return best
}

// The search finds the plan that saves most, as trying all does; in turn each loop where it
// saves most is never better, and mostly as good.
func TestOptimal(t *testing.T) {
	ctx := ir.NewContext(dialects.All...)
	interpreter := target.Interp()
	regions, better := 0, 0
	for seed := range uint64(300) {
		src := tangle(seed, 3+int(seed%5))
		file, list := text.Parse(ctx, diag.NewSource("t.mlir", src), text.Options{})
		if err := list.Err(); err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		file = ir.Settle(file)
		var visit func(g *ir.Graph)
		visit = func(g *ir.Graph) {
			s := ir.ScheduleOf(g)
			for v := range s.All() {
				for _, c := range g.Children(v) {
					visit(c)
				}
			}
			x := scan(s, ir.Root)
			if x == nil || len(x.loops) > 8 {
				return
			}
			m := newModel(x, interpreter)
			in, found := greedy(m, 200), optimal(m, 200)
			want := exhaustive(m, newPlan(x, 200), 0)
			regions++
			if found.saved > in.saved {
				better++
			}
			if d := found.saved - want; d > 1e-6 || d < -1e-6 {
				t.Errorf("seed %d: the search saves %v, the best plan %v\n%s", seed, found.saved, want, src)
			}
			if found.saved < in.saved || in.saved < 0 {
				t.Errorf("seed %d: in turn %v, by search %v", seed, in.saved, found.saved)
			}
		}
		visit(file)
	}
	t.Logf("%d regions; the search saves more in %d", regions, better)
	if regions < 200 || better == 0 {
		t.Errorf("%d regions, of which the search saves more in %d", regions, better)
	}
}
