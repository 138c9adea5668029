package cfg

import "slices"

// An irreducible loop is entered at several blocks. It is entered at one of them alone once the others, and what follows them in
// the loop up to that one, are copied for those who come from outside: Janssen and Corporaal, "Making Graphs Reducible with
// Controlled Node Splitting" (1997). A copy costs code and nothing when it runs; the guard that is needed without it is set on
// each way in and tested in each round. So what is small is copied, and what is large is guarded.

const (
	copyLimit  = 24 // the cost of what is copied for one loop, at most
	exitCost   = 4  // of a copy that leaves the loop by a way of its own, which a guard joins with the others
	splitTurns = 4  // copies of irreducible loops in the loop that is copied may be split in their turn
)

// splitter copies blocks.
type splitter struct {
	g      *Graph
	origin []int // of a block: the one that it is a copy of, or itself
	of     []*loop
	shared []bool // the successors of a block are still those of the caller's graph
}

// split gives a graph that does the same and has fewer irreducible loops, and says of each block which one it is or is a copy of.
func split(g *Graph) (*Graph, []int) {
	s := &splitter{g: &Graph{Blocks: slices.Clone(g.Blocks), Results: g.Results}}
	for i := range g.Blocks {
		s.origin, s.shared = append(s.origin, i), append(s.shared, true)
	}
	for turn, n := 0, len(g.Blocks); turn < splitTurns && s.turn() && len(s.g.Blocks) <= 2*n; turn++ {
	}
	return s.g, s.origin
}

// turn splits what loops have no loop around them that it has split, and tells whether there were any.
func (s *splitter) turn() bool {
	var all []*loop
	s.of, all = nest(s.g, depthFirst(s.g))
	if !slices.ContainsFunc(all, func(l *loop) bool { return l.irreducible }) {
		return false
	}
	ways := s.waysIn()
	done := map[*loop]bool{}
	for _, l := range all[1:] {
		switch {
		case done[l.parent]:
			done[l] = true
		case l.irreducible:
			if header, ok := s.cheapest(l, ways[l]); ok {
				done[l] = true
				s.copy(l, header, ways[l])
			}
		}
	}
	return len(done) > 0
}

// wayIn is an edge that enters an irreducible loop: the successor succ of a block.
type wayIn struct{ from, succ int }

// waysIn are the edges that enter irreducible loops.
func (s *splitter) waysIn() map[*loop][]wayIn {
	out := map[*loop][]wayIn{}
	for b, of := range s.of {
		if of == nil {
			continue // not reached
		}
		for i, e := range s.g.Blocks[b].Succs {
			if e.To == Leave {
				continue
			}
			for l := s.of[e.To]; !l.holds(of); l = l.parent {
				if l.irreducible {
					out[l] = append(out[l], wayIn{b, i})
				}
			}
		}
	}
	return out
}

// cheapest is the block at which the loop is to be entered so that the least has to be copied, if that is little enough.
func (s *splitter) cheapest(l *loop, ways []wayIn) (header int, ok bool) {
	entries := []int{l.header}
	for _, w := range ways {
		if to := s.g.Blocks[w.from].Succs[w.succ].To; !slices.Contains(entries, to) {
			entries = append(entries, to)
		}
		if len(entries) > 4 {
			return 0, false
		}
	}
	candidates := entries
	if l.header == 0 { // control comes to the entry of the graph by no edge
		candidates = entries[:1]
	}
	least := copyLimit + 1
	for _, h := range candidates {
		if cost := s.cost(l, h, entries); cost < least {
			header, least = h, cost
		}
	}
	return header, least <= copyLimit
}

// cost is that of the copies if a loop is entered at a header alone; more than copyLimit stands for all that is more.
func (s *splitter) cost(l *loop, header int, entries []int) (cost int) {
	seen, list := map[int]bool{header: true}, []int(nil)
	take := func(b int) {
		if b != Leave && !seen[b] && l.holds(s.of[b]) {
			seen[b] = true
			list = append(list, b)
		}
	}
	for _, b := range entries {
		take(b)
	}
	for i := 0; i < len(list); i++ {
		b := &s.g.Blocks[list[i]]
		if cost += b.Cost; b.Cost <= 0 || cost > copyLimit {
			return copyLimit + 1
		}
		for _, e := range b.Succs {
			if e.To == Leave || !l.holds(s.of[e.To]) {
				cost += exitCost
			}
			take(e.To)
		}
	}
	return cost
}

// copy has the edges into a loop that do not go to the header go to copies, which lead to the header or out of the loop.
func (s *splitter) copy(l *loop, header int, ways []wayIn) {
	copies, list := map[int]int{}, []int(nil)
	target := func(b int) int {
		if b == Leave || b == header || !l.holds(s.of[b]) {
			return b
		}
		c, ok := copies[b]
		if !ok {
			c = len(s.g.Blocks)
			s.g.Blocks = append(s.g.Blocks, s.g.Blocks[b])
			s.origin, s.shared, s.of = append(s.origin, s.origin[b]), append(s.shared, true), append(s.of, l.parent)
			copies[b], list = c, append(list, c)
		}
		return c
	}
	redirect := func(b, succ int) {
		x := &s.g.Blocks[b]
		if to := target(x.Succs[succ].To); to != x.Succs[succ].To {
			x = &s.g.Blocks[b] // target may have moved it
			if s.shared[b] {
				x.Succs, s.shared[b] = slices.Clone(x.Succs), false
			}
			x.Succs[succ].To = to
		}
	}
	for _, w := range ways {
		redirect(w.from, w.succ)
	}
	for i := 0; i < len(list); i++ {
		for succ := range s.g.Blocks[list[i]].Succs {
			redirect(list[i], succ)
		}
	}
}

// original has the tree of a graph that was split speak of the blocks of the caller's.
func original(t *Tree, origin []int) {
	each(t.Body, func(n Node) {
		switch n := n.(type) {
		case *Run:
			n.Block = origin[n.Block]
		case *If:
			if n.Test.Kind == Branch {
				n.Test.Of = origin[n.Test.Of]
			}
		case *Loop:
			if n.Test.Kind == Branch {
				n.Test.Of = origin[n.Test.Of]
			}
		}
	})
}
