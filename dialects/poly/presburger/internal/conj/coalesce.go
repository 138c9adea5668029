package conj

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// CoalesceAll fuses conjunctions of a union as long as two of them make one.
func CoalesceAll(cs []*Conj, w *lp.Work) []*Conj {
	if len(cs) < 2 {
		return cs
	}
	var out []*Conj
	for _, c := range cs {
		if c = c.Irredundant(w); !c.Empty && c.HasPoint(w) {
			out = append(out, c)
		}
	}
	for i := 1; i < len(out); i++ { // no two before i fuse
		for j := 0; j < i; j++ {
			c := fuse(out[i], out[j], w)
			if c == nil {
				continue
			}
			// What came of the two is new: it is tried with all others, in the place of i.
			out = slices.Delete(out, j, j+1)
			i--
			out[i] = c
			j = -1
		}
	}
	return out
}

// fuse is one conjunction that is the union of two, or nil. The candidate has the
// constraints of each that hold for the other; it is right if it adds no integer
// point, which is decided exactly.
func fuse(a, b *Conj, w *lp.Work) *Conj {
	if !a.Floors().allKnown() || !b.Floors().allKnown() {
		if Covered(a, []*Conj{b}, w) {
			return b
		}
		return nil
	}
	wide := a.Clone()
	wide.Add(b) // for the divs of both
	hull := &Conj{N: a.N, Divs: wide.Divs}
	for i := range hull.Divs {
		hull.BoundDiv(i)
	}
	x, y := a.Spread(hull), b.Spread(hull)
	if len(x.Divs) != len(hull.Divs) || len(y.Divs) != len(hull.Divs) {
		return nil // a div is defined by others in a way that is not found again
	}
	s, t := x.Tableau(w), y.Tableau(w)
	defer s.Release()
	defer t.Release()
	if s.Empty {
		return b
	}
	if t.Empty {
		return a
	}
	kept := shared(hull, x, t) + shared(hull, y, s)
	if kept == 0 && len(a.Eq)+len(a.Ge)+len(b.Eq)+len(b.Ge) > 0 && len(hull.Eq)+len(hull.Ge) == 2*len(hull.Divs) {
		return nil // nothing in common: the hull would be everything
	}
	if hull.Simplify().Empty || !Covered(hull, []*Conj{a, b}, w) {
		return nil
	}
	return hull.Irredundant(w)
}

// Spread writes c with the divs of another conjunction, all of which it gets.
func (c *Conj) Spread(with *Conj) *Conj {
	out := &Conj{N: with.N, Divs: with.Divs}
	out.Ge = append(out.Ge, with.Ge...)
	out = out.Clone()
	out.Add(c)
	return out
}

// shared adds the constraints of x to the hull that hold in the other tableau too,
// one side of an equation for itself, and counts them.
func shared(hull, x *Conj, other *lp.Tableau) (n int) {
	put := func(r lp.Row) bool {
		if other.AtLeast(r) {
			hull.Ge = append(hull.Ge, r.Clone())
			n++
			return true
		}
		return false
	}
	for _, r := range x.Eq {
		put(r)
		put(r.Negated())
	}
	for _, r := range x.Ge {
		if !x.Floors().Definitional(r) {
			put(r)
		}
	}
	return n
}
