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
		if b.looks != c.looks && b.cancels(c, r, gone) {
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
