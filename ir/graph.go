package ir

import (
	"fmt"
	"unsafe"

	"github.com/irc-lang/irc/ir/internal/intern"
)

// Value is a node of one Graph; 0 is none. Numbers are a topological order:
// every edge goes to a lower one.
type Value uint32

// Region is a region of one Graph; Root is the outermost.
type Region uint32

// Root is the region of a graph's own body.
const Root Region = 0

// record is the stored node. It has no pointers, so the collector never scans a
// graph.
type record struct {
	needs uint64 // depths of the regions whose parameters or state it needs ("must inside")
	off   uint32 // edges[off:]: args | hard | soft | regions, up to off of the next
	nargs uint32
	nhard uint32
	typ   Type
	attr  Attr
	home  Region // innermost region that it needs: it never leaves it
	op    Op
	nreg  uint16
	flags uint16
}

// Flags of a record.
const (
	flagPinned  = 1 << iota // stays exactly in its home
	flagRoot                // flagEffect, and every op of a verbatim graph: HasEffect, not liveness, asks for it
	flagPartial             // may be undefined where it stands: never above its home
	flagEffect              // writes, ends its region or defines a symbol
	flagFloat               // reads, and was made further in than its home
	flagSaid                // something is or was known of it in some region
	flagKnown               // something is known of it in a region that is open (Builder.Know)
	flagUnread              // a later write covers it before anything reads it: it is dead, and so is what it covers
	flagTraps               // may trap although no operand is poison: Partial for more than poison
	flagClean               // is never poison
	flagMakes               // may be poison although no operand is and no region yields it
	flagConst               // is a constant
)

// region is the stored region.
type region struct {
	parent   Region // where it was built
	owner    Value  // its op; 0 while it is open or was thrown away
	depth    int32
	kind     RegionKind
	closed   bool
	hasBlock bool    // false: a region without a block
	opened   Op      // what Enter said it is for
	entry    Value   // state of every resource at entry; 0 if it sees the outer state
	term     Value   // its terminator, or 0
	said     uint32  // where in notes.facts what is known in it begins, plus one
	params   []Value // as they were made
	effs     []Value // last writes that must happen
	members  []Value // live nodes whose home it is, ascending
	outside  outside
	digest   digest
}

// digest tells regions apart without comparing them. Equal regions have equal ones.
type digest struct {
	hash uint64 // equal for regions that are equal up to the names of parameters
	bag  uint64 // and up to the order of their members
}

// node joins what a member is.
func (d *digest) node(rec *record) {
	kind := uint64(rec.op)<<32 | uint64(rec.typ)
	d.hash = intern.Mix(intern.Mix(d.hash, kind), uint64(rec.attr))
	d.bag += intern.Mix(intern.Mix(intern.HashSeed, kind), uint64(rec.attr))
}

// edge joins what a member uses; in which order does not count for the bag.
func (d *digest) edge(x uint64) { d.hash = intern.Mix(d.hash, x) }

// region joins a region of a member.
func (d *digest) region(in digest) {
	d.hash = intern.Mix(d.hash, in.hash)
	d.bag += intern.Mix(intern.HashSeed, in.bag)
}

// flagsOfOp are those that tell ops apart.
const flagsOfOp = flagPinned | flagRoot | flagPartial | flagEffect | flagTraps

// A Graph is the body of one function, module or other isolated op. It is
// immutable once its Builder is done.
type Graph struct {
	Ctx      *Context // which holds its types, attributes and dialects
	nodes    []record
	edges    []uint32
	regions  []region
	children []*Graph
	locs     []Loc
	manyLocs []manyLoc
	memory   []resource
	verbatim bool
	settled  bool // rebuilding it by the identity changes nothing (see Settle)
	delayed  delays
	notes    notes // until it is settled
	kept     *kept // once it is finished
	// Extra is text that goes with a file and that nothing here looks at.
	Extra string
	// garbage counts nodes of regions that lost against an equal one.
	garbage int
}

// Len returns the number of nodes, dead ones and node 0 included.
func (g *Graph) Len() int { return len(g.nodes) }

// IsVerbatim reports a graph built exactly as written.
func (g *Graph) IsVerbatim() bool { return g.verbatim }

// Def returns the op of a node.
func (g *Graph) Def(v Value) *OpDef { return g.Ctx.def(g.nodes[v].op) }

// Op returns the number of a node's op.
func (g *Graph) Op(v Value) Op { return g.nodes[v].op }

// Type returns the type of a node.
func (g *Graph) Type(v Value) Type { return g.nodes[v].typ }

// AttrsOf returns all attributes of an op; see Context.Get and AttrProps. Parameters and
// results have none: what a result's op says is asked of its Projection.
func (g *Graph) AttrsOf(v Value) Attr {
	if r := &g.nodes[v]; r.op > opPack.id { // of the others attr is an index
		return r.attr
	}
	return 0
}

// Attr returns an attribute of an op by name, or 0; see AttrsOf.
func (g *Graph) Attr(v Value, name string) Attr { return g.Ctx.Get(g.AttrsOf(v), name) }

// Home returns the innermost region that a node needs.
func (g *Graph) Home(v Value) Region { return g.nodes[v].home }

// edge lists n of the stored edges of a node, from one on: args, hard, soft and regions, as in record.
func (g *Graph) edge(v Value, from, n uint32) []Value {
	r := &g.nodes[v]
	return asValues(g.edges[r.off+from : r.off+from+n : r.off+from+n])
}

// end returns where the edges of a node end.
func (g *Graph) end(v Value) uint32 {
	if int(v)+1 < len(g.nodes) {
		return g.nodes[v+1].off
	}
	return uint32(len(g.edges))
}

// Args lists the operands of a node. The slice must not be changed.
func (g *Graph) Args(v Value) []Value { return g.edge(v, 0, g.nodes[v].nargs) }

// Hard lists the effects a node must come after and keeps alive.
func (g *Graph) Hard(v Value) []Value { r := &g.nodes[v]; return g.edge(v, r.nargs, r.nhard) }

// Soft lists the nodes that must come before v if they are there at all.
func (g *Graph) Soft(v Value) []Value {
	r := &g.nodes[v]
	return g.edge(v, r.nargs+r.nhard, g.end(v)-r.off-r.nargs-r.nhard-uint32(r.nreg))
}

// Regions lists the regions of a node; those of an isolated op are children.
func (g *Graph) Regions(v Value) []Region {
	if g.nodes[v].nreg == 0 { // most have none, and this much is inlined
		return nil
	}
	return g.regionsOf(v)
}

func (g *Graph) regionsOf(v Value) []Region {
	r := &g.nodes[v]
	if g.Def(v).Has(Isolated) {
		return nil
	}
	o := g.end(v) - uint32(r.nreg)
	return asRegions(g.edges[o : o+uint32(r.nreg) : o+uint32(r.nreg)])
}

// Children lists the graphs of an isolated op.
func (g *Graph) Children(v Value) []*Graph {
	if g.nodes[v].nreg == 0 {
		return nil
	}
	return g.childrenOf(v)
}

func (g *Graph) childrenOf(v Value) []*Graph {
	r := &g.nodes[v]
	if !g.Def(v).Has(Isolated) {
		return nil
	}
	o := g.end(v) - uint32(r.nreg)
	out := make([]*Graph, r.nreg)
	for i := range out {
		out[i] = g.children[g.edges[o+uint32(i)]]
	}
	return out
}

// IsLeaf reports that no op of the graph has a graph of its own.
func (g *Graph) IsLeaf() bool { return len(g.children) == 0 }

// Results returns the number of results of a node.
func (g *Graph) Results(v Value) int {
	t := g.nodes[v].typ
	if t == Void {
		return 0
	}
	if t < numFixedTypes {
		return 1
	}
	if info := g.Ctx.Info(t); info.Kind == KindMulti {
		return len(info.Types)
	}
	return 1
}

// Projection reports that v is result i of node n, where n has several.
func (g *Graph) Projection(v Value) (n Value, i int, ok bool) {
	if g.nodes[v].op != opProj.id {
		return v, 0, false
	}
	return g.Args(v)[0], int(g.nodes[v].attr), true
}

// Param reports that v is parameter i of region r.
func (g *Graph) Param(v Value) (r Region, i int, ok bool) {
	if g.nodes[v].op != opParam.id {
		return 0, 0, false
	}
	return g.nodes[v].home, int(g.nodes[v].attr), true
}

// IsOp reports a node that is printed and run: no parameter, projection or token.
func (g *Graph) IsOp(v Value) bool { return g.nodes[v].op > opPack.id }

// IsPinned reports a node that stays in its home region.
func (g *Graph) IsPinned(v Value) bool { return g.nodes[v].flags&flagPinned != 0 }

// IsPure reports a node that reads and writes nothing, is defined wherever it stands, and may be shared.
func (g *Graph) IsPure(v Value) bool {
	r := &g.nodes[v]
	return r.flags&(flagPinned|flagPartial|flagEffect|flagRoot) == 0 && r.nhard == 0
}

// IsPartial reports a node that may be undefined where it stands: it may trap, or an operand that
// must not be poison may be. No pass runs it where it did not run.
func (g *Graph) IsPartial(v Value) bool { return g.nodes[v].flags&flagPartial != 0 }

// MayTrap reports a node that may trap although no operand is poison: what checks are made for.
func (g *Graph) MayTrap(v Value) bool { return g.nodes[v].flags&flagTraps != 0 }

// HasEffect reports a node that writes something or must run for another reason.
func (g *Graph) HasEffect(v Value) bool { return g.nodes[v].flags&(flagEffect|flagRoot) != 0 }

// NumRegions returns the number of regions, Root and thrown away ones included.
func (g *Graph) NumRegions() int { return len(g.regions) }

// Params lists the parameters of a region.
func (g *Graph) Params(r Region) []Value { return g.regions[r].params }

// Term returns the terminator of a region, or 0.
func (g *Graph) Term(r Region) Value { return g.regions[r].term }

// Yields lists the operands of a region's terminator.
func (g *Graph) Yields(r Region) []Value {
	if t := g.regions[r].term; t != 0 {
		return g.Args(t)
	}
	return nil
}

// Effs lists the last writes of a region that must happen.
func (g *Graph) Effs(r Region) []Value { return g.regions[r].effs }

// Owner returns the op of a region; 0 for Root.
func (g *Graph) Owner(r Region) Value { return g.regions[r].owner }

// Parent is the region that another was built in; Root for Root. Where the owner floats it may stand
// elsewhere: Schedule.Place of Owner.
func (g *Graph) Parent(r Region) Region { return g.regions[r].parent }

// OpenedFor is the definition of the op that a region is of, or that it was opened for (by
// Builder.Enter) while that is not there yet; nil if nobody said.
func (g *Graph) OpenedFor(r Region) *OpDef {
	switch reg := &g.regions[r]; {
	case reg.owner != 0:
		return g.Def(reg.owner)
	case reg.opened != 0:
		return g.Ctx.def(reg.opened)
	}
	return nil
}

// KindOf returns how often a region runs.
func (g *Graph) KindOf(r Region) RegionKind { return g.regions[r].kind }

// HasBlock is false for a region without a block, which differs from an empty block.
func (g *Graph) HasBlock(r Region) bool { return g.regions[r].hasBlock }

// Members lists the live nodes whose home is r, in order.
func (g *Graph) Members(r Region) []Value { return g.regions[r].members }

// EffectsOf lists what a region reads and writes of what lies outside it.
func (g *Graph) EffectsOf(r Region) []Effect { return g.regions[r].outside.effects }

// Const returns the value of a constant node.
func (g *Graph) Const(v Value) (Val, bool) {
	if !g.Def(v).Has(ConstantLike) {
		return Val{}, false
	}
	a := g.Attr(v, "value")
	if a == 0 {
		return Val{}, false
	}
	x, err := g.Ctx.valOf(a)
	return x, err == nil
}

// Number returns the bits of a constant number, or of a vector or tensor that holds one number throughout. Of more than 64
// bits there is none.
func (g *Graph) Number(v Value) (bits uint64, ok bool) {
	if !g.Def(v).Has(ConstantLike) {
		return 0, false
	}
	a := g.Attr(v, "value")
	if a == 0 {
		return 0, false
	}
	if k := g.Ctx.KindOf(a); k == AttrDense || k == AttrOther {
		a, err := g.Ctx.Elements(a) // without a look at them: there may be many
		if err != nil || !g.Ctx.AttrInfo(a).Splat {
			return 0, false
		}
		elem := g.Ctx.Info(g.Ctx.ElemOrSelf(g.Type(v)))
		return IntVal(int64(g.Ctx.Elem(a, 0)), elem.Width).Bits, true
	}
	val, err := g.Ctx.valOf(a)
	return val.Bits, err == nil && val.Ref == nil
}

// Name is how diagnostics of the IR itself call a node.
func (g *Graph) Name(v Value) string { return fmt.Sprintf("%s (node %d)", g.Def(v).Name, v) }

// Node is a read-only view of a node of a graph that is being rewritten. Values
// belong to the new graph, Nodes to the old one; the compiler keeps them apart. (Old
// gives a Value, too: see Context.CheckHooks.)
type Node struct {
	g *Graph
	v Value
}

// NodeOf returns the view of a node.
func (g *Graph) NodeOf(v Value) Node { return Node{g, v} }

// Graph returns the old graph and Old the node's number in it.
func (n Node) Graph() *Graph { return n.g }

// Old returns the node's number in the old graph.
func (n Node) Old() Value { return n.v }

// Def returns the node's op.
func (n Node) Def() *OpDef { return n.g.Def(n.v) }

// Type returns the node's type.
func (n Node) Type() Type { return n.g.Type(n.v) }

// Attrs returns all of the node's attributes and Attr one by name.
func (n Node) Attrs() Attr { return n.g.AttrsOf(n.v) }

// Attr returns an attribute by name, or 0.
func (n Node) Attr(name string) Attr { return n.g.Attr(n.v, name) }

// NumArgs returns the number of operands.
func (n Node) NumArgs() int { return len(n.g.Args(n.v)) }

// Arg returns an operand.
func (n Node) Arg(i int) Node { return Node{n.g, n.g.Args(n.v)[i]} }

// Args lists the operands.
func (n Node) Args() []Node {
	args := n.g.Args(n.v)
	out := make([]Node, len(args))
	for i, a := range args {
		out[i] = Node{n.g, a}
	}
	return out
}

// Children lists the graphs of an isolated op.
func (n Node) Children() []*Graph { return n.g.Children(n.v) }

// NumRegions returns the number of regions.
func (n Node) NumRegions() int { return len(n.g.Regions(n.v)) }

// Region returns a region of the node.
func (n Node) Region(i int) Block { return Block{n.g, n.g.Regions(n.v)[i]} }

// Const returns the value of a constant node.
func (n Node) Const() (Val, bool) { return n.g.Const(n.v) }

// Errorf makes an error that names the op and its place: what is wrong with a
// program that each op alone does not show.
func (n Node) Errorf(format string, args ...any) error {
	return &OpError{Op: n.Def().Name, Loc: n.g.loc(n.v), Msg: fmt.Sprintf(format, args...)}
}

// Block is a read-only view of a region of a graph that is being rewritten.
type Block struct {
	g *Graph
	r Region
}

// Old returns the region's number in the old graph.
func (b Block) Old() Region { return b.r }

// Kind returns how often the region runs.
func (b Block) Kind() RegionKind { return b.g.regions[b.r].kind }

// Params lists the region's parameters.
func (b Block) Params() []Node {
	out := make([]Node, len(b.g.Params(b.r)))
	for i, p := range b.g.Params(b.r) {
		out[i] = Node{b.g, p}
	}
	return out
}

// ParamTypes lists the types of the region's parameters.
func (b Block) ParamTypes() []Type {
	out := make([]Type, len(b.g.Params(b.r)))
	for i, p := range b.g.Params(b.r) {
		out[i] = b.g.Type(p)
	}
	return out
}

// Yields lists the operands of the region's terminator.
func (b Block) Yields() []Node {
	vs := b.g.Yields(b.r)
	out := make([]Node, len(vs))
	for i, v := range vs {
		out[i] = Node{b.g, v}
	}
	return out
}

// Term returns the region's terminator; ok is false if it has none.
func (b Block) Term() (n Node, ok bool) { return Node{b.g, b.g.Term(b.r)}, b.g.Term(b.r) != 0 }

// asValues and asRegions view stored edges under their own type; all three are
// uint32.
func asValues(e []uint32) []Value {
	if len(e) == 0 {
		return nil
	}
	return unsafe.Slice((*Value)(unsafe.Pointer(&e[0])), len(e))
}

func asRegions(e []uint32) []Region {
	if len(e) == 0 {
		return nil
	}
	return unsafe.Slice((*Region)(unsafe.Pointer(&e[0])), len(e))
}

func fromValues(v []Value) []uint32 {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*uint32)(unsafe.Pointer(&v[0])), len(v))
}

func fromRegions(v []Region) []uint32 {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*uint32)(unsafe.Pointer(&v[0])), len(v))
}
