package lower

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/terms"
	"github.com/irc-lang/irc/ir"
)

// slot is one of the sums that the function computes.
type slot struct {
	name     string
	observed bool
}

// sums are what the function has added up so far, and what becomes of it: each has its terms and the terms of the loops
// that are closed. They say where the point is no density, or one for the function for large counts.
type sums struct {
	k       kit.Ops
	model   *model
	origins *origins

	of           map[slot]ir.Value
	asked        map[guarded]bool // indices that guardIndex asked for
	carefulName  string           // of the function for large counts
	callsCareful bool
}

// addTo adds a term to a sum. The pass split-sums finds what of it leaves which loop, and
// what data alone decides: its additions may be done in any order.
func (t *sums) addTo(s slot, term ir.Value) {
	g := t.k.B.Graph()
	x := (&terms.Terms{K: t.k, IsData: t.origins.isData, Logs: true}).Of(term)
	if c, ok := g.Const(x); ok && c.F64() == 0 {
		return
	}
	if c, ok := g.Const(t.of[s]); ok && c.F64() == 0 {
		t.of[s] = x
		return
	}
	t.of[s] = arith.Float(t.k.B, arith.Addf, terms.Loose, t.of[s], x)
}
