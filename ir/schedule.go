package ir

import (
	"slices"

	"github.com/irc-lang/irc/ir/internal/intern"
)

// A Schedule says in which region each live node of a graph stands and in what
// order: a sea of nodes made a tree again.
//
// One sweep from the last node to the first finds what is live. It places each node at the lowest common
// region of its users, and from there at the least frequent region on the way up to its home. Order within a
// region is the order of numbers, which every edge respects. This is the code motion of the LMS document
// (chapter 2) with regions in the place of its iteration over levels.
type Schedule struct {
	g      *Graph
	lca    []Region // lowest common region of the users, then the place; noRegion if dead
	extra  map[Value][]Region
	uses   map[Value][]Region // with copies: the regions of the users
	parent []Region           // where the op of a region stands, not where it was built; noRegion if nowhere
	depth  []int32
	freq   []float64
	soft   []int32 // head of the list of soft users, by node
	links  []softLink
	steps  int
	start  []uint32 // body of region r: order[start[r]:start[r+1]]
	order  []Value
	opts   ScheduleOptions

	deadMoved bool // a read stands further out because of a write that is dead
	plain     bool // by the default choices (see ScheduleOf)
	reordered func(*Graph) map[Region][]Value
}

type softLink struct {
	user Value
	next int32
}

// ScheduleOptions are the choices of NewSchedule.
type ScheduleOptions struct {
	// Weight says how often region i of an op runs for each run of the op; nil
	// stands for Frequency.
	Weight func(owner Node, i int) float64
	// ColdFrequency is up to how often, for each run of what is around it, a region counts as rarely run;
	// 0 stands for 0.75.
	ColdFrequency float64
	// Copies gives each rarely run region its own copy of a pure node that only
	// such regions use.
	Copies bool
	// Shuffle, if not nil, picks one of the n regions where a node may stand
	// instead of the least frequent one: tests use it to find hidden order.
	Shuffle func(n int) int
}

// frequency is the default weight: half for a branch, 1000 for what repeats.
func frequency(owner Node, i int) float64 {
	switch owner.Region(i).Kind() {
	case Branch:
		return 0.5
	case Loop, Lambda:
		return 1000
	}
	return 1
}

// maxCopies is up to how many regions that use a node may get a copy each: more
// would be more code than it saves, and long lists to search.
const maxCopies = 64

// NewSchedule schedules a graph.
func NewSchedule(g *Graph, opts ScheduleOptions) *Schedule {
	if opts.Weight == nil {
		opts.Weight = frequency
	}
	if opts.ColdFrequency == 0 {
		opts.ColdFrequency = 0.75
	}
	g.Ctx.counts.schedules.Add(1)
	n, m := len(g.nodes), len(g.regions)
	s := &Schedule{g: g, opts: opts, lca: make([]Region, n), parent: make([]Region, m), depth: make([]int32, m), freq: make([]float64, m), soft: make([]int32, n)}
	for i := range s.lca {
		s.lca[i] = noRegion
	}
	for i := range s.parent {
		s.parent[i] = noRegion
	}
	s.parent[Root], s.freq[Root] = Root, 1
	if opts.Copies {
		s.uses = map[Value][]Region{}
		s.extra = map[Value][]Region{}
	}
	s.links = append(s.links, softLink{})
	s.useRegion(Root)
	for v := Value(n - 1); v > 0; v-- {
		s.visit(v)
	}
	s.layOut()
	s.soft, s.links = nil, nil // the schedule may be kept as long as its graph
	g.Ctx.counts.steps.Add(int64(s.steps))
	return s
}

// useRegion uses what must happen in a region that has its place.
func (s *Schedule) useRegion(r Region) {
	reg := &s.g.regions[r]
	if s.g.verbatim {
		for _, v := range reg.members {
			s.use(v, r)
		}
		return
	}
	if reg.term != 0 {
		s.use(reg.term, r)
	}
	for _, v := range reg.effs {
		s.use(v, r)
	}
}

func (s *Schedule) use(v Value, r Region) {
	s.steps++
	if s.lca[v] == noRegion {
		s.lca[v] = r
	} else {
		s.lca[v] = s.common(s.lca[v], r)
	}
	if s.uses != nil && len(s.uses[v]) <= maxCopies && !slices.Contains(s.uses[v], r) {
		s.uses[v] = append(s.uses[v], r)
	}
}

// common returns the lowest common region.
func (s *Schedule) common(a, b Region) Region {
	for a != b {
		s.steps++
		if s.depth[a] >= s.depth[b] {
			a = s.parent[a]
		} else {
			b = s.parent[b]
		}
	}
	return a
}

func (s *Schedule) visit(v Value) {
	g := s.g
	s.steps++
	rec := &g.nodes[v]
	if rec.op == opParam.id || rec.op == opEntry.id {
		return
	}
	live := s.lca[v] != noRegion
	// A dead node orders others too, unless its home has no place, and so never runs.
	if soft := g.Soft(v); len(soft) > 0 && s.parent[rec.home] != noRegion {
		for _, r := range soft {
			s.links = append(s.links, softLink{v, s.soft[r]})
			s.soft[r] = int32(len(s.links) - 1)
		}
	}
	if !live {
		// A dead write still stands between its neighbours, so its regions need a place.
		if rec.nreg > 0 && rec.flags&flagEffect != 0 && s.parent[rec.home] != noRegion {
			s.lca[v] = rec.home
			s.placeRegions(v)
			s.lca[v] = noRegion
		}
		return
	}
	if rec.flags&flagPinned != 0 {
		s.lca[v] = rec.home
	} else if !s.copies(v) {
		s.lca[v] = s.above(v, s.best(v, s.lca[v], rec.home))
	}
	s.placeRegions(v)
	for _, r := range g.Regions(v) {
		s.useRegion(r)
	}
	s.usesFrom(v, s.lca[v])
	for _, r := range s.extra[v] {
		s.usesFrom(v, r)
	}
}

func (s *Schedule) usesFrom(v Value, r Region) {
	for _, a := range s.g.Args(v) {
		s.use(a, r)
	}
	for _, h := range s.g.Hard(v) {
		s.use(h, r)
	}
}

func (s *Schedule) placeRegions(v Value) {
	for i, r := range s.g.Regions(v) {
		p := s.lca[v]
		s.parent[r], s.depth[r] = p, s.depth[p]+1
		s.freq[r] = s.freq[p] * s.opts.Weight(s.g.NodeOf(v), i)
	}
}

// wall reports that v must not be sunk into a region: nothing moves across a
// barrier, a function reads what is there when it is called, not made, and some
// ops say what their regions may hold.
func (s *Schedule) wall(v Value, r Region) bool {
	k := s.g.regions[r].kind
	return k == Barrier || k == Lambda && s.g.nodes[v].nhard > 0 || !s.g.fits(s.g.Def(s.g.regions[r].owner), v)
}

// best returns the least frequent region from the lowest to the highest
// possible one; the lowest of equals.
func (s *Schedule) best(v Value, low, high Region) Region {
	if s.opts.Shuffle != nil {
		return s.any(v, low, high)
	}
	best := low
	for cur := low; cur != high; {
		s.steps++
		next := s.parent[cur]
		if s.wall(v, cur) || s.freq[next] < s.freq[best] {
			best = next
		}
		cur = next
	}
	return best
}

// any returns some region from the lowest to the highest possible one.
func (s *Schedule) any(v Value, low, high Region) Region {
	path := []Region{low}
	for cur := low; cur != high; {
		next := s.parent[cur]
		if s.wall(v, cur) {
			path = path[:0]
		}
		path = append(path, next)
		cur = next
	}
	return path[s.opts.Shuffle(len(path))]
}

// above moves a node up until it stands before each of its soft users.
func (s *Schedule) above(v Value, r Region) Region {
	for l := s.soft[v]; l != 0; l = s.links[l].next {
		up := s.before(v, r, s.links[l].user)
		s.deadMoved = s.deadMoved || up != r && s.lca[s.links[l].user] == noRegion
		r = up
	}
	return r
}

// before returns r, or the region above it from where v comes before w. If w is
// an op around r, v may stand first in a region that w runs once, but no deeper:
// the write may lie on the way, and a loop would read again what it has written.
func (s *Schedule) before(v Value, r Region, w Value) Region {
	a, b := r, s.g.nodes[w].home
	if p := s.lca[w]; p != noRegion {
		b = p
	}
	opA, opB, in := v, w, r // in: the region of opA around r
	for a != b {
		s.steps++
		if s.depth[a] >= s.depth[b] {
			opA, in, a = s.g.regions[a].owner, a, s.parent[a]
		} else {
			opB, b = s.g.regions[b].owner, s.parent[b]
		}
	}
	switch {
	case a == r:
		return r
	case opA > opB:
		return a
	case opA != w:
		return r
	}
	if k := s.g.regions[in].kind; k == Once || k == Branch {
		return in
	}
	return a
}

// copies gives each rarely run region that uses v its own copy, if no other
// region uses v.
func (s *Schedule) copies(v Value) bool {
	uses := s.uses[v]
	rec := &s.g.nodes[v]
	if len(uses) < 2 || len(uses) > maxCopies || rec.nreg > 0 || rec.nhard > 0 || rec.op == opProj.id || s.g.Def(v).Has(Freezes) {
		return false
	}
	low := s.lca[v]
	groups := map[Region]Region{} // child of low -> lowest common region in it
	var children []Region
	for _, u := range uses {
		if u == low {
			return false
		}
		c := u
		for s.parent[c] != low {
			c = s.parent[c]
		}
		if s.wall(v, c) || s.freq[c] > s.opts.ColdFrequency*s.freq[low] {
			return false
		}
		if g, ok := groups[c]; ok {
			groups[c] = s.common(g, u)
		} else {
			groups[c] = u
			children = append(children, c)
		}
	}
	if s.freq[s.best(v, low, rec.home)] < s.freq[low] {
		return false // it leaves a loop around them all
	}
	s.lca[v] = s.best(v, groups[children[0]], children[0])
	for _, c := range children[1:] {
		s.extra[v] = append(s.extra[v], s.best(v, groups[c], c))
	}
	return true
}

// layOut lists the live ops of each region in order.
func (s *Schedule) layOut() {
	s.start = make([]uint32, len(s.g.regions)+1)
	s.each(func(_ Value, r Region) { s.start[r+1]++ })
	for r := range s.g.regions {
		s.start[r+1] += s.start[r]
	}
	s.order = make([]Value, s.start[len(s.start)-1])
	next := append([]uint32(nil), s.start...)
	s.each(func(v Value, r Region) { s.order[next[r]] = v; next[r]++ })
}

func (s *Schedule) each(f func(Value, Region)) {
	for v := Value(1); int(v) < len(s.g.nodes); v++ {
		if s.lca[v] == noRegion || !s.g.IsOp(v) {
			continue
		}
		f(v, s.lca[v])
		for _, r := range s.extra[v] {
			f(v, r)
		}
	}
}

// alike schedules another graph by the same choices.
func (s *Schedule) alike(g *Graph) *Schedule {
	x := s.inUsualOrder(g)
	if s.reordered != nil {
		return x.Reordered(s.reordered)
	}
	return x
}

func (s *Schedule) inUsualOrder(g *Graph) *Schedule {
	if s.plain {
		return ScheduleOf(g)
	}
	return NewSchedule(g, s.opts)
}

// Reordered is the same placement in another order: of gives, for this graph and those below
// that are scheduled alike, the ops of the regions whose order changes, which respects what
// an ordering.Order says of them.
func (s *Schedule) Reordered(of func(g *Graph) map[Region][]Value) *Schedule {
	out := *s
	out.reordered = of
	regions := of(s.g)
	if len(regions) == 0 {
		return &out
	}
	out.order = slices.Clone(s.order)
	for r, order := range regions {
		if len(order) != len(s.Body(r)) {
			panic("ir: another order of a region has other ops")
		}
		copy(out.order[s.start[r]:], order)
	}
	return &out
}

// Graph returns the graph that is scheduled.
func (s *Schedule) Graph() *Graph { return s.g }

// Body lists the ops that stand in a region, in order, terminator included. The
// slice must not be changed.
func (s *Schedule) Body(r Region) []Value { return s.order[s.start[r]:s.start[r+1]] }

// Live reports that a node is needed.
func (s *Schedule) Live(v Value) bool { return s.lca[v] != noRegion }

// Place returns the region where a live node stands (its first copy).
func (s *Schedule) Place(v Value) Region { return s.lca[v] }

// Copies lists the further regions in which a node stands.
func (s *Schedule) Copies(v Value) []Region { return s.extra[v] }

// Freq returns how often a region runs for each run of the graph.
func (s *Schedule) Freq(r Region) float64 { return s.freq[r] }

// Depth returns how deep a region stands.
func (s *Schedule) Depth(r Region) int { return int(s.depth[r]) }

// NumOps counts the ops of the schedule, those of child graphs excluded.
func (s *Schedule) NumOps() int { return len(s.order) }

// Fingerprint hashes what is scheduled, numbered in order: equal for graphs that
// print alike. Rebuilding by the identity keeps it.
func (s *Schedule) Fingerprint() uint64 {
	f := fingerprint{s: s, num: make([]uint32, len(s.g.nodes)), children: true}
	f.region(Root)
	return f.h
}

// ownFingerprint leaves child graphs out.
func (s *Schedule) ownFingerprint() uint64 {
	f := fingerprint{s: s, num: make([]uint32, len(s.g.nodes))}
	f.region(Root)
	return f.h
}

type fingerprint struct {
	s        *Schedule
	num      []uint32 // of each node, in the order of the schedule
	next     uint32
	h        uint64
	children bool
}

func (f *fingerprint) number(v Value) {
	f.next++
	f.num[v] = f.next
}

func (f *fingerprint) region(r Region) {
	g := f.s.g
	for _, p := range g.regions[r].params {
		f.number(p)
		f.h = intern.Mix(f.h, uint64(g.nodes[p].typ))
	}
	f.h = intern.Mix(f.h, uint64(g.regions[r].kind)+100)
	for _, v := range f.s.Body(r) {
		rec := &g.nodes[v]
		f.number(v)
		f.h = intern.Mix(f.h, uint64(rec.op)<<32|uint64(rec.typ))
		f.h = intern.Mix(f.h, uint64(rec.attr))
		for _, a := range g.Args(v) {
			n, i, _ := g.Projection(a)
			f.h = intern.Mix(f.h, uint64(f.num[n])<<16|uint64(i))
		}
		for _, in := range g.Regions(v) {
			f.region(in)
		}
		if f.children {
			for _, c := range g.Children(v) {
				f.h = intern.Mix(f.h, f.s.alike(c).Fingerprint())
			}
		}
	}
	f.h = intern.Mix(f.h, 7)
}
