package ir

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

// reader makes a Builder that knows the memory of a finished graph, to ask ops
// for their effects.
func (g *Graph) reader() *Builder {
	b := &Builder{g: g, scopes: []scope{{region: Root}}, resources: map[Value]Resource{}, named: map[string]Resource{}}
	for r, m := range g.memory {
		if m.root != 0 {
			b.resources[m.root] = Resource(r)
		} else if m.name != "" {
			b.named[m.name] = Resource(r)
		}
	}
	for v := Value(1); int(v) < len(g.nodes); v++ {
		switch def := g.Def(v); {
		case def.Refers != nil:
			if r, ok := b.named["@"+def.Refers((Calls{b}).Of(v))]; ok {
				b.resources[v] = r
			}
		case def.Refs != nil && g.nodes[v].typ >= numFixedTypes:
			b.relate(v, (Calls{b}).Of(v))
		}
	}
	return b
}

// Effects returns a function that lists what a node of a finished graph reads and
// writes, in its regions too.
func (g *Graph) Effects() func(v Value) []Effect {
	b := g.reader()
	return func(v Value) []Effect {
		effects, _ := b.effectsOf((Calls{b}).Of(v))
		return effects
	}
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
	return def.Effects((Calls{f.b}).Of(v))
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
