package lowering

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass/fixpoint"
)

// withTypes runs a level at which types of dialects become their parts: these take the
// place of values where they are handed on, then rules lower what knows the type, and
// again for what rules have brought. An op that is left with such a value is an error.
func withTypes(g *ir.Graph, level string, rules func(*ir.Graph) (*ir.Graph, error)) (*ir.Graph, error) {
	if !g.Ctx.LowersTypes(level) {
		return rules(g)
	}
	seen := map[uint64]bool{}
	for {
		var err error
		if ir.Unlowered(g, level) != nil {
			if g, err = ir.Retype(g, level); err != nil {
				return nil, err
			}
		}
		if g, err = rules(g); err != nil {
			return nil, err
		}
		left, f := ir.Unlowered(g, level), fixpoint.Fingerprint(g)
		if left == nil || seen[f] {
			return g, left
		}
		seen[f] = true
	}
}
