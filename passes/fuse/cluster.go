package fuse

import (
	"maps"
	"slices"
)

// A cluster are loops of a region that become one.
type cluster struct {
	key     sizeKey
	members []int          // in order
	in      map[int]source // of the members whose rounds are what another one emits
	reads   bool           // of memory
	writes  bool
	vector  bool // all members run in vectors
}

// rounds says which rounds a member runs in.
func (c *cluster) rounds(l int) source {
	if s, ok := c.in[l]; ok {
		return s
	}
	return root
}

// A plan puts the loops of a region, taken in their order, in clusters.
type plan struct {
	*region
	limit    int // of operations that copies of bodies make
	of       []int
	clusters []*cluster
	saved    float64
}

// newPlan is a plan in which no loop has a cluster yet.
func newPlan(x *region, limit int) *plan {
	p := &plan{region: x, limit: limit, of: make([]int, len(x.loops))}
	for i := range p.of {
		p.of[i] = -1
	}
	return p
}

// open gives a loop a cluster of its own.
func (p *plan) open(l int) {
	p.clusters = append(p.clusters, &cluster{key: p.loops[l].key, in: map[int]source{}, vector: true})
	p.join(l, len(p.clusters)-1, root)
}

// join puts a loop in a cluster that legal allows, in rounds that it says.
func (p *plan) join(l, k int, in source) {
	c := p.clusters[k]
	p.of[l] = k
	c.members = append(c.members, l)
	c.note(p.loops[l])
	if in != root {
		c.in[l] = in
	}
}

// leave takes the last member out of its cluster, or the last cluster away.
func (p *plan) leave(l int) {
	k := p.of[l]
	c := p.clusters[k]
	p.of[l] = -1
	if c.members = c.members[:len(c.members)-1]; len(c.members) == 0 {
		p.clusters = p.clusters[:k]
		return
	}
	delete(c.in, l)
	c.reads, c.writes, c.vector = false, false, true
	for _, i := range c.members {
		c.note(p.loops[i])
	}
}

// note adds what a member does to what all do.
func (c *cluster) note(m *member) {
	c.reads, c.writes, c.vector = c.reads || m.readsMem, c.writes || m.writes, c.vector && m.effort.vector
}

// legal says whether loop l, the next in order, may be a member of cluster k, in which
// rounds, or what prevents it.
//
// Fusing changes which round of one body comes before which of another, and no more: every
// body runs for the rounds that it ran for, so that what may trap runs no more often. So
// bodies must not see what others write (a loop that writes is fused with such as touch no
// memory at all), elements that are read must be those of the same round, and the rest of what
// members need must be there before the first round: no dependence leaves the cluster and
// comes back.
func (p *plan) legal(l, k int) (in source, no refusal) {
	m, c := p.loops[l], p.clusters[k]
	in, no = p.roundsIn(m, c)
	if no.why != 0 {
		return
	}
	for _, q := range slices.Sorted(maps.Keys(m.whole)) {
		if p.of[q] == k {
			return in, refusal{m.whole[q].why, q, m.whole[q].op}
		}
	}
	for _, q := range slices.Sorted(maps.Keys(m.reads)) {
		results := m.reads[q]
		if p.of[q] != k {
			if in != root {
				return in, refusal{readsOther, q, m.v}
			}
			continue
		}
		for _, i := range results {
			gen := p.loops[q].generator(i)
			at := c.rounds(q)
			if p.loops[q].conditional(gen) {
				at = source{q, gen}
			}
			if at != in {
				return in, refusal{otherRounds, q, m.v}
			}
		}
	}
	if (m.writes && (c.reads || c.writes)) || (c.writes && m.readsMem) || p.writesAndEmits(m, c) {
		return in, refusal{effects, c.members[0], m.v}
	}
	if m.away || p.loops[c.members[0]].away { // which is alone there
		return in, refusal{takenAway, c.members[0], m.v}
	}
	if in != root && !p.fewCopies(c, l, in) {
		return in, refusal{manyCopies, in.loop, m.v}
	}
	return in, p.cycle(m, k, in)
}

// writesAndEmits reports that one of loop m and the cluster writes and the other hands what it
// emits to a loop around: that one may make it again (loop.Known), which what writes must not be.
func (p *plan) writesAndEmits(m *member, c *cluster) bool {
	emits := func(l int) bool { return p.loops[l].emitting() }
	return m.writes && slices.ContainsFunc(c.members, emits) || c.writes && m.emitting()
}

// roundsIn says in which rounds of a cluster a loop runs.
func (p *plan) roundsIn(m *member, c *cluster) (in source, no refusal) {
	if m.key == c.key {
		return root, refusal{}
	}
	if m.from == root || p.clusters[p.of[m.from.loop]] != c {
		return root, refusal{otherSize, c.members[0], m.v}
	}
	q := p.loops[m.from.loop]
	switch {
	case m.indexed.why != 0:
		return m.from, refusal{m.indexed.why, m.from.loop, m.indexed.op}
	case m.lenToo:
		return m.from, refusal{usesLength, m.from.loop, m.v}
	case !q.known(p.region, m.from.gen):
		return m.from, refusal{unknownEmits, m.from.loop, m.v}
	}
	return m.from, refusal{}
}

// cycle looks for a dependence that leaves cluster k and comes back to m, which joins it. What
// was decided has no cycle, and m is the last in order: so it looks back from what m needs.
func (p *plan) cycle(m *member, k int, in source) refusal {
	// seen has ops by their place, which is not negative, and members l of other clusters as -1 - l.
	seen := map[int]bool{}
	var todo []int
	push := func(m *member, in source) {
		for _, d := range m.deps {
			if d != m.lenDep || in == root {
				todo = append(todo, d)
			}
		}
	}
	push(m, in)
	for n := len(todo) - 1; n >= 0; n-- {
		d := todo[n]
		if j, ok := p.byPos[d]; ok && p.of[j] == k {
			// A direct dependence on a member holds within a round if it is a read of an element. Else
			// effects order the loops, and fusing would break that order.
			if _, read := m.reads[j]; !read {
				return refusal{effects, j, m.v}
			}
			todo = slices.Delete(todo, n, n+1)
		}
	}
	for len(todo) > 0 {
		d := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[d] {
			continue
		}
		seen[d] = true
		j, ok := p.byPos[d]
		if !ok || p.of[j] < 0 {
			todo = append(todo, p.deps[d]...)
			continue
		}
		if p.of[j] == k {
			return refusal{cycle, j, m.v}
		}
		// All members of a cluster run together, so it needs what any of them does.
		c := p.clusters[p.of[j]]
		for _, i := range c.members {
			if !seen[-1-i] {
				seen[-1-i] = true
				push(p.loops[i], c.rounds(i))
			}
		}
	}
	return refusal{}
}
