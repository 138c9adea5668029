package polyhedral

import (
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// findInside finds the accesses whose indices are proven to lie in the memory of their array for
// each instance that the schedule has: the image of the instances is in the extent, and bound
// memory, which begins at index 0 wherever the extent does, has no place below that. An access of
// which that is not proven, for want of an extent or of work allowed, is checked when it runs.
func (c *code) findInside() {
	c.inside = systems.Inside{}
	for _, n := range c.sys.Schedule.All() {
		if n.Kind() == schedule.Extension || n.Kind() == schedule.Expansion {
			return // it has instances that its root does not tell
		}
	}
	for _, st := range c.sys.Statements {
		instances, ok := c.instances(st)
		if !ok {
			continue
		}
		c.inside[systems.Written(st)] = c.proveInside(instances, st.Target, st.Write)
		for i, r := range st.Reads {
			c.inside[systems.ReadBy(st, i)] = c.proveInside(instances, r.Array, r.Map)
		}
	}
}

// instances are those of a statement that the schedule has, if they are in its domain: what is
// known of its coordinates otherwise is what the domain says.
func (c *code) instances(st *poly.Stmt) (presburger.Set, bool) {
	s, err := st.Domain.Universe().Intersect(c.sys.Schedule.Set())
	if err == nil {
		s, err = s.IntersectParams(c.sys.Context)
	}
	if err != nil {
		return s, false
	}
	ok, err := s.IsSubset(st.Domain)
	return s, ok && err == nil
}

func (c *code) proveInside(instances presburger.Set, a *poly.ArrayDecl, m presburger.Map) bool {
	if a.InBounds {
		return true
	}
	if !a.HasExtent || c.below[a] {
		return false
	}
	image, err := instances.Apply(m)
	if err != nil {
		return false
	}
	ok, err := image.IsSubset(a.Extent)
	return ok && err == nil
}
