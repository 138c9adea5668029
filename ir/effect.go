package ir

import "slices"

// EffectKind says what is done to a resource.
type EffectKind uint8

// The kinds of effects; each says all that those before it say.
const (
	Read EffectKind = iota
	Write
	Free // a write that ends the life of memory
)

// Effect is one thing that an op does to a resource.
type Effect struct {
	Kind EffectKind
	On   Resource
}

// Writes reports that the resource is not as it was before.
func (e Effect) Writes() bool { return e.Kind != Read }

// chain is the state of one resource in one open region.
type chain struct {
	on      Resource
	last    Value   // last write, or 0: as at entry
	readers []Value // reads since
}

// reader is a read that must stay before later writes.
type reader struct {
	on Resource
	v  Value
}

// scope is a region under construction.
type scope struct {
	region   Region
	kind     RegionKind
	optimist bool       // a loop whose writes are assumed, not known (see OpenLoop)
	conflict []Resource // what it wrote although it had read it as if nothing did
	members  []Value
	facts    int      // how many there were when it was opened
	floats   []reader // reads recorded here that live further out
	chains   []chain
	index    map[Resource]int // into chains, once there are many
	reads    []reader         // all of them; a chain forgets those before a write
	writes   resourceSet
	freed    []reader          // ops that free memory, in order
	steps    int               // of looking for chains
	ordered  Value             // last op made whose place or state matters
	assumed  map[Resource]bool // what an optimist expects to be written
	bypassed map[Resource]bool // what an optimist read as if nothing wrote it
}

// fewChains are found faster by a walk than by an index.
const fewChains = 8

// chain finds the state of a resource in this scope alone, or nil.
func (s *scope) chain(r Resource) *chain {
	if s.index != nil {
		if i, ok := s.index[r]; ok {
			return &s.chains[i]
		}
		return nil
	}
	for i := range s.chains {
		s.steps++
		if s.chains[i].on == r {
			return &s.chains[i]
		}
	}
	return nil
}

func (s *scope) make(r Resource) *chain {
	if c := s.chain(r); c != nil {
		return c
	}
	s.chains = append(s.chains, chain{on: r})
	if s.index != nil {
		s.index[r] = len(s.chains) - 1
	} else if len(s.chains) > fewChains {
		s.index = map[Resource]int{}
		for i := range s.chains {
			s.index[s.chains[i].on] = i
		}
	}
	return &s.chains[len(s.chains)-1]
}

// dropBelow forgets the chains strictly below r, which a write or join of r
// supersedes.
func (b *Builder) dropBelow(s *scope, r Resource) {
	g := b.g
	if !g.memory[r].inner {
		return
	}
	b.steps += len(s.chains)
	kept := s.chains[:0]
	for _, c := range s.chains {
		if c.on == r || !g.covers(r, c.on) {
			kept = append(kept, c)
		}
	}
	if len(kept) == len(s.chains) {
		return
	}
	s.chains = kept
	if s.index != nil {
		s.index = map[Resource]int{}
		for i := range kept {
			s.index[kept[i].on] = i
		}
	}
}

// state returns the write that a read of r sees now: the last one of r or of
// anything above it, or the token of the entry into a region that may run often.
func (b *Builder) state(r Resource) Value {
	g := b.g
	for i := len(b.scopes) - 1; i >= 0; i-- {
		s := &b.scopes[i]
		b.steps++
		var last Value
		if len(s.chains) > 0 {
			for a := r; ; a = g.memory[a].parent {
				if c := s.chain(a); c != nil && c.last > last {
					last = c.last
				}
				if a == World {
					break
				}
			}
		}
		if last != 0 {
			return last
		}
		if !b.passes(s, r) {
			return g.regions[s.region].entry
		}
		if s.kind == Loop {
			s.bypass(r)
		}
	}
	return g.regions[Root].entry
}

// LastWrite returns the write that a read of r made now would see; folds use it
// to forward stores. It may be a token of the graph.
func (b *Builder) LastWrite(r Resource) Value {
	b.lookups++
	if hard, _ := b.below(r, len(b.scopes)-1); len(hard) > 0 {
		return b.missing.before(r, slices.Max(hard))
	}
	return b.readState(b.missing.before(r, b.state(r)))
}

func (s *scope) bypass(r Resource) {
	if s.bypassed == nil {
		s.bypassed = map[Resource]bool{}
	}
	s.bypassed[r] = true
}

func (b *Builder) assumes(s *scope, r Resource) bool {
	if b.g.memory[r].inner {
		b.steps += len(s.assumed)
		for a := range s.assumed {
			if b.g.MayAlias(a, r) {
				return true
			}
		}
		return false
	}
	for ; ; r = b.g.memory[r].parent {
		if s.assumed[r] || r == World {
			return s.assumed[r]
		}
	}
}

// join makes the states of everything below r one state of r in scope at, so that
// a read of r needs a single edge; each write is joined once.
func (b *Builder) join(r Resource, at int, force bool) {
	g := b.g
	if !g.memory[r].inner {
		return
	}
	hard, soft := b.below(r, at)
	if len(hard) == 0 && len(soft) == 0 && !force {
		return
	}
	hard = append(hard, b.state(r))
	s := &b.scopes[at]
	if c := s.chain(r); c != nil {
		soft = append(soft, c.readers...)
	}
	t := b.token(opJoin, at, hard, soft)
	b.joined = append(b.joined, t)
	b.dropBelow(s, r)
	*s.make(r) = chain{on: r, last: t}
}

// passed returns the number of the innermost scope that has touched something
// that may be r: a read of r in an optimist's loop joins what lies outside there.
func (b *Builder) passed(r Resource) int {
	i := len(b.scopes) - 1
	if !b.g.memory[r].inner {
		return i
	}
	for ; i > 0 && b.passes(&b.scopes[i], r); i-- {
		b.steps += len(b.scopes[i].chains)
		for _, c := range b.scopes[i].chains {
			if b.g.MayAlias(c.on, r) {
				return i
			}
		}
	}
	return i
}

// passes reports that a region sees the state of r outside of it as it enters.
func (b *Builder) passes(s *scope, r Resource) bool {
	return s.kind == Once || s.kind == Branch || s.kind == Loop && s.optimist && !b.assumes(s, r)
}

// below collects the last writes and the reads of everything strictly below r,
// as seen from scope from.
func (b *Builder) below(r Resource, from int) (hard, soft []Value) {
	g := b.g
	if !g.memory[r].inner { // or each load would look at every other memory
		return nil, nil
	}
	var seen []Resource
	for i := from; i >= 0; i-- {
		s := &b.scopes[i]
		n := len(seen)
		b.steps += len(s.chains)
	chains:
		for j := range s.chains {
			c := &s.chains[j]
			if c.on == r || !g.covers(r, c.on) {
				if c.last != 0 && g.covers(c.on, r) {
					seen = append(seen, r) // superseded further out
				}
				continue
			}
			b.steps += n
			for _, d := range seen[:n] {
				if g.covers(d, c.on) {
					continue chains
				}
			}
			if c.last != 0 {
				hard = append(hard, c.last)
				seen = append(seen, c.on)
			}
			soft = append(soft, c.readers...)
		}
		if !b.passes(s, r) {
			break
		}
	}
	return hard, soft
}

// token adds a node that only orders others to the region of scope at.
func (b *Builder) token(def *OpDef, at int, hard, soft []Value) Value {
	rec := record{op: def.id, typ: Token, flags: flagPinned}
	for _, h := range hard {
		rec.needs |= b.g.nodes[h].needs
	}
	rec.needs |= depthBit(at)
	rec.home = b.scopes[at].region
	return b.add(rec, nil, dedupe(hard), dedupe(soft), nil)
}

// recordRead notes that node v reads r here.
func (b *Builder) recordRead(r Resource, v Value) {
	s := b.top()
	b.steps++
	if n := len(s.reads); n == 0 || s.reads[n-1] != (reader{r, v}) {
		s.reads = append(s.reads, reader{r, v})
	}
	if n := len(s.floats); b.g.nodes[v].home != s.region && (n == 0 || s.floats[n-1] != (reader{r, v})) {
		s.floats = append(s.floats, reader{r, v})
	}
	c := s.make(r)
	if n := len(c.readers); n == 0 || c.readers[n-1] != v {
		c.readers = append(c.readers, v)
	}
}

// recordFloats notes here the reads that a closed region recorded and that live
// outside it: a later write must not come before them, wherever they are placed.
func (b *Builder) recordFloats(r Region) {
	for _, f := range b.g.regions[r].floats {
		b.recordRead(f.on, f.v)
	}
}

// manyReaders is where reads of a wide resource are made one edge, so that
// edges stay linear in the ops.
const manyReaders = 8

// edgesFor returns the hard and soft edges of an op with the given effects.
func (b *Builder) edgesFor(effects []Effect, c *Call) (hard, soft []Value) {
	top := len(b.scopes) - 1
	for _, e := range effects {
		if e.Kind == Read {
			b.join(e.On, b.passed(e.On), false)
			hard = append(hard, b.readState(b.state(e.On)))
			continue
		}
		b.join(e.On, top, false)
		b.joinReaders(e.On)
		var last []Value
		last, soft = b.overwritten(e.On, soft, c)
		hard = append(hard, last...)
		for a := e.On; ; a = b.g.memory[a].parent {
			if ch := b.top().chain(a); ch != nil {
				soft = append(soft, ch.readers...)
			}
			if a == World {
				break
			}
		}
	}
	b.steps += len(hard) + len(soft)
	return dedupe(hard), dedupe(soft)
}

// joinReaders turns many reads of what lies above r into one edge.
func (b *Builder) joinReaders(r Resource) {
	for r != World {
		r = b.g.memory[r].parent
		if ch := b.top().chain(r); ch != nil && len(ch.readers) > manyReaders {
			b.join(r, len(b.scopes)-1, true)
		}
	}
}

// readState looks through tokens that join nothing but reads.
func (b *Builder) readState(v Value) Value {
	for b.g.nodes[v].op == opJoin.id && b.g.nodes[v].nhard == 1 {
		v = b.g.Hard(v)[0]
	}
	return v
}

// summary lists what an open region does to resources that outlive it, in the
// order of their numbers, once it is known what is live in it: a dead read is none.
func (b *Builder) summary(s *scope) []Effect {
	touched := append([]Resource(nil), s.writes.list...)
	b.steps += len(touched) + len(s.reads)
	for _, x := range s.reads {
		if b.marks[x.v] == b.epoch && (len(touched) == 0 || touched[len(touched)-1] != x.on) {
			touched = append(touched, x.on)
		}
	}
	if len(touched) == 0 {
		return nil
	}
	slices.Sort(touched)
	var freed resourceSet
	for _, f := range s.freed {
		freed.add(f.on)
	}
	out := make([]Effect, 0, len(touched))
	for _, r := range slices.Compact(touched) {
		if m := &b.g.memory[r]; m.root != 0 && m.home == s.region {
			continue // memory of its own
		}
		kind := Read
		switch {
		case freed.has(r):
			kind = Free
		case s.writes.has(r):
			kind = Write
		}
		out = append(out, Effect{kind, r})
	}
	return out
}

// dedupe sorts and removes doubles.
func dedupe(vs []Value) []Value {
	if len(vs) < 2 {
		return vs
	}
	slices.Sort(vs)
	return slices.Compact(vs)
}
