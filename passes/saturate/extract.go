package saturate

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/ir"
)

// A choice is the node that a class is made of, or the class that stands for it.
type choice struct {
	node node
	born class // of the node: the class that it began
	via  class // -1: none
	cost float64
}

// A plan says which classes of a region are made of their best terms; the others stay as the program has them.
type plan struct {
	*region
	weigh  func(def *ir.OpDef) float64
	outer  float64 // what an op costs that needs nothing of the region, of what it costs inside
	best   []choice
	chosen []bool
	roots  []class

	seen  []int // of classes, in the count that is numbered so
	count int
}

// tooMuch is the cost of a term that is not built: of one with so much sharing trees say nothing.
const tooMuch = 1e15

// extract finds a plan, and what the region costs before and with it. Bottom-up it finds the cheapest tree of each class;
// these are taken where they make the region cheaper with what is shared counted once.
func (x *region) extract(weigh func(*ir.OpDef) float64, outer float64) (p *plan, before, after float64) {
	p = &plan{region: x, weigh: weigh, outer: outer, best: make([]choice, len(x.classes)), chosen: make([]bool, len(x.classes)), seen: make([]int, len(x.classes))}
	p.trees()
	x.first = map[class]int{}
	uses, inside := ir.Uses(x.g), map[ir.Value]bool{}
	for _, o := range x.originals {
		inside[o.v] = true
	}
	for i, o := range x.originals {
		c := x.find(o.of)
		if _, ok := x.first[c]; !ok {
			x.first[c] = i
		}
		// A root is needed by something else than the ops of the e-graph: memory, a region, what ends this one.
		if slices.ContainsFunc(uses.Of(o.v), func(u ir.Value) bool { return !inside[u] }) {
			p.roots = append(p.roots, c)
		}
	}
	before = p.total()
	after = p.improve(before)
	return p, before, after
}

// trees finds the cheapest tree of each class, until none gets cheaper. A node is taken only if its operands are there
// where the class is needed.
func (p *plan) trees() {
	for i := range p.best {
		p.best[i] = choice{via: -1, cost: math.Inf(1)}
	}
	for again := true; again; {
		again = false
		for i := range p.classes {
			if c := class(i); p.union[c] == c && p.cheaper(c) {
				again = true
			}
		}
	}
}

// cheaper finds a cheaper tree of a class. Costs of ops are more than 0, so that operands cost less than what is made of
// them, and no tree has itself in it.
func (p *plan) cheaper(c class) (found bool) {
	d := &p.classes[c]
	for i, n := range d.nodes {
		cost, ok := p.cost(c, &n), true
		for _, a := range n.operands() {
			a = p.find(a)
			cost += p.best[a].cost
			ok = ok && p.classes[a].ready <= d.ready
		}
		if ok && cost < p.best[c].cost && (cost < tooMuch || n.def == nil) {
			p.best[c], found = choice{n, d.born[i], -1, cost}, true
		}
	}
	// Along an arrow a class costs what it leads to: only what is cheaper is taken, so no two lead to each other.
	for _, r := range d.refined {
		if r = p.find(r); p.classes[r].ready <= d.ready && p.best[r].cost < p.best[c].cost {
			p.best[c], found = choice{via: r, cost: p.best[r].cost}, true
		}
	}
	return found
}

// cost is that of a node alone.
func (p *plan) cost(c class, n *node) float64 {
	switch {
	case n.def == nil:
		return 0
	case p.classes[c].ready == 0:
		return p.weigh(n.def) * p.outer
	}
	return p.weigh(n.def)
}

// total is what the region costs with the classes that are chosen, each counted once.
func (p *plan) total() (sum float64) {
	p.walk(func(c class, n *node) { sum += p.cost(c, n) }, nil)
	return sum
}

// each calls f with the classes that are chosen, and needed.
func (p *plan) each(f func(class)) { p.walk(func(class, *node) {}, f) }

// walk calls op with the ops that the region consists of with the classes that are chosen, each once, and chosen, if it is
// not nil, with those classes.
func (p *plan) walk(op func(class, *node), chosen func(class)) {
	p.count++
	todo := slices.Clone(p.roots)
	for len(todo) > 0 {
		c := p.find(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		if p.seen[c] == p.count {
			continue
		}
		p.seen[c] = p.count
		if p.chosen[c] {
			if chosen != nil {
				chosen(c)
			}
			if b := &p.best[c]; b.via >= 0 {
				todo = append(todo, b.via)
			} else {
				op(c, &b.node)
				todo = append(todo, b.node.operands()...)
			}
		} else if i, ok := p.first[c]; ok {
			v := p.originals[i].v
			op(c, &node{def: p.g.Def(v)})
			for _, a := range p.g.Args(v) {
				todo = append(todo, p.of[a])
			}
		}
	}
}

// mostTrials bounds the work of improve: classes that are tried, times classes that are counted.
const mostTrials = 1 << 24

// improve chooses what makes the region cheaper, the users first: each choice with all that its term stands on, so that
// what is chosen has no cycle. It tries all at once, too, for two users may share what does not pay for one.
func (p *plan) improve(cost float64) float64 {
	var one []bool
	if len(p.originals)*len(p.originals) < mostTrials {
		for _, o := range slices.Backward(p.originals) {
			cost = p.try(cost, []class{p.find(o.of)})
		}
		one = slices.Clone(p.chosen)
	}
	clear(p.chosen)
	var all []class
	for _, o := range p.originals {
		all = append(all, p.find(o.of))
	}
	if sum := p.try(cost, all); sum < cost || one == nil {
		return sum
	}
	p.chosen = one
	return cost
}

// try chooses classes if that costs less.
func (p *plan) try(cost float64, cs []class) float64 {
	var added []class
	for _, c := range cs {
		added = p.cone(c, added)
	}
	if len(added) == 0 {
		return cost
	}
	if sum := p.total(); sum < cost {
		return sum
	}
	for _, c := range added {
		p.chosen[c] = false
	}
	return cost
}

// cone chooses a class and all that its best term stands on.
func (p *plan) cone(c class, added []class) []class {
	if c = p.find(c); p.chosen[c] || math.IsInf(p.best[c].cost, 1) {
		return added
	}
	p.chosen[c] = true
	added = append(added, c)
	if b := p.best[c]; b.via >= 0 {
		added = p.cone(b.via, added)
	} else {
		for _, a := range b.node.operands() {
			added = p.cone(a, added)
		}
	}
	return added
}

// value makes what stands for a value of the program, in a rebuild of it; 0 if that is the value itself.
func (p *plan) value(m *ir.Mirror, o original) ir.Value {
	c := p.find(o.of)
	if !p.chosen[c] {
		// Two values of one class are one value, which the first of them is.
		if i := p.first[c]; p.originals[i].v != o.v {
			return m.Of(p.g.NodeOf(p.originals[i].v))
		}
		return 0
	}
	return p.term(m, c, o.at, map[class]ir.Value{})
}

// term makes the best term of a class. Where the program has a value of the class before a place, that is it.
func (p *plan) term(m *ir.Mirror, c class, before int32, made map[class]ir.Value) ir.Value {
	c = p.find(c)
	if v, ok := made[c]; ok {
		return v
	}
	b := &p.best[c]
	var v ir.Value
	switch {
	case p.first != nil && p.isBefore(c, before):
		v = m.Of(p.g.NodeOf(p.originals[p.first[c]].v))
	case b.via >= 0:
		v = p.term(m, b.via, before, made)
	case b.node.isConst:
		v = m.B.Splat(b.node.typ, b.node.bits)
	case b.node.def == nil:
		v = m.Of(p.g.NodeOf(b.node.leaf))
	default:
		call := ir.Call{Def: b.node.def, Attr: b.node.attr, Type: b.node.typ}
		for _, a := range b.node.operands() {
			x := p.term(m, a, before, made)
			if x == 0 {
				return 0
			}
			call.Args = append(call.Args, x)
		}
		var err error
		if v, err = m.B.Make(call); err != nil { // a pattern on types that it is not of
			return 0
		}
	}
	made[c] = v
	return v
}

// isBefore reports a class of which the program has a value before a place.
func (p *plan) isBefore(c class, before int32) bool {
	i, ok := p.first[c]
	return ok && p.originals[i].at < before
}
