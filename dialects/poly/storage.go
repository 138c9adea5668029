package poly

import (
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/storage"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
)

// Times are when the instances of a system are executed by its schedule.
func (s *System) Times() (_ *storage.Times, err error) {
	defer unwind.To(&err)
	order := unwind.Must(s.Schedule.Map())
	return storage.NewTimes(order)
}

// Conflicts relates each element of an array to those that are alive at some time at which it is,
// between their first access and their last. budget bounds the work, in steps.
func (s *System) Conflicts(times *storage.Times, a *ArrayDecl, budget int64) (_ presburger.Map, err error) {
	defer unwind.To(&err)
	sets, updates, reads := s.accesses(a)
	extent := unwind.Must(a.Extent.IntersectParams(s.Context))
	return times.Conflicts([]storage.Access{{Map: sets, Writes: true}, {Map: updates, Writes: true}, {Map: reads}}, extent, budget)
}

// CheckStorage says what is wrong with where an array keeps its elements: one that has no place
// or several, or two that are alive at one time and have the same.
func (s *System) CheckStorage(a *ArrayDecl, conflicts presburger.Map) (err error) {
	defer unwind.To(&err)
	unwind.Check(a.CheckPlaces())
	clash := unwind.Must(storage.Check(conflicts, a.Storage))
	if clash != nil {
		return a.Node.Errorf("keeps elements in one place that are needed at the same time: %s", clash)
	}
	return nil
}

// CheckPlaces says which element has no place or several, where an array has a storage.
func (a *ArrayDecl) CheckPlaces() (err error) {
	defer unwind.To(&err)
	if !a.IsStored {
		return nil
	}
	rest := unwind.Must(a.Extent.Subtract(a.Storage.Domain()))
	p, ok := unwind.Must2(rest.Sample())
	if ok {
		return a.Node.Errorf("has no place for the element %s", p)
	}
	if !unwind.Must(a.Storage.IsSingleValued()) {
		return a.Node.Errorf("has more than one place for an element")
	}
	return nil
}

// owners are the elements that the places of an array hold, to find out that one is gone: a
// mapping that is wrong ends with an error, not with another value.
type owners struct {
	rank int
	held []int64 // of each place, 1 and an element
}

func newOwners(rank, places int) *owners {
	return &owners{rank, make([]int64, places*(rank+1))}
}

func (o *owners) at(place int) []int64 { return o.held[place*(o.rank+1) : (place+1)*(o.rank+1)] }

// take notes what a place holds from now on.
func (o *owners) take(place int, e []int64) {
	x := o.at(place)
	x[0] = 1
	copy(x[1:], e)
}

// check traps where a place holds another element.
func (o *owners) check(name string, place int, e []int64) error {
	x := o.at(place)
	if x[0] == 0 {
		return nil
	}
	for d, v := range e {
		if x[1+d] != v {
			return ir.Trapf("the place of %s has been given to %s", element(name, e), element(name, x[1:]))
		}
	}
	return nil
}
