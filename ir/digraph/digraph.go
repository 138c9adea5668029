// Package digraph orders the vertices 0 to n-1 of directed graphs. Each result is a function of the edges in their
// order alone.
package digraph

import (
	"container/heap"
	"math"
	"slices"
)

// Components lists the strongly connected components of a graph by the successors of each vertex. A component follows
// all that it leads to, its members ascend; otherwise the order is that of the vertices.
func Components(succs [][]int) [][]int {
	t := newTarjan(len(succs))
	return t.run(func(v int) {
		for _, w := range succs[v] {
			t.follow(v, w)
		}
	})
}

// ComponentsOf is Components of a relation, which it asks about no more pairs than it needs.
func ComponentsOf(n int, leads func(v, w int) bool) [][]int {
	t := newTarjan(n)
	return t.run(func(v int) {
		for w := range n {
			if v != w && (t.index[w] == 0 || t.index[w] < t.low[v]) && leads(v, w) {
				t.follow(v, w)
			}
		}
	})
}

// InOrder is ComponentsOf where each component comes before all that it leads to; otherwise the order is that of the
// vertices.
func InOrder(n int, leads func(v, w int) bool) [][]int {
	out := ComponentsOf(n, func(v, w int) bool { return leads(n-1-v, n-1-w) })
	slices.Reverse(out)
	for _, c := range out {
		for i := range c {
			c[i] = n - 1 - c[i]
		}
		slices.Reverse(c)
	}
	return out
}

// Numbers gives the component of each vertex, which are numbered in the order of their least vertices.
func Numbers(components [][]int) []int {
	n := 0
	for _, c := range components {
		n += len(c)
	}
	first := make([][]int, n) // a component at its least vertex
	for _, c := range components {
		first[c[0]] = c
	}
	out, next := make([]int, n), 0
	for _, c := range first {
		for _, v := range c {
			out[v] = next
		}
		next += min(1, len(c))
	}
	return out
}

// tarjan finds components by one depth-first search (Tarjan, "Depth-first search and linear graph algorithms", 1972).
type tarjan struct {
	index, low []int // from 1; 0 is not met yet, and the index of what is in a component is beyond all others
	stack      []int
	next       int
	out        [][]int
	edges      func(v int) // calls follow
}

func newTarjan(n int) *tarjan { return &tarjan{index: make([]int, n), low: make([]int, n)} }

func (t *tarjan) run(edges func(v int)) [][]int {
	t.edges = edges
	for v := range t.index {
		if t.index[v] == 0 {
			t.visit(v)
		}
	}
	return t.out
}

func (t *tarjan) follow(v, w int) {
	if t.index[w] == 0 {
		t.visit(w)
		t.low[v] = min(t.low[v], t.low[w])
	}
	t.low[v] = min(t.low[v], t.index[w])
}

func (t *tarjan) visit(v int) {
	t.next++
	own := t.next
	t.index[v], t.low[v] = own, own
	at := len(t.stack)
	t.stack = append(t.stack, v)
	t.edges(v)
	if t.low[v] < own {
		return
	}
	c := slices.Sorted(slices.Values(t.stack[at:]))
	t.stack = t.stack[:at]
	for _, w := range c {
		t.index[w] = math.MaxInt
	}
	t.out = append(t.out, c)
}

// Waits counts for each vertex the edges to it from vertices that are not taken (Kahn, "Topological sorting of large
// networks", 1962).
type Waits struct {
	succs [][]int
	count []int
}

// NewWaits calls ready with the vertices that no edge leads to.
func NewWaits(succs [][]int, ready func(v int)) *Waits {
	w := &Waits{succs, make([]int, len(succs))}
	for _, list := range succs {
		for _, v := range list {
			w.count[v]++
		}
	}
	for v, n := range w.count {
		if n == 0 {
			ready(v)
		}
	}
	return w
}

// Take calls ready with what waited for a vertex last.
func (w *Waits) Take(v int, ready func(v int)) {
	for _, x := range w.succs[v] {
		if w.count[x]--; w.count[x] == 0 {
			ready(x)
		}
	}
}

// Sorted lists the vertices, each after those that lead to it, the least of several first. Vertices of circles, and
// those behind them, are not among them.
func Sorted(succs [][]int) []int {
	var ready Heap
	push := func(v int) { heap.Push(&ready, v) }
	w := NewWaits(succs, push)
	var out []int
	for ready.Len() > 0 {
		v := heap.Pop(&ready).(int)
		out = append(out, v)
		w.Take(v, push)
	}
	return out
}

// A Heap gives the least number first (container/heap).
type Heap []int

func (h Heap) Len() int { return len(h) }

func (h Heap) Less(i, j int) bool { return h[i] < h[j] }

func (h Heap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push appends a number.
func (h *Heap) Push(x any) { *h = append(*h, x.(int)) }

// Pop takes the last number.
func (h *Heap) Pop() any {
	n := len(*h) - 1
	x := (*h)[n]
	*h = (*h)[:n]
	return x
}
