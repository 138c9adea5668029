package polyhedral

import (
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/passes/contraction"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// splitLoops cuts innermost loops in three where the rounds of a loop need one another only through one of them: what is
// before that round, the round, and what is behind it (Griebl, Feautrier and Lengauer, "Index set splitting", 2000).
// The order stays as it is, and the rounds of the outer parts are independent of one another: vectors can have them.
//
// For several cores the loop around such a one is cut in the same way: they share its parts.
func splitLoops(w *systems.Ordering, tree *schedule.Node, cores int) (out *schedule.Node, splits int, err error) {
	var walk func(n *schedule.Node, outer []schedule.Member) (*schedule.Node, error)
	walk = func(n *schedule.Node, outer []schedule.Member) (*schedule.Node, error) {
		if n.Kind() == schedule.Mark && n.Name() == contraction.Mark || n.Len() == 0 {
			return n, nil
		}
		if n.Kind() == schedule.Band {
			b := n.Band().Members
			if outer = append(outer[:len(outer):len(outer)], b...); !has(n.Child(0), schedule.Band) {
				apart, err := splitBand(w, n, outer[:len(outer)-1])
				if err != nil || apart == n {
					return apart, err
				}
				splits++
				if cores > 1 && len(b) == 2 {
					apart, err = splitAround(w, apart, outer[:len(outer)-2])
				}
				return apart, err
			}
		}
		children := make([]*schedule.Node, n.Len())
		for i, c := range n.Children() {
			var err error
			if children[i], err = walk(c, outer); err != nil {
				return nil, err
			}
		}
		return n.WithChildren(children...), nil
	}
	out, err = walk(tree, nil)
	return out, splits, err
}

// splitBand does so with the last loop of a band of one statement, inside of some others.
func splitBand(w *systems.Ordering, n *schedule.Node, outer []schedule.Member) (*schedule.Node, error) {
	b := n.Band()
	inner := b.Members[len(b.Members)-1]
	parts := inner.Function.Maps()
	if inner.Coincident || len(parts) != 1 || n.Child(0).Len() > 0 {
		return n, nil
	}
	in, _ := parts[0].Tuples()
	st := w.Whole.Statement(in.Name())
	rows, ok := systems.Linear(parts[0])
	if st == nil || !ok {
		return n, nil
	}
	d, ok := coordinate(rows)
	if !ok {
		return n, nil
	}
	carried, err := sameTimes(w.Order, st.Domain, outer)
	if err != nil {
		return nil, err
	}
	if empty, err := carried.IsEmpty(); err != nil || empty {
		return n, err
	}
	at, err := oneRound(carried, d)
	if err != nil || at == nil {
		return n, err
	}
	var filters []*schedule.Node
	for i, set := range at {
		set, err := set.Intersect(st.Domain)
		if err != nil {
			return nil, err
		}
		filters = append(filters, schedule.NewFilter(set, schedule.NewBand(schedule.BandData{
			Members: []schedule.Member{{Function: inner.Function, Coincident: i != 1}}, Permutable: true}, nil)))
	}
	apart := schedule.NewSequence(filters...)
	if len(b.Members) == 1 {
		return apart, nil
	}
	b.Members = b.Members[:len(b.Members)-1]
	return schedule.NewBand(b, apart), nil
}

// splitAround does so with a band of one loop around one that was cut. The rounds stay in their order.
func splitAround(w *systems.Ordering, n *schedule.Node, outer []schedule.Member) (*schedule.Node, error) {
	m := n.Band().Members[0]
	in, _ := m.Function.Maps()[0].Tuples()
	st := w.Whole.Statement(in.Name())
	rows, ok := systems.Linear(m.Function.Maps()[0])
	if !ok || m.Coincident || len(outer) == 0 {
		return n, nil
	}
	d, ok := coordinate(rows)
	if !ok {
		return n, nil
	}
	carried, err := sameTimes(w.Order, st.Domain, outer)
	if err != nil {
		return nil, err
	}
	inOne, err := sameTimes(carried, st.Domain, []schedule.Member{m})
	if err == nil {
		carried, err = carried.Subtract(inOne)
	}
	if err != nil {
		return nil, err
	}
	at, err := oneRound(carried, d)
	if err != nil || at == nil {
		return n, err
	}
	var filters []*schedule.Node
	for i, set := range at {
		if set, err = set.Intersect(st.Domain); err != nil {
			return nil, err
		}
		filters = append(filters, schedule.NewFilter(set, schedule.NewBand(schedule.BandData{
			Members: []schedule.Member{{Function: m.Function, Coincident: i != 1}}, Permutable: true}, n.Child(0))))
	}
	return schedule.NewSequence(filters...), nil
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
func sameTimes(order presburger.Map, domain presburger.Set, loops []schedule.Member) (presburger.Map, error) {
	out, err := order.IntersectDomain(domain)
	if err == nil {
		out, err = out.IntersectRange(domain)
	}
	if err != nil {
		return out, err
	}
	return inOneRound(out, domain, loops)
}

// oneRound finds the round that is the first or the second one of each pair: a value of coordinate d by the others. It
// gives the instances before it, in it and behind it; nil if there is no such round.
func oneRound(pairs presburger.Map, d int) ([]presburger.Set, error) {
	for _, b := range pairs.Basics() {
		m := presburger.MapOf(b)
		for _, side := range []presburger.Set{m.Domain(), m.Range()} {
			side, err := side.AffineHull()
			if err != nil {
				return nil, err
			}
			for _, b := range side.Basics() {
				for _, eq := range b.Eq {
					sets := around(b, eq, d)
					if sets == nil {
						continue
					}
					if all, err := touch(pairs, sets[1]); err != nil || all {
						return sets, err
					}
				}
			}
		}
	}
	return nil, nil
}

// around are the instances whose coordinate d is less than an equation says, those where it holds, and those where it is
// more; nil if the equation does not say what d is.
func around(b presburger.Basic, eq []presburger.Int, d int) []presburger.Set {
	at := 1 + len(b.Params) + d
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
	row := func(sign, more int64) []presburger.Int {
		out := make([]presburger.Int, len(eq))
		for i, x := range eq {
			out[i] = x.Mul(presburger.NewInt(sign * n))
		}
		out[0] = out[0].Add(presburger.NewInt(more))
		return out
	}
	half := func(ge, eq [][]presburger.Int) presburger.Set {
		return presburger.SetOf(presburger.Basic{Params: b.Params, Out: b.Out, Ge: ge, Eq: eq})
	}
	return []presburger.Set{half([][]presburger.Int{row(-1, -1)}, nil), half(nil, [][]presburger.Int{row(1, 0)}), half([][]presburger.Int{row(1, -1)}, nil)}
}

// touch reports that one instance of each pair is in a set.
func touch(pairs presburger.Map, set presburger.Set) (bool, error) {
	from, err := pairs.IntersectDomain(set)
	if err != nil {
		return false, err
	}
	to, err := pairs.IntersectRange(set)
	if err != nil {
		return false, err
	}
	return pairs.IsSubset(from.Union(to))
}

// hasOrdered reports an innermost loop whose rounds need one another, outside of contractions.
func hasOrdered(n *schedule.Node) bool {
	if n.Kind() == schedule.Mark && n.Name() == contraction.Mark {
		return false
	}
	if n.Kind() == schedule.Band && !has(n.Child(0), schedule.Band) {
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
