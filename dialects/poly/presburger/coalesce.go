package presburger

import "slices"

// Coalesce joins conjunctions where their union is one: it drops those that others
// hold, and replaces two by the constraints that both have room for where that adds
// no point.
func (s Set) Coalesce() (Set, error) { return set(coalesce(s.rel())) }

// Coalesce joins conjunctions where their union is one.
func (m Map) Coalesce() (Map, error) { return mapOf(coalesce(m.rel())) }

func coalesce(r *relation) (*relation, error) {
	return r.do(func(w *work) *relation {
		return r.each(func(p part) (space, []*conj) { return p.space, coalesceAll(p.conjs, w) })
	})
}

func coalesceAll(cs []*conj, w *work) []*conj {
	if len(cs) < 2 {
		return cs
	}
	var out []*conj
	for _, c := range cs {
		if c = c.irredundant(w); !c.empty && c.hasPoint(w) {
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
func fuse(a, b *conj, w *work) *conj {
	if !a.allKnown() || !b.allKnown() {
		if a.covered([]*conj{b}, w) {
			return b
		}
		return nil
	}
	wide := a.clone()
	wide.add(b) // for the divs of both
	hull := &conj{n: a.n, divs: wide.divs}
	for i := range hull.divs {
		hull.boundDiv(i)
	}
	x, y := a.spread(hull), b.spread(hull)
	if len(x.divs) != len(hull.divs) || len(y.divs) != len(hull.divs) {
		return nil // a div is defined by others in a way that is not found again
	}
	s, t := x.tableau(w), y.tableau(w)
	defer s.release()
	defer t.release()
	if s.empty {
		return b
	}
	if t.empty {
		return a
	}
	kept := shared(hull, x, t) + shared(hull, y, s)
	if kept == 0 && len(a.eq)+len(a.ge)+len(b.eq)+len(b.ge) > 0 && len(hull.eq)+len(hull.ge) == 2*len(hull.divs) {
		return nil // nothing in common: the hull would be everything
	}
	if hull.simplify().empty || !hull.covered([]*conj{a, b}, w) {
		return nil
	}
	return hull.irredundant(w)
}

func (c *conj) allKnown() bool {
	for _, d := range c.divs {
		if !d.known() {
			return false
		}
	}
	return true
}

// spread writes c with the divs of another conjunction, all of which it gets.
func (c *conj) spread(with *conj) *conj {
	out := &conj{n: with.n, divs: with.divs}
	out.ge = append(out.ge, with.ge...)
	out = out.clone()
	out.add(c)
	return out
}

// shared adds the constraints of x to the hull that hold in the other tableau too,
// one side of an equation for itself, and counts them.
func shared(hull, x *conj, other *tableau) (n int) {
	put := func(r row) bool {
		if other.atLeast(r) {
			hull.ge = append(hull.ge, r.clone())
			n++
			return true
		}
		return false
	}
	for _, r := range x.eq {
		put(r)
		put(r.negated())
	}
	for _, r := range x.ge {
		if !x.definitional(r) {
			put(r)
		}
	}
	return n
}
