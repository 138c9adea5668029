package saturate

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// A class is the number of a class of terms that have one value. Classes that were found equal share one, which
// egraph.find gives.
type class int32

// mostArgs is how many operands an op of the e-graph has at most.
const mostArgs = 4

// A node is a term whose operands are classes: an op, a constant (isConst) or a leaf, which is a value that the
// e-graph does not look into. Nodes are compared, and found, by all that they are.
type node struct {
	def     *ir.OpDef
	attr    ir.Attr
	typ     ir.Type
	args    [mostArgs]class
	nargs   int8
	isConst bool
	bits    uint64   // of a constant
	leaf    ir.Value // of the old graph
}

func (n *node) operands() []class { return n.args[:n.nargs] }

// classData is what is known of a class.
type classData struct {
	nodes []node
	born  []class // of each node, the class that it began: see proofs
	// refined are classes whose value may stand for this one: it is the same, but where this one is poison, or where the
	// flags of a float op allow another.
	refined []class
	typ     ir.Type
	number  *node // that is a constant, or nil
	clean   bool  // it is never poison
	// ready is the place in the region behind which the class can be computed: that of the last leaf that it needs, of the
	// term that needs the least. It is 0 for what stands outside.
	ready int32
}

// An egraph holds the terms of one region: hash-consed nodes in classes, with congruence restored by rebuild.
// (Willsey and others, "egg", POPL 2021.)
type egraph struct {
	g       *ir.Graph
	union   []class // find's forest
	classes []classData
	byNode  map[node]class
	nodes   int // that were ever added
	work    int // that may still be spent on matching
	changed bool
	strict  map[*ir.OpDef]bool
	proofs  proofs
}

func newEgraph(g *ir.Graph) *egraph {
	return &egraph{g: g, byNode: map[node]class{}, strict: map[*ir.OpDef]bool{}, proofs: proofs{arrows: map[[2]class]application{}}}
}

// find is the class that stands for those that are equal to c.
func (e *egraph) find(c class) class {
	for e.union[c] != c {
		e.union[c] = e.union[e.union[c]]
		c = e.union[c]
	}
	return c
}

// canonical is a node by the classes that stand for its operands, those of a commutative op in order.
func (e *egraph) canonical(n node) node {
	for i, a := range n.operands() {
		n.args[i] = e.find(a)
	}
	if n.nargs >= 2 && n.def.Has(ir.Commutative) && n.args[0] > n.args[1] {
		n.args[0], n.args[1] = n.args[1], n.args[0]
	}
	return n
}

// add is the class of a node, which may be new.
func (e *egraph) add(n node) class {
	n = e.canonical(n)
	if c, ok := e.byNode[n]; ok {
		return e.find(c)
	}
	// What is known of the class is what is known of this node: others join it later, and are equal.
	c := class(len(e.union))
	data := classData{nodes: []node{n}, born: []class{c}, typ: n.typ, clean: n.isConst}
	if n.isConst {
		data.number = &n
	} else if n.def != nil {
		data.clean = e.cleanOp(&n)
	}
	for _, a := range n.operands() {
		data.clean = data.clean && e.classes[a].clean
		data.ready = max(data.ready, e.classes[a].ready)
	}
	e.union, e.classes = append(e.union, c), append(e.classes, data)
	e.byNode[n] = c
	e.proofs.begin()
	e.nodes++
	e.changed = true
	return c
}

// constant is the class of a number.
func (e *egraph) constant(t ir.Type, bits uint64) class {
	elem := e.g.Ctx.Info(e.g.Ctx.ElemOrSelf(t))
	if elem.Width < 64 {
		bits &= 1<<elem.Width - 1
	}
	return e.add(node{isConst: true, typ: t, bits: bits})
}

// op is the class of an op. Flags that it does not have are written out, as rules of the dialect do.
func (e *egraph) op(def *ir.OpDef, attr ir.Attr, t ir.Type, args []class) class {
	n := node{def: def, attr: attr, typ: t, nargs: int8(len(args))}
	if attr == 0 && slices.Contains(def.Attrs, "overflowFlags") {
		n.attr = arith.OverflowProps(e.g.Ctx, 0)
	} else if attr == 0 && slices.Contains(def.Attrs, "fastmath") {
		n.attr = arith.FastMathProps(e.g.Ctx, 0)
	}
	copy(n.args[:], args)
	return e.add(n)
}

// isStrict reports an op that is poison where an operand is, element by element.
func (e *egraph) isStrict(def *ir.OpDef) bool {
	yes, ok := e.strict[def]
	if !ok {
		d := e.g.Ctx.DialectOf(def)
		// The interpreter hands no poison to an op unless the dialect says that it takes some.
		yes = def.Has(ir.Elementwise) && !def.Has(ir.Partial) && d != nil && !ir.Table[interp.TakesPoison](d)[def]
		e.strict[def] = yes
	}
	return yes
}

// cleanOp reports an op that makes no poison of its own.
func (e *egraph) cleanOp(n *node) bool {
	c := e.g.Ctx
	switch {
	case n.def.Poisons == nil:
		d := c.DialectOf(n.def)
		return n.def.Has(ir.Clean) || d != nil && d.Clean
	// Shifts by the width and more are poison.
	case n.def == arith.Shli || n.def == arith.Shrui || n.def == arith.Shrsi:
		by := e.classes[n.args[1]].number
		return by != nil && by.bits < uint64(c.Info(c.ElemOrSelf(n.typ)).Width) && arith.OverflowOf(c, n.attr) == 0
	case slices.Contains(n.def.Attrs, "overflowFlags"):
		return arith.OverflowOf(c, n.attr) == 0
	case slices.Contains(n.def.Attrs, "fastmath"):
		return n.def.Has(ir.Elementwise) && arith.FastMathOf(c, n.attr)&(arith.NNan|arith.NInf) == 0
	}
	return false
}

// merge says that two classes have one value, poison included.
func (e *egraph) merge(a, b class) {
	if a, b = e.find(a), e.find(b); a == b || e.classes[a].typ != e.classes[b].typ {
		return
	}
	if a > b { // the older class stays, so that the result does not depend on the order of matches
		a, b = b, a
	}
	x, y := &e.classes[a], &e.classes[b]
	e.union[b] = a
	e.proofs.join(b, a)
	x.born = append(x.born, y.born...)
	x.nodes = append(x.nodes, y.nodes...)
	x.refined = append(x.refined, y.refined...)
	if x.number == nil {
		x.number = y.number
	}
	// What is known of one is known of both: they are one value. Classes above keep what they knew, which is less.
	x.clean = x.clean || y.clean
	x.ready = min(x.ready, y.ready)
	y.nodes, y.born, y.refined = nil, nil, nil
	e.changed = true
}

// refine says that b may stand for a, and not that a may stand for b.
func (e *egraph) refine(a, b class) {
	a, b = e.find(a), e.find(b)
	if a == b || e.classes[a].typ != e.classes[b].typ || slices.Contains(e.classes[a].refined, b) {
		return
	}
	e.classes[a].refined = append(e.classes[a].refined, b)
	e.proofs.arrows[[2]class{a, b}] = e.proofs.now
	e.changed = true
}

// rebuild makes nodes equal whose operands have become equal, until none are. It goes over all nodes each time: after an
// iteration most have changed.
func (e *egraph) rebuild() {
	for again := true; again; {
		again = false
		clear(e.byNode)
		for i := range e.classes {
			c := class(i)
			if e.union[c] != c {
				continue
			}
			nodes, born := e.classes[c].nodes, e.classes[c].born
			kept, from := nodes[:0], born[:0]
			for i, n := range nodes {
				n = e.canonical(n)
				if other, ok := e.byNode[n]; !ok {
					e.byNode[n] = c
					kept, from = append(kept, n), append(from, born[i])
				} else if e.find(other) != c {
					again = true
					kept, from = append(kept, n), append(from, born[i]) // it goes with the class, in the next round
				}
			}
			e.classes[c].nodes, e.classes[c].born = kept, from
			for _, n := range kept {
				e.merge(e.byNode[n], c)
			}
		}
	}
	for i := range e.classes {
		if d := &e.classes[i]; e.union[i] == class(i) {
			d.refined = e.distinct(d.refined, class(i))
		}
	}
}

// distinct are classes without those that are equal to others, or to one.
func (e *egraph) distinct(list []class, but class) []class {
	out := list[:0]
	seen := map[class]bool{but: true}
	for _, c := range list {
		if c = e.find(c); !seen[c] {
			seen[c] = true
			out = append(out, c)
		}
	}
	return out
}

// reach lists a class and those that may stand for it, the class first.
func (e *egraph) reach(c class) []class {
	out := []class{e.find(c)}
	for i := 0; i < len(out); i++ {
		for _, r := range e.classes[out[i]].refined {
			if r = e.find(r); !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	return out
}
