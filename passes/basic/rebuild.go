package basic

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/passes/pass"
)

// CleanupRules joins the rules of the dialects that see the users of an op with those for
// writes that nobody reads.
func CleanupRules(c *ir.Context) ir.Rules {
	out := ir.DropVain(c)
	for def, rule := range c.Cleanups() {
		out[def] = lower.First(out[def], rule)
	}
	return out
}

// Rebuild replays a graph and its children through a Builder.
func Rebuild(g *ir.Graph, r ir.Rules) *ir.Graph {
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), r, nil)
}

// Settle rebuilds until the fingerprint stays; rounds is how many it took to
// change no more, and ok is false if limit did not do.
func Settle(ctx *pass.Context, g *ir.Graph, rules ir.Rules, limit int) (n *ir.Graph, rounds int, ok bool) {
	before := pass.Fingerprint(g)
	for rounds < limit {
		if ctx.Err() != nil {
			return g, rounds, true // the manager sees it too
		}
		g = Rebuild(g, rules)
		after := pass.Fingerprint(g)
		if after == before {
			return g, rounds, true
		}
		before = after
		rounds++
	}
	return g, rounds, false
}
