package polyhedral

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// jammed is how many rounds of a loop are taken together that is around one whose rounds need one another.
const jammed = 4

// jam unrolls the loop around an innermost one whose rounds need one another, and so wait for one another, and jams the
// copies (Callahan, Carr and Kennedy, "Improving register allocation for subscripted variables", 1990): a processor
// has rounds of several chains at hand. The order is legal, as tiles are, where the band is permutable. Where all copies
// have an instance, the code is without conditions.
func jam(w *systems.Ordering, tree *schedule.Node) (*schedule.Node, int) {
	n := 0
	out := editInnermost(tree, func(node *schedule.Node, outer []schedule.Member) *schedule.Node {
		out := jamBand(w, node, outer)
		if out != node {
			n++
		}
		return out
	})
	return out, n
}

// jamBand does so with a band of one statement, inside of some loops.
func jamBand(w *systems.Ordering, n *schedule.Node, outer []schedule.Member) *schedule.Node {
	b := n.Band()
	last := len(b.Members) - 1
	// The band needs a loop around its last one, a last one that is sequential, and freedom to change
	// their order.
	if last < 1 || !b.Permutable || b.Members[last].Coincident || n.Child(0).Len() > 0 {
		return n
	}
	parts := b.Members[last].Function.Maps()
	if len(parts) != 1 {
		return n
	}
	in, _ := parts[0].Tuples()
	st := w.Whole.Statement(in.Name())
	if st == nil || st.Operator != poly.Set {
		return n
	}
	by := unwind.Must(presburger.ParseMap(fmt.Sprintf("{ [x] -> [t] : %d t <= x < %[1]d t + %[1]d }", jammed)))
	copies := b.Members[last-1]
	// The group numbers the sets of jammed rounds, and takes the place of the loop around.
	group := unwind.Must(by.Compose(copies.Function))
	out := schedule.BandData{Permutable: true, Members: append(b.Members[:last-1:last-1], schedule.Member{Function: group, Coincident: copies.Coincident}, b.Members[last])}
	all := timesOf(st.Domain, append(append(outer[:len(outer):len(outer)], out.Members...), copies))
	out.Isolate = whole(all, len(outer), len(out.Members))
	copies.Loop, copies.Coincident = schedule.Unroll, false
	return schedule.NewBand(out, schedule.NewBand(schedule.BandData{Members: []schedule.Member{copies}}, nil))
}

// timesOf are the values of members that instances have.
func timesOf(domain presburger.Set, members []schedule.Member) presburger.Set {
	var times presburger.Map
	for i, m := range members {
		f := unwind.Must(m.Function.IntersectDomain(domain))
		if i > 0 {
			f = unwind.Must(times.FlatRangeProduct(f))
		}
		times = f
	}
	return times.Range()
}

// whole are the times, but the last of each, at which all copies are there: those of the last time, from jammed times the
// one before the last but one on. The set says for some outer times which inner ones are isolated.
func whole(times presburger.Set, outer, inner int) presburger.Set {
	n := outer + inner
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("x%d", i)
	}
	list := strings.Join(names, ", ")
	var out presburger.Set
	for r := range jammed {
		one := unwind.Must(presburger.ParseSet(fmt.Sprintf("{ [%s, y] : y = %d %s + %d }", list, jammed, names[n-2], r)))
		one = unwind.Must(times.Intersect(one))
		one = unwind.Must(one.ProjectOut(n, 1))
		if r > 0 {
			one = unwind.Must(out.Intersect(one))
		}
		out = one
	}
	out = unwind.Must(out.Coalesce())
	return isolated(out, outer, inner)
}
