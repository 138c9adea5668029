package ir

import (
	"github.com/irc-lang/irc/ir/internal/intern"
)

// Open starts a region inside the current one; what is made next is in it.
func (b *Builder) Open(kind RegionKind, params ...Type) Region {
	g := b.g
	r := Region(len(g.regions))
	reg := region{kind: kind, depth: int32(len(b.scopes)), hasBlock: true}
	if len(b.scopes) > 0 {
		reg.parent = b.top().region
	}
	g.regions = append(g.regions, reg)
	if n := len(b.scopes); n < cap(b.scopes) { // reuse what an earlier scope allocated
		b.scopes = b.scopes[:n+1]
		s := &b.scopes[n]
		*s = scope{members: s.members[:0], chains: s.chains[:0], floats: s.floats[:0], reads: s.reads[:0], freed: s.freed[:0], writes: resourceSet{list: s.writes.list[:0]}}
	} else {
		b.scopes = append(b.scopes, scope{})
	}
	s := b.top()
	s.region, s.kind, s.facts = r, kind, len(b.facts)
	if kind == Barrier {
		b.barriers++
	}
	if !g.verbatim && (r == Root || kind == Loop || kind == Lambda || kind == Barrier) {
		g.regions[r].entry = b.token(opEntry, len(b.scopes)-1, nil, nil)
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
	s := b.top()
	s.optimist, s.assumed = assumed != nil, assumed
	return r
}

// Refuted reports that the region which is open, a loop's, writes what was read in
// it as if nothing did. Then it is thrown away, and what it writes is assumed.
func (b *Builder) Refuted(assumed map[Resource]bool) bool {
	s := b.top()
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
	reg := &b.g.regions[r]
	if !b.g.hides(reg, reg.effects) {
		return nil
	}
	assumed := map[Resource]bool{}
	for _, e := range reg.effects {
		if e.Writes() {
			assumed[e.On] = true
		}
	}
	return assumed
}

// Param adds a parameter to the region that is open.
func (b *Builder) Param(t Type) Value {
	r := b.top().region
	reg := &b.g.regions[r]
	v := b.add(record{op: opParam.id, typ: t, attr: Attr(len(reg.params)), home: r, needs: b.depthBit(), flags: flagPinned}, nil, nil, nil, nil)
	reg = &b.g.regions[r]
	reg.params = append(reg.params, v)
	return v
}

// Params lists the parameters of a region.
func (b *Builder) Params(r Region) []Value { return b.g.regions[r].params }

// NoBlock says that the open region has no block at all, not even an empty one.
func (b *Builder) NoBlock() { b.g.regions[b.top().region].hasBlock = false }

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
	for _, e := range b.g.regions[old].effects {
		if e.Writes() {
			assumed[now(e.On)] = true
		}
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
func (b *Builder) Current() Region { return b.top().region }

// Close ends the innermost open region: what is live in it is found, and with
// it what it needs from outside and does to it.
func (b *Builder) Close() Region {
	g := b.g
	s := b.top()
	b.forget(s)
	reg := &g.regions[s.region]
	if g.verbatim {
		reg.members = append([]Value(nil), s.members...)
	} else {
		reg.effs = b.lastWrites(s)
		b.liveMembers(s)
		reg.effects = b.summary(s)
		reg.floats = append(reg.floats, s.floats...)
		reg.hash = b.hashRegion(s.region)
	}
	for r := range s.bypassed {
		reg.bypassed = append(reg.bypassed, r)
	}
	reg.closed = true
	if reg.kind == Barrier {
		b.barriers--
	}
	r := s.region
	b.steps += s.steps + s.writes.steps
	b.scopes = b.scopes[:len(b.scopes)-1]
	return r
}

// drop throws the open region away.
func (b *Builder) drop() {
	b.forget(b.top())
	if b.top().kind == Barrier {
		b.barriers--
	}
	b.g.Garbage += len(b.top().members)
	b.scopes = b.scopes[:len(b.scopes)-1]
}

// lastWrites lists what must happen in a region: the last write of everything
// that can be seen later, and symbols.
func (b *Builder) lastWrites(s *scope) []Value {
	g := b.g
	var out []Value
	b.steps += len(s.chains) + len(s.members)
	for i := range s.chains {
		c := &s.chains[i]
		m := &g.memory[c.on]
		local := m.root != 0 && m.home == s.region && !m.escaped
		if c.last != 0 && g.nodes[c.last].home == s.region && !local && s.written(g, c.on) {
			out = append(out, c.last)
		}
	}
	for _, v := range s.members {
		if op := g.nodes[v].op; op > opPack.id && g.Ctx.Def(op).Has(Symbol) {
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

// summarize adds a live node to what its region needs and does. Equal regions may become one. For a
// node that forbids it the region keeps a mark that pins its op, as allocates does.
func (b *Builder) summarize(reg *region, v Value) {
	rec := &b.g.nodes[v]
	reg.needs |= rec.needs
	reg.partial = reg.partial || rec.flags&flagPartial != 0
	reg.traps = reg.traps || rec.flags&flagTraps != 0
	if rec.flags&flagPinned == 0 || reg.allocates {
		return
	}
	if b.g.Ctx.Def(rec.op).Traits&Unique != 0 { // a number may leave unseen (see capture)
		reg.allocates = rec.typ < numFixedTypes || b.g.memory[b.resources[v]].escaped
	}
	for _, r := range b.g.Regions(v) {
		reg.allocates = reg.allocates || b.g.regions[r].allocates
	}
}

// hashRegion hashes a closed region so that regions equal up to the names of
// their parameters hash alike. Values of outer regions that may themselves be
// renamed count with their op and type only.
func (b *Builder) hashRegion(r Region) uint64 {
	g := b.g
	reg := &g.regions[r]
	h := intern.Mix(intern.HashSeed, uint64(reg.kind))
	if len(b.local) < len(g.nodes) {
		b.local = append(b.local, make([]uint32, len(g.nodes)+len(g.nodes)/2-len(b.local))...)
	}
	for i, v := range reg.members {
		b.local[v] = uint32(i)
		rec := &g.nodes[v]
		h = intern.Mix(h, uint64(rec.op)<<32|uint64(rec.typ))
		h = intern.Mix(h, uint64(rec.attr))
		reg.bag += intern.Mix(intern.Mix(intern.HashSeed, uint64(rec.op)<<32|uint64(rec.typ)), uint64(rec.attr))
		for _, e := range g.edge(v, 0, rec.nargs+rec.nhard) {
			switch n := &g.nodes[e]; {
			case n.home == r:
				h = intern.Mix(h, uint64(b.local[e])|1<<40)
			case n.home == Root:
				h = intern.Mix(h, uint64(e)|1<<41)
			default:
				h = intern.Mix(h, uint64(n.op)<<32|uint64(n.typ))
			}
		}
		for _, in := range g.Regions(v) {
			h = intern.Mix(h, g.regions[in].hash)
			reg.bag += intern.Mix(intern.HashSeed, g.regions[in].bag)
		}
	}
	return h
}

// renaming maps nodes of one region to those of another that may be equal.
type renaming map[Value]Value

// equalRegions reports that two closed regions are equal up to the names of
// their parameters.
func (g *Graph) equalRegions(x, y Region, m renaming) bool {
	rx, ry := &g.regions[x], &g.regions[y]
	if rx.hash != ry.hash || rx.kind != ry.kind || rx.hasBlock != ry.hasBlock ||
		len(rx.members) != len(ry.members) || len(rx.params) != len(ry.params) {
		return false
	}
	for i, v := range rx.members {
		w := ry.members[i]
		m[v] = w
		if !g.equalNodes(v, w, m) {
			return false
		}
	}
	return true
}

func (g *Graph) equalNodes(v, w Value, m renaming) bool {
	a, b := &g.nodes[v], &g.nodes[w]
	if a.op != b.op || a.typ != b.typ || a.attr != b.attr || a.nargs != b.nargs ||
		a.nhard != b.nhard || a.nreg != b.nreg || (a.flags^b.flags)&flagsOfOp != 0 {
		return false
	}
	ve, we := g.edge(v, 0, a.nargs+a.nhard), g.edge(w, 0, b.nargs+b.nhard)
	for i := range ve {
		x := ve[i]
		if y, ok := m[x]; ok {
			x = y
		}
		if x != we[i] {
			return false
		}
	}
	vr, wr := g.Regions(v), g.Regions(w)
	for i := range vr {
		if !g.equalRegions(vr[i], wr[i], m) {
			return false
		}
	}
	vc, wc := g.Children(v), g.Children(w)
	for i := range vc {
		if vc[i] != wc[i] {
			return false
		}
	}
	return true
}

// liveness finds what is live in the region that is closing: what it yields, the
// effects that can be seen later, and what these need.
//
// Memory of its own that nobody keeps can be seen no more, so its last writes are
// dead. A free of it is not: whoever needs the memory needs it given back. So a
// free lives if and only if its allocation does, and an allocation that only
// frees and dead stores name goes together with them.
type liveness struct {
	b     *Builder
	reg   *region
	home  Region
	at    Value             // what is below has not been visited
	late  []Value           // what was marked after its turn
	freed map[Value][]Value // what frees allocations of this region; nil if nothing does
}

// liveMembers keeps the members of an open region that are live, and notes what
// they use from outside. It sweeps from the last to the first; only the frees of
// an allocation are found when it has passed them.
func (b *Builder) liveMembers(s *scope) {
	g := b.g
	if len(b.marks) < len(g.nodes) {
		b.marks = append(b.marks, make([]uint32, len(g.nodes)+len(g.nodes)/2-len(b.marks))...)
	}
	b.epoch++
	reg := &g.regions[s.region]
	l := &liveness{b: b, reg: reg, home: s.region, at: Value(len(g.nodes)), freed: b.ownFrees(s)}
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
	b.steps += n
	for i := n - 1; i >= 0; i-- {
		v := s.members[i]
		l.at = v
		if b.marks[v] == b.epoch {
			l.visit(v)
		}
		for len(l.late) > 0 {
			v, l.late = l.late[len(l.late)-1], l.late[:len(l.late)-1]
			l.visit(v)
		}
	}
	live := 0
	for _, v := range s.members {
		if b.marks[v] == b.epoch {
			live++
		}
	}
	reg.members = make([]Value, 0, live)
	for _, v := range s.members {
		if b.marks[v] == b.epoch {
			reg.members = append(reg.members, v)
		}
	}
	reg.effs = dedupe(reg.effs)
	if reg.depth > 0 && reg.depth <= 64 {
		reg.needs &^= depthBit(int(reg.depth))
	}
}

// ownFrees lists the ops that free memory which was allocated in the region that
// is closing and which nobody keeps, by allocation.
func (b *Builder) ownFrees(s *scope) (out map[Value][]Value) {
	for _, f := range s.freed {
		m := &b.g.memory[f.on]
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
	b := l.b
	if b.marks[v] == b.epoch {
		return
	}
	b.marks[v] = b.epoch
	if b.g.nodes[v].home != l.home {
		l.reg.frees = append(l.reg.frees, v)
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
	g := l.b.g
	l.b.summarize(l.reg, v)
	for _, a := range g.Args(v) {
		l.mark(a)
	}
	for _, h := range g.Hard(v) {
		l.mark(h)
	}
	for _, r := range g.Regions(v) {
		for _, f := range g.regions[r].frees {
			l.mark(f)
		}
	}
}

// Forward makes a stand-in for a value that is defined later, in a graph region
// that is kept verbatim; its type may be told later, too. Define says what it
// stands for: when the graph is finished its uses are uses of that.
func (b *Builder) Forward(t Type) Value {
	if !b.g.verbatim {
		panic("ir: a forward reference in a graph that is not verbatim")
	}
	return b.add(record{op: opLater.id, typ: t, home: b.top().region}, nil, nil, nil, nil)
}

// IsForward reports a stand-in whose value is not yet known.
func (g *Graph) IsForward(v Value) bool { return g.nodes[v].op == opLater.id }

// SetForwardType tells the type of a forward reference.
func (b *Builder) SetForwardType(v Value, t Type) { b.g.nodes[v].typ = t }

// DefineForward says what a forward reference stands for.
func (b *Builder) DefineForward(v, is Value) {
	if b.later == nil {
		b.later = map[Value]Value{}
	}
	b.later[v] = is
}

// patch makes the uses of forward references uses of what they stand for.
func (b *Builder) patch() {
	if len(b.later) == 0 {
		return
	}
	g := b.g
	for v := range g.nodes {
		args := g.Args(Value(v))
		for i, a := range args {
			if is, ok := b.later[a]; ok {
				args[i] = is
			}
		}
	}
}
