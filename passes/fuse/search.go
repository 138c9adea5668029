package fuse

import "slices"

// maxOptimal is up to how many loops of a region the best plan is looked for.
const maxOptimal = 12

// maxTried bounds the search for it.
const maxTried = 1 << 14

// greedy puts each loop, in order, in the cluster where it saves most.
func greedy(m *model, limit int) *plan {
	p := newPlan(m.region, limit)
	for l := range m.loops {
		best, gain, in := -1, 0.0, root
		for _, k := range p.partners(l) {
			if s, no := p.legal(l, k); no.why == 0 {
				if g := m.gain(p, l, k); g > gain {
					best, gain, in = k, g, s
				}
			}
		}
		if best < 0 {
			p.open(l)
			continue
		}
		p.saved += gain
		p.join(l, best, in)
	}
	return p
}

// partners lists the clusters that loop l might join: those over the same size, and that of
// the loop whose emits are its rounds.
func (p *plan) partners(l int) (out []int) {
	m := p.loops[l]
	if m.from != root {
		out = append(out, p.of[m.from.loop])
	}
	for k, c := range p.clusters {
		if c.key == m.key {
			out = append(out, k)
		}
	}
	return out
}

// A search looks for the plan that saves most: each loop, in order, goes in each cluster that
// takes it, or in one of its own, unless all that is left could not save more than the
// best plan does (branch and bound).
type search struct {
	*model
	p         *plan
	rest      []float64 // what loops from here on save at most
	best      *plan
	attempted int
}

// optimal is the best plan if there are few loops, and never worse than the greedy one.
func optimal(m *model, limit int) *plan {
	best := greedy(m, limit)
	if len(m.loops) > maxOptimal {
		return best
	}
	s := &search{model: m, p: newPlan(m.region, limit), best: best, rest: make([]float64, len(m.loops)+1)}
	for l := len(m.loops) - 1; l >= 0; l-- {
		s.rest[l] = s.rest[l+1] + m.most(l)
	}
	s.from(0)
	return s.best
}

// from decides about loop l and those behind it, and undoes each choice before the next.
func (s *search) from(l int) {
	switch s.attempted++; {
	case s.p.saved+s.rest[l] <= s.best.saved || s.attempted > maxTried:
		return
	case l == len(s.loops):
		s.best = s.p.copy()
		return
	}
	saved := s.p.saved
	for _, k := range s.p.partners(l) {
		in, no := s.p.legal(l, k)
		if no.why != 0 {
			continue
		}
		s.p.saved = saved + s.gain(s.p, l, k)
		s.p.join(l, k, in)
		s.from(l + 1)
		s.p.leave(l)
	}
	s.p.saved = saved
	s.p.open(l)
	s.from(l + 1)
	s.p.leave(l)
}

// copy is a plan that shares the region only: the search goes on changing the first.
func (p *plan) copy() *plan {
	out := *p
	out.of = slices.Clone(p.of)
	out.clusters = nil
	for _, c := range p.clusters {
		d := *c
		d.members = slices.Clone(c.members)
		d.in = map[int]source{}
		for l, s := range c.in {
			d.in[l] = s
		}
		out.clusters = append(out.clusters, &d)
	}
	return &out
}
