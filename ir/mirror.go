package ir

import (
	"maps"
	"slices"

	"github.com/irc-lang/irc/ir/internal/intern"
)

// A Mirror replays the schedule of an old graph through a Builder of a new one.
// A pass is a set of rules for it; what has no rule is copied. As everything is
// built again, no pass can break folds, sharing or effects.
type Mirror struct {
	B *Builder // builds the new graph; rules add ops by it

	s        *Schedule
	g        *Graph
	m        []Value // old node -> new value
	rules    Rules
	types    func(*Mirror, Type) Type
	phase    string // whose delayed rules run
	opts     []Option
	children map[*Graph]*Graph
	ran      int
	later    map[Value]Value // forward references of a verbatim graph
	args     []Value         // stack of operand lists of the calls under way
	spec     *speculation    // or nil
	once     map[any]any     // of Once
	retype   *retyping       // or nil
	instead  map[Value]Value // of BodyWith
	nest     *nestTries      // of the loops that are being built, or nil
	shift    int             // of the numbers of the new graph, where rules are tried: see trial

	theirRules Rules // those of rules that trial asks, nil before it is known
}

// Rewrite rebuilds a scheduled graph, its child graphs included, by rules; t
// maps types, nil keeps them. A rule may be called several times for one node
// (loops are tried optimistically), so it must have no other effect than what
// it builds.
func Rewrite(ctx *Context, s *Schedule, r Rules, t func(*Mirror, Type) Type, opts ...Option) *Graph {
	m := &Mirror{s: s, g: s.g, rules: r, types: t, opts: opts}
	return m.run(ctx)
}

// Plain is an option of Rewrite: build without folds.
func Plain(b *Builder) { b.fold.plain = true }

func (m *Mirror) run(ctx *Context) *Graph {
	if ctx.CheckHooks && m.theirRules == nil {
		m.theirRules = m.rulesOfTheirs(ctx)
	}
	m.rewriteChildren(ctx)
	g := m.rebuild(ctx)
	m.trial(ctx)
	return g
}

// rebuild replays the graph itself once its children are done.
func (m *Mirror) rebuild(ctx *Context) *Graph {
	opts := m.opts
	if m.g.verbatim {
		opts = append(slices.Clone(opts), Verbatim)
	}
	m.B = NewBuilder(ctx, opts...)
	m.B.reserve(m.g)
	m.B.pad(m.shift)
	m.B.g.Extra = m.g.Extra
	if !m.g.regions[Root].hasBlock {
		m.B.NoBlock() // a declaration
	}
	m.m = make([]Value, len(m.g.nodes))
	var params []Value
	for _, t := range m.paramTypes(Root) {
		params = append(params, m.B.Param(t))
	}
	m.bind(Root, params)
	for _, r := range m.g.memory {
		if r.root != 0 && m.g.nodes[r.root].op == opParam.id && r.home == Root {
			m.own(r.root)
		}
	}
	m.replay(Root, true)
	m.defineForwards()
	return m.B.Finish()
}

// rewriteChildren rewrites the graphs of isolated ops on all processors.
func (m *Mirror) rewriteChildren(ctx *Context) {
	var todo []*Graph
	var owners []*OpDef
	for v := range m.s.All() {
		for _, g := range m.g.Children(v) {
			todo, owners = append(todo, g), append(owners, m.g.Def(v))
		}
	}
	if len(todo) == 0 {
		return
	}
	kids := make([]*Mirror, len(todo))
	Parallel(len(todo), func(i int) {
		kids[i] = &Mirror{s: m.s.alike(todo[i]), g: todo[i], rules: m.rules, types: m.types, opts: m.opts, phase: m.phase, retype: m.retype.child(owners[i]), theirRules: m.theirRules}
		if m.spec != nil {
			kids[i].spec = newSpeculation()
		}
		kids[i].run(ctx)
	})
	m.children = make(map[*Graph]*Graph, len(todo))
	for i, g := range todo {
		m.children[g] = kids[i].B.g
		m.ran += kids[i].ran
		if m.spec != nil {
			m.spec.rounds += kids[i].spec.rounds
		}
	}
}

// Type maps a type of the old graph.
func (m *Mirror) Type(t Type) Type {
	if m.types == nil {
		return t
	}
	if info := m.B.Ctx().Info(t); info.Kind == KindMulti {
		out := make([]Type, len(info.Types))
		for i, x := range info.Types {
			out[i] = m.types(m, x)
		}
		return m.B.Ctx().Multi(out...)
	}
	return m.types(m, t)
}

// Of returns the new value of an old node.
func (m *Mirror) Of(n Node) Value {
	if v := m.m[n.v]; v != 0 {
		return v
	}
	if m.retype != nil {
		if v := m.whole(n.v); v != 0 {
			return v
		}
	}
	if m.g.verbatim && !m.known(n.v) {
		return m.forward(n.v)
	}
	if t, i, ok := m.g.Projection(n.v); ok {
		return m.B.Result(m.m[t], i)
	}
	panic("ir: " + m.g.Name(n.v) + " has no new value yet")
}

// All returns the new values of old nodes.
func (m *Mirror) All(ns []Node) []Value {
	out := make([]Value, len(ns))
	for i, n := range ns {
		out[i] = m.Of(n)
	}
	return out
}

// Set makes v the new value of an old node from here on: until Body makes the region again that it is in (see BodyWith).
func (m *Mirror) Set(n Node, v Value) { m.m[n.v] = v }

// Schedule is the schedule of the old graph that is replayed.
func (m *Mirror) Schedule() *Schedule { return m.s }

// Once is what f gives when it is first called for a key and this old graph: what
// rules work out of a graph as a whole.
func (m *Mirror) Once(key any, f func() any) any {
	x, ok := m.once[key]
	if !ok {
		if m.once == nil {
			m.once = map[any]any{}
		}
		x = f()
		m.once[key] = x
	}
	return x
}

// Op makes an op of the new graph.
func (m *Mirror) Op(d *OpDef, args ...Value) Value { return m.B.Op(d, args...) }

// replay rebuilds the ops of a region of the old graph in the one that is open.
func (m *Mirror) replay(r Region, term bool) {
	for _, v := range m.s.Body(r) {
		if !term && v == m.g.regions[r].term {
			continue
		}
		m.m[v] = m.node(v)
	}
}

func (m *Mirror) node(v Value) Value {
	n := Node{m.g, v}
	if l := m.g.loc(v); l != 0 {
		m.B.Loc = l
	}
	if w, ok := m.instead[v]; ok {
		return w
	}
	if m.retype != nil {
		m.retype.at = n
		if w, ok := m.retyped(n); ok {
			return w
		}
	}
	if d := m.g.delayed[v]; d != nil && m.phase != "" {
		for _, x := range d {
			if x.phase != m.phase {
				continue
			}
			if w := m.apply(x.rule, n); w != 0 {
				m.ran++
				return w
			}
		}
	}
	if len(m.rules) > 0 {
		if rule := m.rules[m.g.Def(v)]; rule != nil {
			if w := m.apply(rule, n); w != 0 {
				m.ran++
				return w
			}
		}
	}
	return m.Copy(n)
}

// Copy makes a node again as it is, with the new values of its operands.
func (m *Mirror) Copy(n Node) Value { return m.CopyWith(n, m.g.nodes[n.v].attr) }

// CopyWith is Copy with other attributes.
func (m *Mirror) CopyWith(n Node, attr Attr) Value {
	g, v := m.g, n.v
	rec := &g.nodes[v]
	args := g.Args(v)
	base := len(m.args)
	m.args = append(m.args, args...) // nested regions stack theirs above
	buf := m.args[base:len(m.args):len(m.args)]
	for i, a := range args {
		if buf[i] = m.m[a]; buf[i] == 0 {
			buf[i] = m.Of(Node{g, a})
		}
	}
	call := Call{Def: g.Def(v), Args: buf, Attr: attr, Type: rec.typ, Loc: g.loc(v)}
	if m.types != nil {
		call.Type = m.Type(rec.typ)
	}
	if rec.nreg > 0 {
		call.Regions = m.regions(v, call.Def, buf, attr)
		for _, c := range g.Children(v) {
			call.Graphs = append(call.Graphs, m.children[c])
		}
	}
	w := m.B.Must(call)
	m.args = m.args[:base]
	if m.spec != nil && call.Def.Has(Unique) {
		m.spec.old[w] = v
	}
	if intern.IsMany(g.locs[v]) {
		m.B.JoinLocs(w, g.LocsOf(v)[1:])
	}
	if d := g.delayed[v]; d != nil && m.B.g.same(w, &call) {
		m.B.delay(w, d)
	}
	return w
}

// Children returns the rewritten graphs of an isolated op.
func (m *Mirror) Children(n Node) []*Graph {
	var out []*Graph
	for _, c := range m.g.Children(n.v) {
		out = append(out, m.children[c])
	}
	return out
}

// Region rebuilds a region with its parameters and terminator, for a new op.
func (m *Mirror) Region(old Block) Region {
	return m.RegionWith(old, m.g.regions[old.r].kind, nil, func(params []Value) { m.fill(old, params) })
}

// fill rebuilds the ops of a region, its terminator too, in the one that is open.
func (m *Mirror) fill(old Block, params []Value) {
	m.bind(old.r, params)
	m.replay(old.r, true)
}

// regions rebuilds the regions of a node. What one region of a loop writes the
// others read in the next round (scf.while), so they are assumed to write what
// they did together, and built again with more while that proves wrong.
func (m *Mirror) regions(v Value, def *OpDef, args []Value, attr Attr) []Region {
	rs := m.g.Regions(v)
	if len(rs) == 0 {
		return nil
	}
	if m.spec != nil && slices.ContainsFunc(rs, func(r Region) bool { return m.g.regions[r].kind == Loop }) {
		return m.speculate(v, def, args, attr)
	}
	assumed := m.assumptions(rs...)
	for {
		out := make([]Region, 0, len(rs))
		for i, r := range rs {
			old := Block{m.g, r}
			out = append(out, m.regionWith(old, m.kind(old, def, attr, i), nil, assumed, func(p []Value) {
				m.B.Enter(def, attr, args, i, p)
				m.fill(old, p)
			}))
		}
		if !m.B.crossed(&Call{Def: def, Args: args, Attr: attr, Regions: out}, assumed) {
			return out
		}
	}
}

// kind is that of a region made again for an op with other attributes.
func (m *Mirror) kind(old Block, def *OpDef, attr Attr, i int) RegionKind {
	if def.Kind != nil {
		return kindOf(m.B, def, attr, i)
	}
	return old.Kind()
}

// crossed reports that a region read something as if nobody wrote it although a
// sibling or the op itself does, and adds that to assumed.
func (b *Builder) crossed(c *Call, assumed map[Resource]bool) bool {
	if len(c.Regions) == 1 && c.Def.Effects == nil && !c.Def.Has(Opaque) {
		return false // what it writes itself is a conflict already
	}
	var bypassed []Resource
	for _, r := range c.Regions {
		bypassed = append(bypassed, b.g.regions[r].outside.bypassed...)
	}
	if len(bypassed) == 0 {
		return false
	}
	c.b = b
	effects, _ := b.aliases.effectsOf(c)
	found := false
	for _, e := range effects {
		for _, x := range bypassed {
			if e.Writes() && b.g.MayAlias(x, e.On) {
				assumed[x], found = true, true
			}
		}
	}
	return found
}

// RegionWith opens a region of the given kind with the old one's parameter
// types, mapped, and any further ones, and lets body fill it. A loop is built as
// if it wrote only what the old one did; where that proves wrong the body is
// thrown away and built again with what it does write added, until it holds.
// With siblings, whose writes are not known here, it is not built so.
func (m *Mirror) RegionWith(old Block, kind RegionKind, more []Type, body func(params []Value)) Region {
	var assumed map[Resource]bool
	if len(m.g.Regions(m.g.regions[old.r].owner)) == 1 {
		assumed = m.assumptions(old.r)
	}
	return m.regionWith(old, kind, more, assumed, body)
}

// RegionAs is RegionWith with other types of parameters.
func (m *Mirror) RegionAs(old Block, kind RegionKind, types []Type, body func(params []Value)) Region {
	var assumed map[Resource]bool
	if len(m.g.Regions(m.g.regions[old.r].owner)) == 1 {
		assumed = m.assumptions(old.r)
	}
	return m.regionOf(old, kind, types, assumed, body)
}

func (m *Mirror) regionWith(old Block, kind RegionKind, more []Type, assumed map[Resource]bool, body func(params []Value)) Region {
	return m.regionOf(old, kind, append(m.paramTypes(old.r), more...), assumed, body)
}

func (m *Mirror) regionOf(old Block, kind RegionKind, types []Type, assumed map[Resource]bool, body func(params []Value)) Region {
	defer tries(m, old.r, assumed)()
	for {
		r := m.B.Open(kind, types...)
		s := m.B.open.top()
		s.optimist, s.assumed = kind == Loop && assumed != nil, assumed
		if !m.g.regions[old.r].hasBlock {
			m.B.NoBlock()
		}
		body(m.B.Params(r))
		s = m.B.open.top()
		if len(s.conflict) == 0 {
			return m.B.Close()
		}
		for _, c := range s.conflict {
			assumed[c] = true
		}
		m.nest.add(old.r, s.conflict)
		m.B.drop()
	}
}

func (m *Mirror) resource(r Resource) (Resource, bool) {
	if r < numFixedResources {
		return r, true
	}
	old := m.g.memory[r]
	if old.root == 0 {
		parent, ok := m.resource(old.parent)
		return m.B.Named(old.name, parent), ok
	}
	if v := m.m[old.root]; v != 0 {
		return m.B.ResourceOf(v), true
	}
	return 0, false
}

// Body rebuilds the ops of a region, without its terminator, in the region that
// is open, with args for its parameters, and returns what it yields.
func (m *Mirror) Body(old Block, args ...Value) []Value {
	for i, p := range m.g.regions[old.r].params {
		m.m[p] = args[i]
	}
	m.replay(old.r, false)
	return m.All(old.Yields())
}

// BodyWith is Body where new values stand for some ops, at any depth: no rule is asked for these, and what only they
// need is not there. Of an op with several results the value is a Pack of as many.
func (m *Mirror) BodyWith(old Block, instead map[Node]Value, args ...Value) []Value {
	outer := m.instead
	defer func() { m.instead = outer }()
	m.instead = maps.Clone(outer)
	if m.instead == nil {
		m.instead = make(map[Value]Value, len(instead))
	}
	for n, w := range instead {
		if m.B.g.nodes[w].typ != m.Type(n.Type()) {
			panic(n.Errorf("is to be replaced by %s, whose type is another", m.B.g.Name(w)))
		}
		m.instead[n.v] = w
	}
	return m.Body(old, args...)
}

// BodyWithout is Body without some ops of the region, which nothing else in it
// may need; what is yielded and was left out is 0.
func (m *Mirror) BodyWithout(old Block, skip func(n Node) bool, args ...Value) []Value {
	for i, p := range m.g.regions[old.r].params {
		m.m[p] = args[i]
	}
	for _, v := range m.s.Body(old.r) {
		if v == m.g.regions[old.r].term {
			continue
		}
		if m.m[v] = 0; !skip(Node{m.g, v}) {
			m.m[v] = m.node(v)
		}
	}
	ys := m.g.Yields(old.r)
	out := make([]Value, len(ys))
	for i, y := range ys {
		if n, _, _ := m.g.Projection(y); m.m[n] != 0 {
			out[i] = m.Of(Node{m.g, y})
		}
	}
	return out
}

// forward returns what stands for an operand of a verbatim graph that has no new
// value yet; finish says what it became.
func (m *Mirror) forward(a Value) Value {
	if v, ok := m.later[a]; ok {
		return v
	}
	if m.later == nil {
		m.later = map[Value]Value{}
	}
	m.later[a] = m.B.Forward(m.Type(m.g.nodes[a].typ))
	return m.later[a]
}

// known reports that an old node has a new value.
func (m *Mirror) known(a Value) bool {
	n, _, _ := m.g.Projection(a)
	return m.m[n] != 0
}

// defineForwards ends a verbatim rebuild.
func (m *Mirror) defineForwards() {
	for a, v := range m.later {
		m.B.DefineForward(v, m.Of(Node{m.g, a}))
	}
}
