package scheduler

import (
	"slices"

	"github.com/irc-lang/irc/ir/lists"
)

// strong are the strongly connected components of statements by what is to be satisfied
// (Tarjan, "Depth-first search and linear graph algorithms", 1972), in an order in which
// each comes after those that it depends on, otherwise that of the statements. prefer
// chooses among several that could come next, after last; nil takes the first.
func strong(statements []int, ds []*dependence, prefer func(last []int, ready [][]int) int) [][]int {
	t := &tarjan{next: map[int][]int{}, index: map[int]int{}, low: map[int]int{}, component: map[int]int{}}
	for _, d := range ds {
		if d.validity && d.from != d.to {
			t.next[d.from] = append(t.next[d.from], d.to)
		}
	}
	for _, s := range statements {
		if t.index[s] == 0 {
			t.visit(s)
		}
	}
	return t.ordered(prefer)
}

type tarjan struct {
	next       map[int][]int
	index, low map[int]int // from 1 on
	stack      []int
	components [][]int
	component  map[int]int // from 1 on
}

func (t *tarjan) visit(s int) {
	t.index[s] = len(t.index) + 1
	t.low[s] = t.index[s]
	t.stack = append(t.stack, s)
	for _, n := range t.next[s] {
		if t.index[n] == 0 {
			t.visit(n)
			t.low[s] = min(t.low[s], t.low[n])
		} else if t.component[n] == 0 {
			t.low[s] = min(t.low[s], t.index[n])
		}
	}
	if t.low[s] != t.index[s] {
		return
	}
	at := slices.Index(t.stack, s)
	c := slices.Clone(t.stack[at:])
	t.stack = t.stack[:at]
	slices.Sort(c)
	t.components = append(t.components, c)
	for _, n := range c {
		t.component[n] = len(t.components)
	}
}

// ordered sorts the components topologically.
func (t *tarjan) ordered(prefer func(last []int, ready [][]int) int) [][]int {
	waits := make([]int, len(t.components))
	after := make([][]int, len(t.components))
	for s, list := range t.next {
		for _, n := range list {
			if a, b := t.component[s]-1, t.component[n]-1; a >= 0 && b >= 0 && a != b {
				after[a] = append(after[a], b)
				waits[b]++
			}
		}
	}
	var ready []int
	for i := range t.components {
		if waits[i] == 0 {
			ready = append(ready, i)
		}
	}
	var out [][]int
	var last []int
	for len(ready) > 0 {
		slices.SortFunc(ready, func(a, b int) int { return t.components[a][0] - t.components[b][0] })
		k := 0
		if prefer != nil {
			list := lists.Map(ready, func(r int) []int { return t.components[r] })
			k = prefer(last, list)
		}
		c := ready[k]
		ready = slices.Delete(ready, k, k+1)
		last = t.components[c]
		out = append(out, last)
		for _, n := range after[c] {
			if waits[n]--; waits[n] == 0 {
				ready = append(ready, n)
			}
		}
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
