// Package fixpoint rebuilds graphs until nothing changes. It is of this repository alone.
package fixpoint

import (
	"context"

	"github.com/irc-lang/irc/ir"
)

// MostRebuilds bounds the rebuilds of passes that clean up: each takes something into something else, of which few are nested.
const MostRebuilds = 100

// Settle rebuilds until the fingerprint stays; rounds is how many it took to
// change no more, and ok is false if limit did not do.
func Settle(ctx context.Context, g *ir.Graph, rules ir.Rules, limit int) (n *ir.Graph, rounds int, ok bool) {
	before := Fingerprint(g)
	for rounds < limit {
		if ctx.Err() != nil {
			return g, rounds, true // the manager sees it too
		}
		g = ir.Rewrite(g.Ctx, ir.ScheduleOf(g), rules, nil)
		after := Fingerprint(g)
		if after == before {
			return g, rounds, true
		}
		before = after
		rounds++
	}
	return g, rounds, false
}

// Fingerprint hashes what a graph prints: a pipeline has settled when it stays.
func Fingerprint(g *ir.Graph) uint64 {
	return ir.ScheduleOf(g).Fingerprint()
}
