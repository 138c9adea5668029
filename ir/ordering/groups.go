package ordering

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// Groups are sets of ops that one op is to stand for: of conditionals on one condition,
// loops with the same bounds, scalars that become a vector. That is legal if no
// dependence leads from a group out of it and back, through other ops or other groups;
// here everything else keeps its place too, so that a group must fit in that of one of
// its members. Dependences are those of values, memory and traps (see Order), so that
// effects stay as they were ordered.
type Groups struct {
	s      *ir.Schedule
	orders map[ir.Region]*grouping
	of     map[ir.Value]*group
}

type group struct {
	members []ir.Value // as they were ordered
	at      ir.Value   // the member in whose place it is made
}

// NewGroups makes a set of groups of ops of a schedule; there is none yet.
func NewGroups(s *ir.Schedule) *Groups {
	return &Groups{s: s, orders: map[ir.Region]*grouping{}, of: map[ir.Value]*group{}}
}

// Len is the number of groups.
func (x *Groups) Len() int {
	n := 0
	for v, g := range x.of {
		if g.at == v {
			n++
		}
	}
	return n
}

// Add makes one group of ops, and reports whether it may: they stand in one region, none
// is in a group, and the group has a place. It looks at the ops between them.
func (x *Groups) Add(members ...ir.Value) bool {
	r := x.s.Place(members[0])
	for _, v := range members {
		if x.of[v] != nil || x.s.Place(v) != r {
			return false
		}
	}
	o := x.orders[r]
	if o == nil {
		o = newGrouping(x.s, r)
		x.orders[r] = o
	}
	members = slices.Clone(members)
	slices.SortFunc(members, func(a, b ir.Value) int { return o.at[a] - o.at[b] })
	at, ok := o.place(members)
	if !ok {
		return false
	}
	o.merge(members, at)
	g := &group{members, members[at]}
	for _, v := range members {
		x.of[v] = g
	}
	return true
}

// Rule is the rule of a Rewrite for the ops that may be in groups. Of each group it calls
// do once, with the members in their order, which returns what stands for each of them;
// if do asks for a member itself, it has told it before, by Mirror.Set.
func (x *Groups) Rule(do func(m *ir.Mirror, members []ir.Node) []ir.Value) func(m *ir.Mirror, n ir.Node) ir.Value {
	return func(m *ir.Mirror, n ir.Node) ir.Value {
		g := x.of[n.Old()]
		if n.Graph() != x.s.Graph() || g == nil {
			return 0
		}
		i, at := slices.Index(g.members, n.Old()), slices.Index(g.members, g.at)
		switch {
		case i < at:
			return m.B.Pack() // nothing in between uses it
		case i > at:
			return m.Of(n) // made with the group
		}
		nodes := make([]ir.Node, len(g.members))
		for k, v := range g.members {
			nodes[k] = n.Graph().NodeOf(v)
		}
		out := do(m, nodes)
		for k, v := range out {
			m.Set(nodes[k], v)
		}
		return out[at]
	}
}

// grouping is a region whose ops, one by one or in groups, stand in places.
type grouping struct {
	*Order
	places [][]ir.Value
	at     map[ir.Value]int
}

func newGrouping(s *ir.Schedule, r ir.Region) *grouping {
	o := &grouping{Order: New(s, r), at: map[ir.Value]int{}}
	for i, v := range o.body {
		o.places, o.at[v] = append(o.places, []ir.Value{v}), i
	}
	return o
}

// place finds the member in whose place a group may be made, the last if there are
// several: none of the ops that come before that any more needs a member, and no member
// that comes earlier than it was needs one of the ops between.
func (o *grouping) place(members []ir.Value) (k int, ok bool) {
	first, last := o.at[members[0]], o.at[members[len(members)-1]]
	for k = len(members) - 1; k >= 0; k-- {
		here := o.at[members[k]]
		ok := true
		for p := first; p <= last && ok; p++ {
			for _, w := range o.places[p] {
				for i, v := range members {
					moved := o.at[v]
					if w == v || slices.Contains(members, w) {
						continue
					}
					down := i < k && moved < p && p < here && o.depends(w, v)
					up := i > k && here < p && p < moved && o.depends(v, w)
					ok = ok && !down && !up
				}
			}
		}
		if ok {
			return k, true
		}
	}
	return 0, false
}

// depends reports that v must come after w.
func (o *grouping) depends(v, w ir.Value) bool { return o.on[hard][v][w] || o.on[soft][v][w] }

// merge puts a group in the place of one of its members.
func (o *grouping) merge(members []ir.Value, at int) {
	here := o.at[members[at]]
	for _, v := range members {
		o.places[o.at[v]], o.at[v] = nil, here
	}
	o.places[here] = members
}
