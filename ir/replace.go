package ir

// WithChildren rebuilds a graph with other graphs for some of the children of
// its isolated ops, at any depth; children that are not in the map stay as they
// are. It returns g itself if none is replaced.
func WithChildren(g *Graph, to map[*Graph]*Graph) *Graph {
	s := ScheduleOf(g)
	children, changed := map[*Graph]*Graph{}, false
	for v := range s.All() {
		for _, c := range g.Children(v) {
			n := to[c]
			if n == nil {
				n = WithChildren(c, to)
			}
			children[c] = n
			changed = changed || n != c
		}
	}
	if !changed {
		return g
	}
	m := &Mirror{s: s, g: g, children: children}
	m.rebuild(g.Ctx)
	return m.B.g
}

// Insert makes the body of another scheduled graph again in the region that is
// open, with args for its parameters, and returns the operands of its
// terminator. Inlining is this.
func Insert(b *Builder, s *Schedule, args ...Value) []Value {
	return InsertRegion(b, s, Root, nil, args...)
}

// InsertRegion is Insert of one region of the other graph; outer stands for what
// that uses from around it.
func InsertRegion(b *Builder, s *Schedule, r Region, outer map[Value]Value, args ...Value) []Value {
	return InsertRegionBy(b, s, r, outer, nil, args...)
}

// InsertRegionBy is InsertRegion by rules, as those of Rewrite.
func InsertRegionBy(b *Builder, s *Schedule, r Region, outer map[Value]Value, rules Rules, args ...Value) []Value {
	m := &Mirror{B: b, s: s, g: s.g, m: make([]Value, len(s.g.nodes)), children: map[*Graph]*Graph{}, rules: rules}
	for old, v := range outer {
		m.m[old] = v
	}
	for v := range s.All() {
		for _, c := range s.g.Children(v) {
			m.children[c] = c
		}
	}
	return m.Body(Block{s.g, r}, args...)
}
