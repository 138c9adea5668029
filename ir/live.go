package ir

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
