package ir

// A loop that is being built may yet write anything, so what is read in it
// depends on the entry of a round. Once its op is made its writes are known: if
// it reads what it does not write, it is built again as if it wrote nothing else,
// and such reads leave it. In a nest the outermost loop is built again, once, and
// those in it are stale until then.

// reloop builds the loops of an op again if that frees a read.
func (b *Builder) reloop(c *Call) {
	if b.plain || b.relooping || len(c.Regions) == 0 {
		return
	}
	need := false
	for _, r := range c.Regions {
		reg := &b.g.regions[r]
		need = need || reg.stale || reg.kind == Loop && b.g.mayHide(reg)
	}
	if !need || !b.hidesAny(c) {
		return
	}
	for i := range b.scopes {
		if s := &b.scopes[i]; s.kind == Loop && !s.optimist {
			b.top().stale = true
			return
		}
	}
	for _, r := range c.Regions {
		b.g.Garbage += len(b.g.regions[r].members)
	}
	k := copier{b: b, m: map[Value]Value{}, loops: true}
	b.relooping = true // those in it are built so with it
	c.Regions = k.regions(c.Def, c.Args, c.Attr, c.Regions)
	b.relooping = false
}

// mayHide reports a loop that reads something; with the writes of its op hides
// tells more.
func (g *Graph) mayHide(loop *region) bool {
	for _, e := range loop.effects {
		if e.Kind == Read {
			return true
		}
	}
	return false
}

func (b *Builder) hidesAny(c *Call) bool {
	effects, _ := b.effectsOf(c)
	for _, r := range c.Regions {
		if reg := &b.g.regions[r]; reg.stale || reg.kind == Loop && b.g.hides(reg, effects) {
			return true
		}
	}
	return false
}
