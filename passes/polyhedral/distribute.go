package polyhedral

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// mostDistributed bounds the statements of a loop that is distributed: all their orders are tried.
const mostDistributed = 3

// distribute gives the statements of innermost loops a loop each, where the rounds of each are then independent of
// one another, so that vectors can have them, and those of the one loop were not (Allen and Kennedy, "Automatic
// translation of Fortran programs to vector form", 1987).
// The proof is about plain, the order without tiles: two rounds of a loop are of one tile there if they are of one round of
// the loops around.
func distribute(w *systems.Ordering, tree, plain *schedule.Node) *schedule.Node {
	var loops []*schedule.Node
	for _, n := range tree.All() {
		if isInnermost(n) {
			b := n.Band().Members
			parts := b[0].Function.Maps()
			if last := b[len(b)-1]; !last.Coincident && len(parts) > 1 && len(parts) <= mostDistributed {
				loops = append(loops, n)
			}
		}
	}
	for _, n := range loops {
		in := tree
		for _, p := range plain.All() {
			if p == n {
				in = plain
			}
		}
		apart := apartIn(w, in, n)
		if apart == nil {
			continue
		}
		tree = replaced(tree, n, apart)
		plain = replaced(plain, n, apart)
	}
	return tree
}

// replaced is a tree with another node for one.
func replaced(tree, n, by *schedule.Node) *schedule.Node {
	return unwind.Must(tree.Rewrite(func(x *schedule.Node) (*schedule.Node, error) {
		if x == n {
			return by, nil
		}
		return x, nil
	}))
}

// apartIn is a band whose last loop is one for each statement, in an order that is legal in a tree; nil if there is none.
func apartIn(w *systems.Ordering, tree, n *schedule.Node) *schedule.Node {
	b := n.Band()
	inner := b.Members[len(b.Members)-1]
	inner.Coincident = true
	parts := b.Members[0].Function.Maps()
	for order := range permutations(len(parts)) {
		var filters []*schedule.Node
		for _, k := range order {
			set := parts[k].Domain().Universe()
			filters = append(filters, schedule.NewFilter(set, schedule.NewBand(schedule.BandData{Members: []schedule.Member{of(inner, set)}, Permutable: true}, nil)))
		}
		apart := schedule.NewSequence(filters...)
		if len(b.Members) > 1 {
			outer := b
			outer.Members = b.Members[:len(b.Members)-1]
			apart = schedule.NewBand(outer, apart)
		}
		next := replaced(tree, n, apart)
		v := unwind.Must(schedule.Legal(next, schedule.Dependences{Validity: w.Order, Coincidence: w.Order, Context: w.Whole.Context}))
		if v == nil {
			return apart
		}
	}
	return nil
}

// of is a member for some instances alone.
func of(m schedule.Member, set presburger.Set) schedule.Member {
	var out presburger.Map
	for _, part := range m.Function.Maps() {
		if in, _ := part.Tuples(); in.Name() == set.Tuple().Name() {
			out = out.Union(part)
		}
	}
	m.Function = out
	return m
}

// permutations are the orders of n things.
func permutations(n int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		var next func(done []int) bool
		next = func(done []int) bool {
			if len(done) == n {
				return yield(done)
			}
			for k := range n {
				if !slices.Contains(done, k) && !next(append(slices.Clone(done), k)) {
					return false
				}
			}
			return true
		}
		next(nil)
	}
}
