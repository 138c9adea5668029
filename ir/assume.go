package ir

// CopyRegionWith is CopyRegion with other values for some that the region uses
// from outside: what is known inside of it, such as the condition of a branch.
func (b *Builder) CopyRegionWith(r Region, with map[Value]Value, term func(yields []Value)) Region {
	c := copier{b, map[Value]Value{}}
	for v, w := range with {
		c.m[v] = w
	}
	return c.region(r, term)
}

// Frees lists what the live nodes of a closed region use from outside of it. The
// slice must not be changed.
func (g *Graph) Frees(r Region) []Value { return g.regions[r].frees }
