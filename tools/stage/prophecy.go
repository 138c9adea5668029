package stage

import "github.com/irc-lang/irc/ir/stage"

// A Lattice orders what may be told of the future. Its chains are finite.
type Lattice[T any] interface {
	// Bottom is below all others: what is told at first.
	Bottom() T
	// Join is the least above both.
	Join(a, b T) T
	// Below reports that a is b or below it.
	Below(a, b T) bool
}

// A Prophecy tells the future: what the rest of the function will Require of it. At first it tells the least; when that was too
// little the function is run again.
type Prophecy[T any] struct {
	s *S
	p *stage.Prophecy
}

// NewProphecy makes a prophecy. It is the same one, and the same pointer, in all runs that come by here with the same statics.
func NewProphecy[T any](s *S, name string, l Lattice[T]) *Prophecy[T] {
	join := func(a, b any) any { return l.Join(a.(T), b.(T)) }
	below := func(a, b any) bool { return l.Below(a.(T), b.(T)) }
	if s.run == nil {
		s.fail("NewProphecy", "stage the function", "a direct run does not know the future")
	}
	p := s.run.Prophecy(name, l.Bottom(), join, below, 0)
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

// TrueTop tells false unless true is required.
type TrueTop struct{}

// Bottom is false.
func (TrueTop) Bottom() bool { return false }

// Join is or.
func (TrueTop) Join(a, b bool) bool { return a || b }

// Below is implication.
func (TrueTop) Below(a, b bool) bool { return !a || b }

// Agreed is what all agree on, if they do.
type Agreed[T comparable] struct {
	Known, Differs bool
	Value          T
}

// Agreement tells what all that is required agrees on: nothing first, then one value, and that there are several in the end. It is the
// flat lattice of T, as of constant propagation: bottom, each value, top.
type Agreement[T comparable] struct{}

// Bottom is that nothing is known.
func (Agreement[T]) Bottom() Agreed[T] { return Agreed[T]{} }

// Join is the value if both agree.
func (Agreement[T]) Join(a, b Agreed[T]) Agreed[T] {
	switch {
	case a == Agreed[T]{}:
		return b
	case b == Agreed[T]{} || a == b:
		return a
	}
	return Agreed[T]{Differs: true}
}

// Below is that b knows as much.
func (Agreement[T]) Below(a, b Agreed[T]) bool { return a == Agreed[T]{} || a == b || b.Differs }

// Sets tells a set, as bits, of which members are required: the powerset lattice of up to 64 of them, with union as its join.
type Sets struct{}

// Bottom is the empty set.
func (Sets) Bottom() uint64 { return 0 }

// Join is the union.
func (Sets) Join(a, b uint64) uint64 { return a | b }

// Below is inclusion.
func (Sets) Below(a, b uint64) bool { return a&^b == 0 }
