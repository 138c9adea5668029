package ir

import (
	"slices"
)

// Resource is something that ops read and write. Resources form a tree: one
// may alias another exactly if it lies above or below it, so World covers
// everything, and Memory every memref.
type Resource uint32

// The resources that every graph has.
const (
	World    Resource = iota // everything an unknown op may touch
	IO                       // what the outside sees, in order: prints
	Memory                   // all memory
	External                 // memory that the graph did not allocate: arguments, globals
	numFixedResources
)

// resource is a node of the tree.
type resource struct {
	parent  Resource
	root    Value  // the allocation, or 0
	name    string // of a symbol or a dialect's own resource
	home    Region // where it was allocated
	escaped bool   // kept somewhere that this graph does not see
	inner   bool   // has resources below it
}

func fixedResources() []resource {
	return []resource{World: {inner: true}, IO: {}, Memory: {inner: true}, External: {parent: Memory}}
}

// covers reports that a is b or lies above it.
func (g *Graph) covers(a, b Resource) bool {
	for {
		if a == b {
			return true
		}
		if b == World {
			return false
		}
		b = g.memory[b].parent
	}
}

// MayAlias reports that two resources may be the same memory.
func (g *Graph) MayAlias(a, b Resource) bool { return g.covers(a, b) || g.covers(b, a) }

// A ResourceSet is some of the resources of a graph.
type ResourceSet struct {
	g  *Graph
	in map[Resource]bool // false: one below it is
}

// NewResourceSet is a set that is empty.
func NewResourceSet(g *Graph) *ResourceSet { return &ResourceSet{g: g, in: map[Resource]bool{}} }

// Add enters a resource.
func (s *ResourceSet) Add(r Resource) {
	for s.in[r] = true; r != World; {
		r = s.g.memory[r].parent
		if _, ok := s.in[r]; ok {
			return
		}
		s.in[r] = false
	}
}

// MayAlias reports that a resource may be the same memory as one of the set, in time that does not
// depend on how many there are.
func (s *ResourceSet) MayAlias(r Resource) bool {
	if _, ok := s.in[r]; ok {
		return true
	}
	for r != World {
		if r = s.g.memory[r].parent; s.in[r] {
			return true
		}
	}
	return false
}

// Allocated is the allocation in a graph that a resource is the memory of, if nobody keeps a
// reference to it that the graph does not see.
func (g *Graph) Allocated(r Resource) (alloc Value, ok bool) {
	m := &g.memory[r]
	return m.root, m.root != 0 && !m.escaped && g.nodes[m.root].op != opParam.id
}

// addResource makes a resource below parent.
func (g *Graph) addResource(r resource) Resource {
	g.memory[r.parent].inner = true
	g.memory = append(g.memory, r)
	return Resource(len(g.memory) - 1)
}

// ResourceOf returns what a value that refers to memory refers to: its own
// allocation, a symbol's, External for a function's argument, or Memory where
// nothing is known.
func (b *Builder) ResourceOf(v Value) Resource { return b.aliases.of(v) }

// Own declares that a value refers to memory which no other resource aliases:
// an allocation, or an argument declared so.
func (b *Builder) Own(v Value) Resource { return b.aliases.own(v) }

// names declares that a value refers to the memory of a symbol.
func (b *Builder) names(v Value, symbol string) { b.aliases.names(v, symbol) }

// Named returns the resource of a name below parent, made on first use.
func (b *Builder) Named(name string, parent Resource) Resource { return b.aliases.name(name, parent) }

// aliases say which memory values refer to, and which is kept by someone who does not show. Memory that is not
// known to be kept has no other names than those here.
type aliases struct {
	g         *Graph
	open      *openRegions
	resources map[Value]Resource
	refs      map[Value]reach // of what declares Refs
	named     map[string]Resource
	escaping  bool // the op under way is the first to keep an allocation
}

// of is Builder.ResourceOf.
func (a *aliases) of(v Value) Resource {
	g := a.g
	if r, ok := a.resources[v]; ok {
		return r
	}
	def := g.Def(v)
	switch {
	case def.Has(View) && len(g.Args(v)) > 0:
		return a.of(g.Args(v)[0])
	case def == opParam && g.nodes[v].home == Root:
		return External
	}
	return Memory
}

// own gives a value memory of its own.
func (a *aliases) own(v Value) Resource {
	r := a.g.addResource(resource{parent: Memory, root: v, home: a.open.top().region})
	if def := a.g.Def(v); def == opParam {
		a.g.memory[r].escaped = true
	}
	a.set(v, r)
	return r
}

func (a *aliases) names(v Value, symbol string) {
	a.set(v, a.name("@"+symbol, External))
}

func (a *aliases) set(v Value, r Resource) {
	if a.resources == nil {
		a.resources = map[Value]Resource{}
	}
	a.resources[v] = r
}

func (a *aliases) name(name string, parent Resource) Resource {
	if r, ok := a.named[name]; ok {
		return r
	}
	if a.named == nil {
		a.named = map[string]Resource{}
	}
	r := a.g.addResource(resource{parent: parent, name: name, escaped: true})
	a.named[name] = r
	return r
}

// effectsOf lists the effects of an op and of its regions; inner says that a
// region allocates memory that outlives it.
func (a *aliases) effectsOf(c *Call) (effects []Effect, inner bool) {
	if c.Def.Traits&Opaque != 0 {
		return []Effect{{Write, World}}, false
	}
	if c.Def.Effects != nil {
		effects = ask(c, c.Def.Effects)
	}
	for _, r := range c.Regions {
		reg := &a.g.regions[r]
		if reg.kind == Lambda { // what it does it does when it is called, whenever that is
			for _, e := range reg.outside.effects {
				a.keep(e.On)
			}
			continue
		}
		inner = inner || reg.outside.allocates
		for _, e := range reg.outside.effects {
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
func (a *aliases) capture(c *Call, effects []Effect) {
	if len(a.resources) == 0 {
		return
	}
	noCapture, writes := c.Def.Traits&NoCapture != 0, false
	for _, e := range effects {
		writes = writes || e.Writes()
	}
	if noCapture && !writes {
		return
	}
	for i, v := range c.Args {
		if c.ArgType(i) < numFixedTypes {
			continue
		}
		if len(a.refs) > 0 && c.Def.Refs == nil {
			a.escape(v)
		}
		if r := a.of(v); r >= numFixedResources && !(noCapture && touches(effects, r)) {
			a.keep(r)
		}
	}
}

// keep notes that memory is known to someone who does not show.
func (a *aliases) keep(r Resource) {
	if m := &a.g.memory[r]; !m.escaped {
		m.escaped, a.escaping = true, true
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

// resourceSet is a set that is small as a rule.
type resourceSet struct {
	list  []Resource
	index map[Resource]bool // once there are many
	steps int               // of looking through the list
}

func (s *resourceSet) has(r Resource) bool {
	if s.index != nil {
		return s.index[r]
	}
	for _, x := range s.list {
		s.steps++
		if x == r {
			return true
		}
	}
	return false
}

func (s *resourceSet) add(r Resource) {
	if s.has(r) {
		return
	}
	s.list = append(s.list, r)
	if s.index != nil {
		s.index[r] = true
	} else if len(s.list) > fewChains {
		s.index = map[Resource]bool{}
		for _, x := range s.list {
			s.index[x] = true
		}
	}
}

func (s *resourceSet) remove(r Resource) {
	s.list = slices.DeleteFunc(s.list, func(x Resource) bool { return x == r })
	delete(s.index, r)
}

// Refs says how the result y of an op is related to what other values refer to.
// These are the four pointer operations of LMS ("Effects"): y = x, *y = x,
// y = *x and *y = *x.
type Refs struct {
	Alias   []Value // y may be x
	Contain []Value // an element of y may be x
	Extract []Value // y may be an element of x
	Copy    []Value // an element of y may be an element of x
}

// reach is what a value may refer to: itself (shallow), and through its elements
// (deep).
type reach struct{ shallow, deep []Resource }

// Targets lists the memory that a value may be. For the result of an op that
// declares Refs this is
//
//	shallow(y) = own(alias) + shallow(alias) + deep(extract)
//	deep(y)    = deep(alias + copy + extract) + own, shallow and deep(contain)
//
// and nothing at all where that is empty: it never changes. Any other value is
// its ResourceOf.
func (b *Builder) Targets(v Value) []Resource { return b.aliases.reach(v).shallow }

func (a *aliases) reach(v Value) reach {
	if a.g.nodes[v].typ < numFixedTypes {
		return reach{}
	}
	r, said := a.refs[v]
	switch own, ok := a.resources[v]; {
	case ok && said:
		r.shallow = append([]Resource{own}, r.shallow...)
	case ok:
		r = reach{[]Resource{own}, []Resource{Memory}}
	case !said:
		u := []Resource{a.of(v)}
		r = reach{u, u}
	}
	return r
}

// relate notes what the result of an op may refer to.
func (a *aliases) relate(v Value, c *Call) {
	if k := c.Ctx().Info(c.Type).Kind; k != KindMemRef && k != KindOpaque {
		return // it refers to no memory
	}
	var to reach
	refs := ask(c, c.Def.Refs)
	for _, x := range refs.Alias {
		r := a.reach(x)
		to.shallow, to.deep = append(to.shallow, r.shallow...), append(to.deep, r.deep...)
	}
	for _, x := range refs.Contain {
		r := a.reach(x)
		to.deep = append(append(to.deep, r.shallow...), r.deep...)
	}
	for _, x := range refs.Extract {
		r := a.reach(x)
		to.shallow, to.deep = append(to.shallow, r.deep...), append(to.deep, r.deep...)
	}
	for _, x := range refs.Copy {
		to.deep = append(to.deep, a.reach(x).deep...)
	}
	for _, s := range []*[]Resource{&to.shallow, &to.deep} {
		slices.Sort(*s)
		*s = slices.Compact(*s)
	}
	if a.refs == nil {
		a.refs = map[Value]reach{}
	}
	a.refs[v] = to
}

// escape notes that all that a value may refer to is kept by someone.
func (a *aliases) escape(v Value) {
	r, ok := a.refs[v]
	if !ok {
		return
	}
	for _, s := range [][]Resource{r.shallow, r.deep} {
		for _, x := range s {
			if x >= numFixedResources {
				a.keep(x)
			}
		}
	}
}

// find enters the memory that a finished graph names.
func (a *aliases) find(calls Calls) {
	g := a.g
	a.resources, a.named = map[Value]Resource{}, map[string]Resource{}
	for r, m := range g.memory {
		if m.root != 0 {
			a.resources[m.root] = Resource(r)
		} else if m.name != "" {
			a.named[m.name] = Resource(r)
		}
	}
	for v := Value(1); int(v) < len(g.nodes); v++ {
		switch def := g.Def(v); {
		case def.Refers != nil:
			if r, ok := a.named["@"+ask(calls.Of(v), def.Refers)]; ok {
				a.resources[v] = r
			}
		case def.Refs != nil && g.nodes[v].typ >= numFixedTypes:
			a.relate(v, calls.Of(v))
		}
	}
}

// reader makes a Builder that knows the memory of a finished graph, to ask ops
// for their effects.
func (g *Graph) reader() *Builder {
	b := readerOf(g)
	b.aliases.find(Calls{b})
	return b
}

// Effects returns a function that lists what a node of a finished graph reads and
// writes, in its regions too.
func (g *Graph) Effects() func(v Value) []Effect {
	b := g.reader()
	return func(v Value) []Effect {
		effects, _ := b.aliases.effectsOf((Calls{b}).Of(v))
		return effects
	}
}

// CallEffects is the discardable attribute of a call that says what its callee
// does, one of the words below; without it the callee may do anything. It is
// written by a pass that looks at bodies, or by someone who knows.
const CallEffects = "irc.effects"

// What a callee does at most.
const (
	CallPure    = "pure"    // gives the same for the same operands, and always returns
	CallPartial = "partial" // the same, but it may trap or not return
	CallReads   = "reads"   // also reads memory, but writes nothing
)

// Summary is the word for what running a graph does to the world outside of it, as
// CallEffects, or "".
func (g *Graph) Summary() string {
	root := &g.regions[Root]
	if g.verbatim || root.outside.allocates || !root.hasBlock {
		return ""
	}
	reads := false
	for _, e := range root.outside.effects {
		if e.Writes() {
			return ""
		}
		reads = true
	}
	switch {
	case reads:
		return CallReads
	case root.outside.partial:
		return CallPartial
	}
	return CallPure
}

// WritesOutside reports that a graph certainly writes what lies outside of it: more
// than by ops of which nothing is known.
func (g *Graph) WritesOutside() bool {
	for w := range g.regions[Root].outside.written {
		if w != World {
			return true
		}
	}
	return false
}
