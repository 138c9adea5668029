package passes

import (
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// cleanups is the level of the rewrites that canonicalize runs besides folds: a
// dialect puts rules there that need to see the users of an op.
const cleanups = "canonicalize"

// cleanupRules joins the dialects' rules for canonicalize with those that see
// what is used and read.
func cleanupRules(s *ir.Schedule) ir.Rules {
	g, out := s.Graph(), ir.DropVain(s)
	for def, rule := range scf.Prune(s) {
		out[def] = rule
	}
	for _, d := range g.Ctx.Dialects() {
		for def, rule := range ir.Table[ir.Lowerings](d)[cleanups] {
			out[def] = first(out[def], rule)
		}
	}
	return out
}

// first applies the first of two rules that applies.
func first(x, y func(*ir.Mirror, ir.Node) ir.Value) func(*ir.Mirror, ir.Node) ir.Value {
	if x == nil {
		return y
	}
	return func(m *ir.Mirror, n ir.Node) ir.Value {
		if v := x(m, n); v != 0 {
			return v
		}
		return y(m, n)
	}
}

// rebuild replays a graph and its children through a Builder.
func rebuild(g *ir.Graph, r ir.Rules) *ir.Graph {
	return ir.Rewrite(g.Ctx, ir.NewSchedule(g, ir.ScheduleOptions{}), r, nil)
}

// settle rebuilds until the fingerprint stays; rounds is how many it took to
// change no more, and ok is false if limit did not do.
func settle(ctx *pass.Context, g *ir.Graph, rules func(*ir.Schedule) ir.Rules, limit int) (n *ir.Graph, rounds int, ok bool) {
	s := ir.NewSchedule(g, ir.ScheduleOptions{})
	before := s.Fingerprint()
	for rounds < limit {
		if ctx.Err() != nil {
			return g, rounds, true // the manager sees it too
		}
		g = ir.Rewrite(g.Ctx, s, rules(s), nil)
		s = ir.NewSchedule(g, ir.ScheduleOptions{})
		after := s.Fingerprint()
		if after == before {
			return g, rounds, true
		}
		before = after
		rounds++
	}
	return g, rounds, false
}

// everyOp calls f for each scheduled op of a graph and of the graphs in it.
func everyOp(g *ir.Graph, f func(s *ir.Schedule, v ir.Value)) {
	s := ir.NewSchedule(g, ir.ScheduleOptions{})
	s.Walk(func(v ir.Value) {
		f(s, v)
		for _, c := range g.Children(v) {
			everyOp(c, f)
		}
	})
}
