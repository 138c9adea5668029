package fuse

import (
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
)

// A slot is a generator of the loop that a cluster becomes: one of a member, or how many
// tuples that is given.
type slot struct {
	source
	count bool
}

// A domain are rounds: those of the loop, or what a generator emits.
type domain struct {
	source
	members []int
	whole   bool // what it emits is collected as well
	counted bool // and so is how much it is
	slots   []slot
}

// A shape is how a cluster is built.
type shape struct {
	*region
	*cluster
	domains map[source]*domain
	needed  map[source]bool // generators whose results something else needs
	counted map[source]bool // those of which it needs the number
	size    ir.Value
}

// newShape works out what of a cluster is still needed; changes is false if that is the loop
// that it is.
func newShape(p *plan, c *cluster) (s *shape, changes bool) {
	s = &shape{region: p.region, cluster: c, domains: map[source]*domain{root: {source: root}}, needed: map[source]bool{}, counted: map[source]bool{}}
	s.size = s.g.Args(p.loops[c.members[0]].v)[0]
	inside := map[ir.Value]bool{}
	for _, l := range c.members {
		inside[p.loops[l].index] = true
		if in := c.rounds(l); in != root {
			s.domain(in)
		}
		d := s.domain(c.rounds(l))
		d.members = append(d.members, l)
	}
	changes = len(c.members) > 1
	for _, l := range c.members {
		s.users(l, inside)
		// A number is counted only if its elements are not collected: an array has its length.
		for k := range p.loops[l].gens {
			at := source{l, k}
			if s.counted[at] && !s.needed[at] {
				s.domain(at).counted = true
			}
			changes = changes || !s.needed[at]
		}
	}
	if len(s.needed)+len(s.counted) == 0 && s.rounds(s.writer()) == root { // its body writes
		s.needed[source{s.writer(), 0}] = true
		changes = changes && (len(c.members) > 1 || len(p.loops[c.members[0]].gens) > 1)
	}
	for _, d := range s.domains {
		d.whole = s.needed[d.source]
	}
	s.keepWriter()
	s.list(s.domains[root])
	return s, changes
}

// writer is the member that writes, or the first.
func (s *shape) writer() int {
	for _, l := range s.members {
		if s.loops[l].writes {
			return l
		}
	}
	return s.members[0]
}

// keepWriter counts the rounds of a member that writes if nothing else is made of them, as
// what emits nothing to anything is not built.
func (s *shape) keepWriter() {
	for _, l := range s.members {
		if d := s.domains[s.rounds(l)]; s.loops[l].writes && d.source != root && len(s.list(d)) == 0 {
			d.counted = true
		}
	}
}

// domain is that of a source; it is added if there is none.
func (s *shape) domain(at source) *domain {
	d := s.domains[at]
	if d == nil {
		d = &domain{source: at}
		s.domains[at] = d
	}
	return d
}

// users looks who uses the results of member l, besides what reads elements in the same
// round.
func (s *shape) users(l int, inside map[ir.Value]bool) {
	m, g := s.loops[l], s.g
	for _, u := range g.NodeOf(m.v).Users() {
		for k, a := range g.Args(u.Old()) {
			n, i, _ := g.Projection(a)
			if n != m.v {
				continue
			}
			at := source{l, m.generator(i)}
			switch {
			case u.Def() == loop.At && k == 0 && inside[g.Args(u.Old())[1]]:
			case u.Def() == loop.Len && m.gens[at.gen].Kind == loop.CollectKind && m.known(s.region, at.gen):
				s.counted[at] = s.counted[at] || s.asked(u, at)
			default:
				s.needed[at] = true
			}
		}
	}
}

// asked reports that a number of emits is used by others than the members for whose rounds
// it stands.
func (s *shape) asked(n ir.Node, at source) bool {
	for _, u := range n.Users() {
		if j, ok := s.at[u.Old()]; !ok || s.rounds(j) != at || s.loops[j].lenToo {
			return true
		}
	}
	return false
}

// list lists the generators that what runs in the rounds of a domain is given to, in the
// order of domainRound.
func (s *shape) list(d *domain) []slot {
	d.slots = nil
	if d.whole {
		d.slots = append(d.slots, slot{d.source, false})
	}
	if d.counted {
		d.slots = append(d.slots, slot{d.source, true})
	}
	for _, l := range d.members {
		for k := range s.loops[l].gens {
			at := source{l, k}
			if sub := s.domains[at]; sub != nil {
				d.slots = append(d.slots, s.list(sub)...)
			} else if s.needed[at] {
				d.slots = append(d.slots, slot{at, false})
			}
		}
	}
	return d.slots
}

// generator is that of a slot.
func (s *shape) generator(x slot) loop.Generator {
	if x.count {
		return loop.Counter()
	}
	return s.loops[x.loop].gens[x.gen]
}

// gone counts the arrays that are not made any more.
func (s *shape) gone() (n int) {
	for _, l := range s.members {
		for k, g := range s.loops[l].gens {
			if g.Kind == loop.CollectKind && !s.needed[source{l, k}] {
				n += len(g.Types)
			}
		}
	}
	return n
}
