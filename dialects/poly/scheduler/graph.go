package scheduler

import (
	"slices"

	"github.com/irc-lang/irc/ir/digraph"
	"github.com/irc-lang/irc/ir/lists"
)

// strong are the strongly connected components of statements by what is to be satisfied. Each comes after those that it
// depends on, otherwise they are in the order of the statements. prefer chooses among several that could come next,
// after last; nil takes the first.
func strong(statements []int, ds []*dependence, prefer func(last []int, ready [][]int) int) [][]int {
	at := map[int]int{}
	for i, s := range statements {
		at[s] = i
	}
	succs := make([][]int, len(statements))
	for _, d := range ds {
		if d.validity && d.from != d.to {
			succs[at[d.from]] = append(succs[at[d.from]], at[d.to])
		}
	}
	components := digraph.Components(succs)
	numbers := digraph.Numbers(components)
	after := make([][]int, len(components))
	for v, list := range succs {
		for _, w := range list {
			if a, b := numbers[v], numbers[w]; a != b {
				after[a] = append(after[a], b)
			}
		}
	}
	members := make([][]int, len(components))
	for i, s := range statements {
		members[numbers[i]] = append(members[numbers[i]], s)
	}
	return ordered(members, after, prefer)
}

// ordered sorts the components topologically.
func ordered(components, after [][]int, prefer func(last []int, ready [][]int) int) (out [][]int) {
	var ready []int
	push := func(c int) {
		at, _ := slices.BinarySearch(ready, c)
		ready = slices.Insert(ready, at, c)
	}
	waits := digraph.NewWaits(after, push)
	var last []int
	for len(ready) > 0 {
		k := 0
		if prefer != nil {
			k = prefer(last, lists.Map(ready, func(r int) []int { return components[r] }))
		}
		c := ready[k]
		ready = slices.Delete(ready, k, k+1)
		last = components[c]
		out = append(out, last)
		waits.Take(c, push)
	}
	return out
}

// weak are the components of statements that dependences of any kind connect, in the
// order of their first statements.
func weak(statements []int, ds []*dependence) [][]int {
	root := map[int]int{}
	var find func(s int) int
	find = func(s int) int {
		if r, ok := root[s]; ok && r != s {
			root[s] = find(r)
			return root[s]
		}
		return s
	}
	for _, d := range ds {
		a, b := find(d.from), find(d.to)
		if a != b {
			root[max(a, b)] = min(a, b)
		}
	}
	groups := map[int][]int{}
	var order []int
	for _, s := range statements {
		r := find(s)
		if groups[r] == nil {
			order = append(order, r)
		}
		groups[r] = append(groups[r], s)
	}
	return lists.Map(order, func(r int) []int { return groups[r] })
}
