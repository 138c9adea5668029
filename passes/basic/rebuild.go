package basic

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower/plan"
)

// CleanupRules joins the rules of the dialects that see the users of an op with those for
// writes that nobody reads.
func CleanupRules(c *ir.Context) ir.Rules {
	out := ir.DropDeadStores(c)
	for def, rule := range c.Cleanups() {
		out[def] = plan.First(out[def], rule)
	}
	return out
}

// Rebuild replays a graph and its children through a Builder.
func Rebuild(g *ir.Graph, r ir.Rules) *ir.Graph {
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), r, nil)
}
