package lanes

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
)

// Width is how many iterations are best done at once: those of some registers of the widest elements.
func (l *Loop) Width(t *target.Target) int {
	bytes, ops := 1, 0
	l.each(l.G.Regions(l.V)[0], func(v ir.Value) {
		x := v
		if isStore(l.G.Def(v)) {
			x = l.G.Args(v)[0]
		} else if !l.differs(v) {
			return
		} else if _, linear := l.stride(v); linear || l.G.Results(v) != 1 {
			return
		}
		ops++
		if w := 8; l.G.Type(x) != ir.Index {
			w = (l.G.Ctx.Info(l.G.Type(x)).Width + 7) / 8
			bytes = max(bytes, w)
		} else {
			bytes = max(bytes, w)
		}
	})
	lanes := max(2, t.Lanes(bytes))
	switch {
	case ops <= 8:
		return 4 * lanes
	case ops <= 16:
		return 2 * lanes
	}
	return lanes
}

// each calls f for the ops of a region and of those in it.
func (l *Loop) each(r ir.Region, f func(v ir.Value)) {
	for _, v := range l.S.Body(r) {
		if !l.G.Def(v).Has(ir.Terminator) {
			f(v)
		}
		for _, in := range l.G.Regions(v) {
			l.each(in, f)
		}
	}
}
