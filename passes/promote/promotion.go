package promote

import (
	"slices"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// promotion is which allocations of a graph become values, and what they hold while
// it is replayed.
type promotion struct {
	*local
	writes map[ir.Value][]ir.Value // by an op with regions: the memory that they store to, by number
	holds  map[ir.Value]ir.Value   // by allocation: a value of the new graph
}

// findPromotion finds the allocations that may become values; nil if there are none.
func findPromotion(g *ir.Graph) *promotion {
	l := findLocal(g, 1, false)
	if l == nil {
		return nil
	}
	p := &promotion{local: l, writes: map[ir.Value][]ir.Value{}, holds: map[ir.Value]ir.Value{}}
	for v := range l.at {
		if !p.reaches(v, l.of(v), g.Def(v) == memref.Store) {
			delete(l.size, l.of(v))
		}
	}
	if l.forget() == nil {
		return nil
	}
	for v, ms := range p.writes {
		ms = slices.DeleteFunc(ms, func(m ir.Value) bool { return l.size[m] == 0 })
		slices.Sort(ms)
		p.writes[v] = slices.Compact(ms)
	}
	return p
}

// reaches reports that what allocation m holds can be brought to an access of it:
// the regions around the access, up to where the allocation stands, run as their ops
// do and not later, and an op whose regions store to it can give that on.
func (p *promotion) reaches(access, m ir.Value, stores bool) bool {
	for r := p.s.Place(access); r != p.s.Place(m); {
		op := p.g.Owner(r)
		switch p.g.KindOf(r) {
		case ir.Barrier, ir.Lambda:
			return false
		}
		if stores {
			if carriers[p.g.Def(op)] == nil {
				return false
			}
			p.writes[op] = append(p.writes[op], m)
		}
		r = p.s.Place(op)
	}
	return true
}

// count is how many of the accesses of memory that becomes values are by an op.
func (p *promotion) count(def *ir.OpDef) (n int) {
	for v := range p.at {
		if p.g.Def(v) == def {
			n++
		}
	}
	return n
}
