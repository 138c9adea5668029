package simplify

import (
	"errors"
	"maps"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/scheduler"
	"github.com/irc-lang/irc/ir/unwind"
)

// mostNodes bounds the branches that are looked at for one circle; beyond it the choice is made as
// the heuristic makes it.
const mostNodes = 256

// exact chooses the directions of reuse of all reductions of a circle together: the program of
// section 5.3 of Yang, Atkinson and Carbin by branch and bound. A node has directions that are not to
// be taken, each for the elements of one face; its bound is the complexity of the best plans without them,
// each of which has an order alone. Where all of them together have one, too, nothing better
// is in this branch. Otherwise one of the directions that were taken has to go: that is
// a branch for each. The result is the directions that are not taken.
func (s *search) exact(c *circle, list []*Equation) (banned map[string]bool) {
	open := []*node{{}}
	seen := map[string]bool{}
	open[0].solve(s, c, list)
	for n := 0; len(open) > 0 && n < mostNodes; n++ {
		slices.SortStableFunc(open, func(a, b *node) int { return s.order.compare(a.cost, b.cost) })
		at := open[0]
		open = open[1:]
		if at.ordered {
			return at.banned
		}
		for _, w := range at.taken {
			next := &node{banned: maps.Clone(at.banned)}
			if next.banned == nil {
				next.banned = map[string]bool{}
			}
			next.banned[w] = true
			key := keyOf(next.banned)
			if seen[key] {
				continue
			}
			seen[key] = true
			next.solve(s, c, list)
			open = append(open, next)
		}
	}
	return nil
}

// A node is a choice of what is not taken.
type node struct {
	banned  map[string]bool
	cost    cost
	taken   []string // reuse that makes elements wait
	ordered bool     // there is an order with all of it
}

func keyOf(set map[string]bool) (key string) {
	for _, k := range slices.Sorted(maps.Keys(set)) {
		key += k + "\n"
	}
	return key
}

// solve finds the best plans of all reductions of a circle, and whether they have an order.
func (n *node) solve(s *search, c *circle, list []*Equation) {
	var all []wait
	for _, e := range list {
		if !c.arrays[e.Target] {
			continue
		}
		t := *s
		t.target, t.known, t.banned = e.Target, map[string]*plan{}, n.banned
		reds, ok := unwind.Must2(t.reductions(e))
		if !ok {
			continue
		}
		var taken []wait
		for _, r := range reds {
			x := t.best(r)
			n.cost = s.order.plus(n.cost, x.cost)
			t.collect(x, &taken)
		}
		for _, w := range taken {
			n.taken = append(n.taken, w.Map.String())
			all = append(all, w)
		}
	}
	with := c.with(all...)
	_, err := with.schedule(unwind.Must(with.problem.Validity.Coalesce()))
	if n.ordered = err == nil; errors.Is(err, scheduler.ErrNone) {
		err = nil
	}
	unwind.Check(err)
}
