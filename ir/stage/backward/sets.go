package backward

import "maps"

// A Set is a set of E; nil is the empty one. Its members do not change.
type Set[E comparable] map[E]bool

// SetOf makes a set.
func SetOf[E comparable](es ...E) Set[E] {
	s := Set[E]{}
	for _, e := range es {
		s[e] = true
	}
	return s
}

// Minus is a set without what holds.
func (s Set[E]) Minus(without func(E) bool) Set[E] {
	out := maps.Clone(s)
	maps.DeleteFunc(out, func(e E, _ bool) bool { return without(e) })
	return out
}

// Plus are the members of two sets.
func (s Set[E]) Plus(t Set[E]) Set[E] {
	out := Set[E]{}
	maps.Copy(out, s)
	maps.Copy(out, t)
	return out
}

// In reports that all members are those of another set, too.
func (s Set[E]) In(t Set[E]) bool {
	for e := range s {
		if !t[e] {
			return false
		}
	}
	return true
}

// Some is the lattice of sets of what may hold: more is above less. What is predicted holds on some path.
type Some[E comparable] struct{}

// Bottom is the empty set.
func (Some[E]) Bottom() Set[E] { return nil }

// Join is the union.
func (Some[E]) Join(a, b Set[E]) Set[E] { return a.Plus(b) }

// Below is inclusion.
func (Some[E]) Below(a, b Set[E]) bool { return a.In(b) }

// Every is the lattice of sets of what must hold, of all that may: less is above more. What is predicted holds on every
// path, and at first all is.
type Every[E comparable] struct{ All Set[E] }

// Bottom are all.
func (l Every[E]) Bottom() Set[E] { return l.All }

// Join is the intersection.
func (Every[E]) Join(a, b Set[E]) Set[E] { return a.Minus(func(e E) bool { return !b[e] }) }

// Below is that a has all that b has.
func (Every[E]) Below(a, b Set[E]) bool { return b.In(a) }
