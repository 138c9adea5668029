package ir

// CopyRegionWith is CopyRegion with other values for some that the region uses
// from outside: what is known inside of it, such as the condition of a branch.
func (b *Builder) CopyRegionWith(r Region, with map[Value]Value, term func(yields []Value)) Region {
	c := copier{b, map[Value]Value{}}
	for v, w := range with {
		c.m[v] = w
	}
	return c.region(r, nil, term)
}

// Frees lists what the live nodes of a closed region use from outside of it. The
// slice must not be changed.
func (g *Graph) Frees(r Region) []Value { return g.regions[r].frees }

// span are the bounds of an integer value, read as signed, both included.
type span struct{ low, high int64 }

// SetRange declares that an integer value is at least low and at most high.
func (b *Builder) SetRange(v Value, low, high int64) {
	if b.ranges == nil {
		b.ranges = map[Value]span{}
	}
	b.ranges[v] = span{low, high}
}

// Range returns the bounds that were declared of a value.
func (b *Builder) Range(v Value) (low, high int64, ok bool) {
	s, ok := b.ranges[v]
	return s.low, s.high, ok
}

// Enter tells an op definition that region i of an op with the given operands
// has just been opened, before anything is made in it.
func (b *Builder) Enter(def *OpDef, args []Value, i int, params []Value) {
	if def.Enter != nil && !b.g.verbatim {
		def.Enter(b, args, i, params)
	}
}
