package passes

import (
	"slices"

	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/basic"
	"github.com/irc-lang/irc/passes/pass"
)

// unrollSome unrolls the loops that a function says.
func (p *Unroll) unrollSome(ctx *pass.Context, g *ir.Graph, which func(s *ir.Schedule, v ir.Value, costs target.Costs) bool) *ir.Graph {
	found := map[ir.Node]bool{}
	for n := range g.All() {
		if which(ir.ScheduleOf(n.Graph()), n.Old(), ctx.Target().Costs) {
			found[n] = true
			ctx.Count("fully", 1)
		}
	}
	if len(found) == 0 {
		return g
	}
	return basic.Rebuild(g, ir.Rules{scf.For: func(m *ir.Mirror, n ir.Node) ir.Value {
		if !found[n] || m.B.Graph().Len() > max(maxCopied, 4*n.Graph().Len()) {
			return 0
		}
		return straightLine(m, n, boundsOf(n))
	}})
}

// isShortInLong reports a loop of few iterations that carries values through straight-line
// code and stands directly in a loop of many iterations.
func isShortInLong(s *ir.Schedule, v ir.Value, costs target.Costs) bool {
	g := s.Graph()
	if g.Def(v) != scf.For || len(g.Args(v)) == 3 || s.Place(v) == ir.Root {
		return false
	}
	around := g.Owner(s.Place(v))
	if g.Def(around) != scf.For || hasRegions(s, g.Regions(v)[0]) {
		return false
	}
	short, long := boundsOf(g.NodeOf(v)), boundsOf(g.NodeOf(around))
	return short.constant && short.trips <= uint64(costs.MaxInner) && long.constant && long.trips >= uint64(costs.MinOuter)
}

// Bounds on loops that are short by themselves.
const (
	shortRounds = 4
	shortOps    = 128 // in all rounds
)

// isShort reports a loop of very few rounds, with nothing but straight-line code in it, that
// stands in no other loop.
func isShort(s *ir.Schedule, v ir.Value, _ target.Costs) bool {
	g := s.Graph()
	if g.Def(v) != scf.For || hasRegions(s, g.Regions(v)[0]) {
		return false
	}
	for r := s.Place(v); r != ir.Root; r = s.Place(g.Owner(r)) {
		if g.Def(g.Owner(r)) != scf.If {
			return false
		}
	}
	l := boundsOf(g.NodeOf(v))
	return l.constant && l.trips <= shortRounds && int(l.trips)*len(s.Body(g.Regions(v)[0])) <= shortOps
}

// hasRegions reports an op in a region that has regions of its own.
func hasRegions(s *ir.Schedule, r ir.Region) bool {
	return slices.ContainsFunc(s.Body(r), func(v ir.Value) bool { return len(s.Graph().Regions(v)) > 0 })
}
