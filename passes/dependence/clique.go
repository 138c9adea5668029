package dependence

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
)

// cliques finds the maximal sets of updates of a variable that overlap each other,
// two or more in each. Conditions are left out of the question: that two updates
// overlap implies that their conditions exclude each other, by the assumption that
// everything is updated once. Increments never take part.
func (a *analysis) cliques(v *Variable) {
	g := simple.NewUndirectedGraph()
	var updates []*Statement
	for _, s := range a.updates[v] {
		if !s.Increment {
			g.AddNode(simple.Node(len(updates)))
			updates = append(updates, s)
		}
	}
	for i, s := range updates {
		for j := range i {
			if targetsOverlap(s, updates[j], v) {
				g.SetEdge(simple.Edge{F: simple.Node(j), T: simple.Node(i)})
			}
		}
	}
	var found [][]int
	for _, c := range topo.BronKerbosch(g) {
		if len(c) < 2 {
			continue
		}
		var members []int
		for _, n := range c {
			members = append(members, int(n.ID()))
		}
		slices.Sort(members)
		found = append(found, members)
	}
	slices.SortFunc(found, slices.Compare)
	for _, members := range found {
		k := &Clique{ID: fmt.Sprintf("K%d", len(a.out.Cliques)+1), Var: v, Uniform: true}
		for _, i := range members {
			k.Members = append(k.Members, updates[i])
			k.Uniform = k.Uniform && updates[i].Uniform
		}
		k.Text = common(k.Members, v)
		a.out.Cliques = append(a.out.Cliques, k)
		a.of[v] = append(a.of[v], k)
	}
}

func targetsOverlap(s, t *Statement, v *Variable) bool {
	return anyPair(s, t, func(x, y *Access) bool {
		return x.Write && y.Write && x.Var == v && y.Var == v && overlap(x, y, false)
	})
}

func anyPair(s, t *Statement, f func(x, y *Access) bool) bool {
	for i := range s.Accesses {
		for j := range t.Accesses {
			if f(&s.Accesses[i], &t.Accesses[j]) {
				return true
			}
		}
	}
	return false
}

// common spells the part that all targets have: of each dimension a literal where one
// of them has one, else the first index that is known.
func common(members []*Statement, v *Variable) string {
	part := Access{Var: v}
	better := func(x, y Sub) bool {
		_, literal := x.literal()
		_, already := y.literal()
		return literal && !already || x.Known && !y.Known
	}
	for _, s := range members {
		for i := range s.Accesses {
			a := &s.Accesses[i]
			if !a.Write || a.Var != v {
				continue
			}
			for k, sub := range a.Subs {
				if k == len(part.Subs) {
					part.Subs = append(part.Subs, sub)
				} else if better(sub, part.Subs[k]) {
					part.Subs[k] = sub
				}
			}
			part.Domain.Loops = append(part.Domain.Loops, a.Domain.Loops...)
		}
	}
	return part.String()
}
