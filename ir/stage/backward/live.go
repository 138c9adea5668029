package backward

import (
	"slices"
)

// Live predicts which variables are live at each point of a program: which may be read before they are written (Figure 5 of
// the paper).
type Live[P, V comparable] struct{ *Facts[P, Set[V]] }

// NewLive makes predictions that nothing is live.
func NewLive[P, V comparable]() Live[P, V] { return Live[P, V]{New[P](Some[V]{})} }

// Read states that variables are read at a point.
func (l Live[P, V]) Read(at P, vs ...V) { l.Require(at, SetOf(vs...)) }

// Step states that the program goes from a point to another and writes variables on the way.
func (l Live[P, V]) Step(from, to P, writes ...V) {
	l.Flow(from, to, nil, func(after Set[V]) Set[V] {
		return after.Minus(func(v V) bool {
			return slices.ContainsFunc(writes, func(w V) bool { return v == w })
		})
	})
}

// Busy predicts which expressions are very busy at each point of a program: which are computed on every path from there, before
// a variable in them is written.
type Busy[P, E comparable] struct{ *Facts[P, Set[E]] }

// NewBusy makes predictions that all expressions are very busy, of all that the program has.
func NewBusy[P, E comparable](all Set[E]) Busy[P, E] { return Busy[P, E]{New[P](Every[E]{all})} }

// Step states that the program goes from a point to another, computes expressions on the way, and then writes a variable on
// which some depend.
func (b Busy[P, E]) Step(from, to P, computed Set[E], depends func(E) bool) {
	b.Flow(from, to, nil, func(after Set[E]) Set[E] { return after.Minus(depends).Plus(computed) })
}

// End states that the program ends at a point.
func (b Busy[P, E]) End(at P) { b.Require(at, nil) }
