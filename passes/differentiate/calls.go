package differentiate

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// A call of a function that calls itself stays a call: in the function's own run of one that records, on the way back of one that takes
// the records off, forward of one that has tangents beside values. Which arguments and results are active says which variant
// of these is called, and so does which arguments may be one memory: they then have one shadow.

// caller plans calls of functions that call themselves.
type caller struct{ *plan }

// called plans the way back through a call of a function that calls itself.
func (p caller) called(n ir.Node) {
	if !p.isActiveCall(n) {
		return
	}
	l, _ := p.accesses(n)
	if !p.knows(n, l) {
		return
	}
	p.calls[n.Old()] = p.variantOf(n)
	for _, x := range l.Accesses {
		if p.activeMemory(x.Memory) {
			p.wantShadow(x.Memory)
		}
	}
}

// hasCalls reports calls, in a region or deeper, that record on the stacks.
func (p caller) hasCalls(r ir.Region) bool {
	return slices.ContainsFunc(p.s.Body(r), func(v ir.Value) bool {
		return p.calls[v] != nil || slices.ContainsFunc(p.g.Regions(v), p.hasCalls)
	})
}

// recordingCall makes a call of a function that does the same, and records.
func (x *back) recordingCall(m *ir.Mirror, n ir.Node, to *variant) ir.Value {
	return funcs.CallTo(x.b, to.name, x.g.Ctx.Results(n.Type()), append(m.All(n.Args()), x.stacks...)...)
}

// called goes back through a call.
func (f *frame) called(n ir.Node, to *variant) {
	v := n.Old()
	var args []ir.Value
	for _, r := range pickedBy(f.results(v), to.results) {
		z := f.take(r)
		if z == 0 {
			z = arith.Zero(f.b, r.typeOf(f.g))
		}
		args = append(args, f.leaves(z, f.arms.clean(r), f.arms.top))
	}
	var floats []ir.Value
	for i, x := range f.g.Args(v) {
		switch {
		case !to.args[i]:
		case to.memory[i] >= 0:
			args = append(args, f.shadow(x))
		default:
			floats = append(floats, x)
		}
	}
	out := f.b.Results(funcs.CallTo(f.b, to.back, lists.Map(floats, f.g.Type), append(args, f.stacks...)...))
	for i, x := range floats {
		f.add(x, out[i])
	}
}

// plan plans the functions that are called, and those that these call.
func (r *recursion) plan() error {
	for i := 0; i < len(r.all); i++ {
		x := r.all[i]
		p := planWith(newActivity(x.g, x.s, x.ends(), r), choices{isStacked: true})
		if p.err != nil {
			return p.err
		}
		x.plan = p
	}
	r.findStacks()
	return nil
}

// build makes the functions of reverse mode.
func (r *recursion) build() {
	for _, x := range r.all {
		r.recording(x)
		r.backward(x)
	}
}

// recording makes the function that does what a variant does, and records on the stacks.
func (r *recursion) recording(v *variant) {
	c, g := r.module.Ctx, v.g
	in, stacks := lists.Map(g.Params(ir.Root), g.Type), r.stack.types(c)
	b, attr := r.define(v.name, append(in, stacks...), lists.Map(g.Yields(ir.Root), g.Type), len(in))
	args := b.Params(ir.Root)
	x := newBack(v.plan, b, nil)
	x.stacks = args[len(in):]
	results := x.run(args[:len(in)])
	x.push(ir.Root, func(r ref) ir.Value { return x.there[r] })
	v.made[v.name] = finished(b, attr, results)
}

// backward makes the way back of a variant. It may be called for an arm that is not taken, and then gives zeros.
func (r *recursion) backward(v *variant) {
	c, g := r.module.Ctx, v.g
	seeds, shadows, floats := pickedBy(g.Yields(ir.Root), v.results), v.shadows(), v.floats()
	in := lists.Map(slices.Concat(seeds, shadows), g.Type)
	b, attr := r.define(v.back, append(in, r.stack.types(c)...), lists.Map(floats, g.Type), len(in))
	args := b.Params(ir.Root)
	beyond := map[ir.Value]bool{}
	for _, p := range g.Params(ir.Root) {
		beyond[p] = true
	}
	x := newBack(v.plan, b, newArms(v.plan, false, beyond))
	x.stacks = args[len(in):]
	for i, p := range shadows {
		x.shadows[p] = args[len(seeds)+i]
	}
	root := x.root()
	for i, y := range seeds {
		root.add(y, args[i])
	}
	root.sweep()
	v.made[v.back] = finished(b, attr, lists.Map(floats, root.leave))
}

// called makes a call again, of a function that gives tangents, too.
func (f *forward) called(m *ir.Mirror, n ir.Node) ir.Value {
	l, _ := f.accesses(n)
	if !f.isActiveCall(n) || !f.knows(n, l) {
		return m.Copy(n)
	}
	v, to := n.Old(), f.variantOf(n)
	args := m.All(n.Args())
	for i, x := range f.g.Args(v) {
		switch {
		case !to.args[i]:
		case to.memory[i] >= 0:
			args = append(args, f.shadows[x])
		default:
			args = append(args, f.of(x))
		}
	}
	results := f.results(v)
	active := pickedBy(results, to.results)
	types := lists.Map(slices.Concat(results, active), func(r ref) ir.Type { return r.typeOf(f.g) })
	out := f.b.Results(funcs.CallTo(f.b, to.name, types, args...))
	for i, r := range active {
		f.tangents[r] = out[len(results)+i]
	}
	return f.b.Pack(out[:len(results)]...)
}

// tangents makes the functions of forward mode.
func (r *recursion) tangents() error {
	for i := 0; i < len(r.all); i++ {
		v := r.all[i]
		g := v.g
		params, moving := g.Params(ir.Root), pickedBy(g.Params(ir.Root), v.args)
		seeds := pickedBy(g.Yields(ir.Root), v.results)
		in := lists.Map(slices.Concat(params, moving), g.Type)
		b, attr := r.define(v.name, in, lists.Map(slices.Concat(g.Yields(ir.Root), seeds), g.Type), len(in))
		args := b.Params(ir.Root)
		x := newForward(newActivity(g, v.s, v.ends(), r), b, 1)
		for i, p := range moving {
			if x.isMemory(p) {
				x.shadows[p] = args[len(params)+i]
			} else {
				x.tangents[ref{op: p}] = args[len(params)+i]
			}
		}
		results := x.run(args[:len(params)])
		results = append(results, lists.Map(seeds, x.of)...)
		if x.err != nil {
			return x.err
		}
		v.made[v.name] = finished(b, attr, results)
	}
	return nil
}
