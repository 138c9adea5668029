package differentiate

import (
	"slices"

	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// apart is the way back through a loop that is that of a function of its own: through a while loop, and through one of which
// it is not known before the loops around it how often it runs. It is made where the way back has come to the loop, so only what
// the loop begins with is kept until then, and how often a while loop ran: values, and copies of memory (snapshots.go).
type apart struct {
	*plan
	free    []ir.Value   // of the outer graph: what the loop begins with and uses; the arguments of the function, before the count of a while loop
	kept    []ir.Value   // memory of which there is a copy
	written map[ref]bool // memory of the outer graph that the loop writes
	arms    *arms        // where all that it gives is asked for
	steps   *loop        // a loop with checkpoints, of which this is a round
}

// apart plans one.
func (p *plan) apart(n ir.Node) {
	v := n.Old()
	if n.Def() == scf.While {
		p.atRounds(p.regionOf(v))
	}
	kept, written, why := p.snapshots(v)
	if why != "" {
		p.fail(v, "has no derivative: the way back runs this loop again, since it is not known before how often it runs, and it %s", why)
		return
	}
	w := &apart{free: p.free(v, true), kept: kept, written: written}
	p.byItself(v, w, p.alone(n, w.free), nil, p.checkpoints)
}

// byItself plans the way back through a function of its own, of what is free and more; active are parameters that vary, beside
// those that do here.
func (p *plan) byItself(v ir.Value, w *apart, g *ir.Graph, active []ir.Value, checkpoints int) {
	var memory []ir.Value
	for i, x := range w.free {
		param := g.Params(ir.Root)[i]
		switch {
		case p.active(x):
			active = append(active, param)
			p.captured[v] = append(p.captured[v], refOf(p.g, x))
		case p.activeMemory(x):
			memory = append(memory, param)
		}
		p.wantValue(x)
	}
	x := ends{append(active, memory...), memory, g.Yields(ir.Root), p.sameMemory(w.free, g.Params(ir.Root))}
	sub, err := newPlan(newActivity(g, ir.NewSchedule(g, ir.ScheduleOptions{}), x, p.recursion), checkpoints)
	if err != nil && p.err == nil {
		p.err = err
	}
	w.plan, p.aparts[v] = sub, w
	if p.err == nil {
		w.arms = newArms(sub, true, nil)
	}
}

// sameMemory groups the parameters of a function of its own that may be the same memory, as they may here.
func (p *plan) sameMemory(free, params []ir.Value) map[ref]ref {
	alias, first := map[ref]ref{}, map[ref]ref{}
	for i, x := range free {
		if p.g.Ctx.Info(p.g.Type(x)).Kind != ir.KindMemRef {
			continue
		}
		root := p.rootOf(x)
		if _, ok := first[root]; !ok {
			first[root] = ref{op: params[i]}
		}
		alias[ref{op: params[i]}] = first[root]
	}
	return alias
}

// free lists what the regions of an op take from outside, behind its operands if these are wanted.
func (p *plan) free(v ir.Value, operands bool) []ir.Value {
	var out []ir.Value
	use := func(x ir.Value) {
		if !slices.Contains(out, x) && !p.isInside(p.regionOfRef(refOf(p.g, x)), v) {
			out = append(out, x)
		}
	}
	var within func(w ir.Value)
	within = func(w ir.Value) {
		for _, x := range p.g.Args(w) {
			if w != v || operands {
				use(x)
			}
		}
		for _, r := range p.g.Regions(w) {
			for _, x := range p.s.Body(r) {
				within(x)
			}
		}
	}
	within(v)
	return out
}

// alone is a function of what a loop uses that gives what it gives. That of a while loop takes its number of rounds, too: it is
// one over as many rounds, and the last test.
func (p *plan) alone(n ir.Node, free []ir.Value) *ir.Graph {
	b := ir.NewBuilder(p.g.Ctx)
	outer := map[ir.Value]ir.Value{}
	for _, x := range free {
		outer[x] = b.Param(p.g.Type(x))
	}
	args := lists.Map(n.Args(), func(x ir.Node) ir.Value { return outer[x.Old()] })
	body := func(i int, x []ir.Value) []ir.Value { return ir.Insert(b, p.s, n.Region(i).Old(), outer, nil, x...) }
	if n.Def() == scf.While {
		last := b.Results(scf.BuildFor(b, b.Index(0), b.Param(ir.Index), b.Index(1), args, func(_ ir.Value, x []ir.Value) []ir.Value {
			return body(1, body(0, x)[1:])
		}))
		b.Op(funcs.Return, body(0, last)[1:]...)
		return b.Finish()
	}
	call := ir.Call{Def: n.Def(), Args: args, Attr: n.Attrs(), Type: n.Type(), Loc: b.Loc}
	for i := range n.NumRegions() {
		old := n.Region(i)
		call.Regions = append(call.Regions, b.Region(old.Kind(), old.ParamTypes(), func(x []ir.Value) {
			term, _ := old.Term()
			b.Must(ir.Call{Def: term.Def(), Args: body(i, x), Attr: term.Attrs(), Loc: b.Loc})
		}))
	}
	b.Op(funcs.Return, b.Results(b.Must(call))[:n.Graph().Results(n.Old())]...)
	return b.Finish()
}

// apart goes back through a loop by the function of its own.
func (f *frame) apart(n ir.Node, w *apart) {
	var more []ir.Value
	if n.Def() == scf.While {
		more = append(more, f.ran(n.Old()))
	}
	putBack := f.asBefore(n.Old(), w)
	seeds := lists.Map(f.results(n.Old()), func(r ref) ir.Value { return f.leaves(f.take(r), f.arms.clean(r), f.arms.top) })
	var params []int
	for i, v := range w.free {
		if f.active(v) {
			params = append(params, i)
		}
	}
	for i, z := range f.backThrough(n, w, more, seeds, params) {
		f.add(w.free[params[i]], z)
	}
	putBack()
}

// backThrough is the way back through a function of its own, of what is free and more: from the adjoints of what it gives, as far as
// there are some, to those of some parameters.
func (f *frame) backThrough(n ir.Node, w *apart, more, seeds []ir.Value, of []int) []ir.Value {
	x, params := newBack(w.plan, f.b, f.armsWithin(n, w)), w.g.Params(ir.Root)
	args := make([]ir.Value, len(w.free))
	for i, v := range w.free {
		if args[i] = f.value(v); f.activeMemory(v) {
			x.shadows[params[i]] = f.shadow(v)
		}
	}
	types := lists.Map(of, func(i int) ir.Type { return w.g.Type(params[i]) })
	_, adjoints := x.withStacks(append(args, more...), types, func() []ir.Value {
		root := x.root()
		for k, z := range seeds {
			root.add(w.g.Yields(ir.Root)[k], z)
		}
		root.sweep()
		return lists.Map(of, func(i int) ir.Value { return root.leavesAlone(x, i) })
	})
	return adjoints
}

// leavesAlone is the adjoint of a parameter of a function of its own, as it is around it.
func (f *frame) leavesAlone(x *back, param int) ir.Value {
	p := ref{op: x.g.Params(ir.Root)[param]}
	return f.leaves(f.take(p), x.arms.clean(p), x.arms.top)
}

// armsWithin are the arms of a loop apart as it is used here. In an arm that is not taken the adjoints of the results are zero, and must
// give zeros, and so are those of memory that is read in one.
func (f *frame) armsWithin(n ir.Node, w *apart) *arms {
	beyond := map[ir.Value]bool{}
	for i, x := range w.free {
		if f.activeMemory(x) && f.arms.beyond[f.rootOf(x).op] {
			beyond[w.root(ref{op: w.g.Params(ir.Root)[i]}).op] = true
		}
	}
	inArm := slices.ContainsFunc(f.results(n.Old()), func(r ref) bool { return f.arms.in[r] != nil && f.arms.in[r] != f.arms.top })
	if !inArm && len(beyond) == 0 {
		return w.arms
	}
	return newArms(w.plan, !inArm, beyond)
}
