// Package made tells what a value is made of. It is of this repository alone.
package made

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// Of tells of values whether they are made of some others, through operands alone. Each value is looked at once. What it returns is
// for one goroutine.
func Of(on []ir.Node) func(n ir.Node) bool {
	known := map[ir.Node]bool{}
	for _, n := range on {
		known[n] = true
	}
	var is func(n ir.Node) bool
	is = func(n ir.Node) bool {
		if yes, ok := known[n]; ok {
			return yes
		}
		known[n] = slices.ContainsFunc(n.Args(), is)
		return known[n]
	}
	return is
}
