package fuse

import (
	"container/heap"

	"github.com/irc-lang/irc/ir"
)

// order lists the ops of the region so that the members of a cluster stand side by side, in
// their order, and what any of them needs before the first: else as they stood.
func (p *plan) order() []ir.Value {
	unit := make([]int, len(p.body)) // of each op the first of what it stands with
	for i := range unit {
		unit[i] = i
	}
	members := map[int][]int{}
	for _, c := range p.clusters {
		first := p.loops[c.members[0]].pos
		for _, l := range c.members {
			unit[p.loops[l].pos] = first
			members[first] = append(members[first], p.loops[l].pos)
		}
	}
	// This is a topological sort of units (Kahn 1962); the heap takes the one that stood first, so the order
	// is stable.
	after, missing := p.edges(unit)
	ready := &queue{}
	for i := range p.body {
		if unit[i] == i && missing[i] == 0 {
			heap.Push(ready, i)
		}
	}
	out := make([]ir.Value, 0, len(p.body))
	for ready.Len() > 0 {
		i := heap.Pop(ready).(int)
		if ms := members[i]; ms != nil {
			for _, pos := range ms {
				out = append(out, p.body[pos])
			}
		} else {
			out = append(out, p.body[i])
		}
		for _, j := range after[i] {
			if missing[j]--; missing[j] == 0 {
				heap.Push(ready, j)
			}
		}
	}
	return out
}

// edges lists for each unit those that come after it, and counts those before it. The
// terminator is the last.
func (p *plan) edges(unit []int) (after [][]int, missing []int) {
	after, missing = make([][]int, len(p.body)), make([]int, len(p.body))
	add := func(from, to int) {
		if from, to = unit[from], unit[to]; from != to {
			after[from] = append(after[from], to)
			missing[to]++
		}
	}
	last := len(p.body) - 1
	term := p.g.Term(p.r)
	for i, deps := range p.deps {
		for _, d := range deps {
			// A member that runs where another one emits needs no count of the emits.
			if l, ok := p.byPos[i]; !ok || d != p.loops[l].lenDep || p.clusters[p.of[l]].rounds(l) == root {
				add(d, i)
			}
		}
		if i != last && p.body[last] == term {
			add(i, last)
		}
	}
	return after, missing
}

// queue is a heap: the lowest first.
type queue []int

func (h queue) Len() int           { return len(h) }
func (h queue) Less(i, j int) bool { return h[i] < h[j] }
func (h queue) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *queue) Push(x any)        { *h = append(*h, x.(int)) }
func (h *queue) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
