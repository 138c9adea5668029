package ir

import (
	"slices"

	"github.com/irc-lang/irc/ir/internal/intern"
)

// Settle rebuilds a graph and its children by the identity until nothing
// changes: a rule may need to know that something is dead, which only the next
// build sees. What is printed of a settled graph is read as one that prints the
// same. It ends with a graph that is settled as built, or with an equal fingerprint.
func Settle(g *Graph) *Graph {
	if g.verbatim || g.settled {
		return g
	}
	s := NewSchedule(g, ScheduleOptions{})
	var todo []*Graph
	for v := range s.All() {
		todo = append(todo, g.Children(v)...)
	}
	settled := make([]*Graph, len(todo))
	Parallel(len(todo), func(i int) { settled[i] = Settle(todo[i]) })
	if !slices.Equal(todo, settled) {
		children := make(map[*Graph]*Graph, len(todo))
		for i, c := range todo {
			children[c] = settled[i]
		}
		g, s = again(s, children)
	}
	var children map[*Graph]*Graph
	seen := map[uint64]bool{}
	for !asBuilt(s) {
		fp := s.ownFingerprint()
		if seen[fp] {
			break
		}
		seen[fp] = true
		if children == nil {
			children = make(map[*Graph]*Graph, len(todo))
			for _, c := range settled {
				children[c] = c
			}
		}
		g, s = again(s, children)
	}
	g.settled, g.notes = true, notes{}
	keepSchedule(s)
	return g
}

// again rebuilds a graph with the given children.
func again(s *Schedule, children map[*Graph]*Graph) (*Graph, *Schedule) {
	m := &Mirror{s: s, g: s.g, children: children}
	m.rebuild(s.g.Ctx)
	return m.B.g, NewSchedule(m.B.g, ScheduleOptions{})
}

// notes are what a Builder leaves for asBuilt.
//
// Replaying a schedule makes the live nodes again, each once, where it is placed
// and in the order of the numbers. What is made of an op follows from its
// operands, its place if its home depends on it, and the state of what it reads
// and writes. So a graph is settled as built if each op finds these as it found
// them the first time. Whatever else a rule, an effect or Make comes to depend on
// must be noted here; tests/random counts how often asBuilt was wrong.
type notes struct {
	unsure  bool     // something that a replay may find otherwise, wherever things are placed
	reads   []placed // reads that live further out than where they were made
	joins   []joined
	early   []Value // what Enter, or a rule that does not apply, made: it may come before its turn
	facts   []known
	escapes []Value // ops after which an allocation is kept somewhere unseen
	guarded []Value // ops kept in place, or that freeze, for an operand that may be poison, as it seemed
	covered []Value // writes that a later one covers, which did not know whether they are dead
}

type placed struct {
	v Value
	r Region
}

// known is what was said in a region by Know.
type known struct {
	r    Region
	v, w Value
}

// joined is a join token and the op for which it was made; 0 if that was there
// already, and would not need it again.
type joined struct{ token, by Value }

// note does what is left once an op has its node; isNew says that nothing equal
// was there.
func (b *Builder) note(v Value, c *Call, effects []Effect, isNew bool) {
	b.g.addLoc(v, c.Loc)
	b.order.apply(v, effects, isNew)
	for _, r := range c.Regions {
		b.order.recordFloats(r)
	}
	switch {
	case c.Def.Traits&Unique != 0:
		r := b.Own(v)
		*b.open.top().make(r) = chain{on: r, last: v}
	case c.Def.Refers != nil:
		b.names(v, ask(c, c.Def.Refers))
	case c.Def.Traits&Terminator != 0:
		b.g.regions[b.open.top().region].term = v
	}
	if c.Def.Refs != nil && c.Type >= numFixedTypes {
		b.aliases.relate(v, c)
	}
	n := &b.g.notes
	if !isNew {
		v = 0
	}
	b.order.noteJoins(v)
	if b.aliases.escaping {
		n.escapes = append(n.escapes, v)
		b.aliases.escaping = false
	}
}

// noteRegions notes an op whose regions a replay may build otherwise: because it
// knows what a loop does not write, because it says what is known of parameters,
// or because something that depends on its place was made after the region and
// before the op.
func (b *Builder) noteRegions(c *Call, effects []Effect) {
	g, s := b.g, b.open.top()
	for i, r := range c.Regions {
		reg := &g.regions[r]
		last := reg.term
		if n := len(reg.members); n > 0 {
			last = max(last, reg.members[n-1])
		}
		if s.ordered > last && last != 0 || reg.kind == Loop && reg.outside.hides(g, effects) || c.Def.Enter != nil && !b.known.entered(b, c, i) {
			g.notes.unsure = true
		}
	}
}

// answer is what Enter says.
type answer struct {
	ranges map[Value]span
	facts  []known
	clean  []Value
}

// entered reports that what Enter says of region i is what was known while the
// region was built.
func (k *knowledge) entered(b *Builder, c *Call, i int) bool {
	r := c.Regions[i]
	params := k.g.regions[r].params
	a := &answer{ranges: map[Value]span{}}
	k.asked = a
	enter(b, c.Def, c.Attr, c.Args, i, params)
	k.asked = nil
	facts := k.g.notes.facts
	for n := int(k.g.regions[r].said) - 1; n >= 0 && n < len(facts) && facts[n].r == r; n++ {
		f := facts[n]
		if len(a.facts) == 0 || a.facts[0].v != f.v || a.facts[0].w != f.w {
			return false
		}
		a.facts = a.facts[1:]
	}
	if len(a.facts) > 0 || slices.ContainsFunc(a.clean, k.g.MayBePoison) {
		return false
	}
	if len(a.ranges) == 0 && len(k.ranges) == 0 {
		return true
	}
	for _, p := range params {
		x, ok1 := a.ranges[p]
		y, ok2 := k.ranges[p]
		if x != y || ok1 != ok2 {
			return false
		}
	}
	return true
}

// usesKnown reports a node that stands where more is known of an operand than
// where it was made.
func (s *Schedule) usesKnown() bool {
	g := s.g
	if len(g.notes.facts) == 0 {
		return false
	}
	at := map[known]bool{}
	for _, f := range g.notes.facts {
		at[known{r: f.r, v: f.v}] = true
	}
	for r := range g.regions {
		for _, v := range s.Body(Region(r)) {
			for _, a := range g.Args(v) {
				if g.nodes[a].flags&flagSaid == 0 {
					continue
				}
				for in := Region(r); in != Root; in = s.parent[in] {
					if at[known{r: in, v: a}] {
						return true
					}
				}
			}
		}
	}
	return false
}

// asBuilt reports that replaying a schedule changes nothing; false may be wrong.
func asBuilt(s *Schedule) bool {
	g, n := s.g, &s.g.notes
	if n.unsure || s.deadMoved {
		return false
	}
	for _, t := range n.joins {
		if s.Live(t.token) && (t.by == 0 || !s.Live(t.by) || slices.ContainsFunc(g.Soft(t.token), func(v Value) bool { return !s.Live(v) })) {
			return false
		}
	}
	if slices.ContainsFunc(n.early, s.Live) || s.usesKnown() {
		return false
	}
	if slices.ContainsFunc(n.covered, func(v Value) bool { return !s.Live(v) }) {
		return false
	}
	if g.freed(s) {
		return false
	}
	for _, v := range n.escapes {
		if v == 0 || !s.Live(v) || g.nodes[v].flags&flagPinned == 0 {
			return false
		}
	}
	at := map[Value]Region{}
	for _, p := range n.reads {
		if s.Live(p.v) && s.lca[p.v] != p.r {
			return false
		}
		at[p.v] = p.r
	}
	barrier := inBarriers(g)
	ops := map[uint64]bool{}
	for v := range g.nodes {
		v := Value(v)
		rec := &g.nodes[v]
		if s.lca[v] == noRegion {
			continue
		}
		if rec.needs&deepest != 0 {
			return false
		}
		if rec.flags&flagPinned != 0 {
			continue
		}
		if s.lca[v] != rec.home {
			if _, ok := at[v]; rec.flags&flagPartial != 0 || rec.nhard > 0 && !ok || barrier != nil && barrier[rec.home] {
				return false
			}
		}
		if rec.nreg > 0 { // the order of what is in it may become that of an equal one
			k := g.kindOf(v)
			if ops[k] {
				return false
			}
			ops[k] = true
		}
	}
	return true
}

// inBarriers marks the regions of a graph within barriers; nil if there are none.
func inBarriers(g *Graph) (in []bool) {
	for r := range g.regions {
		reg := &g.regions[r]
		if in == nil && reg.kind == Barrier {
			in = make([]bool, len(g.regions))
		}
		if in != nil {
			in[r] = reg.kind == Barrier || r != 0 && in[reg.parent]
		}
	}
	return in
}

// kindOf hashes an op with regions so that ops alike but for the order of what is
// in them have one hash.
func (g *Graph) kindOf(v Value) uint64 {
	rec := &g.nodes[v]
	h := intern.Mix(intern.Mix(intern.HashSeed, uint64(rec.op)<<32|uint64(rec.typ)), uint64(rec.attr))
	for _, a := range g.Args(v) {
		h += intern.Mix(intern.HashSeed, uint64(a))
	}
	for _, r := range g.Regions(v) {
		reg := &g.regions[r]
		h = intern.Mix(h, reg.digest.bag)
		for _, f := range reg.outside.frees {
			h += intern.Mix(intern.HashSeed, uint64(f))
		}
	}
	return h
}

// A Source is where a parameter of a region gets its value from: an operand of
// the op, or what one of its regions yields.
type Source struct {
	Yields bool // operand Index of the terminator of Region; else operand Index of the op
	Region int  // of the op, from 0; means nothing for an operand of the op
	Index  int  // from 0
}

// Speculate rebuilds a graph and its children optimistically. A loop is built
// as if it wrote nothing and each value it carries were the first one for good.
// Folds fire under that assumption, and what they take away has no effect. Then
// what the body really writes and yields is joined into the assumption, the body
// is thrown away and built again, until it does nothing but what was assumed.
// That is sound by induction over the iterations. Each resource takes one step, from unchanged to changed,
// and each carried value one, from constant to unknown. So it ends without a limit, and tries no values one
// by one. (Lerner, Grove and Chambers 2002; LMS, "Speculative Rewriting".)
//
// What was assumed of an inner loop is kept while a loop around it is built
// again: that assumes more then, never less. So the bodies are built as often as
// there are assumptions to give up, however deep they nest.
func Speculate(g *Graph) (n *Graph, rounds int) {
	if g.verbatim {
		return g, 0
	}
	m := &Mirror{s: ScheduleOf(g), g: g, spec: newSpeculation()}
	n = m.run(g.Ctx)
	return n, m.spec.rounds
}

// speculation is the state of a Mirror that speculates.
type speculation struct {
	rounds  int               // how often bodies of loops were built
	beliefs map[Value]*belief // by the old op
	old     map[Value]Value   // the old allocation of a new one
}

// belief is what is no longer assumed to stay as it was in the rounds of a loop.
type belief struct {
	written map[Resource]bool // of the new graph
	roots   map[Value]bool    // allocations of the old graph: each round makes them anew
	own     [][]bool          // parameters whose value is not known, by region
}

func newSpeculation() *speculation {
	return &speculation{beliefs: map[Value]*belief{}, old: map[Value]Value{}}
}

func (m *Mirror) belief(v Value, rs []Region) *belief {
	b := m.spec.beliefs[v]
	if b == nil {
		b = &belief{written: map[Resource]bool{}, roots: map[Value]bool{}}
		for _, r := range rs {
			b.own = append(b.own, make([]bool, len(m.g.regions[r].params)))
		}
		m.spec.beliefs[v] = b
	}
	return b
}

// assumed is what a belief says of the resources that there are now.
func (m *Mirror) assumed(b *belief) map[Resource]bool {
	out := make(map[Resource]bool, len(b.written)+len(b.roots))
	for r := range b.written {
		out[r] = true
	}
	for v := range b.roots {
		if w := m.m[v]; w != 0 {
			out[m.B.ResourceOf(w)] = true
		}
	}
	return out
}

func (m *Mirror) believe(b *belief, assumed map[Resource]bool) {
	for r := range assumed {
		if old := m.spec.old[m.B.g.memory[r].root]; old != 0 {
			b.roots[old] = true
		} else {
			b.written[r] = true
		}
	}
}

// speculate builds the regions of a loop until they do what was assumed of them.
func (m *Mirror) speculate(v Value, def *OpDef, args []Value, attr Attr) []Region {
	rs := m.g.Regions(v)
	bel := m.belief(v, rs)
	for {
		assumed := m.assumed(bel)
		out := make([]Region, 0, len(rs))
		known := make([][]Value, len(rs))
		for i, r := range rs {
			old := Block{m.g, r}
			out = append(out, m.regionWith(old, m.kind(old, def, attr, i), nil, assumed, func(p []Value) {
				m.spec.rounds++
				m.B.Enter(def, attr, args, i, p)
				known[i] = m.knownParams(def, args, out, i, p, bel)
				m.fill(old, known[i])
			}))
		}
		again := m.B.crossed(&Call{Def: def, Args: args, Attr: attr, Regions: out}, assumed)
		m.believe(bel, assumed)
		if !m.disproved(def, args, out, known, bel) && !again {
			return out
		}
		for _, r := range out {
			m.B.g.garbage += len(m.B.g.regions[r].members)
		}
	}
}

// knownParams returns what stands for the parameters of region i: the one value
// that all their sources gave so far, or they themselves.
func (m *Mirror) knownParams(def *OpDef, args []Value, built []Region, i int, params []Value, bel *belief) []Value {
	if def.Feeds == nil {
		return params
	}
	out := slices.Clone(params)
	for j := range params {
		if j >= len(bel.own[i]) || bel.own[i][j] {
			continue
		}
		var v Value
		for _, s := range feedsOf(m.B, def, len(args), i, j) {
			if s.Yields && s.Region >= len(built) {
				continue // this is what is assumed
			}
			w := m.source(s, args, built)
			if w == 0 || v != 0 && w != v || !m.B.open.holds(w) {
				v, bel.own[i][j] = 0, true
				break
			}
			v = w
		}
		if v != 0 && m.B.g.Type(v) == m.B.g.Type(params[j]) {
			out[j] = v
		} else {
			bel.own[i][j] = true
		}
	}
	return out
}

func (m *Mirror) source(s Source, args []Value, built []Region) Value {
	if s.Yields {
		args = m.B.g.Yields(built[s.Region])
	}
	if s.Index < 0 || s.Index >= len(args) {
		return 0
	}
	return args[s.Index]
}

// disproved gives up what the regions that were built do not keep to.
func (m *Mirror) disproved(def *OpDef, args []Value, built []Region, known [][]Value, bel *belief) (any bool) {
	for i := range built {
		params := m.B.g.regions[built[i]].params
		for j := range bel.own[i] {
			if bel.own[i][j] || known[i][j] == params[j] {
				continue
			}
			for _, s := range feedsOf(m.B, def, len(args), i, j) {
				if m.source(s, args, built) != known[i][j] {
					bel.own[i][j], any = true, true
				}
			}
		}
	}
	return any
}
