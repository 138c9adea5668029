package ir

import (
	"math/bits"
	"slices"
)

// A Builder makes one Graph. Nodes are checked, folded, ordered by their
// effects and shared as they are made. It must not be used by two goroutines.
//
// Each part has its own state and its own rules. What takes several parts is a method of the Builder.
type Builder struct {
	// Loc is given to the nodes that are made next.
	Loc Loc

	g       *Graph
	open    openRegions // what is in scope
	shared  sharing     // which nodes may stand for others
	aliases aliases     // what values refer to
	order   ordering    // in which order effects happen
	over    overwriting // which writes are covered
	known   knowledge   // what regions say of values
	live    liveness    // what a region needs and does
	fold    folding     // what rules make of ops
	later   forwards    // what a verbatim graph defines later
	pool    *pool
}

// Option changes how a Builder works.
type Option func(*Builder)

// Verbatim builds without folds or sharing, every op pinned in order.
func Verbatim(b *Builder) { b.g.verbatim = true }

// NewBuilder starts a graph with an open root region.
func NewBuilder(ctx *Context, opts ...Option) *Builder {
	b := builderOf(&Graph{Ctx: ctx, memory: fixedResources(), kept: &kept{}})
	b.pool = pools.Get().(*pool)
	b.pool.moveIn(b)
	for _, o := range opts {
		o(b)
	}
	if ctx.Watch != nil {
		b.open.built = make([]Region, 1)
	}
	b.Open(Once)
	return b
}

// builderOf makes the parts of a Builder of a graph. Those that stand on others hold these.
func builderOf(g *Graph) *Builder {
	b := &Builder{g: g}
	b.open.g = g
	b.shared.g, b.shared.open = g, &b.open
	b.aliases.g, b.aliases.open = g, &b.open
	b.order.g, b.order.open = g, &b.open
	b.over.g, b.over.order, b.over.b = g, &b.order, b
	b.known.g, b.known.open = g, &b.open
	b.live.g, b.live.open, b.live.aliases = g, &b.open, &b.aliases
	b.fold.g, b.fold.b = g, b
	return b
}

// readerOf makes a Builder of a finished graph, to ask ops what they are. Nothing can be built by it.
func readerOf(g *Graph) *Builder {
	b := builderOf(g)
	b.open.scopes = []scope{{region: Root}}
	return b
}

// reserve makes room for a graph about as large as g.
func (b *Builder) reserve(g *Graph) {
	b.g.nodes = slices.Grow(b.g.nodes, len(g.nodes))
	b.g.locs = slices.Grow(b.g.locs, len(g.nodes))
	b.g.edges = slices.Grow(b.g.edges, len(g.edges))
	b.g.regions = slices.Grow(b.g.regions, len(g.regions))
	if size := 1 << bits.Len(uint(2*len(g.nodes))); size > len(b.shared.table) {
		b.shared.grow(size)
	}
}

// Graph returns the graph under construction.
func (b *Builder) Graph() *Graph { return b.g }

// Ctx returns the context of the graph.
func (b *Builder) Ctx() *Context { return b.g.Ctx }

// Depth returns how many regions are open inside the root.
func (b *Builder) Depth() int { return len(b.open.scopes) - 1 }

// depthBit is the bit of a region depth in a needs set: none for the root;
// depths of 64 and more share the last one, which is only conservative. Bits are of the regions
// that were open when a node was built: Close takes the bit of a region, up to depth 64, out of what that needs.
func depthBit(depth int) uint64 {
	if depth == 0 {
		return 0
	}
	return 1 << min(depth-1, 63)
}

// deepest is the bit that all regions at depth 64 and more share.
const deepest uint64 = 1 << 63

// openRegions are the regions under construction, the root first. A node is a member of the innermost one that
// it needs, so what is in scope is what these hold. Its order is that of depth: scopes[d] is of depth d.
type openRegions struct {
	g        *Graph
	scopes   []scope
	barriers int      // of them
	built    []Region // while somebody watches: where each node was built
	steps    int      // for Context.Steps
	old      bool     // an op was to be made of a value of the graph that is rewritten: see Mirror.trial
}

func (o *openRegions) top() *scope { return &o.scopes[len(o.scopes)-1] }

func (o *openRegions) depthBit() uint64 { return depthBit(len(o.scopes) - 1) }

func (o *openRegions) inBarrier() bool { return o.barriers > 0 }

// term is the terminator of the innermost region, or 0.
func (o *openRegions) term() Value { return o.g.regions[o.top().region].term }

// holds reports that an op made now may use v.
func (o *openRegions) holds(v Value) bool {
	h := o.g.nodes[v].home
	d := int(o.g.regions[h].depth)
	return d < len(o.scopes) && o.scopes[d].region == h
}

// push opens a region inside the innermost one; facts is how many are known there.
func (o *openRegions) push(kind RegionKind, facts int) Region {
	g := o.g
	r := Region(len(g.regions))
	reg := region{kind: kind, depth: int32(len(o.scopes)), hasBlock: true}
	if len(o.scopes) > 0 {
		reg.parent = o.top().region
	}
	g.regions = append(g.regions, reg)
	if n := len(o.scopes); n < cap(o.scopes) { // reuse what an earlier scope allocated
		o.scopes = o.scopes[:n+1]
		s := &o.scopes[n]
		*s = scope{members: s.members[:0], chains: s.chains[:0], floats: s.floats[:0], reads: s.reads[:0], freed: s.freed[:0], writes: resourceSet{list: s.writes.list[:0]}}
	} else {
		o.scopes = append(o.scopes, scope{})
	}
	s := o.top()
	s.region, s.kind, s.facts = r, kind, facts
	if kind == Barrier {
		o.barriers++
	}
	return r
}

// pop takes the innermost region off.
func (o *openRegions) pop() {
	if o.top().kind == Barrier {
		o.barriers--
	}
	o.scopes = o.scopes[:len(o.scopes)-1]
}

// homeOf returns the innermost region of a needs set, or the open one where that
// cannot be told: no region that the set may mean lies further in.
func (o *openRegions) homeOf(needs uint64) Region {
	d := bits.Len64(needs)
	if d == 64 {
		return o.top().region
	}
	return o.scopes[d].region
}

// add appends a node to the graph, and to its home if that is open.
func (o *openRegions) add(rec record, args, hard, soft []Value, regions []Region) Value {
	g := o.g
	o.steps += 1 + len(args) + len(hard) + len(soft) + len(regions)
	v := Value(len(g.nodes))
	rec.off = uint32(len(g.edges))
	rec.nargs, rec.nhard, rec.nreg = uint32(len(args)), uint32(len(hard)), uint16(len(regions))
	g.edges = append(g.edges, fromValues(args)...)
	if len(hard)+len(soft)+len(regions) > 0 {
		g.edges = append(g.edges, fromValues(hard)...)
		g.edges = append(g.edges, fromValues(soft)...)
		g.edges = append(g.edges, fromRegions(regions)...)
	}
	if len(g.nodes) == cap(g.nodes) {
		g.nodes = slices.Grow(g.nodes, len(g.nodes)) // append alone would copy a large graph four times
		g.locs = slices.Grow(g.locs, len(g.nodes))
		g.edges = slices.Grow(g.edges, len(g.edges))
	}
	g.nodes = append(g.nodes, rec)
	g.locs = append(g.locs, 0)
	if g.Ctx.Watch != nil {
		o.built = append(o.built, o.top().region)
	}
	if d := int(g.regions[rec.home].depth); d < len(o.scopes) && o.scopes[d].region == rec.home {
		o.scopes[d].members = append(o.scopes[d].members, v)
	}
	if len(regions) > 0 && !g.Ctx.def(rec.op).Has(Isolated) {
		for _, r := range regions {
			g.regions[r].owner = v
		}
	}
	return v
}

// token adds a node that only orders others to the region of scope at.
func (o *openRegions) token(def *OpDef, at int, hard, soft []Value) Value {
	rec := record{op: def.id, typ: Token, flags: flagPinned}
	for _, h := range hard {
		rec.needs |= o.g.nodes[h].needs
	}
	rec.needs |= depthBit(at)
	rec.home = o.scopes[at].region
	return o.add(rec, nil, dedupe(hard), dedupe(soft), nil)
}

// regionEdges lists the edges to regions, or to the children of an isolated op.
func (o *openRegions) regionEdges(c *Call) []Region {
	if len(c.Graphs) == 0 {
		return c.Regions
	}
	out := make([]Region, len(c.Graphs))
	for i, child := range c.Graphs {
		out[i] = Region(len(o.g.children))
		o.g.children = append(o.g.children, child)
	}
	return out
}

// Op makes an op without attributes whose type follows from its operands. It
// panics if the op is wrong: that is a mistake of the author of a pass.
func (b *Builder) Op(d *OpDef, args ...Value) Value {
	return b.Must(Call{Def: d, Args: args})
}

// OpAttr is Op with properties.
func (b *Builder) OpAttr(d *OpDef, attr Attr, args ...Value) Value {
	return b.Must(Call{Def: d, Attr: attr, Args: args})
}

// Must makes an op and panics with its name if it is wrong.
func (b *Builder) Must(call Call) Value {
	v, err := b.Make(call)
	if err != nil {
		panic(err)
	}
	return v
}

// Result returns result i of an op; of an op with one result, the op itself.
func (b *Builder) Result(v Value, i int) Value {
	g := b.g
	if g.nodes[v].op == opPack.id {
		return g.Args(v)[i]
	}
	if info := g.Ctx.Info(g.nodes[v].typ); info.Kind == KindMulti {
		rec := record{op: opProj.id, typ: info.Types[i], attr: Attr(i), home: g.nodes[v].home, needs: g.nodes[v].needs, flags: g.nodes[v].flags & flagClean}
		args := [1]Value{v}
		return b.shared.share(rec, args[:], nil, nil, nil)
	}
	return v
}

// Results lists the results of an op.
func (b *Builder) Results(v Value) []Value {
	n := b.g.Results(v)
	if b.g.nodes[v].op == opPack.id {
		return append([]Value(nil), b.g.Args(v)...)
	}
	out := make([]Value, n)
	for i := range out {
		out[i] = b.Result(v, i)
	}
	return out
}

// Pack returns what a fold of an op with no or several results gives: the value
// itself if there is one.
func (b *Builder) Pack(vs ...Value) Value {
	if len(vs) == 1 {
		return vs[0]
	}
	types := make([]Type, len(vs))
	rec := record{op: opPack.id, flags: flagClean}
	for i, v := range vs {
		types[i] = b.g.nodes[v].typ
		rec.needs |= b.g.nodes[v].needs
		rec.flags &= b.g.nodes[v].flags
	}
	rec.typ = b.g.Ctx.Multi(types...)
	rec.home = b.open.homeOf(rec.needs)
	return b.shared.share(rec, vs, nil, nil, nil)
}

// Const returns the constant of a type; it panics if the context has no op for
// constants or the value no attribute.
func (b *Builder) Const(t Type, v Val) Value {
	a := b.Ctx().AttrOf(v, t)
	if a == 0 {
		panic("ir: no constant for this value")
	}
	return b.ConstAttr(t, a)
}

// ConstAttr returns the constant of a type with the given value.
func (b *Builder) ConstAttr(t Type, a Attr) Value {
	c := b.Ctx()
	def := c.constantOf(t)
	if def == nil {
		panic("ir: no dialect with a constant op of this type is registered")
	}
	return b.Must(Call{Def: def, Attr: c.Props([]NamedAttr{{Name: "value", Value: a}}, nil), Type: t})
}

// Splat returns the constant of type t whose every element has the given bits, or 0 if the type has none.
func (b *Builder) Splat(t Type, bits uint64) Value {
	c, info := b.Ctx(), b.Ctx().Info(t)
	elem := c.ElemOrSelf(t)
	switch w := c.Info(elem).Width; {
	case w > 64 && bits == 0 && elem == t:
		return b.ConstAttr(t, c.IntAttr(0, t))
	case w > 64 || info.Unranked || slices.Contains(info.Shape, Dynamic) || slices.Contains(info.Shape, 0):
		return 0
	case elem == t:
		return b.ConstAttr(t, c.AttrOf(Val{Bits: bits}, t))
	}
	return b.ConstAttr(t, c.Attr(AttrInfo{Kind: AttrDense, Type: t, Splat: true, Str: string(AppendElem(nil, bits, c.ElemSize(elem)))}))
}

// Index returns an index constant.
func (b *Builder) Index(n int64) Value { return b.Const(Index, Val{Bits: uint64(n)}) }

// Make makes an op: it checks it, folds it, orders it by its effects and shares
// it. The error is an *OpError.
func (b *Builder) Make(call Call) (Value, error) {
	c := b.pool.call()
	*c = call
	c.b, c.lookups = b, b.over.lookups
	if c.Loc == 0 {
		c.Loc = b.Loc
	}
	done := false
	if b.g.Ctx.ops.anyTheirs {
		defer c.named(&done)
	}
	v, err := b.normalise(c)
	done = true
	b.pool.calls = append(b.pool.calls, c)
	b.fold.made(v)
	return v, err
}

func (b *Builder) normalise(c *Call) (Value, error) {
	if len(b.known.facts) > 0 {
		b.known.apply(c)
	}
	if err := b.open.checkArgs(c); err != nil {
		return 0, err
	}
	if err := c.infer(); err != nil {
		return 0, err
	}
	if len(c.Regions) > 1 && c.Def.Traits&SingleRegion != 0 {
		return 0, c.errorf("has more than one region")
	}
	if err := c.checkRegions(); err != nil {
		return 0, err
	}
	if b.g.verbatim {
		return b.makeVerbatim(c)
	}
	if v := b.fold.of(c); v != 0 {
		b.g.addLoc(v, c.Loc)
		return v, nil
	}
	return b.make(c)
}

// make adds or finds the node of a checked op that did not fold.
func (b *Builder) make(c *Call) (Value, error) {
	g, def := b.g, c.Def
	effects, inner := b.aliases.effectsOf(c)
	b.open.steps += 1 + len(c.Args) + len(effects)
	rec := record{op: def.id, typ: c.Type, attr: c.Attr}
	for _, a := range c.Args {
		rec.needs |= g.nodes[a].needs
	}
	writes := def.Traits&(Symbol|Terminator) != 0
	for _, e := range effects {
		writes = writes || e.Writes()
	}
	guarded := c.undefinedFlags(&rec)
	if def.Traits&ConstantLike != 0 {
		rec.flags |= flagConst
	}
	pinned := writes || inner || def.Traits&Unique != 0
	for _, r := range c.Regions {
		rec.needs |= g.regions[r].outside.needs
		pinned = pinned || g.regions[r].kind == Barrier
	}
	if writes {
		rec.flags |= flagEffect | flagRoot
	}
	if pinned {
		rec.flags |= flagPinned
	}
	// Who needs the open region has its home there: it is not hoisted out, and share finds it by that home.
	if rec.flags&(flagPinned|flagPartial) != 0 || b.open.inBarrier() {
		rec.needs |= b.open.depthBit()
	}
	hard, soft := b.order.edges(effects, c, &b.over)
	if c.nothing != 0 {
		b.order.noteJoins(0)
		return c.nothing, nil
	}
	for _, h := range hard {
		rec.needs |= g.nodes[h].needs
	}
	rec.home = b.open.homeOf(rec.needs)
	regions := b.open.regionEdges(c)
	b.aliases.capture(c, effects)
	if len(c.Regions) > 0 {
		b.noteRegions(c, effects)
	}
	next := Value(len(g.nodes))
	var v Value
	if pinned || len(c.Graphs) > 0 { // graphs are not compared: equal knows regions only
		v = b.open.add(rec, c.Args, hard, soft, regions)
	} else if v = b.shared.share(rec, c.Args, hard, soft, regions); v < next {
		Event{Kind: Shared, At: c.Loc, Value: v}.tell(b.g)
	}
	if rec.flags&(flagPinned|flagPartial) != 0 || len(hard) > 0 {
		b.open.top().ordered = v
	}
	if b.note(v, c, effects, v == next); guarded {
		b.g.notes.guarded = append(b.g.notes.guarded, v)
	}
	return v, nil
}

// makeVerbatim adds an op as it is, pinned in order.
func (b *Builder) makeVerbatim(c *Call) (Value, error) {
	rec := record{op: c.Def.id, typ: c.Type, attr: c.Attr, flags: flagPinned | flagRoot, needs: b.open.depthBit(), home: b.open.top().region}
	v := b.open.add(rec, c.Args, nil, nil, b.open.regionEdges(c))
	b.g.addLoc(v, c.Loc)
	if c.Def.Traits&Terminator != 0 {
		b.g.regions[b.open.top().region].term = v
	}
	return v, nil
}

// Finish closes the root region and returns the graph.
func (b *Builder) Finish() *Graph {
	if len(b.open.scopes) != 1 {
		panic("ir: Finish with a region open")
	}
	b.Close()
	b.later.define(b.g)
	b.g.Ctx.counts.steps.Add(int64(b.open.steps + b.shared.steps))
	if !b.g.verbatim {
		Event{Kind: Finished, built: b.open.built}.tell(b.g)
	}
	b.pool.moveOut(b)
	b.pool = nil
	return b.g
}
