// Package iteration runs the iterations of loops in the interpreter: one after the other, or as parallel loops whose values are
// combined in the order that holds on any number of cores. Dialects with loops of their own run theirs with it.
package iteration

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// Trips returns how often a loop with constant bounds and step runs. A step that
// is not positive has no trip count: it is undefined.
func Trips(lower, upper, step int64) (uint64, bool) {
	if step <= 0 {
		return 0, false
	}
	if lower >= upper {
		return 0, true
	}
	span, s := uint64(upper)-uint64(lower), uint64(step) // exact: lower < upper
	return (span-1)/s + 1, true
}

// Run runs the body of a loop for some rounds: its first parameter begins at a number of
// a width and goes on by a step, the others are carried in the rest of in. Stack memory of
// a round ends with it.
func Run(m *interp.Machine, body *interp.Code, trips uint64, first, step int64, width int, in []ir.Val) error {
	endScope := m.Scope()
	for k := range trips {
		in[0] = ir.IntVal(first+int64(k)*step, width)
		ys, err := m.Run(body, in)
		if err != nil {
			return err
		}
		copy(in[1:], ys)
		endScope()
	}
	return nil
}

// Watched tells the watcher of a machine, if there is one, that a parallel loop begins: begin is to be called before
// each iteration, and end after the last.
func Watched(m *interp.Machine, o *interp.Op) (begin func(at []ir.Val), end func()) {
	w := m.Watcher()
	if w == nil {
		return func([]ir.Val) {}, func() {}
	}
	w.Begin(o)
	return w.Iteration, w.End
}
