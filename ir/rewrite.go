package ir

import (
	"fmt"
	"slices"
)

// Splice makes the body of a closed region again in the region that is open,
// with values for its parameters, and returns the operands of its terminator.
// Folds use it to put a body in the place of its op.
func (b *Builder) Splice(r Region, args []Value) []Value {
	c := copier{b, map[Value]Value{}}
	for i, p := range b.g.regions[r].params {
		c.m[p] = args[i]
	}
	c.members(r, false)
	return c.all(b.g.Yields(r))
}

// CopyRegion makes a closed region again as a region of a new op in the region
// that is open; term makes its terminator, nil stands for the old one.
func (b *Builder) CopyRegion(r Region, term func(yields []Value)) Region {
	c := copier{b, map[Value]Value{}}
	return c.region(r, nil, term)
}

type copier struct {
	b *Builder
	m map[Value]Value
}

func (c *copier) of(v Value) Value {
	if w, ok := c.m[v]; ok {
		return w
	}
	return v
}

func (c *copier) all(vs []Value) []Value {
	out := make([]Value, len(vs))
	for i, v := range vs {
		out[i] = c.of(v)
	}
	return out
}

// resource is what a resource is in the copy: an allocation that is copied has one of its own.
// A loop in it that is copied as if it wrote the old one would be built twice, and the loops
// in that four times.
func (c *copier) resource(r Resource) Resource {
	if w, ok := c.m[c.b.g.memory[r].root]; ok {
		return c.b.ResourceOf(w)
	}
	return r
}

func (c *copier) region(r Region, enter func(params []Value), term func([]Value)) Region {
	g := c.b.g
	var types []Type
	for _, p := range g.regions[r].params {
		types = append(types, g.nodes[p].typ)
	}
	body := func(params []Value) {
		if !g.regions[r].hasBlock {
			c.b.NoBlock()
		}
		for i, p := range g.regions[r].params {
			c.m[p] = params[i]
		}
		if enter != nil {
			enter(params)
		}
		c.members(r, term == nil)
		if term != nil {
			term(c.all(g.Yields(r)))
		}
	}
	if o := g.regions[r].owner; o != 0 && g.Def(o).Has(SingleRegion) {
		return c.b.regionLike(r, types, c.resource, body)
	}
	return c.b.Region(g.regions[r].kind, types, body)
}

// members makes the live nodes of a region again, in order.
func (c *copier) members(r Region, term bool) {
	b, g := c.b, c.b.g
	b.order.recordFloats(r)
	for _, v := range g.regions[r].members {
		op := g.nodes[v].op
		switch {
		case op == opProj.id:
			n, i, _ := g.Projection(v)
			c.m[v] = b.Result(c.of(n), i)
		case op == opPack.id:
			c.m[v] = b.Pack(c.all(g.Args(v))...)
		case op <= opPack.id, v == g.regions[r].term && !term:
		default:
			c.m[v] = c.node(v)
		}
	}
}

func (c *copier) node(v Value) Value {
	b, g := c.b, c.b.g
	call := Call{Def: g.Def(v), Args: c.all(g.Args(v)), Attr: g.nodes[v].attr, Type: g.nodes[v].typ, Graphs: g.Children(v)}
	if ls := g.LocsOf(v); len(ls) > 0 {
		call.Loc = ls[0]
	}
	for i, r := range g.Regions(v) {
		enter := func(p []Value) { b.Enter(call.Def, call.Attr, call.Args, i, p) }
		call.Regions = append(call.Regions, c.region(r, enter, nil))
	}
	n := b.Must(call)
	if d := g.delayed[v]; d != nil && g.same(n, &call) {
		b.delay(n, d)
	}
	return n
}

// WithChildren rebuilds a graph with other graphs for some of the children of
// its isolated ops, at any depth; children that are not in the map stay as they
// are. It returns g itself if none is replaced.
func WithChildren(g *Graph, to map[*Graph]*Graph) *Graph {
	s := ScheduleOf(g)
	children, changed := map[*Graph]*Graph{}, false
	for v := range s.All() {
		for _, c := range g.Children(v) {
			n := to[c]
			if n == nil {
				n = WithChildren(c, to)
			}
			children[c] = n
			changed = changed || n != c
		}
	}
	if !changed {
		return g
	}
	m := &Mirror{s: s, g: g, children: children}
	m.rebuild(g.Ctx)
	return m.B.g
}

// Insert makes a region of another scheduled graph again in the region that is open, with args for its parameters, and
// returns the operands of its terminator; inlining is this, of Root. outer stands for what the region uses from around
// it, and rules are as those of Rewrite; either may be nil. Children of the other graph are shared, not copied.
func Insert(b *Builder, s *Schedule, r Region, outer map[Value]Value, rules Rules, args ...Value) []Value {
	m := &Mirror{B: b, s: s, g: s.g, m: make([]Value, len(s.g.nodes)), children: map[*Graph]*Graph{}, rules: rules}
	for old, v := range outer {
		m.m[old] = v
	}
	for v := range s.All() {
		for _, c := range s.g.Children(v) {
			m.children[c] = c
		}
	}
	return m.Body(Block{s.g, r}, args...)
}

// delayed is a rewrite that waits for its phase.
type delayed struct {
	phase string
	rule  func(m *Mirror, n Node) Value
}

// Delay registers a rewrite of one node for a phase. Until the phase runs the
// node keeps its level, so every rule of that level has had its chance; a rule
// registered while the phase runs applies in its next iteration. A second one
// for the same node and phase is dropped. The rule gets v as it is by then, so for
// an op that may fold as it is built it must look at n.Def(). (LMS, "Delayed Rewriting".)
func (b *Builder) Delay(v Value, phase string, rule func(m *Mirror, n Node) Value) {
	b.delay(v, []delayed{{phase, rule}})
}

func (b *Builder) delay(v Value, ds []delayed) {
	if b.g.delayed == nil {
		b.g.delayed = delays{}
	}
	b.g.delayed.add(v, ds)
}

// delays are the rewrites that wait, by node: of each phase one.
type delays map[Value][]delayed

func (d delays) add(v Value, ds []delayed) {
	for _, x := range ds {
		if !slices.ContainsFunc(d[v], func(y delayed) bool { return y.phase == x.phase }) {
			d[v] = append(d[v], x)
		}
	}
}

// same reports that v is the op of a call, not what it folded to: a rewrite that
// waits is for that op alone.
func (g *Graph) same(v Value, c *Call) bool {
	args := g.Args(v)
	return g.Def(v) == c.Def && g.nodes[v].attr == c.Attr && len(args) == len(c.Args) &&
		(slices.Equal(args, c.Args) || c.Def.Has(Commutative) && args[0] == c.Args[1] && args[1] == c.Args[0])
}

// A Phase lowers: it applies rules until none of the ops they are for is left.
type Phase struct {
	Name     string // for errors, and for rules that wait for it (Builder.Delay)
	Rules    Rules  // tried for each op once a round
	types    func(*Mirror, Type) Type
	Illegal  func(*OpDef) bool // ops that must be gone when the phase ends
	Schedule ScheduleOptions   // of the graphs that rules see
}

// Run applies a phase to a graph and its children until its rules change nothing,
// or bring back what there was before. What is left although it is
// illegal is an error that names the op.
func (p *Phase) Run(g *Graph) (*Graph, error) {
	seen := map[uint64]bool{} // fingerprints of what was rewritten
	ops, again := sizeOf(g), false
	for i := 0; p.applies(g); i++ {
		if i > maxIterations+ops || sizeOf(g) > maxGrowth*(maxIterations+ops) {
			p.endless(g, i)
		}
		s := NewSchedule(g, p.Schedule)
		if f := s.Fingerprint(); seen[f] {
			again = true
			break
		} else {
			seen[f] = true
		}
		m := &Mirror{s: s, g: g, rules: p.Rules, types: p.types, phase: p.Name}
		g = m.run(g.Ctx)
		if m.ran == 0 {
			break
		}
	}
	if p.Illegal == nil {
		return g, nil
	}
	return g, p.check(g, again)
}

// A phase of n ops takes about as many iterations as they are nested, and makes some dozens of ops of each. Rules that make their
// own op again would take memory without end.
const (
	maxIterations = 100
	maxGrowth     = 2000
)

// sizeOf is the number of nodes of a graph and of those in it.
func sizeOf(g *Graph) int {
	n := len(g.nodes)
	for _, c := range g.children {
		n += sizeOf(c)
	}
	return n
}

// endless ends a phase of which the rules make what they are for again and again: a mistake of their authors.
func (p *Phase) endless(g *Graph, iterations int) {
	for n := range g.All() {
		rule := p.Rules[n.Def()]
		if rule == nil {
			continue
		}
		m := p.reader(n)
		what := fmt.Sprintf("makes it again without end: after %d iterations there are %d ops and more to rewrite", iterations, sizeOf(g))
		if m.theirs(n, rule) {
			panic(m.mistake(n, place(rule), "%s", what))
		}
		panic(fmt.Sprintf("ir: a rule for %s in phase %s %s", n.Def().Name, p.Name, what))
	}
	panic("ir: the rules of phase " + p.Name + " do not end")
}

// reader is a Mirror of the phase to ask about rules for a node.
func (p *Phase) reader(n Node) *Mirror { return &Mirror{g: n.g, phase: p.Name, B: &Builder{g: n.g}} }

// applies reports that a graph, or one in it, has something that the phase may rewrite.
func (p *Phase) applies(g *Graph) bool {
	if p.types != nil {
		return true
	}
	for _, ds := range g.delayed {
		if slices.ContainsFunc(ds, func(d delayed) bool { return d.phase == p.Name }) {
			return true
		}
	}
	for v := Value(1); int(v) < len(g.nodes); v++ {
		if p.Rules[g.Def(v)] != nil || slices.ContainsFunc(g.Children(v), p.applies) {
			return true
		}
	}
	return false
}

// check refuses what must be gone; again says that the rules have brought back what was there before.
func (p *Phase) check(g *Graph, again bool) error {
	for n := range g.All() {
		if p.Illegal(n.Def()) {
			if rule := p.Rules[n.Def()]; again && rule != nil && p.reader(n).theirs(n, rule) {
				return p.reader(n).mistake(n, place(rule), "makes it again, as it was")
			}
			return n.g.LeftOver(n.v, "phase "+p.Name)
		}
	}
	return nil
}

// nestTries is what loops wrote beside what the old ones did, for as long as a loop around them is built. When that one is built
// again they need not be wrong again: in a nest each loop would be built twice as often as the one around it.
type nestTries struct {
	depth int
	wrote map[Region]map[Resource]bool
}

// tries begins to build a region of a mirror; what it returns ends it.
func tries(m *Mirror, old Region, assumed map[Resource]bool) (end func()) {
	if m.nest == nil {
		m.nest = &nestTries{wrote: map[Region]map[Resource]bool{}}
	}
	m.nest.depth++
	if assumed != nil {
		for c := range m.nest.wrote[old] {
			assumed[c] = true
		}
	}
	return func() {
		if m.nest.depth--; m.nest.depth == 0 {
			m.nest = nil
		}
	}
}

// add notes what a region wrote.
func (t *nestTries) add(old Region, wrote []Resource) {
	if t.wrote[old] == nil {
		t.wrote[old] = map[Resource]bool{}
	}
	for _, c := range wrote {
		t.wrote[old][c] = true
	}
}

// assumptions lists what old regions write, as resources of the new graph.
func (m *Mirror) assumptions(old ...Region) map[Resource]bool {
	out := map[Resource]bool{}
	for _, r := range old {
		for w := range m.g.regions[r].outside.written {
			if n, ok := m.resource(w); ok {
				out[n] = true
			}
		}
	}
	return out
}
