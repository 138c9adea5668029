package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// A tuple that is emitted under a condition may be computed in any case, if that traps never
// and costs little, and given with the condition: a sum adds its identity where that does not
// hold, and what is collected is stored, but does not count. Neither is a branch that is
// foreseen wrongly, and sums become vectors.

// maskable is an accumulator that takes tuples with a condition.
type maskable interface {
	accumulator
	canMask() bool
	addMasked(d down, cond ir.Value, tuple []ir.Value)
}

// maxMasked is how many operations are worth computing without need.
const maxMasked = 24

// giveMasked gives items what one branch of a conditional emits, if all of them can take that
// and the other branch emits nothing.
func (d down) giveMasked(cond ir.Value, items []item) bool {
	g := d.Schedule().Graph()
	branch := -1
	for _, it := range items {
		n, j, _ := g.Projection(it.given[0])
		s, ok := it.s.(maskable)
		if !ok || !s.canMask() || g.Def(n) != scf.If {
			return false
		}
		for b, r := range g.Regions(n) {
			switch y := g.Yields(r)[j]; {
			case g.Def(y) == loop.None:
			case g.Def(y) != loop.Emit, branch >= 0 && branch != b, !d.source.cheap(r):
				return false
			default:
				branch = b
			}
		}
	}
	if branch < 0 {
		return false
	}
	c := d.news([]ir.Value{cond})[0]
	if branch == 1 {
		c = d.kit().Not(c)
	}
	made := map[ir.Value]bool{}
	for _, it := range items {
		n, j, _ := g.Projection(it.given[0])
		block := g.NodeOf(n).Region(branch)
		if !made[n] {
			d.Body(block)
			made[n] = true
		}
		if e := g.Yields(block.Old())[j]; g.Def(e) == loop.Emit {
			it.s.(maskable).addMasked(d, c, d.news(g.Args(e)))
		}
	}
	return true
}

// canMask: a named way to combine has an identity.
func (r *reducer) canMask() bool { return !r.g.IsRegional() }

func (r *reducer) addMasked(d down, cond ir.Value, tuple []ir.Value) {
	given := make([]ir.Value, len(tuple))
	for i, v := range r.identity(d) {
		given[i] = d.kit().Choose(cond, tuple[i], v)
	}
	r.add(d, given)
}

// canMask: there is room for one more number, and a number alone costs nothing to store.
func (s *collector) canMask() bool { return !s.hasArrays() && !s.grows && !s.exact }

// hasArrays reports elements that are arrays, or have some.
func (s *collector) hasArrays() bool {
	return slices.ContainsFunc(s.cols, func(c *store) bool { return c.inner != nil })
}

func (s *collector) addMasked(d down, cond ir.Value, tuple []ir.Value) {
	d.arrays.put(s.cols, s.count, d.arrays.explodeAll(s.types, tuple))
	s.count = d.arrays.counted(s.count, cond)
}
