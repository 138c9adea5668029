package stage

import "github.com/irc-lang/irc/ir/stage"

// A Prophecy tells the future: what the rest of the function will Require of it. At first it tells the zero value of T; when that
// was too little the function is run again.
type Prophecy[T comparable] struct {
	s *S
	p *stage.Prophecy
}

// NewProphecy makes a prophecy. It is the same one, and the same pointer, in all runs that come by here with the same statics.
// What it tells is ordered by join, the least that is above both, as a lattice: the zero value is below all others, a is below b
// where the join of both is b, and chains are finite. Either and Agree are joins, and so is the union of sets as bits. It is a
// misuse in a direct run, which does not know the future.
func NewProphecy[T comparable](s *S, name string, join func(a, b T) T) *Prophecy[T] {
	if s.run == nil {
		s.fail("NewProphecy", "stage the function", "a direct run does not know the future")
	}
	var bottom T
	below := func(a, b any) bool { return a == b || a == any(bottom) || join(a.(T), b.(T)) == b.(T) }
	p := s.run.Prophecy(name, bottom, func(a, b any) any { return join(a.(T), b.(T)) }, below, 0)
	out, ok := p.Front.(*Prophecy[T])
	if !ok {
		out = &Prophecy[T]{p: p}
		p.Front = out
	}
	out.s = s
	return out
}

// Get is what it tells.
func (p *Prophecy[T]) Get() T {
	p.s.under("a Prophecy")
	return p.p.Ask(p.s.run).(T)
}

// Require states that it should have told at least v.
func (p *Prophecy[T]) Require(v T) {
	p.s.under("a Prophecy")
	p.p.Require(p.s.run, v)
}

// Together has what f requires told at once, as one batch: the function is run again once, not once for each prophecy.
func Together(s *S, f func()) { s.run.Together(f) }

// Either is the join of a prophecy that tells false unless true is required.
func Either(a, b bool) bool { return a || b }

// Agreed is what all agree on, if they do: the zero value while nothing is required, then one value, and that there are several in
// the end. Agree is its join: it is the flat lattice of T, as of constant propagation.
type Agreed[T comparable] struct {
	Known   bool // there is one value
	Differs bool // there are several
	Value   T    // if it is Known
}

// Agree is the value if both agree, or if nothing is known of one.
func Agree[T comparable](a, b Agreed[T]) Agreed[T] {
	switch {
	case a == Agreed[T]{}:
		return b
	case b == Agreed[T]{} || a == b:
		return a
	}
	return Agreed[T]{Differs: true}
}
