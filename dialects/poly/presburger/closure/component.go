package closure

import (
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/digraph"
)

// close returns what holds the closure of m, and whether it is the closure. Where time
// runs out it is the pairs of the domain and the range.
func (c *closer) close(m p.Map, depth int) (t p.Map, exact bool) {
	done := c.attempt(func() {
		r := m
		if len(r.Basics()) > maxPieces {
			r = c.coalesce(r)
		}
		pieces, stay := c.pieces(r)
		if len(pieces) > maxPieces {
			c.err = p.ErrBudget
			return
		}
		t, exact = c.ordered(pieces, c.follows, func(part []p.Map, loops bool) (p.Map, bool) {
			if !loops {
				return part[0], true
			}
			return c.component(part, depth)
		})
		t = c.coalesce(t.Union(stay))
	})
	if !done {
		return c.ends(m), false
	}
	return t, exact
}

// follows reports that a step of b can come after one of a.
func (c *closer) follows(a, b p.Map) bool { return !c.empty(c.after(b, a)) }

// ordered puts the closure together from those of strongly connected components: before
// says that a step of the first may have to come before one of the second. one closes a
// component; loops says that its steps may follow each other.
func (c *closer) ordered(pieces []p.Map, before func(a, b p.Map) bool, one func(part []p.Map, loops bool) (p.Map, bool)) (t p.Map, exact bool) {
	exact = true
	edges := make([][]int, len(pieces))
	for i, a := range pieces {
		for j, b := range pieces {
			if before(a, b) {
				edges[i] = append(edges[i], j)
			}
		}
	}
	for _, at := range slices.Backward(digraph.Components(edges)) {
		var part []p.Map
		for _, i := range at {
			part = append(part, pieces[i])
		}
		loops := len(at) > 1 || slices.Contains(edges[at[0]], at[0])
		next, ok := one(part, loops)
		exact = exact && ok
		t = c.unite(t, next, c.after(next, t))
	}
	return t, exact
}

// component closes conjunctions whose steps may follow each other.
func (c *closer) component(pieces []p.Map, depth int) (t p.Map, exact bool) {
	r := c.unite(pieces...)
	t = c.ends(r)
	for _, m := range methods() {
		if m.deep && (depth == 0 || len(pieces) == 1) {
			continue
		}
		var found p.Map
		var is, ok bool
		c.attempt(func() {
			if found, is, ok = m.close(c, r, pieces, depth-1); ok && !is {
				found = c.intersect(found, t)
			}
			ok = ok && c.err == nil
		})
		if ok && is {
			return found, true
		}
		if ok {
			t = found
		}
	}
	return t, false
}

// A method may give what holds the closure of a component; exact says that it is the
// closure, ok that there is an answer. A deep one takes several conjunctions apart, and asks
// for other closures.
type method struct {
	deep  bool
	close func(c *closer, r p.Map, pieces []p.Map, depth int) (t p.Map, exact, ok bool)
}

// methods lists them, the cheap ones first.
func methods() []method {
	return []method{
		{false, transitive},
		{false, paths},
		{false, squares},
		{true, commuting},
		{true, states},
		{true, incremental},
	}
}

// transitive relations are their own closure.
func transitive(c *closer, r p.Map, _ []p.Map, _ int) (t p.Map, exact, ok bool) {
	exact = c.subset(c.after(r, r), r)
	return r, exact, exact
}

const (
	maxSquares = 4  // 16 steps: longer paths that are no formula are rare
	maxGrown   = 12 // conjunctions: a square has as many as their product
)

// squares takes twice as many steps at a time until nothing is new.
func squares(c *closer, r p.Map, _ []p.Map, _ int) (t p.Map, exact, ok bool) {
	t = r
	for range maxSquares {
		if len(t.Basics()) > maxGrown {
			return t, false, false
		}
		next := c.after(t, t)
		if c.subset(next, t) {
			return t, c.err == nil, true
		}
		if t = c.coalesce(t.Union(next)); c.err != nil {
			break
		}
	}
	return t, false, false
}

// commuting closes conjunctions one after the other: where a step of the second after
// one of the first can be taken in the other order, no path needs them in the first.
func commuting(c *closer, r p.Map, pieces []p.Map, depth int) (t p.Map, exact, ok bool) {
	before := func(a, b p.Map) bool {
		both := c.after(b, a)
		return !c.empty(both) && !c.subset(both, c.after(a, b))
	}
	split := true
	t, exact = c.ordered(pieces, before, func(part []p.Map, _ bool) (p.Map, bool) {
		if len(part) == len(pieces) {
			split = false
			return r, false
		}
		return c.close(c.unite(part...), depth)
	})
	return t, exact, split
}

// incremental closes one conjunction a and then the others with any number of steps of
// it before and after theirs: R+ = a+ + (a* (R - a) a*)+.
func incremental(c *closer, r p.Map, pieces []p.Map, depth int) (t p.Map, exact, ok bool) {
	for i, a := range pieces {
		plus, is := c.close(a, 0)
		if !is {
			continue
		}
		rest := c.unite(slices.Delete(slices.Clone(pieces), i, i+1)...)
		rest = rest.Union(c.after(plus, rest))
		rest = c.coalesce(rest.Union(c.after(rest, plus)))
		if c.err != nil || len(rest.Basics()) > maxGrown {
			c.err = nil
			continue
		}
		more, is := c.close(rest, depth)
		if u := plus.Union(more); is || !ok {
			t, exact, ok = u, is, true
		}
		if exact {
			break
		}
	}
	return t, exact, ok
}
