package cfg

// A place is a number for where control may go: with n blocks,
//
//	b         block b
//	n + h     the loop with header h, seen from outside
//	2n + h    the dispatcher at the entry of the irreducible loop with header h
//	3n + h    the next round of that loop
//	4n        out of the graph
//
// Every place but the last belongs to one level, which is the innermost loop around it; less the edges to the next round,
// a level is acyclic.

// target is where an edge goes.
type target struct {
	place int
	enter int // the block to be told to the dispatchers of the irreducible loops that the edge enters, or -1
}

// targets finds the places of all edges, and which loops are entered where.
func (s *structurer) targets() {
	n := len(s.g.Blocks)
	s.edges = make([][]target, n)
	s.level[4*n] = s.loops[0]
	for i, b := range s.walk.reverse {
		s.order[b], s.order[n+int(b)], s.order[2*n+int(b)], s.order[3*n+int(b)] = i, i, i, i
	}
	s.order[4*n] = len(s.walk.reverse)
	for _, b := range s.walk.reverse {
		s.level[b] = s.of[b]
		for _, e := range s.g.Blocks[b].Succs {
			s.edges[b] = append(s.edges[b], s.enter(int(b), e.To))
		}
	}
	for _, l := range s.loops[1:] {
		s.level[n+l.header] = l.parent
		s.level[2*n+l.header], s.level[3*n+l.header] = l, l
	}
	for _, b := range s.walk.reverse {
		for i := range s.edges[b] {
			if t := &s.edges[b][i]; t.enter >= 0 && !s.dispatched(t.enter, s.level[t.place]) {
				t.enter = -1
			}
		}
	}
}

// enter says where an edge goes, and notes at which blocks loops are entered.
func (s *structurer) enter(from, to int) target {
	n := len(s.g.Blocks)
	if to == Leave {
		return target{4 * n, -1}
	}
	l := s.of[to]
	if l.holds(s.of[from]) {
		if l.header == to && l.parent != nil || l.merged && s.order[to] <= s.order[from] {
			s.enters(l, to)
			return target{3*n + l.header, to}
		}
		return target{to, -1}
	}
	place := to
	for ; !l.holds(s.of[from]); l = l.parent {
		s.enters(l, to)
		place = n + l.header
	}
	return target{place, to}
}

// enters notes that a loop has an entry.
func (s *structurer) enters(l *loop, block int) {
	if l.header != block && !s.entered[[2]int{l.header, block}] {
		s.entered[[2]int{l.header, block}] = true
		l.entries = append(l.entries, block)
	}
}

// manyDeep is how deep irreducible loops may nest before they become one.
const manyDeep = 3

// merge makes one loop of irreducible ones that nest too deeply, and of what is between them: one dispatcher then serves all
// their entries, where each of them would have one, and hand on what all the others write.
func (s *structurer) merge() {
	deep := map[*loop]int{}
	for i := len(s.loops) - 1; i > 0; i-- {
		l := s.loops[i]
		if l.irreducible {
			deep[l]++
		}
		deep[l.parent] = max(deep[l.parent], deep[l])
	}
	into, kept := map[*loop]*loop{}, s.loops[:1]
	for _, l := range s.loops[1:] {
		if in := into[l.parent]; in != nil && deep[l] > 0 {
			into[l] = in
			continue
		} else if in != nil {
			l.parent = in
		}
		if l.irreducible && deep[l] > manyDeep {
			into[l], l.merged = l, true
		}
		kept = append(kept, l)
	}
	if len(into) == 0 {
		return
	}
	for b, l := range s.of {
		if in := into[l]; in != nil {
			s.of[b] = in
		}
	}
	s.loops = kept
	number(s.loops)
}

// dispatched tells whether a loop around the block, inside the level or the level itself, has a dispatcher.
func (s *structurer) dispatched(block int, level *loop) bool {
	for l := s.of[block]; ; l = l.parent {
		if l.irreducible {
			return true
		}
		if l == level || l.parent == nil {
			return false
		}
	}
}

// items puts blocks and loops into their levels, in reverse postorder, and finds the exits of the loops.
func (s *structurer) items() {
	n := len(s.g.Blocks)
	for _, b := range s.walk.reverse {
		l := s.of[b]
		if l.header == int(b) && l.parent != nil {
			l.parent.items = append(l.parent.items, n+int(b))
			if l.irreducible {
				l.items = append(l.items, 2*n+int(b))
			}
		}
		l.items = append(l.items, int(b))
	}
	seen := make([]*loop, 4*n+1)
	for i := len(s.loops) - 1; i > 0; i-- {
		l := s.loops[i]
		for _, x := range l.items {
			s.jumps(x, func(to int) {
				if !l.holds(s.level[to]) && seen[to] != l {
					seen[to] = l
					l.exits = append(l.exits, to)
				}
			})
		}
	}
}

// jumps gives the places to which an item of a level goes.
func (s *structurer) jumps(x int, do func(place int)) {
	switch n := len(s.g.Blocks); x / n {
	case 0:
		for _, t := range s.edges[x] {
			do(t.place)
		}
	case 1:
		for _, to := range s.of[x-n].exits {
			do(to)
		}
	case 2:
		for _, to := range s.of[x-2*n].entries {
			do(s.inside(s.of[x-2*n], to))
		}
	}
}

// inside is the item of a loop that holds a block of it.
func (s *structurer) inside(l *loop, block int) int {
	place := block
	for m := s.of[block]; m != l; m = m.parent {
		place = len(s.g.Blocks) + m.header
	}
	return place
}

// dominators builds the dominator tree of a level and counts how often each item is jumped to.
func (s *structurer) dominators(l *loop) {
	s.idom[s.entry(l)] = -1
	for _, x := range l.items {
		s.dom.add(x, s.idom[x])
		if s.idom[x] >= 0 {
			s.kids[s.idom[x]] = append(s.kids[s.idom[x]], x)
		}
		s.jumps(x, func(to int) {
			if s.level[to] != l || to >= 3*len(s.g.Blocks) {
				return
			}
			if s.jumpedTo[to]++; s.jumpedTo[to] == 1 {
				s.idom[to] = x
			} else {
				s.idom[to] = s.dom.common(s.idom[to], x)
			}
		})
	}
}

// entry is the first item of a level.
func (s *structurer) entry(l *loop) int {
	switch n := len(s.g.Blocks); {
	case l.irreducible:
		return 2*n + l.header
	case l.parent == nil && s.of[0] != l:
		return n
	default:
		return l.header
	}
}
