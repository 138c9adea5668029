package builtin

import "github.com/irc-lang/irc/ir"

// Functions is the graph that holds the functions: the body of the only module of a file, or
// the graph itself.
func Functions(g *ir.Graph) *ir.Graph {
	var mod *ir.Graph
	n := 0
	for v := range ir.ScheduleOf(g).All() {
		n++
		if g.Def(v) == Module {
			mod = g.Children(v)[0]
		}
	}
	if n == 1 && mod != nil {
		return mod
	}
	return g
}
