package polyhedral

import (
	"errors"
	"slices"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// A stream is an array of which each instance of a statement reads an element of its own: loops over it take as long as the
// memory does. Pluto's order gives statements that do not depend on one another loops of their own, and where a program
// reads a stream once, for several statements, it is then read for each. joinStreams puts such statements back into one
// nest: those that stand in one innermost loop of the program, read the same element there, and have the same loops.
// What an order has of parallel loops is no reason against it: a nest whose outermost loop cores can share is not slower in one with
// another that they can not, which takes as long as the memory does alone.
func joinStreams(w *systems.Ordering, original, tree *schedule.Node) (*schedule.Node, error) {
	// Equations have no order that would tell which statements stood together.
	if original == nil || w.Whole.Equations {
		return tree, nil
	}
	for _, together := range innermost(original, nil) {
		for i, a := range together {
			for _, b := range together[i+1:] {
				next, err := joinPair(w, tree, a, b)
				if errors.Is(err, presburger.ErrBudget) {
					return tree, nil
				}
				if err != nil {
					return nil, err
				}
				if next != nil {
					tree = next
				}
			}
		}
	}
	return tree, nil
}

// innermost lists the statements that stand together in innermost loops.
func innermost(n *schedule.Node, names []string) (out [][]string) {
	// A filter restricts the names to the statements below it.
	if n.Kind() == schedule.Filter || n.Kind() == schedule.Domain {
		names = nil
		for _, s := range n.Set().Sets() {
			names = append(names, s.Tuple().Name())
		}
	}
	if isInnermost(n) && len(names) > 1 {
		return [][]string{names}
	}
	for _, c := range n.Children() {
		out = append(out, innermost(c, names)...)
	}
	return out
}

// joinPair makes one nest of those of two statements, where the first or where the second is; nil if they have not the same
// loops, or share no stream, or need what is between them.
func joinPair(w *systems.Ordering, tree *schedule.Node, a, b string) (_ *schedule.Node, err error) {
	defer unwind.To(&err)
	s, t := w.Whole.Statement(a), w.Whole.Statement(b)
	if s == nil || t == nil || !stream(s, t) {
		return nil, nil
	}
	root := tree.Child(0)
	if k := root.Kind(); k != schedule.Sequence && k != schedule.Set {
		return nil, nil
	}
	list := flat(root)
	i := slices.IndexFunc(list, func(n *schedule.Node) bool { return isOfStatement(n.Set(), a) })
	j := slices.IndexFunc(list, func(n *schedule.Node) bool { return isOfStatement(n.Set(), b) })
	if i < 0 || j < 0 || i == j {
		return nil, nil
	}
	if i > j { // in the program the first one comes first
		return nil, nil
	}
	joined, ok := oneNest(list[i], list[j], s, t)
	if !ok {
		return nil, nil
	}
	// The nest may stand in the place of either statement; the first one that is legal is taken.
	for _, at := range []int{i, j} {
		var next []*schedule.Node
		for k, n := range list {
			switch {
			case k == at:
				next = append(next, joined)
			case k != i && k != j:
				next = append(next, n)
			}
		}
		out := schedule.NewDomain(tree.Set(), schedule.NewSequence(next...))
		if len(next) == 1 {
			out = schedule.NewDomain(tree.Set(), joined.Child(0))
		}
		v := unwind.Must(schedule.Legal(out, schedule.Dependences{Validity: w.Order, Coincidence: w.Order, Context: w.Whole.Context}))
		if v == nil {
			return out, nil
		}
	}
	return nil, nil
}

// flat lists the filters of a sequence, those of sequences and sets in it in their place.
func flat(n *schedule.Node) (out []*schedule.Node) {
	for _, f := range n.Children() {
		if k := f.Child(0).Kind(); k == schedule.Sequence || k == schedule.Set {
			out = append(out, flat(f.Child(0))...)
		} else {
			out = append(out, f)
		}
	}
	return out
}

// isOfStatement reports the instances of one statement alone.
func isOfStatement(s presburger.Set, name string) bool {
	sets := s.Sets()
	return len(sets) == 1 && sets[0].Tuple().Name() == name
}

// stream reports an array of which both read one element, in each instance another one.
func stream(s, t *poly.Stmt) bool {
	n := s.Domain.Tuple().Len()
	if n < 2 || t.Domain.Tuple().Len() != n || len(s.Gathers)+len(t.Gathers) > 0 || s.Keyed || t.Keyed {
		return false
	}
	for _, x := range s.Reads {
		rows, ok := systems.Linear(x.Map)
		// With as many indices as coordinates and an injective relation, each instance has an element of
		// its own.
		if !ok || len(rows) != n || x.Array == s.Target || !systems.IsDense(x.Array) {
			continue
		}
		if once, err := x.Map.IsInjective(); err != nil || !once {
			continue
		}
		for _, y := range t.Reads {
			if y.Array != x.Array {
				continue
			}
			if same, err := sameFor(x.Map, y.Map, s, t); err == nil && same {
				return true
			}
		}
	}
	return false
}

// sameFor reports that relations of two statements are the same, for equal coordinates of these.
func sameFor(f, g presburger.Map, s, t *poly.Stmt) (_ bool, err error) {
	defer unwind.To(&err)
	f = unwind.Must(f.IntersectDomain(s.Domain))
	g = unwind.Must(g.IntersectDomain(t.Domain))
	g = unwind.Must(g.Compose(poly.Renaming(s.Name, t.Name, s.Domain.Tuple().Len())))
	return f.IsEqual(g)
}

// oneNest is a band of two statements with that of each; ok is false if they have not the same loops.
func oneNest(f, g *schedule.Node, s, t *poly.Stmt) (joined *schedule.Node, ok bool) {
	a, b := f.Child(0), g.Child(0)
	if a.Kind() != schedule.Band || b.Kind() != schedule.Band || a.Child(0).Len()+b.Child(0).Len() > 0 {
		return nil, false
	}
	x, y := a.Band(), b.Band()
	if len(x.Members) != len(y.Members) || len(x.Members) != s.Domain.Tuple().Len() {
		return nil, false
	}
	out := schedule.BandData{Permutable: x.Permutable && y.Permutable}
	for i, m := range x.Members {
		same, err := sameFor(m.Function, y.Members[i].Function, s, t)
		if err != nil || !same {
			return nil, false
		}
		out.Members = append(out.Members, schedule.Member{Function: m.Function.Union(y.Members[i].Function), Coincident: m.Coincident && y.Members[i].Coincident})
	}
	inner := schedule.NewSequence(schedule.NewFilter(f.Set(), schedule.NewLeaf()), schedule.NewFilter(g.Set(), schedule.NewLeaf()))
	return schedule.NewFilter(f.Set().Union(g.Set()), schedule.NewBand(out, inner)), true
}
