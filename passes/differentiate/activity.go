package differentiate

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// ref is a value of the old graph: result i of an op, or a parameter.
type ref struct {
	op ir.Value
	i  int
}

// refOf is the result or parameter that a value of the graph is: of ops with one result too.
func refOf(g *ir.Graph, v ir.Value) ref {
	n, i, ok := g.Projection(v)
	if !ok {
		return ref{op: v}
	}
	return ref{n, i}
}

// typeOf is the type of a result or parameter.
func (r ref) typeOf(g *ir.Graph) ir.Type { return g.Ctx.Results(g.Type(r.op))[r.i] }

// isFloat reports floats, and vectors and tensors of them.
func isFloat(c *ir.Context, t ir.Type) bool {
	info := c.Info(t)
	return c.IsFloat(t) || (info.Kind == ir.KindVector || info.Kind == ir.KindTensor) && c.IsFloat(info.Elem)
}

// isSized reports a tensor of which all extents are known.
func isSized(c *ir.Context, t ir.Type) bool {
	info := c.Info(t)
	return !info.Unranked && info.Layout == 0 && !slices.Contains(info.Shape, ir.Dynamic)
}

// isFloats reports memory of floats.
func isFloats(c *ir.Context, t ir.Type) bool {
	info := c.Info(t)
	return info.Kind == ir.KindMemRef && isFloat(c, info.Elem)
}

// activity says which values have derivatives that somebody asks for: they depend on what is derived by, and a result
// depends on them. Memory counts as a whole, by what was allocated; arguments that may alias count as one.
type activity struct {
	g              *ir.Graph
	s              *ir.Schedule
	recursion      *recursion // the functions that calls may be of
	varied, useful map[ref]bool
	alias          map[ref]ref // of arguments that may alias, the first
	changed        bool
}

// ends are where derivatives of a function begin, and where they lead.
type ends struct {
	from, to []ir.Value  // the parameters that vary, and those of memory that holds results
	results  []ir.Value  // what else are results: floats that the function returns
	alias    map[ref]ref // of parameters that may be the same memory which stands for all of them
}

// newActivity goes through a function.
func newActivity(g *ir.Graph, s *ir.Schedule, x ends, functions *recursion) *activity {
	a := &activity{g: g, s: s, recursion: functions, varied: map[ref]bool{}, useful: map[ref]bool{}, alias: x.alias}
	for _, p := range x.from {
		a.varied[a.root(ref{op: p})] = true
	}
	for _, p := range x.to {
		a.useful[a.root(ref{op: p})] = true
	}
	for _, y := range x.results {
		a.mark(a.useful, y)
	}
	return a.settled()
}

// settled goes through the function until nothing new comes of it.
func (a *activity) settled() *activity {
	for a.changed = true; a.changed; {
		a.changed = false
		a.through(ir.Root, false)
		a.through(ir.Root, true)
	}
	return a
}

// masked lists the ops on which an arm of a select depends, whose adjoint is zero where the select takes the other one.
func (a *activity) masked(arms []ir.Value) map[ir.Value]bool {
	m := &activity{g: a.g, s: a.s, recursion: a.recursion, varied: map[ref]bool{}, useful: map[ref]bool{}, alias: a.alias}
	for _, x := range arms {
		m.mark(m.useful, x)
	}
	out := map[ir.Value]bool{}
	for r := range m.settled().useful {
		out[r.op] = true
	}
	return out
}

// active reports a value with a derivative.
func (a *activity) active(v ir.Value) bool {
	r := refOf(a.g, v)
	return a.varied[r] && a.useful[r] && isFloat(a.g.Ctx, r.typeOf(a.g))
}

// activeMemory reports memory of which some element has one.
func (a *activity) activeMemory(v ir.Value) bool {
	r := a.rootOf(v)
	return a.varied[r] && a.useful[r] && isFloats(a.g.Ctx, a.g.Type(v))
}

// rootOf is the memory that a view is part of, or one that may be the same.
func (a *activity) rootOf(v ir.Value) ref { return a.root(refOf(a.g, a.whole(v))) }

// whole is the memory that a view is part of.
func (a *activity) whole(v ir.Value) ir.Value {
	for view, ok := ir.As[ir.ViewLike](a.g.NodeOf(v)); ok; view, ok = ir.As[ir.ViewLike](a.g.NodeOf(v)) {
		v = view.Source
	}
	return v
}

// root is the memory that stands for all with which this one may be the same.
func (a *activity) root(r ref) ref {
	if first, ok := a.alias[r]; ok {
		return first
	}
	return r
}

// mark enters a value, if it is a float; the round that changes something is not the last.
func (a *activity) mark(set map[ref]bool, v ir.Value) { a.markRef(set, refOf(a.g, v)) }

// markRef is mark of a result or parameter.
func (a *activity) markRef(set map[ref]bool, r ref) {
	if t := r.typeOf(a.g); !set[r] && isFloat(a.g.Ctx, t) {
		set[r], a.changed = true, true
	}
}

// markMemory enters all of a memory of which an element is concerned.
func (a *activity) markMemory(set map[ref]bool, v ir.Value) {
	if r := a.rootOf(v); !set[r] && isFloats(a.g.Ctx, a.g.Type(v)) {
		set[r], a.changed = true, true
	}
}

// same has values that are handed on from one to the other vary together, and be useful together.
func (a *activity) same(from ir.Value, to ref) {
	if a.varied[refOf(a.g, from)] {
		a.markRef(a.varied, to)
	}
	if a.useful[to] {
		a.mark(a.useful, from)
	}
}

// through goes through a region in the order of its ops, as values vary, or back from its end, as values are useful. It
// does so once with what is within: twice would be twice as often for each region around.
func (a *activity) through(r ir.Region, back bool) {
	body := a.s.Body(r)
	for i := range body {
		if back {
			i = len(body) - 1 - i
		}
		a.op(body[i], back)
	}
}

// op hands on what is known of an op's operands and results, both ways.
func (a *activity) op(v ir.Value, back bool) {
	g, n := a.g, a.g.NodeOf(v)
	if l, ok := ir.As[ir.LoopLike](n); ok {
		a.loop(n, l, back)
		return
	}
	if rs := g.Regions(v); len(rs) > 0 && !a.isMapped(n) {
		handOn := func(r ir.Region) {
			for k, y := range g.Yields(r) {
				if k < g.Results(v) {
					a.same(y, ref{v, k})
				}
			}
		}
		for _, r := range rs {
			handOn(r)
			a.through(r, back)
			handOn(r)
		}
		return
	}
	if a.callee(n) != nil {
		a.called(n)
		return
	}
	if access, ok := ir.As[ir.AccessLike](n); ok {
		a.access(n, access)
		return
	}
	if l, ok := ir.As[ir.Allocation](n); ok && l.From != 0 { // what it takes over
		if a.varied[a.rootOf(l.From)] {
			a.markMemory(a.varied, v)
		}
		if a.useful[a.rootOf(v)] {
			a.markMemory(a.useful, l.From)
		}
		return
	}
	for k := range g.Results(v) {
		for _, x := range g.Args(v) {
			a.same(x, ref{v, k})
		}
	}
}

// access hands on from what is read to what is written, of memory and of values: each read may reach each write.
func (a *activity) access(n ir.Node, l ir.AccessLike) {
	var from, to []ir.Access
	for _, x := range l.Accesses {
		if x.Reads {
			from = append(from, x)
		}
		if x.Writes {
			to = append(to, x)
		}
	}
	for _, x := range from {
		root := a.rootOf(x.Memory)
		for k := range a.g.Results(n.Old()) {
			if a.varied[root] {
				a.markRef(a.varied, ref{n.Old(), k})
			}
			if a.useful[ref{n.Old(), k}] {
				a.markMemory(a.useful, x.Memory)
			}
		}
		for _, y := range to {
			if a.varied[root] {
				a.markMemory(a.varied, y.Memory)
			}
			if a.useful[a.rootOf(y.Memory)] {
				a.markMemory(a.useful, x.Memory)
			}
		}
	}
	for _, y := range to {
		for _, x := range a.parts(n) {
			if a.varied[refOf(a.g, x)] {
				a.markMemory(a.varied, y.Memory)
			}
			if a.useful[a.rootOf(y.Memory)] {
				a.mark(a.useful, x)
			}
		}
	}
	for k := range a.g.Results(n.Old()) {
		for _, x := range a.parts(n) {
			a.same(x, ref{n.Old(), k})
		}
	}
}

// loop: what is carried, what it begins with, what a round leaves and what is there at the end hand on to one another.
func (a *activity) loop(n ir.Node, l ir.LoopLike, back bool) {
	g, regions := a.g, a.g.Regions(n.Old())
	around := func() {
		handOn := g.Yields(l.Body)
		for k, x := range l.Inits {
			if k < len(l.Carried) {
				a.same(x, ref{op: l.Carried[k]})
			}
			if len(regions) == 1 && k < g.Results(n.Old()) { // no round at all
				a.same(x, ref{n.Old(), k})
			}
		}
		if len(regions) == 2 { // the first one tests, and hands on what comes behind the condition; the second one leaves the next values
			for k, y := range handOn[1:] {
				a.same(y, ref{n.Old(), k})
				a.same(y, ref{op: g.Params(regions[1])[k]})
			}
			handOn = g.Yields(regions[1])
		}
		for k, y := range handOn {
			if k < g.Results(n.Old()) && len(regions) == 1 {
				a.same(y, ref{n.Old(), k})
			}
			if k < len(l.Carried) {
				a.same(y, ref{op: l.Carried[k]})
			}
		}
	}
	around()
	for i := range regions {
		if back {
			i = len(regions) - 1 - i
		}
		a.through(regions[i], back)
		around()
	}
}
