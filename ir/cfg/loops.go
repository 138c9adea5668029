package cfg

import (
	"slices"

	"github.com/irc-lang/irc/ir/lists"
)

// loop is a cycle and what is between: the blocks of a strongly connected part of the graph, less the cycles through the
// header of an outer one. An irreducible loop is entered at more blocks than its header.
type loop struct {
	header      int
	parent      *loop // nil for the root, which is the graph as a whole
	depth       int
	first, last int   // interval of the header in the preorder of the loop forest
	items       []int // blocks and loops right in it, in reverse postorder of the graph
	irreducible bool
	entries     []int // blocks at which edges enter or go around; more than one where irreducible
	exits       []int // places outside to which edges leave
	merged      bool  // it stands for several: edges that go back in the order go to the dispatcher
}

func (l *loop) holds(m *loop) bool { return l.first <= m.first && m.first <= l.last }

// walk is a depth-first order of the blocks that can be reached.
type walk struct {
	pre, last []int32 // preorder number of a block, and the greatest among its descendants; -1: not reached
	byPre     []int32
	reverse   []int32 // blocks in reverse postorder
	tree      *forest // of preorder numbers
}

func depthFirst(g *Graph) *walk {
	n := len(g.Blocks)
	w := &walk{pre: make([]int32, n), last: make([]int32, n), byPre: make([]int32, 0, n), reverse: make([]int32, 0, n), tree: newForest(n)}
	for i := range w.pre {
		w.pre[i] = -1
	}
	type frame struct{ block, next int }
	stack := make([]frame, 0, 64)
	enter := func(b, from int) {
		w.tree.add(len(w.byPre), from)
		w.pre[b] = int32(len(w.byPre))
		w.byPre = append(w.byPre, int32(b))
		stack = append(stack, frame{b, len(g.Blocks[b].Succs) - 1})
	}
	for enter(0, -1); len(stack) > 0; {
		top := &stack[len(stack)-1]
		if top.next >= 0 {
			to := g.Blocks[top.block].Succs[top.next].To
			if top.next--; to != Leave && w.pre[to] < 0 {
				enter(to, int(w.pre[top.block]))
			}
			continue
		}
		w.last[top.block] = int32(len(w.byPre) - 1)
		w.reverse = append(w.reverse, int32(top.block))
		stack = stack[:len(stack)-1]
	}
	slices.Reverse(w.reverse)
	return w
}

// headers finds, for each block, the header of the innermost loop that holds it and that it does not head itself (-1: none),
// and which blocks are headers: Havlak, "Nesting of Reducible and Irreducible Loops" (1997), where an edge between two
// subtrees of the depth-first tree waits until their common root is looked at, as in Ramalingam, "Identifying Loops in Almost
// Linear Time" (1999).
func headers(g *Graph, w *walk) (header []int32, heads []bool) {
	n := len(w.byPre)
	preds, crossing := make([][]int32, n), make([][][2]int32, n) // in preorder numbers, as all here
	within, isHead, self := make([]int32, n), make([]bool, n), newSets(n)
	above := func(a, b int32) bool { return a <= b && b <= w.last[w.byPre[a]] }
	for v, b := range w.byPre {
		within[v] = -1
		for _, e := range g.Blocks[b].Succs {
			if e.To == Leave {
				continue
			}
			to := w.pre[e.To]
			if root := w.tree.common(v, int(to)); root == int(to) {
				preds[to] = append(preds[to], int32(v))
			} else {
				crossing[root] = append(crossing[root], [2]int32{int32(v), to})
			}
		}
	}
	mark := make([]int32, n)
	for h := int32(n - 1); h >= 0; h-- {
		for _, e := range crossing[h] {
			to := self.find(e[1])
			preds[to] = append(preds[to], e[0])
		}
		var body []int32
		take := func(x int32) {
			if x = self.find(x); x != h && mark[x] != h+1 {
				mark[x] = h + 1
				body = append(body, x)
			}
		}
		for _, p := range preds[h] {
			if above(h, p) {
				isHead[h] = true
				take(p)
			}
		}
		for i := 0; i < len(body); i++ {
			for _, p := range preds[body[i]] {
				take(p)
			}
		}
		for _, x := range body {
			within[x] = h
			self.join(x, h)
		}
	}
	header, heads = make([]int32, len(g.Blocks)), make([]bool, len(g.Blocks))
	for v, b := range w.byPre {
		header[b], heads[b] = -1, isHead[v]
		if within[v] >= 0 {
			header[b] = w.byPre[within[v]]
		}
	}
	return header, heads
}

// nest gives the innermost loop of every block that can be reached, and all loops, outer before inner, the root first.
func nest(g *Graph, w *walk) (of []*loop, all []*loop) {
	header, heads := headers(g, w)
	root := &loop{}
	of, all = make([]*loop, len(g.Blocks)), []*loop{root}
	for _, b := range w.byPre { // a header comes before what is in its loop
		in := root
		if header[b] >= 0 {
			in = of[header[b]]
		}
		if heads[b] {
			in = &loop{header: int(b), parent: in, entries: []int{int(b)}}
			all = append(all, in)
		}
		of[b] = in
	}
	number(all)
	entered(g, w, of, all)
	return of, all
}

// entered finds which loops are irreducible: which ones an edge enters, but not at the header.
func entered(g *Graph, w *walk, of, all []*loop) {
	tree, at := newForest(len(all)), map[*loop]int{}
	upTo := make([]int, len(all)) // the least depth of a loop that stays outside of what an edge enters from here on up
	for i, l := range all {
		at[l] = i
		upTo[i] = l.depth
		if l.parent == nil {
			tree.add(i, -1)
		} else {
			tree.add(i, at[l.parent])
		}
	}
	for _, b := range w.byPre {
		for _, e := range g.Blocks[b].Succs {
			if e.To == Leave {
				continue
			}
			in := of[e.To]
			both := all[tree.common(at[of[b]], at[in])]
			if in != both && in.header == e.To {
				in = in.parent
			}
			upTo[at[in]] = min(upTo[at[in]], both.depth)
		}
	}
	for i := len(all) - 1; i > 0; i-- {
		l := all[i]
		if l.irreducible = upTo[i] < l.depth; l.irreducible {
			up := at[l.parent]
			upTo[up] = min(upTo[up], upTo[i])
		}
	}
}

// number gives the loops, of which outer ones come before inner ones, their intervals in a preorder of the forest.
func number(all []*loop) {
	size := map[*loop]int{}
	for i := len(all) - 1; i >= 0; i-- {
		size[all[i]]++
		size[all[i].parent] += size[all[i]]
	}
	next := map[*loop]int{}
	for _, l := range all {
		l.first = next[l.parent]
		l.depth = 0
		if l.parent != nil {
			l.depth = l.parent.depth + 1
		}
		l.last = l.first + size[l] - 1
		next[l.parent] += size[l]
		next[l] = l.first + 1
	}
}

// Order lists the blocks that can be reached in reverse postorder: each before those that it dominates.
func Order(g *Graph) (out []int) {
	return lists.Map(depthFirst(g).reverse, func(b int32) int { return int(b) })
}
