package systems

import (
	"errors"
	"slices"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/pass"
)

// DependencesAttr is the attribute of a poly.system that lists its dependences.
const DependencesAttr = "poly.dependences"

// EveryGraph calls f for a graph and those of its functions.
func EveryGraph(g *ir.Graph, f func(g *ir.Graph) error) (err error) {
	defer unwind.To(&err)
	unwind.Check(f(g))
	return pass.Isolated(g, func(_ ir.Node, body *ir.Graph) error { return f(body) })
}

// Each calls f for the systems of a graph and of those of its functions, until it fails for one.
func Each(g *ir.Graph, f func(sys *poly.System) error) error {
	return EveryGraph(g, func(g *ir.Graph) error {
		for _, sys := range poly.Systems(g) {
			if err := f(sys); err != nil {
				return Failed(sys, err)
			}
		}
		return nil
	})
}

// Failed is the error of a system that cannot be analysed, which may have told already what is wrong.
func Failed(sys *poly.System, err error) error {
	var wrong *ir.OpError
	if errors.As(err, &wrong) {
		return err
	}
	if err := FailedBudget(sys, err); err != nil {
		return err
	}
	return sys.Node.Errorf("cannot be analysed: %v", err)
}

// FailedBudget is the error where it is one of too much work, or nil.
func FailedBudget(sys *poly.System, err error) error {
	if errors.Is(err, presburger.ErrBudget) {
		return sys.Node.Errorf("takes more work than is allowed to analyse: %v; the order that loops were written in takes less (without poly-equations, with poly-schedule{alg=sequential}), and so do fewer statements in one function", err)
	}
	return nil
}

// Faults has what goes wrong while the functions of a module are rebuilt at once. Each system has a place of its own,
// which only the rebuild of its function writes.
type Faults struct {
	order []*poly.System
	of    map[*poly.System]*fault
}

// A fault is shared by pointer: rebuilds write theirs at once, while the map no longer changes.
type fault struct{ err error }

// Expect gives a system its place. Systems come in the order of the module, before anything is rebuilt.
func (f *Faults) Expect(sys *poly.System) {
	if f.of == nil {
		f.of = map[*poly.System]*fault{}
	}
	if f.of[sys] == nil {
		f.of[sys] = &fault{}
		f.order = append(f.order, sys)
	}
}

// Add notes what is wrong with a system that was expected; its first error is kept.
func (f *Faults) Add(sys *poly.System, err error) {
	if x := f.of[sys]; x.err == nil {
		x.err = err
	}
}

// First is the error of the system that stands first in the module, whichever was rebuilt first.
func (f *Faults) First() error {
	for _, sys := range f.order {
		if err := f.of[sys].err; err != nil {
			return Failed(sys, err)
		}
	}
	return nil
}

// Cone is nodes and all that they are computed from.
// What their regions use is not in it, as it is no argument.
func Cone(list []ir.Node) map[ir.Node]bool {
	seen := map[ir.Node]bool{}
	list = slices.Clone(list)
	for len(list) > 0 {
		n := list[len(list)-1]
		list = list[:len(list)-1]
		if !seen[n] {
			seen[n] = true
			list = append(list, n.Args()...)
		}
	}
	return seen
}

// Along is the hull of the values that a dimension of a set has.
func Along(s presburger.Set, d int) (_ presburger.Set, err error) {
	defer unwind.To(&err)
	n := s.Tuple().Len()
	one := unwind.Must(s.ProjectOut(d+1, n-d-1))
	one = unwind.Must(one.ProjectOut(0, d))
	return unwind.Must(one.SimpleHull()), nil
}
