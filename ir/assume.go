package ir

import "slices"

// CopyRegionWith is CopyRegion with other values for some that the region uses
// from outside: what is known inside of it, such as the condition of a branch.
func (b *Builder) CopyRegionWith(r Region, with map[Value]Value, term func(yields []Value)) Region {
	c := copier{b, map[Value]Value{}}
	for v, w := range with {
		c.m[v] = w
	}
	return c.region(r, nil, term)
}

// UsesFree reports that an op in a closed region, or deeper, has v, a value from
// outside, as an operand.
func (g *Graph) UsesFree(r Region, v Value) bool {
	reg := &g.regions[r]
	if !slices.Contains(reg.frees, v) {
		return false
	}
	for _, m := range reg.members {
		if slices.Contains(g.Args(m), v) {
			return true
		}
		for _, in := range g.Regions(m) {
			if g.UsesFree(in, v) {
				return true
			}
		}
	}
	return false
}

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
