package differentiate

import (
	"slices"

	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
	"github.com/irc-lang/irc/ir/lists"
)

// An op may have a region that makes an element of its result of an element of each operand (derive.Rule.Map). What its
// region does is a function of its own, of numbers, and so are the derivatives of that. The way back through the op is one
// such op for each operand that has an adjoint. Each does again what the region does: elements are cheaper made than kept.

// mapping is the way back through the function of the elements of such an op.
type mapping struct {
	*plan
	free []ir.Value // of the outer graph: what the region uses besides the elements
	arms *arms      // where all that it gives is asked for
}

// isMapped reports an op with such a region.
func (a *activity) isMapped(n ir.Node) bool {
	if n.NumRegions() == 0 {
		return false
	}
	rule := derive.Of(a.g.Ctx, n.Def())
	return rule != nil && rule.Map != nil
}

// elementwise checks that the region of such an op is straight-line code, with branches, of elements and of values that have
// no derivatives.
func (p *checked) elementwise(n ir.Node, free []ir.Value) bool {
	if slices.ContainsFunc(free, func(x ir.Value) bool { return p.active(x) || p.activeMemory(x) }) {
		p.fail(n.Old(), "has no derivative: its region uses a value from outside that has one; make that an operand, or lower it to loops first")
		return false
	}
	isPlain := func(v ir.Value) bool {
		_, isLoop := ir.As[ir.LoopLike](p.g.NodeOf(v))
		return !isLoop && len(p.effects(v)) == 0
	}
	var all func(r ir.Region) bool
	all = func(r ir.Region) bool {
		return !slices.ContainsFunc(p.s.Body(r), func(v ir.Value) bool {
			return !isPlain(v) || slices.ContainsFunc(p.g.Regions(v), func(r ir.Region) bool { return !all(r) })
		})
	}
	if !all(p.g.Regions(n.Old())[0]) {
		p.fail(n.Old(), "has no derivative: its region has a loop, or reads, writes or prints; lower it to loops first")
		return false
	}
	return true
}

// elementOf is the function of the elements, and of what the region uses from outside.
func (a *activity) elementOf(n ir.Node, free []ir.Value) *ir.Graph {
	b := ir.NewBuilder(a.g.Ctx)
	args := lists.Map(n.Region(0).Params(), func(x ir.Node) ir.Value { return b.Param(x.Type()) })
	outer := map[ir.Value]ir.Value{}
	for _, x := range free {
		outer[x] = b.Param(a.g.Type(x))
	}
	b.Op(funcs.Return, ir.Insert(b, a.s, n.Region(0).Old(), outer, nil, args...)...)
	return b.Finish()
}

// elementActivity is that of the function of elements: it is derived by those of active operands.
func (a *activity) elementActivity(n ir.Node, g *ir.Graph) *activity {
	var from []ir.Value
	for i, x := range n.Args() {
		if a.active(x.Old()) {
			from = append(from, g.Params(ir.Root)[i])
		}
	}
	return newActivity(g, ir.NewSchedule(g, ir.ScheduleOptions{}), ends{from: from, results: g.Yields(ir.Root)}, nil)
}

// mapped plans the way back through such an op.
func (p *plan) mapped(n ir.Node) {
	v := n.Old()
	if p.ruleOf(n) == nil {
		return
	}
	w := &mapping{free: p.free(v, false)}
	if !p.elementwise(n, w.free) {
		return
	}
	sub, err := newPlan(p.elementActivity(n, p.elementOf(n, w.free)), 0)
	if err != nil {
		if p.err == nil {
			p.err = err
		}
		return
	}
	w.plan, w.arms, p.mappings[v] = sub, newArms(sub, true, nil), w
	for _, x := range slices.Concat(p.g.Args(v), w.free) {
		p.wantValue(x)
	}
}

// mapped goes back through such an op. In an arm that is not taken the adjoints of its elements are zero, and must give zeros.
func (f *frame) mapped(n ir.Node) {
	v := n.Old()
	w, z := f.mappings[v], f.take(ref{op: v})
	if w == nil || z == 0 {
		return
	}
	in, rule := w.arms, f.rowOf(n)
	if at := f.arms.in[ref{op: v}]; at != f.arms.top {
		in = newArms(w.plan, false, nil)
	}
	o := derive.NewOp(f.b, n.Attrs(), n.Type(), asked{f, n})
	for i, x := range f.g.Args(v) {
		if !f.active(x) {
			continue
		}
		all := rule.Map(o, []ir.Value{z}, func(xs []ir.Value) ir.Value {
			last := len(xs) - 1
			e, param := newBack(w.plan, f.b, in), ref{op: w.g.Params(ir.Root)[i]}
			e.run(slices.Concat(xs[:last], lists.Map(w.free, f.value)))
			root := e.root()
			root.add(w.g.Yields(ir.Root)[0], xs[last])
			root.sweep()
			return root.leaves(root.orZero(param), in.clean(param), in.top)
		})
		f.give(x, rule.Transpose(o, all)[i], f.arms.clean(ref{op: v}))
	}
}

// repeatMapped does such an op again.
func (f *frame) repeatMapped(n ir.Node, args []ir.Value) ir.Value {
	outer := map[ir.Value]ir.Value{}
	for _, x := range f.free(n.Old(), false) {
		outer[x] = f.value(x)
	}
	o := derive.NewOp(f.b, n.Attrs(), n.Type(), repeated{asked{f, n}, args})
	return f.rowOf(n).Map(o, nil, func(xs []ir.Value) ir.Value {
		return ir.Insert(f.b, f.s, n.Region(0).Old(), outer, nil, xs...)[0]
	})
}

// repeated has operands that are there.
type repeated struct {
	asked
	args []ir.Value
}

func (r repeated) Operand(i int) ir.Value { return r.args[i] }

// mapped is the tangent of what such an op gives.
func (f *forward) mapped(m *ir.Mirror, n ir.Node, rule *derive.Rule, w ir.Value) ir.Value {
	free := (&plan{checked: f.checked}).free(n.Old(), false)
	if !f.elementwise(n, free) {
		return 0
	}
	var more []ir.Value
	var by []int
	for i, x := range n.Args() {
		if f.active(x.Old()) {
			by, more = append(by, i), append(more, f.of(x.Old()))
		}
	}
	g := f.elementOf(n, free)
	return rule.Map(derive.NewOp(f.b, n.Attrs(), n.Type(), given{f, m, n, w}), more, func(xs []ir.Value) ir.Value {
		own := len(xs) - len(more)
		e := newForward(f.elementActivity(n, g), f.b, 1)
		for k, i := range by {
			e.tangents[ref{op: g.Params(ir.Root)[i]}] = xs[own+k]
		}
		e.run(slices.Concat(xs[:own], lists.Map(free, func(x ir.Value) ir.Value { return m.Of(f.g.NodeOf(x)) })))
		if e.err != nil && f.err == nil {
			f.err = e.err
		}
		return e.of(g.Yields(ir.Root)[0])
	})
}
