package ir

import (
	"math/bits"
	"slices"
)

// A Builder makes one Graph. Nodes are checked, folded, ordered by their
// effects and shared as they are made. It must not be used by two goroutines.
type Builder struct {
	// Loc is given to the nodes that are made next.
	Loc Loc

	g         *Graph
	scopes    []scope
	pool      *pool
	table     []slot // of what may be shared
	used      int
	marks     []uint32 // live in the region that is closing, if equal to epoch
	epoch     uint32
	local     []uint32 // number within its region, while that is hashed
	resources map[Value]Resource
	refs      map[Value]reach // of what declares Refs
	named     map[string]Resource
	ranges    map[Value]span  // what is known of integers (see Enter)
	uppers    map[Value]Value // what integers are less than (see SetUpper)
	known     map[Value]Value // what values are in the region that is open
	facts     []fact          // what known held before, innermost last
	callsFree []*Call
	later     map[Value]Value // what forward references stand for
	built     []Region        // while somebody watches: where each node was built
	depth     int             // of nested folds; Depth is that of regions
	barriers  int             // open regions that are barriers
	plain     bool            // no folds: rebuild exactly what is given
	joined    []Value         // join tokens of the op under way
	lookups   int             // of LastWrite
	steps     int             // for Context.Steps
	missing   *absence        // writes that are thought away
	trial     int             // rules and Enter under way
	attempted []Value         // what they made
	escaping  bool            // it is the first to keep an allocation
	asked     *answer         // where it goes while Enter is asked again
}

// Option changes how a Builder works.
type Option func(*Builder)

// Verbatim builds without folds or sharing, every op pinned in order.
func Verbatim(b *Builder) { b.g.verbatim = true }

// NewBuilder starts a graph with an open root region.
func NewBuilder(ctx *Context, opts ...Option) *Builder {
	b := &Builder{g: &Graph{Ctx: ctx, memory: fixedResources(), kept: &kept{}}}
	b.moveIn()
	for _, o := range opts {
		o(b)
	}
	if ctx.Watch != nil {
		b.built = make([]Region, 1)
	}
	b.Open(Once)
	return b
}

// reserve makes room for a graph about as large as g.
func (b *Builder) reserve(g *Graph) {
	b.g.nodes = slices.Grow(b.g.nodes, len(g.nodes))
	b.g.locs = slices.Grow(b.g.locs, len(g.nodes))
	b.g.edges = slices.Grow(b.g.edges, len(g.edges))
	b.g.regions = slices.Grow(b.g.regions, len(g.regions))
	if size := 1 << bits.Len(uint(2*len(g.nodes))); size > len(b.table) {
		b.grow(size)
	}
}

// Graph returns the graph under construction.
func (b *Builder) Graph() *Graph { return b.g }

// Ctx returns the context of the graph.
func (b *Builder) Ctx() *Context { return b.g.Ctx }

func (b *Builder) top() *scope { return &b.scopes[len(b.scopes)-1] }

// Depth returns how many regions are open inside the root.
func (b *Builder) Depth() int { return len(b.scopes) - 1 }

func (b *Builder) depthBit() uint64 { return depthBit(len(b.scopes) - 1) }

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

// homeOf returns the innermost region of a needs set, or the open one where that
// cannot be told: no region that the set may mean lies further in.
func (b *Builder) homeOf(needs uint64) Region {
	d := bits.Len64(needs)
	if d == 64 {
		return b.top().region
	}
	return b.scopes[d].region
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
		return b.share(rec, args[:], nil, nil, nil)
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
	rec.home = b.homeOf(rec.needs)
	return b.share(rec, vs, nil, nil, nil)
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

// Index returns an index constant.
func (b *Builder) Index(n int64) Value { return b.Const(Index, Val{Bits: uint64(n)}) }

// Make makes an op: it checks it, folds it, orders it by its effects and shares
// it. The error is an *OpError.
func (b *Builder) Make(call Call) (Value, error) {
	c := b.getCall(call)
	v, err := b.normalise(c)
	b.callsFree = append(b.callsFree, c)
	if b.trial > 0 {
		b.attempted = append(b.attempted, v)
	}
	return v, err
}

func (b *Builder) normalise(c *Call) (Value, error) {
	if len(b.facts) > 0 {
		b.apply(c)
	}
	if err := b.checkArgs(c); err != nil {
		return 0, err
	}
	if err := b.infer(c); err != nil {
		return 0, err
	}
	if len(c.Regions) > 1 && c.Def.Traits&SingleRegion != 0 {
		return 0, c.errorf("has more than one region")
	}
	if err := b.checkRegions(c); err != nil {
		return 0, err
	}
	if b.g.verbatim {
		return b.makeVerbatim(c)
	}
	if v := b.fold(c); v != 0 {
		b.g.addLoc(v, c.Loc)
		return v, nil
	}
	return b.make(c)
}

func (b *Builder) getCall(call Call) *Call {
	var c *Call
	if n := len(b.callsFree); n > 0 {
		c, b.callsFree = b.callsFree[n-1], b.callsFree[:n-1]
	} else {
		c = new(Call)
	}
	*c = call
	c.b, c.lookups = b, b.lookups
	if c.Loc == 0 {
		c.Loc = b.Loc
	}
	return c
}

// make adds or finds the node of a checked op that did not fold.
func (b *Builder) make(c *Call) (Value, error) {
	g, def := b.g, c.Def
	effects, inner := b.effectsOf(c)
	b.steps += 1 + len(c.Args) + len(effects)
	rec := record{op: def.id, typ: c.Type, attr: c.Attr}
	for _, a := range c.Args {
		rec.needs |= g.nodes[a].needs
	}
	writes := def.Traits&(Symbol|Terminator) != 0
	for _, e := range effects {
		writes = writes || e.Writes()
	}
	guarded := b.undefinedFlags(c, &rec)
	if def.Traits&ConstantLike != 0 {
		rec.flags |= flagConst
	}
	pinned := writes || inner || def.Traits&Unique != 0
	for _, r := range c.Regions {
		rec.needs |= g.regions[r].needs
		pinned = pinned || g.regions[r].kind == Barrier
	}
	if writes {
		rec.flags |= flagEffect | flagRoot
	}
	if pinned {
		rec.flags |= flagPinned
	}
	// Who needs the open region has its home there: it is not hoisted out, and share finds it by that home.
	if rec.flags&(flagPinned|flagPartial) != 0 || b.inBarrier() {
		rec.needs |= b.depthBit()
	}
	hard, soft := b.edgesFor(effects, c)
	if c.nothing != 0 {
		b.noteJoins(0)
		return c.nothing, nil
	}
	for _, h := range hard {
		rec.needs |= g.nodes[h].needs
	}
	rec.home = b.homeOf(rec.needs)
	regions := b.regionEdges(c)
	b.capture(c, effects)
	if len(c.Regions) > 0 {
		b.noteRegions(c, effects)
	}
	next := Value(len(g.nodes))
	var v Value
	if pinned || len(c.Graphs) > 0 { // graphs are not compared: equal knows regions only
		v = b.add(rec, c.Args, hard, soft, regions)
	} else if v = b.share(rec, c.Args, hard, soft, regions); v < next {
		Event{Kind: Shared, At: c.Loc, Value: v}.tell(b.g)
	}
	if rec.flags&(flagPinned|flagPartial) != 0 || len(hard) > 0 {
		b.top().ordered = v
	}
	if b.note(v, c, effects, v == next); guarded {
		b.g.notes.guarded = append(b.g.notes.guarded, v)
	}
	return v, nil
}

// effectsOf lists the effects of an op and of its regions; inner says that a
// region allocates memory that outlives it.
func (b *Builder) effectsOf(c *Call) (effects []Effect, inner bool) {
	if c.Def.Traits&Opaque != 0 {
		return []Effect{{Write, World}}, false
	}
	if c.Def.Effects != nil {
		effects = c.Def.Effects(c)
	}
	for _, r := range c.Regions {
		reg := &b.g.regions[r]
		if reg.kind == Lambda { // what it does it does when it is called, whenever that is
			for _, e := range reg.effects {
				b.keep(e.On)
			}
			continue
		}
		inner = inner || reg.allocates
		for _, e := range reg.effects {
			effects = addEffect(effects, e)
		}
	}
	return effects, inner
}

func addEffect(effects []Effect, e Effect) []Effect {
	for i, f := range effects {
		if f.On == e.On {
			effects[i].Kind = max(f.Kind, e.Kind)
			return effects
		}
	}
	return append(effects, e)
}

// capture notes which allocations an op may keep: of one that keeps no operand
// that it works on, an operand that it neither reads nor writes may be what it
// writes, a reference stored.
func (b *Builder) capture(c *Call, effects []Effect) {
	if len(b.resources) == 0 {
		return
	}
	noCapture, writes := c.Def.Traits&NoCapture != 0, false
	for _, e := range effects {
		writes = writes || e.Writes()
	}
	if noCapture && !writes {
		return
	}
	for i, a := range c.Args {
		if c.ArgType(i) < numFixedTypes {
			continue
		}
		if len(b.refs) > 0 && c.Def.Refs == nil {
			b.escape(a)
		}
		if r := b.ResourceOf(a); r >= numFixedResources && !(noCapture && touches(effects, r)) {
			b.keep(r)
		}
	}
}

// keep notes that memory is known to someone who does not show.
func (b *Builder) keep(r Resource) {
	if m := &b.g.memory[r]; !m.escaped {
		m.escaped, b.escaping = true, true
	}
}

func touches(effects []Effect, r Resource) bool {
	for _, e := range effects {
		if e.On == r {
			return true
		}
	}
	return false
}

func (b *Builder) inBarrier() bool { return b.barriers > 0 }

// regionEdges lists the edges to regions, or to the children of an isolated op.
func (b *Builder) regionEdges(c *Call) []Region {
	if len(c.Graphs) == 0 {
		return c.Regions
	}
	out := make([]Region, len(c.Graphs))
	for i, child := range c.Graphs {
		out[i] = Region(len(b.g.children))
		b.g.children = append(b.g.children, child)
	}
	return out
}

// makeVerbatim adds an op as it is, pinned in order.
func (b *Builder) makeVerbatim(c *Call) (Value, error) {
	rec := record{op: c.Def.id, typ: c.Type, attr: c.Attr, flags: flagPinned | flagRoot, needs: b.depthBit(), home: b.top().region}
	v := b.add(rec, c.Args, nil, nil, b.regionEdges(c))
	b.g.addLoc(v, c.Loc)
	if c.Def.Traits&Terminator != 0 {
		b.g.regions[b.top().region].term = v
	}
	return v, nil
}

// add appends a node.
func (b *Builder) add(rec record, args, hard, soft []Value, regions []Region) Value {
	g := b.g
	b.steps += 1 + len(args) + len(hard) + len(soft) + len(regions)
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
		b.built = append(b.built, b.top().region)
	}
	if d := int(g.regions[rec.home].depth); d < len(b.scopes) && b.scopes[d].region == rec.home {
		b.scopes[d].members = append(b.scopes[d].members, v)
	}
	if len(regions) > 0 && !g.Ctx.Def(rec.op).Has(Isolated) {
		for _, r := range regions {
			g.regions[r].owner = v
		}
	}
	return v
}

// Finish closes the root region and returns the graph.
func (b *Builder) Finish() *Graph {
	if len(b.scopes) != 1 {
		panic("ir: Finish with a region open")
	}
	b.Close()
	b.patch()
	b.g.Ctx.counts.steps.Add(int64(b.steps))
	if !b.g.verbatim {
		Event{Kind: Finished, Built: b.built}.tell(b.g)
	}
	b.moveOut()
	return b.g
}
