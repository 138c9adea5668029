package dependence

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
)

// mostUpdates is how many updates of one variable are compared with each other. Where
// there are more no dummies are made, and reads depend on the updates themselves.
const mostUpdates = 2000

// cliques finds the maximal sets of updates of a variable that overlap each other,
// two or more in each. Conditions are left out of the question: that two updates
// overlap implies that their conditions exclude each other, by the assumption that
// everything is updated once. Increments never take part.
func (a *analysis) cliques(v *Variable) {
	updates := lists.Filter(a.updates[v], func(s *Statement) bool { return !s.Increment })
	if len(updates) > mostUpdates {
		a.problem(diag.Warningf(updates[0].At, "%s has %d updates: no dummy statements are made for it", v.Name, len(updates)))
		return
	}
	var found [][]int
	for _, c := range maximalCliques(len(updates), func(i, j int) bool { return a.targetsOverlap(updates[i], updates[j], v) }) {
		if len(c) > 1 {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, slices.Compare)
	for _, members := range found {
		k := &Clique{ID: fmt.Sprintf("K%d", len(a.out.Cliques)+1), Var: v}
		for _, i := range members {
			k.Members = append(k.Members, updates[i])
		}
		k.Text = common(k.Members, v)
		a.out.Cliques = append(a.out.Cliques, k)
		a.of[v] = append(a.of[v], k)
	}
}

// maximalCliques lists those of a graph of n vertices, members ascending. Vertices with
// the same neighbours, themselves included, are in the same cliques, so only one of
// them is put to the algorithm of Bron and Kerbosch.
func maximalCliques(n int, adjacent func(i, j int) bool) [][]int {
	rows := make([][]byte, n) // closed neighbourhoods
	for i := range rows {
		rows[i] = make([]byte, n)
		rows[i][i] = 1
		for j := range i {
			if adjacent(i, j) {
				rows[i][j], rows[j][i] = 1, 1
			}
		}
	}
	twins := map[string][]int{}
	g := simple.NewUndirectedGraph()
	for i := range rows {
		key := string(rows[i])
		if twins[key] == nil {
			g.AddNode(simple.Node(i))
		}
		twins[key] = append(twins[key], i)
	}
	for _, x := range twins {
		for _, y := range twins {
			if x[0] < y[0] && rows[x[0]][y[0]] == 1 {
				g.SetEdge(simple.Edge{F: simple.Node(x[0]), T: simple.Node(y[0])})
			}
		}
	}
	var out [][]int
	for _, c := range topo.BronKerbosch(g) {
		var members []int
		for _, v := range c {
			members = append(members, twins[string(rows[v.ID()])]...)
		}
		slices.Sort(members)
		out = append(out, members)
	}
	return out
}

func (a *analysis) targetsOverlap(s, t *Statement, v *Variable) bool {
	return anyPair(s, t, func(x, y *Access) bool {
		return x.Write && y.Write && x.Var == v && y.Var == v && a.known.overlap(x, y, false)
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
