package lower

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
)

// Memory keeps the scheduler from moving what works on it out of loops. hoister finds
// what gives the same in every iteration of a loop, to do it once before: functions of
// arrays with the temporaries that they read, and the factors of the matrices of nodes.
//
// Before the loop an index must be as safe as inside. The outermost loop runs each of
// its statements at least once; a loop within another is left only where its bounds are
// constant.
type hoister struct {
	l       *lowering
	writers map[ir.Value][]ir.Value // of an array, within the loop at hand
}

// hoisted is an op to do before a loop: all of it, or the factoring of a parameter of a
// node.
type hoisted struct {
	op    ir.Value
	param int // of bugs.multivariate; nodeItself for the node
	mem   ir.Value
}

// planHoists fills l.before, and makes memory for the factors.
func (l *lowering) planHoists() {
	l.before, l.done = map[ir.Value][]hoisted{}, map[ir.Value]bool{}
	h := &hoister{l: l}
	h.loops(ir.Root, false)
	l.done = map[ir.Value]bool{}
}

// loops plans for the loops of a region, outermost first.
func (h *hoister) loops(r ir.Region, nested bool) {
	g := h.l.g
	for _, v := range h.l.s.Body(r) {
		if !h.l.need[v] || g.Def(v) != ops.For {
			continue
		}
		if !nested || h.runs(v) {
			h.plan(v, nested)
		}
		h.loops(g.Regions(v)[0], true)
	}
}

// runs reports a loop of at least one iteration, whatever the loops around it do.
func (h *hoister) runs(loop ir.Value) bool {
	args := h.l.g.Args(loop)
	lo, ok := h.l.g.Const(args[0])
	hi, also := h.l.g.Const(args[1])
	return ok && also && int64(lo.Bits) <= int64(hi.Bits)
}

// plan finds what leaves one loop.
func (h *hoister) plan(loop ir.Value, nested bool) {
	h.writers = map[ir.Value][]ir.Value{}
	r := h.l.g.Regions(loop)[0]
	h.collect(r)
	h.body(loop, r, nested)
}

// collect lists the writers of arrays in a region.
func (h *hoister) collect(r ir.Region) {
	g := h.l.g
	for _, v := range h.l.s.Body(r) {
		if d := h.written(v); d != 0 && h.l.need[v] && !h.l.done[v] {
			h.writers[d] = append(h.writers[d], v)
		}
		for _, in := range g.Regions(v) {
			h.collect(in)
		}
	}
}

// written is the array that an op writes itself, 0 for none.
func (h *hoister) written(v ir.Value) ir.Value {
	switch h.l.g.Def(v) {
	case ops.Assign:
		return h.l.g.Args(v)[1]
	case ops.Compute, ops.Constrain:
		return h.l.g.Args(v)[0]
	}
	return 0
}

// body plans for a region within the loop; of a nested loop what stands in one that may
// not run stays.
func (h *hoister) body(loop ir.Value, r ir.Region, nested bool) {
	l, g := h.l, h.l.g
	for _, v := range l.s.Body(r) {
		if !l.need[v] || l.done[v] {
			continue
		}
		switch g.Def(v) {
		case ops.For, ops.Fold, ops.Apply, ops.Compute, ops.Assign, ops.Read:
			if h.movable(v, v, loop) {
				l.before[loop] = append(l.before[loop], hoisted{op: v})
				h.move(v)
				continue
			}
		case ops.Multivariate:
			h.factors(loop, v)
		}
		if g.Def(v) == ops.For && (!nested || h.runs(v)) {
			h.body(loop, g.Regions(v)[0], nested)
		}
	}
}

// move takes an op and what is in it out of the lists.
func (h *hoister) move(v ir.Value) {
	h.l.done[v] = true
	if d := h.written(v); d != 0 {
		h.writers[d] = slices.DeleteFunc(h.writers[d], func(w ir.Value) bool { return w == v })
	}
	for _, r := range h.l.g.Regions(v) {
		for _, in := range h.l.s.Body(r) {
			if h.l.need[in] {
				h.move(in)
			}
		}
	}
}

// movable reports that an op, a part of op unit, gives the same in each iteration of a
// loop and writes nothing but temporaries.
func (h *hoister) movable(v, unit, loop ir.Value) bool {
	l, g := h.l, h.l.g
	if d := h.written(v); d != 0 && g.Def(d) != ops.Temporary || isFactor(g.Def(v)) {
		return false
	}
	if g.Def(v) == ops.Read && v == unit && g.Def(g.Args(v)[0]) != ops.Temporary {
		return false // what is no temporary is left to the scheduler
	}
	for _, a := range g.Args(v) {
		if !h.outside(a, unit, loop) {
			return false
		}
		if ops.IsArray(g.Ctx, g.Type(a)) && a != h.written(v) && h.rewritten(a, unit) {
			return false
		}
	}
	for _, r := range g.Regions(v) {
		for _, in := range l.s.Body(r) {
			if l.need[in] && !h.movable(in, unit, loop) {
				return false
			}
		}
	}
	return true
}

// rewritten reports an array that the loop writes elsewhere than in a unit.
func (h *hoister) rewritten(a, unit ir.Value) bool {
	return slices.ContainsFunc(h.writers[a], func(w ir.Value) bool { return !h.in(w, unit) })
}

// in reports that an op stands within a unit, or is it.
func (h *hoister) in(v, unit ir.Value) bool {
	for ; v != 0; v = h.l.g.Owner(h.place(v)) {
		if v == unit {
			return true
		}
		if h.place(v) == ir.Root {
			return false
		}
	}
	return false
}

// place is the region where a value is: of a parameter the one that it belongs to.
func (h *hoister) place(v ir.Value) ir.Region {
	if r, _, ok := h.l.g.Param(v); ok {
		return r
	}
	return h.l.s.Place(v)
}

// outside reports a value that is there before the loop, or is made in the unit.
func (h *hoister) outside(v, unit, loop ir.Value) bool {
	if _, ok := h.l.g.Const(v); ok || h.l.done[v] || v == unit || h.in(v, unit) {
		return true
	}
	for r := h.place(v); r != ir.Root; r = h.place(h.l.g.Owner(r)) {
		if h.l.g.Owner(r) == loop {
			return h.l.g.Def(v) == ops.Temporary
		}
	}
	return true
}

// factored is the factor of a matrix of a node.
type factored = kit.Factored[ir.Value, ir.Value, ir.Value]

// factors plans for the matrices of a node.
func (h *hoister) factors(loop, v ir.Value) {
	l, g := h.l, h.l.g
	ps := l.partsOf(v)
	if l.kit().Straight(ops.MatrixRows(g, v)) {
		return // its factor is values, which move by themselves
	}
	for _, param := range lawOf(g, v).Joint.Factors {
		if slices.ContainsFunc(l.before[loop], func(x hoisted) bool { return x.op == v && x.param == param }) || l.isFactored(v, param) {
			continue
		}
		p := ps[1+param]
		fixed := !h.rewritten(p.Array, 0)
		for _, b := range p.Bounds {
			fixed = fixed && h.outside(b, 0, loop) && !(g.Def(b) == ops.IndexOf && g.Attr(b, "checked") != 0)
		}
		if fixed {
			n := ops.MatrixRows(g, v)
			l.before[loop] = append(l.before[loop], hoisted{op: v, param: param, mem: l.reserve(n, n)})
		}
	}
}

// isFactored reports a matrix that is factored before some loop.
func (l *lowering) isFactored(v ir.Value, param int) bool {
	for _, hs := range l.before {
		for _, x := range hs {
			if x.op == v && x.param == param && x.mem != 0 {
				return true
			}
		}
	}
	return false
}

// hoist does what is planned before a loop.
func (l *lowering) hoist(loop ir.Value) {
	for _, x := range l.before[loop] {
		if x.mem == 0 {
			l.op(x.op)
			l.done[x.op] = true
			continue
		}
		var valid ir.Value
		a := l.view(l.partsOf(x.op)[1+x.param], &valid)
		k := l.kit()
		if l.factored[x.op] == nil {
			l.factored[x.op] = map[int]factored{}
		}
		l.factored[x.op][x.param] = kit.ArrayOps{Ops: k}.FactorIn(x.mem, k.PartOf(a))
	}
}
