package lower

import (
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
)

// entries makes @logdensity_setup and the density itself. Both decide for each part of
// a factor whether it follows from the data alone, and must decide alike: what the
// density leaves to the setup, the setup must make. The density may know more, for it
// has values of logical nodes, and one of them may fold to a constant; then none of the
// op is left to the setup, and both are made again.
func entries(t *target.Target, g *ir.Graph, wanted map[string]bool, name string) (l *lowering, first, main ir.Call) {
	for apart := map[ir.Value]bool{}; ; {
		setup := newLowering(t, g, wanted)
		setup.setup, setup.hasStaged, setup.apart = true, true, apart
		first = setup.entry(name + ops.SetupSuffix)
		l = newLowering(t, g, wanted)
		l.hasStaged, l.apart, l.carefulName = len(setup.staged) > 0, apart, name+ops.CarefulSuffix
		main = l.entry(name)
		if !l.disagrees(setup) {
			return l, first, main
		}
	}
}

// disagrees marks the ops of which the two functions leave different parts to the
// setup, and reports whether there are new ones.
func (l *lowering) disagrees(setup *lowering) bool {
	before := len(l.apart)
	for _, parts := range []map[ir.Value]int{l.parts, setup.parts} {
		for v := range parts {
			if l.parts[v] != setup.parts[v] {
				l.apart[v] = true
			}
		}
	}
	return len(l.apart) > before
}
