package polyhedral

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// jammed is how many rounds of a loop are taken together that is around one whose rounds need one another.
const jammed = 4

// jam unrolls the loop around an innermost one whose rounds need one another, and so wait for one another, and jams the
// copies (Callahan, Carr and Kennedy, "Improving register allocation for subscripted variables", 1990): a processor
// has rounds of several chains at hand. The order is legal, as tiles are, where the band is permutable. Where all copies
// have an instance, the code is without conditions.
func jam(w *systems.Ordering, tree *schedule.Node) (*schedule.Node, int, error) {
	n := 0
	out, err := editInnermost(tree, func(node *schedule.Node, outer []schedule.Member) (*schedule.Node, error) {
		out, err := jamBand(w, node, outer)
		if err == nil && out != node {
			n++
		}
		return out, err
	})
	return out, n, err
}

// jamBand does so with a band of one statement, inside of some loops.
func jamBand(w *systems.Ordering, n *schedule.Node, outer []schedule.Member) (*schedule.Node, error) {
	b := n.Band()
	last := len(b.Members) - 1
	if last < 1 || !b.Permutable || b.Members[last].Coincident || n.Child(0).Len() > 0 {
		return n, nil
	}
	parts := b.Members[last].Function.Maps()
	if len(parts) != 1 {
		return n, nil
	}
	in, _ := parts[0].Tuples()
	st := w.Whole.Statement(in.Name())
	if st == nil || st.Operator != poly.Set {
		return n, nil
	}
	by, err := presburger.ParseMap(fmt.Sprintf("{ [x] -> [t] : %d t <= x < %[1]d t + %[1]d }", jammed))
	if err != nil {
		return nil, err
	}
	copies := b.Members[last-1]
	group, err := by.Compose(copies.Function)
	if err != nil {
		return nil, err
	}
	out := schedule.BandData{Permutable: true, Members: append(b.Members[:last-1:last-1], schedule.Member{Function: group, Coincident: copies.Coincident}, b.Members[last])}
	all, err := timesOf(st.Domain, append(append(outer[:len(outer):len(outer)], out.Members...), copies))
	if err != nil {
		return nil, err
	}
	if out.Isolate, err = whole(all, len(outer), len(out.Members)); err != nil {
		return nil, err
	}
	copies.Loop, copies.Coincident = schedule.Unroll, false
	return schedule.NewBand(out, schedule.NewBand(schedule.BandData{Members: []schedule.Member{copies}}, nil)), nil
}

// timesOf are the values of members that instances have.
func timesOf(domain presburger.Set, members []schedule.Member) (presburger.Set, error) {
	var times presburger.Map
	for i, m := range members {
		f, err := m.Function.IntersectDomain(domain)
		if err == nil && i > 0 {
			f, err = times.FlatRangeProduct(f)
		}
		if err != nil {
			return presburger.Set{}, err
		}
		times = f
	}
	return times.Range(), nil
}

// whole are the times, but the last of each, at which all copies are there: those of the last time, from jammed times the
// one before the last but one on. The set says for some outer times which inner ones are isolated.
func whole(times presburger.Set, outer, inner int) (presburger.Set, error) {
	n := outer + inner
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("x%d", i)
	}
	list := strings.Join(names, ", ")
	var out presburger.Set
	for r := range jammed {
		one, err := presburger.ParseSet(fmt.Sprintf("{ [%s, y] : y = %d %s + %d }", list, jammed, names[n-2], r))
		if err == nil {
			one, err = times.Intersect(one)
		}
		if err == nil {
			one, err = one.ProjectOut(n, 1)
		}
		if err == nil && r > 0 {
			one, err = out.Intersect(one)
		}
		if err != nil {
			return out, err
		}
		out = one
	}
	out, err := out.Coalesce()
	if err != nil {
		return out, err
	}
	return isolated(out, outer, inner)
}
