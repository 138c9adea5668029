package ir

// overwritten returns the writes that the write c of r must come after: the last
// one, or what lies before it as long as c leaves nothing of it to see. Those
// only order c.
func (b *Builder) overwritten(r Resource, soft []Value, c *Call) (hard, ordered []Value) {
	g, last := b.g, b.state(r)
	var gone []Value
	for c.Def.Overwrites != nil && g.nodes[last].flags&flagEffect != 0 && g.nodes[last].home == b.top().region {
		b.steps++
		if budget := fewWrites; !b.vanishes(c, last, &budget) {
			break
		}
		soft, gone = append(soft, last), append(gone, last)
		b.watch(Event{Kind: Overwritten, At: c.Loc, Value: last})
		if b.lookups != c.lookups && b.cancels(c, r, gone) {
			break
		}
		if len(gone) == 1 && b.dies(last, r) {
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
func (b *Builder) vanishes(c *Call, w Value, budget *int) bool {
	g := b.g
	if c.Def.Overwrites(c, w) {
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
			if g.nodes[v].flags&flagEffect != 0 && g.Def(v).Traits&Terminator == 0 && !b.vanishes(c, v, budget) {
				return false
			}
			if t := g.Def(v); t.Traits&Terminator != 0 && g.nodes[v].nreg > 0 {
				return false
			}
		}
	}
	return true
}

// applyEffects makes v the last write, or a reader, of what it touches.
func (b *Builder) applyEffects(v Value, effects []Effect, isNew bool) {
	s, rec := b.top(), &b.g.nodes[v]
	for _, e := range effects {
		if e.Kind == Read {
			if rec.home != s.region {
				if !isNew && rec.flags&flagFloat == 0 {
					continue // recorded where it lives, and a write here must come after that
				}
				rec.flags |= flagFloat
				b.g.notes.reads = append(b.g.notes.reads, placed{v, s.region})
			}
			b.recordRead(e.On, v)
			continue
		}
		s.writes.add(e.On)
		if e.Kind == Free {
			s.freed = append(s.freed, reader{e.On, v})
		}
		b.contradict(s, e.On)
		b.dropBelow(s, e.On)
		*s.make(e.On) = chain{on: e.On, last: v}
	}
}

// contradict notes what an optimist has read as if nothing wrote it, although r
// is written.
func (b *Builder) contradict(s *scope, r Resource) {
	if len(s.bypassed) == 0 {
		return
	}
	if b.g.memory[r].inner {
		b.steps += len(s.bypassed)
		for o := range s.bypassed {
			if b.g.MayAlias(o, r) {
				s.conflict = append(s.conflict, o)
			}
		}
		return
	}
	for a := r; ; a = b.g.memory[a].parent {
		if s.bypassed[a] {
			s.conflict = append(s.conflict, a)
		}
		if a == World {
			return
		}
	}
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
func (b *Builder) without(c *Call, a *absence) (v Value, same bool) {
	b.missing = a
	b.trial++
	made := len(b.attempted)
	v = b.fold(c)
	same = v == 0 && c.mayTrap() == c.traps && !a.unclear
	b.noteTried(made)
	if b.trial--; b.trial == 0 {
		b.attempted = b.attempted[:0]
	}
	b.missing = nil
	if a.unclear {
		v = 0
	}
	return v, same
}

// cancels reports that c, a write of r, would be nothing without the last write,
// which it covers and nothing reads, and takes that back. What else depends on
// the writes that are gone, the last of them at the end, is noted.
func (b *Builder) cancels(c *Call, r Resource, gone []Value) bool {
	g, w := b.g, gone[len(gone)-1]
	if g.nodes[w].nhard != 1 {
		return false
	}
	seen := []Value{g.Hard(w)[0]} // one of these is the last write then
	for _, o := range g.Soft(w) {
		if g.nodes[o].flags&(flagEffect|flagUnread) == flagEffect {
			seen = append(seen, o)
		}
	}
	same := !g.memory[r].inner && b.missing == nil && len(seen) <= fewWrites
	for i := 0; same && i < len(seen); i++ {
		var v Value
		v, same = b.without(c, &absence{on: r, w: gone[0], stand: seen[i]})
		if v != 0 && len(seen) == 1 && len(gone) == 1 && g.isNothing(v) && b.takeBack(r, w) {
			c.nothing = v
			b.watch(Event{Kind: Folded, At: c.Loc, Value: v})
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
func (b *Builder) dies(w Value, r Resource) bool {
	if !b.unread(r, w) || !b.writes(w, r) {
		return false
	}
	for _, o := range b.g.Soft(w) {
		if b.g.nodes[o].flags&(flagEffect|flagUnread) == flagEffect {
			return false
		}
	}
	return true
}

// isNothing reports what a fold of an op without results gives.
func (g *Graph) isNothing(v Value) bool { return g.nodes[v].op == opPack.id && g.nodes[v].nargs == 0 }

// unread reports that w is the last write of r, in the region that is open, and
// that nothing has read it.
func (b *Builder) unread(r Resource, w Value) bool {
	ch := b.top().chain(r)
	return ch != nil && ch.last == w && len(ch.readers) == 0
}

// takeBack makes the write before w the last one of r again, if nothing has come
// to depend on w. It is in the same region, where it must write nothing else, or
// further out: then nothing else writes r here.
func (b *Builder) takeBack(r Resource, w Value) bool {
	g, s := b.g, b.top()
	if !b.unread(r, w) || g.nodes[w].nreg > 0 || !b.writes(w, r) {
		return false
	}
	p, ch := g.Hard(w)[0], s.chain(r)
	switch rec := &g.nodes[p]; {
	case rec.home != s.region || rec.op == opEntry.id:
		p = 0
		s.writes.remove(r)
	case rec.flags&flagEffect == 0 || !b.writes(p, r):
		return false
	}
	ch.last, ch.readers = p, append(ch.readers, g.Soft(w)...)
	return true
}

// writes reports that all a node does is to write r: it goes as a whole when that write
// is dead. An op with results stays if these are used, and the writes in its regions with it.
func (b *Builder) writes(v Value, r Resource) bool {
	if b.g.nodes[v].typ != Void {
		return false
	}
	effects, _ := b.effectsOf((Calls{b}).Of(v))
	return len(effects) == 1 && effects[0] == Effect{Write, r}
}
