package polyhedral

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/contraction"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// splitLoops cuts innermost loops in three where the rounds of a loop need one another only through one of them: what is
// before that round, the round, and what is behind it (Griebl, Feautrier and Lengauer, "Index set splitting", 2000).
// The order stays as it is, and the rounds of the outer parts are independent of one another: vectors can have them.
//
// For several cores the loop around such a one is cut in the same way: they share its parts.
func splitLoops(w *systems.Ordering, tree *schedule.Node, cores int) (out *schedule.Node, splits int) {
	out = editInnermost(tree, func(n *schedule.Node, outer []schedule.Member) *schedule.Node {
		b := n.Band().Members
		apart := splitBand(w, n, append(slices.Clip(outer), b[:len(b)-1]...))
		if apart == n {
			return n
		}
		if splits++; cores > 1 && len(b) == 2 {
			return splitAround(w, apart, outer)
		}
		return apart
	})
	return out, splits
}

// edit replaces nodes of a tree from its root down; nothing below one that ends a branch. Outer are the members of the
// bands around, as they are by then.
func edit(
	n *schedule.Node, outer []schedule.Member,
	by func(n *schedule.Node, outer []schedule.Member) (out *schedule.Node, ends bool),
) *schedule.Node {
	out, ends := by(n, outer)
	if ends || out.Len() == 0 {
		return out
	}
	if out.Kind() == schedule.Band {
		outer = append(slices.Clip(outer), out.Band().Members...)
	}
	children := make([]*schedule.Node, out.Len())
	for i, c := range out.Children() {
		children[i] = edit(c, outer, by)
	}
	return out.WithChildren(children...)
}

// isInnermost reports a band without one in it.
func isInnermost(n *schedule.Node) bool {
	return n.Kind() == schedule.Band && !has(n.Child(0), schedule.Band)
}

// isContraction reports the mark of a contraction, whose bands have code of their own.
func isContraction(n *schedule.Node) bool {
	return n.Kind() == schedule.Mark && n.Name() == contraction.Mark
}

// editInnermost replaces the bands that have none in them, but for contractions.
func editInnermost(tree *schedule.Node, by func(n *schedule.Node, outer []schedule.Member) *schedule.Node) *schedule.Node {
	return edit(tree, nil, func(n *schedule.Node, outer []schedule.Member) (*schedule.Node, bool) {
		if isInnermost(n) {
			return by(n, outer), true
		}
		return n, isContraction(n)
	})
}

// splitBand does so with the last loop of a band of one statement, inside of some others.
func splitBand(w *systems.Ordering, n *schedule.Node, outer []schedule.Member) *schedule.Node {
	b := n.Band()
	last := len(b.Members) - 1
	// Only a band directly around its instances is cut.
	if n.Child(0).Len() > 0 {
		return n
	}
	apart := cutAt(w, b.Members[last], nil, outer, func(carried presburger.Map, _ presburger.Set) (presburger.Map, error) { return carried, nil })
	if apart == nil {
		return n
	}
	if last == 0 {
		return apart
	}
	b.Members = b.Members[:last]
	return schedule.NewBand(b, apart)
}

// splitAround does so with a band of one loop around one that was cut. The rounds stay in their order.
func splitAround(w *systems.Ordering, n *schedule.Node, outer []schedule.Member) *schedule.Node {
	m := n.Band().Members[0]
	if len(outer) == 0 {
		return n
	}
	apart := cutAt(w, m, n.Child(0), outer, func(carried presburger.Map, domain presburger.Set) (_ presburger.Map, err error) {
		defer unwind.To(&err)
		inOne := sameTimes(carried, domain, []schedule.Member{m})
		return carried.Subtract(inOne)
	})
	if apart == nil {
		return n
	}
	return apart
}

// cutAt is a loop of one statement around a node, cut at the round that is first or second in each pair of those that it has to keep apart;
// nil if there is none. The pairs are what counts of those that the loops around execute in one round.
func cutAt(w *systems.Ordering, m schedule.Member, in *schedule.Node, outer []schedule.Member, counts func(carried presburger.Map, domain presburger.Set) (presburger.Map, error)) *schedule.Node {
	parts := m.Function.Maps()
	// A coincident loop carries nothing, so there is no round to cut at.
	if m.Coincident || len(parts) != 1 {
		return nil
	}
	from, _ := parts[0].Tuples()
	st := w.Whole.Statement(from.Name())
	rows, ok := systems.Linear(parts[0])
	if st == nil || !ok {
		return nil
	}
	// The cut is a value of one coordinate, so the loop must run over one, unscaled and unshifted.
	d, ok := coordinate(rows)
	if !ok {
		return nil
	}
	carried := sameTimes(w.Order, st.Domain, outer)
	carried = unwind.Must(counts(carried, st.Domain))
	if unwind.Must(carried.IsEmpty()) {
		return nil
	}
	at := oneRound(carried, d)
	if at == nil {
		return nil
	}
	var filters []*schedule.Node
	// The outer parts are coincident: each carried pair has an instance in the round of the cut.
	for i, set := range at {
		set = unwind.Must(set.Intersect(st.Domain))
		band := schedule.BandData{Members: []schedule.Member{{Function: m.Function, Coincident: i != 1}}, Permutable: true}
		filters = append(filters, schedule.NewFilter(set, schedule.NewBand(band, in)))
	}
	return schedule.NewSequence(filters...)
}

// coordinate is the one that a value is, without anything added.
func coordinate(rows [][]float64) (d int, ok bool) {
	d = -1
	for i, x := range rows[0] {
		switch {
		case x == 0:
		case x != 1 || d >= 0:
			return 0, false
		default:
			d = i
		}
	}
	return d, len(rows) == 1 && d >= 0
}

// sameTimes are the pairs of a relation, of instances of one statement, that some loops execute in one round.
func sameTimes(order presburger.Map, domain presburger.Set, loops []schedule.Member) presburger.Map {
	out := unwind.Must(order.IntersectDomain(domain))
	out = unwind.Must(out.IntersectRange(domain))
	return inOneRound(out, domain, loops)
}

// oneRound finds the round that is the first or the second one of each pair: a value of coordinate d by the others. It
// gives the instances before it, in it and behind it; nil if there is no such round.
func oneRound(pairs presburger.Map, d int) []presburger.Set {
	for _, b := range pairs.Basics() {
		m := presburger.MapOf(b)
		// Candidates are the equations that hold for all first, or all second, instances of one part of
		// the relation.
		for _, side := range []presburger.Set{m.Domain(), m.Range()} {
			side := unwind.Must(side.AffineHull())
			for _, b := range side.Basics() {
				for _, eq := range b.Eq {
					sets := around(b, eq, d)
					if sets == nil {
						continue
					}
					if touch(pairs, sets[1]) {
						return sets
					}
				}
			}
		}
	}
	return nil
}

// around are the instances whose coordinate d is less than an equation says, those where it holds, and those where it is
// more; nil if the equation does not say what d is.
func around(b presburger.Basic, eq []presburger.Int, d int) []presburger.Set {
	at := 1 + len(b.Params) + d
	// Only a unit coefficient gives the coordinate as an integer by the others.
	n, ok := eq[at].Int64()
	if !ok || n != 1 && n != -1 {
		return nil
	}
	for _, x := range eq[1+len(b.Params)+b.Out.Len():] {
		if x.Sign() != 0 {
			return nil // a floor
		}
	}
	eq = eq[:1+len(b.Params)+b.Out.Len()]
	// The equation times n is d - value = 0. A row is sign * (d - value) + more.
	row := func(sign, more int64) []presburger.Int {
		out := lists.Map(eq, func(x presburger.Int) presburger.Int { return x.Mul(presburger.NewInt(sign * n)) })
		out[0] = out[0].Add(presburger.NewInt(more))
		return out
	}
	half := func(ge, eq [][]presburger.Int) presburger.Set {
		return presburger.SetOf(presburger.Basic{Params: b.Params, Out: b.Out, Ge: ge, Eq: eq})
	}
	return []presburger.Set{half([][]presburger.Int{row(-1, -1)}, nil), half(nil, [][]presburger.Int{row(1, 0)}), half([][]presburger.Int{row(1, -1)}, nil)}
}

// touch reports that one instance of each pair is in a set.
func touch(pairs presburger.Map, set presburger.Set) bool {
	from := unwind.Must(pairs.IntersectDomain(set))
	to := unwind.Must(pairs.IntersectRange(set))
	return unwind.Must(pairs.IsSubset(from.Union(to)))
}

// hasOrdered reports an innermost loop whose rounds need one another, outside of contractions.
func hasOrdered(n *schedule.Node) bool {
	if isContraction(n) {
		return false
	}
	if isInnermost(n) {
		b := n.Band().Members
		return !b[len(b)-1].Coincident
	}
	for _, c := range n.Children() {
		if hasOrdered(c) {
			return true
		}
	}
	return false
}
