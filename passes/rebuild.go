package passes

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/passes/pass"
)

// cleanupRules joins the rules of the dialects that see the users of an op with those for
// writes that nobody reads.
func cleanupRules(c *ir.Context) ir.Rules {
	out := ir.DropVain(c)
	for def, rule := range c.Cleanups() {
		out[def] = lower.First(out[def], rule)
	}
	return out
}

// rebuild replays a graph and its children through a Builder.
func rebuild(g *ir.Graph, r ir.Rules) *ir.Graph {
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), r, nil)
}

// settle rebuilds until the fingerprint stays; rounds is how many it took to
// change no more, and ok is false if limit did not do.
func settle(ctx *pass.Context, g *ir.Graph, rules ir.Rules, limit int) (n *ir.Graph, rounds int, ok bool) {
	before := pass.Fingerprint(g)
	for rounds < limit {
		if ctx.Err() != nil {
			return g, rounds, true // the manager sees it too
		}
		g = rebuild(g, rules)
		after := pass.Fingerprint(g)
		if after == before {
			return g, rounds, true
		}
		before = after
		rounds++
	}
	return g, rounds, false
}
