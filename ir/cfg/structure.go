package cfg

import "github.com/irc-lang/irc/ir/lists"

// structurer gives one graph its tree.
type structurer struct {
	g        *Graph
	walk     *walk
	of       []*loop // innermost loop of a block
	loops    []*loop
	edges    [][]target // of a block, like its successors
	level    []*loop    // of a place
	order    []int      // of a place: in reverse postorder
	entered  map[[2]int]bool
	idom     []int
	dom      *forest
	kids     [][]int // in the dominator tree, in reverse postorder
	jumpedTo []int
	later    []bool // of a place: it comes after the test of its loop

	going, entering int // the guards: to which place control goes; at which block it enters loops
}

// Structure gives the tree of a graph. Blocks that cannot be reached are not in it. Malformed graphs are the caller's
// mistake and panic: edges to no block, negative variables.
func Structure(g *Graph) *Tree {
	g, origin := split(g)
	t := structure(g)
	original(t, origin)
	return t
}

func structure(g *Graph) *Tree {
	n := len(g.Blocks)
	s := &structurer{g: g, walk: depthFirst(g), entered: map[[2]int]bool{}, level: make([]*loop, 4*n+1), order: make([]int, 4*n+1),
		idom: make([]int, 3*n), dom: newForest(3 * n), kids: make([][]int, 3*n), jumpedTo: make([]int, 3*n), later: make([]bool, 4*n+1)}
	s.of, s.loops = nest(g, s.walk)
	s.merge()
	s.targets()
	s.items()
	for _, l := range s.loops {
		s.dominators(l)
	}
	t := &Tree{FirstGuard: g.variables()}
	s.going, s.entering = t.FirstGuard, t.FirstGuard+1
	if s.dispatched(0, s.loops[0]) {
		t.Body = append(t.Body, &Set{s.entering, 0})
	}
	s.tree(s.entry(s.loops[0]), &t.Body)
	return guards(g, t)
}

// variables is one more than the greatest variable of a graph.
func (g *Graph) variables() int {
	most := -1
	up := func(vs ...int) {
		for _, v := range vs {
			if v < 0 {
				panic("cfg: a negative variable")
			}
			most = max(most, v)
		}
	}
	up(g.Results...)
	for _, b := range g.Blocks {
		up(b.Reads...)
		up(b.Writes...)
		for _, e := range b.Succs {
			for _, m := range e.Moves {
				up(m.To, m.From)
			}
		}
	}
	return most + 1
}

// sooner tells which of two places comes first in the tree: what is deeper in loops and, in one level, deeper in the
// dominator tree; then the reverse postorder.
func (s *structurer) sooner(a, b int) bool {
	if la, lb := s.level[a].depth, s.level[b].depth; la != lb {
		return la > lb
	}
	if da, db := s.depth(a), s.depth(b); da != db {
		return da > db
	}
	if s.order[a] != s.order[b] {
		return s.order[a] < s.order[b]
	}
	return a < b
}

// depth is that in the dominator tree; places where a level ends are at -1.
func (s *structurer) depth(place int) int32 {
	if place >= len(s.idom) || s.later[place] {
		return -1
	}
	return s.dom.depth[place]
}

// tree emits an item and what it dominates in its level, and gives the places to which control goes from there.
func (s *structurer) tree(x int, out *[]Node) *heap {
	for {
		next, going := s.item(x, out)
		if next >= 0 {
			x = next
			continue
		}
		last := -1
		merges := s.merges(x)
		for i, m := range merges {
			rest := s.without(going, m)
			switch {
			case rest != nil:
				arm := Arm{}
				more := s.tree(m, &arm.Body)
				arm.Dead = more == nil
				*out = append(*out, &If{Test: Test{Kind: OnGuard, Of: s.going, Cases: []int{m}}, Arms: []Arm{arm, {}}})
				going = s.meld(rest, more)
			case i < len(merges)-1:
				going = s.tree(m, out)
			default:
				last = m
			}
		}
		if last < 0 {
			return going
		}
		x = last
	}
}

// merges are the items right below x in the dominator tree to which control comes on several ways.
func (s *structurer) merges(x int) (out []int) {
	return lists.Filter(s.kids[x], func(k int) bool { return s.jumpedTo[k] > 1 && !s.later[k] })
}

// alone tells whether an item of this level is jumped to once, so that it can stand where the jump is.
func (s *structurer) alone(l *loop, place int) bool {
	return place < len(s.jumpedTo) && s.level[place] == l && s.jumpedTo[place] == 1 && !s.later[place]
}

// item emits one item and its branch. Where it has one successor that stands right after it, that is next, else -1.
func (s *structurer) item(x int, out *[]Node) (next int, going *heap) {
	n, l := len(s.g.Blocks), s.level[x]
	switch x / n {
	case 0:
		*out = append(*out, &Run{x})
		succs := s.g.Blocks[x].Succs
		if len(succs) == 1 {
			return s.jump(l, s.edges[x][0], succs[0].Moves, out)
		}
		if len(succs) == 0 {
			return -1, nil
		}
		node := &If{Test: Test{Kind: Branch, Of: x}}
		for i, e := range succs {
			going = s.meld(going, s.arm(node, func(out *[]Node) (int, *heap) { return s.jump(l, s.edges[x][i], e.Moves, out) }))
		}
		*out = append(*out, node)
		return -1, going
	case 1:
		s.loop(s.of[x-n], out)
		return s.dispatch(l, s.going, s.of[x-n].exits, s.of[x-n].exits, out)
	default:
		entries := s.of[x-2*n].entries
		places := lists.Map(entries, func(to int) int { return s.inside(l, to) })
		return s.dispatch(l, s.entering, entries, places, out)
	}
}

// arm fills one more arm of an If by jump, and by what stands where the jump is.
func (s *structurer) arm(node *If, jump func(out *[]Node) (int, *heap)) *heap {
	arm := Arm{}
	next, going := jump(&arm.Body)
	if next >= 0 {
		going = s.tree(next, &arm.Body)
	}
	arm.Dead = going == nil
	node.Arms = append(node.Arms, arm)
	return going
}

// jump emits what an edge does.
func (s *structurer) jump(l *loop, to target, moves []Move, out *[]Node) (int, *heap) {
	if len(moves) > 0 {
		*out = append(*out, &Assign{moves})
	}
	if to.enter >= 0 {
		*out = append(*out, &Set{s.entering, to.enter})
	}
	return s.goTo(l, to.place, true, out)
}

// goTo goes to a place, or says that it comes next; set says whether the guard has to be told.
func (s *structurer) goTo(l *loop, place int, set bool, out *[]Node) (int, *heap) {
	if s.alone(l, place) {
		return place, nil
	}
	if set {
		*out = append(*out, &Set{s.going, place})
	}
	return -1, &heap{place: place, rank: 1}
}

// dispatch goes to one of several places by a guard; cases are its values.
func (s *structurer) dispatch(l *loop, guard int, cases, places []int, out *[]Node) (int, *heap) {
	known := guard != s.going
	if len(places) == 0 {
		return -1, nil
	}
	if len(places) == 1 {
		return s.goTo(l, places[0], known, out)
	}
	node := &If{Test: Test{Kind: OnGuard, Of: guard}}
	var going *heap
	for i, p := range places {
		if known || s.alone(l, p) {
			node.Test.Cases = append(node.Test.Cases, cases[i])
			going = s.meld(going, s.arm(node, func(out *[]Node) (int, *heap) { return s.goTo(l, p, known, out) }))
		} else {
			going = s.meld(going, &heap{place: p, rank: 1})
		}
	}
	switch {
	case len(node.Arms) == len(places):
		node.Test.Cases = node.Test.Cases[:len(places)-1]
	default:
		node.Arms = append(node.Arms, Arm{})
	}
	if len(node.Arms) > 1 {
		*out = append(*out, node)
	}
	return -1, going
}
