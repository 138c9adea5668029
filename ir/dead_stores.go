package ir

import "slices"

// LastWrite returns the write that a read of r made now would see; folds use it
// to forward stores. It may be a token of the graph.
func (b *Builder) LastWrite(r Resource) Value { return b.over.lastWrite(r) }

// overwriting finds the writes that a later one covers before anything reads them: they only order that one. It
// stands on the order of effects, and asks the op that covers what it would be without them.
type overwriting struct {
	g       *Graph
	order   *ordering
	b       *Builder // which rules are asked by
	lookups int      // of LastWrite
	missing *absence // writes that are thought away
}

func (x *overwriting) lastWrite(r Resource) Value {
	x.lookups++
	if hard, _ := x.order.below(r, len(x.order.open.scopes)-1); len(hard) > 0 {
		return x.missing.before(r, slices.Max(hard))
	}
	return x.order.readState(x.missing.before(r, x.order.state(r)))
}

// overwritten returns the writes that the write c of r must come after: the last
// one, or what lies before it as long as c leaves nothing of it to see. Those
// only order c.
func (x *overwriting) overwritten(r Resource, soft []Value, c *Call) (hard, ordered []Value) {
	g, last := x.g, x.order.state(r)
	var gone []Value
	for c.Def.Overwrites != nil && g.nodes[last].flags&flagEffect != 0 && g.nodes[last].home == x.order.open.top().region {
		x.order.open.steps++
		if budget := fewWrites; !x.vanishes(c, last, &budget) {
			break
		}
		soft, gone = append(soft, last), append(gone, last)
		Event{Kind: Overwritten, At: c.Loc, Value: last}.tell(x.g)
		if x.lookups != c.lookups && x.cancels(c, r, gone) {
			break
		}
		if len(gone) == 1 && x.dies(last, r) {
			g.nodes[last].flags |= flagUnread
		}
		if g.nodes[last].nhard != 1 {
			g.notes.covered = append(g.notes.covered, last)
			return append([]Value(nil), g.Hard(last)...), soft
		}
		last = g.Hard(last)[0]
	}
	return []Value{last}, soft
}

// fewWrites bounds the ops in regions that are looked at for each write.
const fewWrites = 8

// vanishes reports that the write c leaves nothing to see of w, or of all that
// is written in the regions of w.
func (x *overwriting) vanishes(c *Call, w Value, budget *int) bool {
	g := x.g
	if ask(c, func(c *Call) bool { return c.Def.Overwrites(c, w) }) {
		return true
	}
	def := g.Def(w)
	if g.nodes[w].nreg == 0 || def.Effects != nil || def.Traits&(Opaque|Isolated) != 0 {
		return false
	}
	for _, r := range g.Regions(w) {
		for _, v := range g.regions[r].members {
			if *budget--; *budget < 0 {
				return false
			}
			if g.nodes[v].flags&flagEffect != 0 && g.Def(v).Traits&Terminator == 0 && !x.vanishes(c, v, budget) {
				return false
			}
			if t := g.Def(v); t.Traits&Terminator != 0 && g.nodes[v].nreg > 0 {
				return false
			}
		}
	}
	return true
}

// A write that a later one covers goes if nothing reads it, which is known only
// when the graph is done. The op that covers it may have asked for the last write
// before it was made, and a rebuild, where the dead write is not, would answer
// otherwise. So it is asked at once what it would be without the write. Where it
// would be the same, the write is no reason to build again. Where it would be
// nothing, as it writes back what stood there before, both go.

// absence says what stands for the last write w of a resource, thought away.
type absence struct {
	on       Resource
	w, stand Value
	unclear  bool // somebody asked for what cannot be told
}

// before returns the write that is seen in the place of w.
func (a *absence) before(r Resource, w Value) Value {
	switch {
	case a == nil || w != a.w:
		return w
	case r != a.on:
		a.unclear = true
		return w
	}
	return a.stand
}

// without returns what an op that did not fold would fold to, or 0, if the last
// write of r were another one. Of one that would not fold, same says that it would
// be made in the same way.
func (x *overwriting) without(c *Call, a *absence) (v Value, same bool) {
	x.missing = a
	made := x.b.fold.begin()
	v = x.b.fold.of(c)
	same = v == 0 && c.mayTrap() == c.traps && !a.unclear
	x.b.fold.unneeded(made)
	x.b.fold.end()
	x.missing = nil
	if a.unclear {
		v = 0
	}
	return v, same
}

// cancels reports that c, a write of r, would be nothing without the last write,
// which it covers and nothing reads, and takes that back. What else depends on
// the writes that are gone, the last of them at the end, is noted.
func (x *overwriting) cancels(c *Call, r Resource, gone []Value) bool {
	g, w := x.g, gone[len(gone)-1]
	if g.nodes[w].nhard != 1 {
		return false
	}
	seen := []Value{g.Hard(w)[0]} // one of these is the last write then
	for _, o := range g.Soft(w) {
		if g.nodes[o].flags&(flagEffect|flagUnread) == flagEffect {
			seen = append(seen, o)
		}
	}
	same := !g.memory[r].inner && x.missing == nil && len(seen) <= fewWrites
	for i := 0; same && i < len(seen); i++ {
		var v Value
		v, same = x.without(c, &absence{on: r, w: gone[0], stand: seen[i]})
		if v != 0 && len(seen) == 1 && len(gone) == 1 && g.isNothing(v) && x.takeBack(r, w) {
			c.nothing = v
			Event{Kind: Folded, At: c.Loc, Value: v}.tell(x.g)
			return true
		}
	}
	if !same {
		g.notes.covered = append(g.notes.covered, w)
	}
	return false
}

// dies reports that w, a write of r that another one covers now, goes as a whole, as all
// that it covers does: then the write before these is the last one when the other goes.
func (x *overwriting) dies(w Value, r Resource) bool {
	if !x.unread(r, w) || !x.writes(w, r) {
		return false
	}
	for _, o := range x.g.Soft(w) {
		if x.g.nodes[o].flags&(flagEffect|flagUnread) == flagEffect {
			return false
		}
	}
	return true
}

// isNothing reports what a fold of an op without results gives.
func (g *Graph) isNothing(v Value) bool { return g.nodes[v].op == opPack.id && g.nodes[v].nargs == 0 }

// unread reports that w is the last write of r, in the region that is open, and
// that nothing has read it.
func (x *overwriting) unread(r Resource, w Value) bool {
	ch := x.order.open.top().chain(r)
	return ch != nil && ch.last == w && len(ch.readers) == 0
}

// takeBack makes the write before w the last one of r again, if nothing has come
// to depend on w. It is in the same region, where it must write nothing else, or
// further out: then nothing else writes r here.
func (x *overwriting) takeBack(r Resource, w Value) bool {
	g, s := x.g, x.order.open.top()
	if !x.unread(r, w) || g.nodes[w].nreg > 0 || !x.writes(w, r) {
		return false
	}
	p, ch := g.Hard(w)[0], s.chain(r)
	switch rec := &g.nodes[p]; {
	case rec.home != s.region || rec.op == opEntry.id:
		p = 0
		s.writes.remove(r)
	case rec.flags&flagEffect == 0 || !x.writes(p, r):
		return false
	}
	ch.last, ch.readers = p, append(ch.readers, g.Soft(w)...)
	return true
}

// writes reports that all a node does is to write r: it goes as a whole when that write
// is dead. An op with results stays if these are used, and the writes in its regions with it.
func (x *overwriting) writes(v Value, r Resource) bool {
	if x.g.nodes[v].typ != Void {
		return false
	}
	effects, _ := x.b.aliases.effectsOf((Calls{x.b}).Of(v))
	return len(effects) == 1 && effects[0] == Effect{Write, r}
}

// DropDeadStores returns the rules that leave out ops that only write memory of their
// own graph which nothing that matters reads. A read matters if what is made of
// it does: a counter that only counts itself does not. This is dead code
// elimination that starts from nothing alive (Cytron et al. 1991, section 7.1),
// for memory: in a loop no write is the last one, so construction keeps them all.
// A free matters if its allocation is needed for anything else, be it for order
// alone: what reads all memory comes after it. An allocation of which no more than
// such writes is left goes with them.
func DropDeadStores(c *Context) Rules {
	rules := Rules{}
	for _, dialect := range c.Dialects() {
		for _, def := range dialect.Ops {
			if (def.Effects != nil || def.Has(Unique)) && !def.Has(Terminator) {
				rules[def] = dropDeadStores
			}
		}
	}
	return rules
}

// DeadStores counts what DropDeadStores leaves out of a graph, without those in it.
func DeadStores(g *Graph) (n int) {
	for _, in := range deadStores.Of(g) {
		if in {
			n++
		}
	}
	return n
}

var deadStores = NewAnalysis("dead stores", func(g *Graph) []bool { return findDeadStores(ScheduleOf(g)) })

func dropDeadStores(m *Mirror, n Node) Value {
	set := deadStores.Of(n.g)
	if set == nil || !set[n.v] {
		return 0
	}
	return m.B.Pack()
}

// findDeadStores reports the dead stores of a scheduled graph, by node; nil if none.
func findDeadStores(s *Schedule) []bool {
	f := &deadStoreFinder{s: s, g: s.g, live: make([]bool, len(s.g.nodes)), held: make([]bool, len(s.g.nodes))}
	if !f.anyOwn() {
		return nil
	}
	f.b = s.g.reader()
	var writers []Value
	for v := range s.All() {
		switch effects, kind := f.classify(v); kind {
		case ownWrite:
			writers = append(writers, v)
			for _, e := range effects {
				if e.Writes() {
					f.writers[e.On] = append(f.writers[e.On], v)
				}
				if root := f.g.memory[e.On].root; e.Kind == Free {
					f.freed[root] = append(f.freed[root], v)
				}
			}
		case rooted:
			f.mark(v)
		}
	}
	for len(f.todo) > 0 {
		v := f.todo[len(f.todo)-1]
		f.todo = f.todo[:len(f.todo)-1]
		f.visit(v)
	}
	return f.dead(writers)
}

// dead are those of some writes that nothing live needs, and the allocations that nothing but these names.
func (f *deadStoreFinder) dead(writers []Value) []bool {
	var set []bool
	for _, v := range writers {
		if !f.live[v] {
			if set == nil {
				set = make([]bool, len(f.live))
			}
			set[v] = true
		}
	}
	if set == nil {
		return nil
	}
	named := map[Value]bool{}
	for v := range f.s.All() {
		for _, a := range f.g.Args(v) {
			named[a] = named[a] || !set[v]
		}
	}
	for r, own := range f.own {
		if root := f.g.memory[r].root; own && !named[root] && f.g.Def(root).Has(Unique) && f.g.Results(root) == 1 {
			set[root] = true
		}
	}
	return set
}

type deadStoreFinder struct {
	s       *Schedule
	g       *Graph
	b       *Builder // to ask ops for their effects
	own     []bool   // by resource: allocated here and kept by nobody
	live    []bool
	held    []bool // by node: what is live comes after it
	todo    []Value
	writers map[Resource][]Value
	freed   map[Value][]Value // what frees an allocation
}

// anyOwn finds the memory that nobody else sees.
func (f *deadStoreFinder) anyOwn() (any bool) {
	f.own = make([]bool, len(f.g.memory))
	f.writers, f.freed = map[Resource][]Value{}, map[Value][]Value{}
	for r, m := range f.g.memory {
		if m.root != 0 && !m.escaped && f.g.nodes[m.root].op != opParam.id && f.s.Live(m.root) {
			f.own[r], any = true, true
		}
	}
	return any && !f.g.verbatim
}

// kinds of ops for the search.
const (
	harmless = iota
	ownWrite // all it does is to write memory of our own
	rooted   // it matters
)

// effects lists what an op itself reads and writes, regions excluded.
func (f *deadStoreFinder) effects(v Value) []Effect {
	def := f.g.Def(v)
	switch {
	case def.Has(Opaque):
		return []Effect{{Write, World}}
	case def.Effects == nil:
		return nil
	}
	return ask((Calls{f.b}).Of(v), def.Effects)
}

func (f *deadStoreFinder) classify(v Value) (effects []Effect, kind int) {
	g := f.g
	if !g.HasEffect(v) {
		return nil, harmless
	}
	def := g.Def(v)
	if def.Has(Terminator) {
		if f.s.Place(v) == Root {
			return nil, rooted
		}
		return nil, harmless // its op decides
	}
	effects = f.effects(v)
	kind = harmless
	if def.Has(Symbol) {
		return effects, rooted
	}
	only := g.nodes[v].typ == Void && g.nodes[v].nreg == 0 && !def.Has(Opaque|Unique)
	for _, e := range effects {
		switch {
		case e.Kind == Read:
		case only && f.own[e.On]:
			kind = max(kind, ownWrite)
		default:
			kind = rooted
		}
	}
	return effects, kind
}

func (f *deadStoreFinder) mark(v Value) {
	if !f.live[v] {
		f.live[v] = true
		f.todo = append(f.todo, v)
	}
}

// visit marks what a live node needs: operands, the op around it, what ends its
// regions, the writes that it may read, and the frees of what it allocates.
func (f *deadStoreFinder) visit(v Value) {
	g := f.g
	if r, _, ok := g.Param(v); ok {
		if r != Root {
			f.mark(g.Owner(r))
		}
		return
	}
	for _, a := range g.Args(v) {
		f.mark(a)
	}
	if !g.IsOp(v) {
		return
	}
	f.hold(v)
	if p := f.s.Place(v); p != Root {
		f.mark(g.Owner(p))
	}
	for _, p := range f.s.Copies(v) {
		f.mark(g.Owner(p))
	}
	for _, r := range g.Regions(v) {
		if t := g.Term(r); t != 0 {
			f.mark(t)
		}
	}
	effects, kind := f.classify(v)
	if kind == harmless && effects == nil {
		effects = f.effects(v) // a read has no effect
	}
	for _, e := range effects {
		if e.Kind == Read || kind == rooted {
			f.read(e.On)
		}
	}
}

// hold marks the frees of the allocations that v must come after.
func (f *deadStoreFinder) hold(v Value) {
	for todo := []Value{v}; len(todo) > 0; {
		v, todo = todo[len(todo)-1], todo[:len(todo)-1]
		if f.held[v] {
			continue
		}
		f.held[v] = true
		for _, w := range f.freed[v] {
			f.mark(w)
		}
		todo = append(todo, f.g.Hard(v)...)
	}
}

// read marks the writes of memory of our own. As nobody keeps a reference to it,
// only ops that name it read it: one that reads all memory does not see it.
func (f *deadStoreFinder) read(r Resource) {
	for _, w := range f.writers[r] {
		f.mark(w)
	}
	delete(f.writers, r)
}
