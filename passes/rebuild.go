package passes

import (
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/passes/pass"
)

// cleanups is the level of the rewrites that canonicalize runs besides folds: a
// dialect puts rules there that need to see the users of an op.
const cleanups = "canonicalize"

// cleanupRules joins the dialects' rules for canonicalize with those that see
// what is used and read. The error is of two dialects whose rules have no order.
func cleanupRules(ctx *pass.Context, c *ir.Context) (func(*ir.Schedule) ir.Rules, error) {
	plan, err := lower.NewPlan(c, cleanups)
	if err != nil {
		return nil, err
	}
	dialects := plan.Rules(ctx.Target(), nil)
	return func(s *ir.Schedule) ir.Rules {
		out := ir.DropVain(s)
		for def, rule := range scf.Prune(s) {
			out[def] = rule
		}
		for def, rule := range dialects {
			out[def] = lower.First(out[def], rule)
		}
		return out
	}, nil
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
