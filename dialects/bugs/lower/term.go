package lower

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/ir"
)

// addTo adds a term to a sum. The pass split-sums finds what of it leaves which loop, and
// what data alone decides: its additions may be done in any order.
func (l *lowering) addTo(s slot, term ir.Value) {
	g := l.b.Graph()
	x := (&family.Terms{K: l.kit(), IsData: l.isData, Logs: true}).Of(term)
	if c, ok := g.Const(x); ok && c.F64() == 0 {
		return
	}
	if c, ok := g.Const(l.sums[s]); ok && c.F64() == 0 {
		l.sums[s] = x
		return
	}
	l.sums[s] = arith.Float(l.b, arith.Addf, family.Loose, l.sums[s], x)
}
