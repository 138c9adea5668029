package ir

import "slices"

// Settle rebuilds a graph and its children by the identity until nothing
// changes: a rule may need to know that something is dead, which only the next
// build sees. What is printed of a settled graph is read as one that prints the
// same. It ends with a graph that is settled as built, or with an equal fingerprint.
func Settle(g *Graph) *Graph {
	if g.verbatim || g.settled {
		return g
	}
	s := NewSchedule(g, ScheduleOptions{})
	var todo []*Graph
	for v := range s.All() {
		todo = append(todo, g.Children(v)...)
	}
	settled := make([]*Graph, len(todo))
	Parallel(len(todo), func(i int) { settled[i] = Settle(todo[i]) })
	if !slices.Equal(todo, settled) {
		children := make(map[*Graph]*Graph, len(todo))
		for i, c := range todo {
			children[c] = settled[i]
		}
		g, s = again(s, children)
	}
	var children map[*Graph]*Graph
	seen := map[uint64]bool{}
	for !asBuilt(s) {
		fp := s.ownFingerprint()
		if seen[fp] {
			break
		}
		seen[fp] = true
		if children == nil {
			children = make(map[*Graph]*Graph, len(todo))
			for _, c := range settled {
				children[c] = c
			}
		}
		g, s = again(s, children)
	}
	g.settled, g.notes = true, notes{}
	keepSchedule(s)
	return g
}

// again rebuilds a graph with the given children.
func again(s *Schedule, children map[*Graph]*Graph) (*Graph, *Schedule) {
	m := &Mirror{s: s, g: s.g, children: children}
	m.rebuild(s.g.Ctx)
	return m.B.g, NewSchedule(m.B.g, ScheduleOptions{})
}
