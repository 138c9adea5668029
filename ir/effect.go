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
	Kind EffectKind // what is done
	On   Resource   // a resource of the graph, or one of the constants
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

// ordering says in which order effects happen: an op comes after the last writes of what it reads or writes, as
// seen from the innermost region, and a write after the reads before it.
type ordering struct {
	g      *Graph
	open   *openRegions
	joined []Value // join tokens of the op under way
}

// dropBelow forgets the chains strictly below r, which a write or join of r
// supersedes.
func (o *ordering) dropBelow(s *scope, r Resource) {
	g := o.g
	if !g.memory[r].inner {
		return
	}
	o.open.steps += len(s.chains)
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
func (o *ordering) state(r Resource) Value {
	g := o.g
	for i := len(o.open.scopes) - 1; i >= 0; i-- {
		s := &o.open.scopes[i]
		o.open.steps++
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
		if !o.passes(s, r) {
			return g.regions[s.region].entry
		}
		if s.kind == Loop {
			s.bypass(r)
		}
	}
	return g.regions[Root].entry
}

func (s *scope) bypass(r Resource) {
	if s.bypassed == nil {
		s.bypassed = map[Resource]bool{}
	}
	s.bypassed[r] = true
}

func (o *ordering) assumes(s *scope, r Resource) bool {
	if o.g.memory[r].inner {
		o.open.steps += len(s.assumed)
		for a := range s.assumed {
			if o.g.MayAlias(a, r) {
				return true
			}
		}
		return false
	}
	for ; ; r = o.g.memory[r].parent {
		if s.assumed[r] || r == World {
			return s.assumed[r]
		}
	}
}

// join makes the states of everything below r one state of r in scope at, so that
// a read of r needs a single edge; each write is joined once.
func (o *ordering) join(r Resource, at int, force bool) {
	g := o.g
	if !g.memory[r].inner {
		return
	}
	hard, soft := o.below(r, at)
	if len(hard) == 0 && len(soft) == 0 && !force {
		return
	}
	hard = append(hard, o.state(r))
	s := &o.open.scopes[at]
	if c := s.chain(r); c != nil {
		soft = append(soft, c.readers...)
	}
	t := o.open.token(opJoin, at, hard, soft)
	o.joined = append(o.joined, t)
	o.dropBelow(s, r)
	*s.make(r) = chain{on: r, last: t}
}

// passed returns the number of the innermost scope that has touched something
// that may be r: a read of r in an optimist's loop joins what lies outside there.
func (o *ordering) passed(r Resource) int {
	i := len(o.open.scopes) - 1
	if !o.g.memory[r].inner {
		return i
	}
	for ; i > 0 && o.passes(&o.open.scopes[i], r); i-- {
		o.open.steps += len(o.open.scopes[i].chains)
		for _, c := range o.open.scopes[i].chains {
			if o.g.MayAlias(c.on, r) {
				return i
			}
		}
	}
	return i
}

// passes reports that a region sees the state of r outside of it as it enters.
func (o *ordering) passes(s *scope, r Resource) bool {
	return s.kind == Once || s.kind == Branch || s.kind == Loop && s.optimist && !o.assumes(s, r)
}

// below collects the last writes and the reads of everything strictly below r,
// as seen from scope from.
func (o *ordering) below(r Resource, from int) (hard, soft []Value) {
	g := o.g
	if !g.memory[r].inner { // or each load would look at every other memory
		return nil, nil
	}
	var seen []Resource
	for i := from; i >= 0; i-- {
		s := &o.open.scopes[i]
		n := len(seen)
		o.open.steps += len(s.chains)
	chains:
		for j := range s.chains {
			c := &s.chains[j]
			if c.on == r || !g.covers(r, c.on) {
				if c.last != 0 && g.covers(c.on, r) {
					seen = append(seen, r) // superseded further out
				}
				continue
			}
			o.open.steps += n
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
		if !o.passes(s, r) {
			break
		}
	}
	return hard, soft
}

// recordRead notes that node v reads r here.
func (o *ordering) recordRead(r Resource, v Value) {
	s := o.open.top()
	o.open.steps++
	if n := len(s.reads); n == 0 || s.reads[n-1] != (reader{r, v}) {
		s.reads = append(s.reads, reader{r, v})
	}
	if n := len(s.floats); o.g.nodes[v].home != s.region && (n == 0 || s.floats[n-1] != (reader{r, v})) {
		s.floats = append(s.floats, reader{r, v})
	}
	c := s.make(r)
	if n := len(c.readers); n == 0 || c.readers[n-1] != v {
		c.readers = append(c.readers, v)
	}
}

// recordFloats notes here the reads that a closed region recorded and that live
// outside it: a later write must not come before them, wherever they are placed.
func (o *ordering) recordFloats(r Region) {
	for _, f := range o.g.regions[r].outside.floats {
		o.recordRead(f.on, f.v)
	}
}

// manyReaders is where reads of a wide resource are made one edge, so that
// edges stay linear in the ops.
const manyReaders = 8

// edges returns the hard and soft edges of an op with the given effects; over says which writes it covers.
func (o *ordering) edges(effects []Effect, c *Call, over *overwriting) (hard, soft []Value) {
	top := len(o.open.scopes) - 1
	for _, e := range effects {
		if e.Kind == Read {
			o.join(e.On, o.passed(e.On), false)
			hard = append(hard, o.readState(o.state(e.On)))
			continue
		}
		o.join(e.On, top, false)
		o.joinReaders(e.On)
		var last []Value
		last, soft = over.overwritten(e.On, soft, c)
		hard = append(hard, last...)
		for a := e.On; ; a = o.g.memory[a].parent {
			if ch := o.open.top().chain(a); ch != nil {
				soft = append(soft, ch.readers...)
			}
			if a == World {
				break
			}
		}
	}
	o.open.steps += len(hard) + len(soft)
	return dedupe(hard), dedupe(soft)
}

// joinReaders turns many reads of what lies above r into one edge.
func (o *ordering) joinReaders(r Resource) {
	for r != World {
		r = o.g.memory[r].parent
		if ch := o.open.top().chain(r); ch != nil && len(ch.readers) > manyReaders {
			o.join(r, len(o.open.scopes)-1, true)
		}
	}
}

// readState looks through tokens that join nothing but reads.
func (o *ordering) readState(v Value) Value {
	for o.g.nodes[v].op == opJoin.id && o.g.nodes[v].nhard == 1 {
		v = o.g.Hard(v)[0]
	}
	return v
}

// lastWrites lists what must happen in a region: the last write of everything
// that can be seen later, and symbols.
func (o *ordering) lastWrites(s *scope) []Value {
	g := o.g
	var out []Value
	o.open.steps += len(s.chains) + len(s.members)
	for i := range s.chains {
		c := &s.chains[i]
		m := &g.memory[c.on]
		local := m.root != 0 && m.home == s.region && !m.escaped
		if c.last != 0 && g.nodes[c.last].home == s.region && !local && s.written(g, c.on) {
			out = append(out, c.last)
		}
	}
	for _, v := range s.members {
		if op := g.nodes[v].op; op > opPack.id && g.Ctx.def(op).Has(Symbol) {
			out = append(out, v)
		}
	}
	return dedupe(out)
}

// written reports that the scope writes r or something below it: a chain may
// also end in a token that only joins reads.
func (s *scope) written(g *Graph, r Resource) bool {
	if s.writes.has(r) || !g.memory[r].inner {
		return s.writes.has(r)
	}
	for _, w := range s.writes.list {
		if g.covers(r, w) {
			return true
		}
	}
	return false
}

// noteJoins notes the tokens that were made for op v, or 0.
func (o *ordering) noteJoins(v Value) {
	for _, t := range o.joined {
		o.g.notes.joins = append(o.g.notes.joins, joined{t, v})
	}
	o.joined = o.joined[:0]
}

// dedupe sorts and removes doubles.
func dedupe(vs []Value) []Value {
	if len(vs) < 2 {
		return vs
	}
	slices.Sort(vs)
	return slices.Compact(vs)
}

// apply makes v the last write, or a reader, of what it touches.
func (o *ordering) apply(v Value, effects []Effect, isNew bool) {
	s, rec := o.open.top(), &o.g.nodes[v]
	for _, e := range effects {
		if e.Kind == Read {
			if rec.home != s.region {
				if !isNew && rec.flags&flagFloat == 0 {
					continue // recorded where it lives, and a write here must come after that
				}
				rec.flags |= flagFloat
				o.g.notes.reads = append(o.g.notes.reads, placed{v, s.region})
			}
			o.recordRead(e.On, v)
			continue
		}
		s.writes.add(e.On)
		if e.Kind == Free {
			s.freed = append(s.freed, reader{e.On, v})
		}
		o.contradict(s, e.On)
		o.dropBelow(s, e.On)
		*s.make(e.On) = chain{on: e.On, last: v}
	}
}

// contradict notes what an optimist has read as if nothing wrote it, although r
// is written.
func (o *ordering) contradict(s *scope, r Resource) {
	if len(s.bypassed) == 0 {
		return
	}
	if o.g.memory[r].inner {
		o.open.steps += len(s.bypassed)
		for x := range s.bypassed {
			if o.g.MayAlias(x, r) {
				s.conflict = append(s.conflict, x)
			}
		}
		return
	}
	for a := r; ; a = o.g.memory[a].parent {
		if s.bypassed[a] {
			s.conflict = append(s.conflict, a)
		}
		if a == World {
			return
		}
	}
}
