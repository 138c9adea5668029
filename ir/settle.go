package ir

// Settle rebuilds a graph and its children by the identity until nothing
// changes, seen by an equal fingerprint: a rule may need to know that something
// is dead, which only the next build sees. What is printed of a settled graph is
// read as one that prints the same. A graph that was settled is not rebuilt.
func Settle(g *Graph) *Graph {
	if g.verbatim || g.settled {
		return g
	}
	s := NewSchedule(g, ScheduleOptions{})
	var todo []*Graph
	s.Walk(func(v Value) { todo = append(todo, g.Children(v)...) })
	settled := make([]*Graph, len(todo))
	Parallel(len(todo), func(i int) { settled[i] = Settle(todo[i]) })
	children := make(map[*Graph]*Graph, len(todo))
	for i, c := range todo {
		children[c] = settled[i]
	}
	seen := map[uint64]bool{}
	for fp := s.ownFingerprint(); !seen[fp]; fp = s.ownFingerprint() {
		seen[fp] = true
		m := &Mirror{s: s, g: g, children: children}
		m.rebuild(g.Ctx)
		g = m.B.g
		s = NewSchedule(g, ScheduleOptions{})
		for _, c := range settled {
			children[c] = c
		}
	}
	g.settled = true
	return g
}
