package polyhedral

import (
	"iter"
	"slices"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// mostDistributed bounds the statements of a loop that is distributed. Of few all orders are tried; of more one, that in which their
// dependences within a round of the loops around are.
const mostDistributed, mostPermuted = 12, 3

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

// apartIn is a band whose last loop is one for each statement, or for some that go together, in an order that is legal in a tree; nil
// if there is none.
func apartIn(w *systems.Ordering, tree, n *schedule.Node) *schedule.Node {
	b := n.Band()
	inner := b.Members[len(b.Members)-1]
	inner.Coincident = true
	for sets := range ordersOf(w, tree, n) {
		var filters []*schedule.Node
		for _, set := range sets {
			var inside *schedule.Node
			if all := set.Sets(); len(all) > 1 {
				inside = schedule.NewSequence(lists.Map(all, func(s presburger.Set) *schedule.Node { return schedule.NewFilter(s, nil) })...)
			}
			filters = append(filters, schedule.NewFilter(set, schedule.NewBand(schedule.BandData{Members: []schedule.Member{of(inner, set)}, Permutable: true}, inside)))
		}
		if len(filters) < 2 {
			continue
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

// ordersOf are the orders to try.
func ordersOf(w *systems.Ordering, tree, n *schedule.Node) iter.Seq[[]presburger.Set] {
	parts := lists.Map(n.Band().Members[0].Function.Maps(), func(m presburger.Map) presburger.Set { return m.Domain().Universe() })
	return func(yield func([]presburger.Set) bool) {
		if len(parts) > mostPermuted {
			if sets := inOrder(w, tree, n, parts); sets != nil {
				yield(sets)
			}
			return
		}
		for order := range permutations(len(parts)) {
			if !yield(lists.Map(order, func(k int) presburger.Set { return parts[k] })) {
				return
			}
		}
	}
}

// inOrder puts statements in an order in which their dependences within a round of the loops around the last one of a band are, those
// together that come round by round anyway: of instances in the same rounds that write to arrays of their own, and need one another in one
// round alone. It is nil if there is no such order.
func inOrder(w *systems.Ordering, tree, n *schedule.Node, parts []presburger.Set) (out []presburger.Set) {
	b := n.Band()
	last := len(b.Members) - 1
	var around []schedule.Member
	edit(tree, nil, func(x *schedule.Node, outer []schedule.Member) (*schedule.Node, bool) {
		if x == n {
			around = append(slices.Clone(outer), b.Members[:last]...)
		}
		return x, x == n
	})
	pairs := inOneRound(w.Order, w.Domain, around)
	near := inOneRound(pairs, w.Domain, b.Members[last:])
	far := unwind.Must(pairs.Subtract(near))
	related := func(m presburger.Map, from, to presburger.Set) bool {
		m = unwind.Must(m.IntersectDomain(from))
		m = unwind.Must(m.IntersectRange(to))
		return !unwind.Must(m.IsEmpty())
	}
	for len(parts) > 0 {
		k := slices.IndexFunc(parts, func(to presburger.Set) bool {
			return !slices.ContainsFunc(parts, func(from presburger.Set) bool { return from.Tuple() != to.Tuple() && related(pairs, from, to) })
		})
		if k < 0 {
			return nil
		}
		next := parts[k]
		parts = slices.Delete(parts, k, k+1)
		if len(out) > 0 {
			before := out[len(out)-1]
			if !slices.ContainsFunc(before.Sets(), func(s presburger.Set) bool {
				return !areAlike(w, n, s, next) || related(far, s, next)
			}) {
				out[len(out)-1] = before.Union(next)
				continue
			}
		}
		out = append(out, next)
	}
	return out
}

// areAlike reports two statements with the same instances, at the same times of a band, that write to different arrays.
func areAlike(w *systems.Ordering, n *schedule.Node, a, b presburger.Set) bool {
	x, y := w.Whole.Statement(a.Tuple().Name()), w.Whole.Statement(b.Tuple().Name())
	if x == nil || y == nil || x.Target == y.Target || x.Domain.Tuple().Len() != y.Domain.Tuple().Len() {
		return false
	}
	rename := poly.Renaming(x.Name, y.Name, x.Domain.Tuple().Len())
	if renamed := unwind.Must(x.Domain.Apply(rename)); !unwind.Must(renamed.IsEqual(y.Domain)) {
		return false
	}
	return !slices.ContainsFunc(n.Band().Members, func(m schedule.Member) bool {
		back := unwind.Must(of(m, b).Function.Compose(rename))
		return !unwind.Must(back.IsEqual(of(m, a).Function))
	})
}

// of is a member for some instances alone.
func of(m schedule.Member, set presburger.Set) schedule.Member {
	var out presburger.Map
	for _, part := range m.Function.Maps() {
		in, _ := part.Tuples()
		if slices.ContainsFunc(set.Sets(), func(s presburger.Set) bool { return s.Tuple().Name() == in.Name() }) {
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
