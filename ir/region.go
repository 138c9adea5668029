package ir

import "slices"

// Open starts a region inside the current one; what is made next is in it.
func (b *Builder) Open(kind RegionKind, params ...Type) Region {
	r := b.open.push(kind, len(b.known.facts))
	if !b.g.verbatim && (r == Root || kind == Loop || kind == Lambda || kind == Barrier) {
		b.g.regions[r].entry = b.open.token(opEntry, len(b.open.scopes)-1, nil, nil)
	}
	for _, t := range params {
		b.Param(t)
	}
	return r
}

// OpenLoop starts the one region of a loop as if the loop wrote nothing but what is
// assumed; nil is no assumption, as in Open. Where Refuted says that this was
// wrong, the region is gone and must be built again.
func (b *Builder) OpenLoop(assumed map[Resource]bool) Region {
	r := b.Open(Loop)
	s := b.open.top()
	s.optimist, s.assumed = assumed != nil, assumed
	return r
}

// Refuted reports that the region which is open, a loop's, writes what was read in
// it as if nothing did. Then it is thrown away, and what it writes is assumed.
func (b *Builder) Refuted(assumed map[Resource]bool) bool {
	s := b.open.top()
	if len(s.conflict) == 0 {
		return false
	}
	for _, r := range s.conflict {
		assumed[r] = true
	}
	for _, r := range s.writes.list {
		assumed[r] = true
	}
	b.drop()
	return true
}

// Unwritten returns what a loop's region writes, if something in it was read as if
// the loop wrote that too, which it does not; else nil. Such a region may be thrown
// away, and built again with this assumed.
func (b *Builder) Unwritten(r Region) map[Resource]bool {
	out := &b.g.regions[r].outside
	if !out.hides(b.g, out.effects) {
		return nil
	}
	assumed := map[Resource]bool{}
	for w := range out.written {
		assumed[w] = true
	}
	return assumed
}

// Param adds a parameter to the region that is open.
func (b *Builder) Param(t Type) Value {
	r := b.open.top().region
	reg := &b.g.regions[r]
	v := b.open.add(record{op: opParam.id, typ: t, attr: Attr(len(reg.params)), home: r, needs: b.open.depthBit(), flags: flagPinned}, nil, nil, nil, nil)
	reg = &b.g.regions[r]
	reg.params = append(reg.params, v)
	return v
}

// Params lists the parameters of a region.
func (b *Builder) Params(r Region) []Value { return b.g.regions[r].params }

// NoBlock says that the open region has no block at all, not even an empty one.
func (b *Builder) NoBlock() { b.g.regions[b.open.top().region].hasBlock = false }

// Region builds a region of an op: body makes its ops, terminator included.
func (b *Builder) Region(kind RegionKind, params []Type, body func(args []Value)) Region {
	r := b.Open(kind, params...)
	body(b.Params(r))
	return b.Close()
}

// RegionLike builds a region in the place of a closed one, for the same op made
// again. A loop of one region is built as if it wrote what the old one writes,
// and anew with what it does write where that proves wrong: as a Mirror does it.
func (b *Builder) RegionLike(old Region, params []Type, body func(args []Value)) Region {
	return b.regionLike(old, params, func(r Resource) Resource { return r }, body)
}

// regionLike is RegionLike where what the old region writes has become other resources.
func (b *Builder) regionLike(old Region, params []Type, now func(Resource) Resource, body func(args []Value)) Region {
	if b.g.regions[old].kind != Loop {
		return b.Region(b.g.regions[old].kind, params, body)
	}
	assumed := map[Resource]bool{}
	for w := range b.g.regions[old].outside.written {
		assumed[now(w)] = true
	}
	return b.LoopRegion(assumed, params, body)
}

// LoopRegion builds the region of a loop as if it wrote what is assumed and nothing else, so that what
// was stored before it is known in it; and anew with what it does write, which is added to that, where this
// proves wrong.
func (b *Builder) LoopRegion(assumed map[Resource]bool, params []Type, body func(args []Value)) Region {
	for {
		r := b.OpenLoop(assumed)
		for _, t := range params {
			b.Param(t)
		}
		body(b.Params(r))
		if !b.Refuted(assumed) {
			return b.Close()
		}
	}
}

// Current returns the innermost open region.
func (b *Builder) Current() Region { return b.open.top().region }

// Close ends the innermost open region: what is live in it is found, and with
// it what it needs from outside and does to it.
func (b *Builder) Close() Region {
	g := b.g
	s := b.open.top()
	b.known.forget(s)
	reg := &g.regions[s.region]
	if g.verbatim {
		reg.members = append([]Value(nil), s.members...)
	} else {
		reg.effs = b.order.lastWrites(s)
		b.live.sweep(s)
		reg.outside.effects = b.live.summary(s)
		reg.outside.floats = append(reg.outside.floats, s.floats...)
		reg.digest = b.shared.digestOf(s.region)
	}
	for r := range s.bypassed {
		reg.outside.bypassed = append(reg.outside.bypassed, r)
	}
	reg.closed = true
	r := s.region
	b.open.steps += s.steps + s.writes.steps
	b.open.pop()
	return r
}

// drop throws the open region away.
func (b *Builder) drop() {
	s := b.open.top()
	b.known.forget(s)
	b.g.garbage += len(s.members)
	b.open.pop()
}

// outside is what the live members of a region need of what lies outside of it, and what they do to that. Once the
// region is closed this is all that others have to know to run it elsewhere.
type outside struct {
	needs     uint64     // depths of the regions whose parameters or state it needs
	frees     []Value    // what it uses
	effects   []Effect   // on what outlives it
	bypassed  []Resource // what it read as if no round of its loop wrote it
	floats    []reader   // reads recorded in it that live further out
	partial   bool       // runs something that may be undefined
	traps     bool       // and not only for poison
	allocates bool       // memory that outlives it: its op is pinned, and so not shared
}

// add joins a live node.
func (o *outside) add(rec *record) {
	o.needs |= rec.needs
	o.partial = o.partial || rec.flags&flagPartial != 0
	o.traps = o.traps || rec.flags&flagTraps != 0
}

// leave forgets the region itself, of the given depth, as far as depths are told apart.
func (o *outside) leave(depth int) {
	if depth > 0 && depth <= 64 {
		o.needs &^= depthBit(depth)
	}
}

// written ranges over what it writes.
func (o *outside) written(yield func(Resource) bool) {
	for _, e := range o.effects {
		if e.Writes() && !yield(e.On) {
			return
		}
	}
}

// hides reports that a read in a loop was made to depend on the entry of a round
// although the loop, which has the given effects, does not write what it reads.
func (o *outside) hides(g *Graph, effects []Effect) bool {
	for _, e := range o.effects {
		if e.Kind == Read && !slices.Contains(o.bypassed, e.On) &&
			!slices.ContainsFunc(effects, func(w Effect) bool { return w.Writes() && g.MayAlias(w.On, e.On) }) {
			return true
		}
	}
	return false
}

// liveness finds what is live in the region that is closing: what it yields, the
// effects that can be seen later, and what these need.
//
// Memory of its own that nobody keeps can be seen no more, so its last writes are
// dead. A free of it is not: whoever needs the memory needs it given back. So a
// free lives if and only if its allocation does, and an allocation that only
// frees and dead stores name goes together with them.
type liveness struct {
	g       *Graph
	open    *openRegions
	aliases *aliases
	marks   []uint32 // live in the region that is closing, if equal to epoch
	epoch   uint32

	reg   *region
	home  Region
	at    Value             // what is below has not been visited
	late  []Value           // what was marked after its turn
	freed map[Value][]Value // what frees allocations of this region; nil if nothing does
}

// sweep keeps the members of an open region that are live, and notes what
// they use from outside. It goes from the last to the first; only the frees of
// an allocation are found when it has passed them.
func (l *liveness) sweep(s *scope) {
	l.begin(s)
	reg := l.reg
	if reg.term != 0 {
		l.mark(reg.term)
	}
	for _, v := range reg.effs {
		l.mark(v)
	}
	for _, v := range reg.params {
		l.mark(v)
	}
	n := len(s.members)
	l.open.steps += n
	for i := n - 1; i >= 0; i-- {
		v := s.members[i]
		l.at = v
		if l.isLive(v) {
			l.visit(v)
		}
		for len(l.late) > 0 {
			v, l.late = l.late[len(l.late)-1], l.late[:len(l.late)-1]
			l.visit(v)
		}
	}
	live := 0
	for _, v := range s.members {
		if l.isLive(v) {
			live++
		}
	}
	reg.members = make([]Value, 0, live)
	for _, v := range s.members {
		if l.isLive(v) {
			reg.members = append(reg.members, v)
		}
	}
	reg.effs = dedupe(reg.effs)
	reg.outside.leave(int(reg.depth))
	l.reg, l.freed = nil, nil
}

// begin starts with nothing live in a region.
func (l *liveness) begin(s *scope) {
	n := len(l.g.nodes)
	if len(l.marks) < n {
		l.marks = append(l.marks, make([]uint32, n+n/2-len(l.marks))...)
	}
	l.epoch++
	l.reg, l.home, l.at, l.freed = &l.g.regions[s.region], s.region, Value(n), l.ownFrees(s)
}

// isLive holds until the next region closes.
func (l *liveness) isLive(v Value) bool { return l.marks[v] == l.epoch }

// ownFrees lists the ops that free memory which was allocated in the region that
// is closing and which nobody keeps, by allocation.
func (l *liveness) ownFrees(s *scope) (out map[Value][]Value) {
	for _, f := range s.freed {
		m := &l.g.memory[f.on]
		if m.root == 0 || m.home != s.region || m.escaped {
			continue // among the last writes
		}
		if out == nil {
			out = map[Value][]Value{}
		}
		out[m.root] = append(out[m.root], f.v)
	}
	return out
}

func (l *liveness) mark(v Value) {
	if l.isLive(v) {
		return
	}
	l.marks[v] = l.epoch
	if l.g.nodes[v].home != l.home {
		l.reg.outside.frees = append(l.reg.outside.frees, v)
	} else if v >= l.at {
		l.late = append(l.late, v)
	}
	for _, f := range l.freed[v] {
		l.reg.effs = append(l.reg.effs, f)
		l.mark(f)
	}
}

// visit marks what a live member needs.
func (l *liveness) visit(v Value) {
	g := l.g
	l.summarize(&l.reg.outside, v)
	for _, a := range g.Args(v) {
		l.mark(a)
	}
	for _, h := range g.Hard(v) {
		l.mark(h)
	}
	for _, r := range g.Regions(v) {
		for _, f := range g.regions[r].outside.frees {
			l.mark(f)
		}
	}
}

// summarize adds a live node to what its region needs and does. Equal regions may become one. For a
// node that forbids it the region keeps a mark that pins its op, as allocates does.
func (l *liveness) summarize(out *outside, v Value) {
	rec := &l.g.nodes[v]
	out.add(rec)
	if rec.flags&flagPinned == 0 || out.allocates {
		return
	}
	if l.g.Ctx.def(rec.op).Traits&Unique != 0 { // a number may leave unseen (see capture)
		out.allocates = rec.typ < numFixedTypes || l.g.memory[l.aliases.resources[v]].escaped
	}
	for _, r := range l.g.Regions(v) {
		out.allocates = out.allocates || l.g.regions[r].outside.allocates
	}
}

// summary lists what an open region does to resources that outlive it, in the
// order of their numbers, once it is known what is live in it: a dead read is none.
func (l *liveness) summary(s *scope) []Effect {
	touched := append([]Resource(nil), s.writes.list...)
	l.open.steps += len(touched) + len(s.reads)
	for _, x := range s.reads {
		if l.isLive(x.v) && (len(touched) == 0 || touched[len(touched)-1] != x.on) {
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
		if m := &l.g.memory[r]; m.root != 0 && m.home == s.region {
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

// Forward makes a stand-in for a value that is defined later, in a graph region
// that is kept verbatim; its type may be told later, too. Define says what it
// stands for: when the graph is finished its uses are uses of that.
func (b *Builder) Forward(t Type) Value {
	if !b.g.verbatim {
		panic("ir: a forward reference in a graph that is not verbatim")
	}
	return b.open.add(record{op: opLater.id, typ: t, home: b.open.top().region}, nil, nil, nil, nil)
}

// IsForward reports a stand-in whose value is not yet known.
func (g *Graph) IsForward(v Value) bool { return g.nodes[v].op == opLater.id }

// SetForwardType tells the type of a forward reference.
func (b *Builder) SetForwardType(v Value, t Type) { b.g.nodes[v].typ = t }

// DefineForward says what a forward reference stands for.
func (b *Builder) DefineForward(v, is Value) { b.later.set(v, is) }

// forwards are what forward references stand for. It is known before the graph is finished, which has none.
type forwards struct{ is map[Value]Value }

func (f *forwards) set(v, is Value) {
	if f.is == nil {
		f.is = map[Value]Value{}
	}
	f.is[v] = is
}

// define makes the uses of forward references uses of what they stand for.
func (f *forwards) define(g *Graph) {
	if len(f.is) == 0 {
		return
	}
	for v := range g.nodes {
		args := g.Args(Value(v))
		for i, a := range args {
			if is, ok := f.is[a]; ok {
				args[i] = is
			}
		}
	}
}
