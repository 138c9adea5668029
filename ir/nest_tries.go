package ir

// nestTries is what loops wrote beside what the old ones did, for as long as a loop around them is built. When that one is built
// again they need not be wrong again: in a nest each loop would be built twice as often as the one around it.
type nestTries struct {
	depth int
	wrote map[Region]map[Resource]bool
}

// tries begins to build a region of a mirror; what it returns ends it.
func tries(m *Mirror, old Region, assumed map[Resource]bool) (end func()) {
	if m.nest == nil {
		m.nest = &nestTries{wrote: map[Region]map[Resource]bool{}}
	}
	m.nest.depth++
	if assumed != nil {
		for c := range m.nest.wrote[old] {
			assumed[c] = true
		}
	}
	return func() {
		if m.nest.depth--; m.nest.depth == 0 {
			m.nest = nil
		}
	}
}

// add notes what a region wrote.
func (t *nestTries) add(old Region, wrote []Resource) {
	if t.wrote[old] == nil {
		t.wrote[old] = map[Resource]bool{}
	}
	for _, c := range wrote {
		t.wrote[old][c] = true
	}
}

// assumptions lists what old regions write, as resources of the new graph.
func (m *Mirror) assumptions(old ...Region) map[Resource]bool {
	out := map[Resource]bool{}
	for _, r := range old {
		for w := range m.g.regions[r].outside.written {
			if n, ok := m.resource(w); ok {
				out[n] = true
			}
		}
	}
	return out
}
