package differentiate

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
	"github.com/irc-lang/irc/ir/lists"
)

// A function that calls itself records on a stack, since nobody knows before it runs how often it does. At the end of each
// region that the way back goes through, a block has what of the region is recorded; the frame of a call is the blocks of
// what it runs. The way back goes from the last op to the first, and from the last round of each loop: so it takes the
// blocks off in the order backwards.
//
// There is a stack for each type of floats, and one for all integers, which begins with the tops of all stacks. They have a
// chunk of elements each; where that is too short the function that makes the outermost call runs once more, with stacks as
// long as the first run has found that they must be.

// stack says which stacks there are.
type stack struct {
	kinds []ir.Type // of their elements: index first; none where nothing is recorded
}

// kindOf is the stack that has values of a type.
func (s *stack) kindOf(c *ir.Context, t ir.Type) int { return slices.Index(s.kinds, stackedAs(c, t)) }

// stackedAs is the type as which a stack has values of a type: integers as index, if that has room for them, and vectors of bits as those
// of bytes, since how bits lie in memory depends on the target.
func stackedAs(c *ir.Context, t ir.Type) ir.Type {
	switch info := c.Info(t); {
	case info.Kind == ir.KindInteger && c.ElemSize(t) <= 8:
		return ir.Index
	case info.Kind == ir.KindVector && info.Elem == ir.I1:
		return elementwise.WithElem(c, t, ir.I8)
	}
	return t
}

// stackAs is a value as a value of the type that its stack has, or back.
func (x *back) stackAs(v ir.Value, t ir.Type) ir.Value {
	c, from := x.b.Ctx(), x.b.Graph().Type(v)
	switch {
	case from == t || c.Info(t).Kind != ir.KindVector:
		return x.as(v, t)
	case c.Info(t).Elem == ir.I1:
		return arith.Cast(x.b, arith.Trunci, v, t)
	}
	return arith.Cast(x.b, arith.Extui, v, t)
}

// types are those of the stacks.
func (s *stack) types(c *ir.Context) []ir.Type {
	return lists.Map(s.kinds, func(t ir.Type) ir.Type { return c.MemRef([]int64{ir.Dynamic}, t) })
}

// stacker plans what is recorded on stacks.
type stacker struct{ *plan }

// block lists what is recorded in a region, and the while loops of which the number of rounds is, in an order for both runs.
func (p stacker) block(r ir.Region) (values []ref, loops []ir.Value) {
	if !p.isSwept(r) {
		return nil, nil
	}
	for _, x := range p.inOrder(r) {
		if p.hand[r][x] == recorded {
			values = append(values, x)
		}
	}
	for _, v := range p.s.Body(r) {
		if p.whiles[v] != nil {
			loops = append(loops, v)
		}
	}
	return values, loops
}

// isDecision reports what floats decide. It is never computed again where records, or those of calls, are on a stack: if floats that
// are computed again were rounded otherwise, the way back would take another way, on which there are other blocks.
func (p stacker) isDecision(v ir.Value) bool {
	return p.g.Results(v) == 1 && !isFloat(p.g.Ctx, p.g.Type(v)) &&
		slices.ContainsFunc(p.g.Args(v), func(x ir.Value) bool { return isFloat(p.g.Ctx, p.g.Type(x)) })
}

// isSwept reports a region that the way back goes through.
func (p stacker) isSwept(r ir.Region) bool {
	for ; r != ir.Root; r = p.around(r) {
		if !p.hasAdjoints(p.g.Owner(r)) {
			return false
		}
	}
	return true
}

// findStacks finds which stacks the functions that call themselves need.
func (r *recursion) findStacks() {
	r.stack.kinds = nil
	for _, x := range r.all {
		for _, region := range x.plan.allRegions() {
			values, loops := stacker{x.plan}.block(region)
			if len(values)+len(loops) > 0 && r.stack.kinds == nil {
				r.stack.kinds = []ir.Type{ir.Index}
			}
			for _, v := range values {
				if t := stackedAs(x.g.Ctx, v.typeOf(x.g)); !slices.Contains(r.stack.kinds, t) {
					r.stack.kinds = append(r.stack.kinds, t)
				}
			}
		}
	}
}

// top is where the next element of a stack goes.
func (x *back) top(kind int) ir.Value {
	return x.b.Op(memref.Load, x.stacks[0], x.b.Index(int64(kind)))
}

// moveTop has a stack end somewhere else.
func (x *back) moveTop(kind int, to ir.Value) {
	x.b.Op(memref.Store, to, x.stacks[0], x.b.Index(int64(kind)))
}

// push puts a block on the stacks: of values of a region that has come to its end. Of what does not fit only the length counts.
func (x *back) push(r ir.Region, now func(x ref) ir.Value) {
	refs, loops := stacker{x.plan}.block(r)
	c, kinds := x.b.Ctx(), &x.recursion.stack
	values := make([][]ir.Value, len(kinds.kinds))
	for _, v := range refs {
		k := kinds.kindOf(c, v.typeOf(x.g))
		values[k] = append(values[k], now(v))
	}
	for _, v := range loops {
		values[0] = append(values[0], x.rounded[v])
	}
	for k, vs := range values {
		if len(vs) == 0 {
			continue
		}
		top := x.top(k)
		next := arith.AddI(x.b, top, x.b.Index(int64(len(vs))))
		fits := arith.CmpI(x.b, arith.SLE, next, x.b.Op(memref.Dim, x.stacks[k], x.b.Index(0)))
		scf.BuildIf(x.b, fits, func() []ir.Value {
			for i, v := range vs {
				x.b.Op(memref.Store, x.stackAs(v, kinds.kinds[k]), x.stacks[k], arith.AddI(x.b, top, x.b.Index(int64(i))))
			}
			return nil
		}, nil)
		x.moveTop(k, next)
	}
}

// pop takes the block of a region off the stacks.
func (f *frame) pop() {
	refs, loops := stacker{f.plan}.block(f.region)
	c, kinds := f.b.Ctx(), &f.recursion.stack
	n := make([]int64, len(kinds.kinds))
	for _, v := range refs {
		n[kinds.kindOf(c, v.typeOf(f.g))]++
	}
	if len(loops) > 0 {
		n[0] += int64(len(loops))
	}
	tops := make([]ir.Value, len(n))
	for k := range n {
		if n[k] > 0 {
			tops[k] = arith.SubI(f.b, f.top(k), f.b.Index(n[k]))
			f.moveTop(k, tops[k])
		}
	}
	next := make([]int64, len(n))
	take := func(k int) ir.Value {
		at := arith.AddI(f.b, tops[k], f.b.Index(next[k]))
		next[k]++
		return f.b.Op(memref.Load, f.stacks[k], at)
	}
	for _, v := range refs {
		t := v.typeOf(f.g)
		f.at[v] = f.stackAs(take(kinds.kindOf(c, t)), t)
	}
	for _, v := range loops {
		f.rans[v] = take(0)
	}
}

// stackedRegion makes a region of an op again, and records what the plan says at its end.
func (x *back) stackedRegion(m *ir.Mirror, n ir.Node, i int, call ir.Call) ir.Region {
	old := n.Region(i)
	return m.RegionWith(old, old.Kind(), nil, func(now []ir.Value) {
		if !x.g.HasBlock(old.Old()) {
			return
		}
		x.b.Enter(call.Def, call.Attr, call.Args, i, now)
		ys := x.stackedBody(m, old, now)
		term, _ := old.Term()
		x.b.Must(ir.Call{Def: term.Def(), Args: ys, Attr: term.Attrs(), Loc: x.b.Loc})
	})
}

// stackedBody makes the ops of a region again, records, and returns what it yields.
func (x *back) stackedBody(m *ir.Mirror, old ir.Block, now []ir.Value) []ir.Value {
	ys := m.Body(old, now...)
	x.push(old.Old(), func(r ref) ir.Value {
		v := m.Of(x.g.NodeOf(r.op))
		if _, _, isParam := x.g.Param(r.op); isParam {
			return v
		}
		return x.b.Result(v, r.i)
	})
	return ys
}

// stackedOp makes an op with regions again.
func (x *back) stackedOp(m *ir.Mirror, n ir.Node) ir.Value {
	if !x.hasAdjoints(n.Old()) || !(stacker{x.plan}).isSwept(x.regionOf(n.Old())) {
		return m.Copy(n)
	}
	if x.whiles[n.Old()] != nil {
		return x.stackedWhile(m, n)
	}
	call := ir.Call{Def: n.Def(), Args: m.All(n.Args()), Attr: n.Attrs(), Type: n.Type(), Loc: x.b.Loc}
	for i := range n.NumRegions() {
		call.Regions = append(call.Regions, x.stackedRegion(m, n, i, call))
	}
	return x.b.Must(call)
}

// chunk is how many elements each stack has at first.
const chunk = 1 << 12

// withStacks runs the function, and then goes back through it: back gives adjoints, of the given types, 0 for those that are zero.
// Where the stacks prove too short it all begins anew, with stacks that are long enough, and memory as it was.
//
// The new run is that of the very same ops. Another copy of them, only to count, might be rounded otherwise and so come to another number.
func (x *back) withStacks(args []ir.Value, types []ir.Type, back func() []ir.Value) (results, adjoints []ir.Value) {
	b, kinds := x.b, x.recursion.kinds()
	if len(x.calls) == 0 || len(kinds) == 0 {
		results = x.run(args)
		return results, back()
	}
	var written, held []ir.Value
	of := writtenArgs(x.g, x.recursion)
	for i, p := range x.g.Params(ir.Root) {
		if of[p] {
			written, held = append(written, args[i]), append(held, copyOf(b, args[i]))
		}
	}
	first := lists.Map(kinds, func(ir.Type) ir.Value { return b.Index(chunk) })
	out := b.Results(scf.BuildWhile(b, first, func(lengths []ir.Value) (ir.Value, []ir.Value) {
		x.makeStacks(lengths)
		results := x.run(args)
		fits := b.Const(ir.I1, ir.Val{Bits: 1})
		needed := make([]ir.Value, len(kinds))
		for k, n := range lengths {
			top := x.top(k)
			fits = b.Op(arith.Andi, fits, arith.CmpI(b, arith.SLE, top, n))
			needed[k] = b.Op(arith.Maxsi, top, n)
		}
		out := b.Results(scf.BuildIf(b, fits, func() []ir.Value { return allOrZero(b, types, back()) }, func() []ir.Value {
			for i, m := range written {
				copyAll(b, held[i], m)
			}
			return allOrZero(b, types, make([]ir.Value, len(types)))
		}))
		tooShort := b.Op(arith.Xori, fits, b.Const(ir.I1, ir.Val{Bits: 1}))
		return tooShort, slices.Concat(needed, results, out)
	}, func(in []ir.Value) []ir.Value { return in[:len(kinds)] }))[len(kinds):]
	return out[:len(out)-len(types)], out[len(out)-len(types):]
}

// allOrZero are values, and a zero where there is none.
func allOrZero(b *ir.Builder, types []ir.Type, of []ir.Value) []ir.Value {
	out := slices.Clone(of)
	for i := range out {
		if out[i] == 0 {
			out[i] = arith.Zero(b, types[i])
		}
	}
	return out
}

// makeStacks allocates the stacks. On that of integers are the tops of all.
func (x *back) makeStacks(lengths []ir.Value) {
	kinds := x.recursion.kinds()
	x.stacks = nil
	for k, t := range x.recursion.stack.types(x.b.Ctx()) {
		x.stacks = append(x.stacks, memref.BuildOwned(x.b, t, 0, lengths[k]))
	}
	for k := range kinds {
		first := int64(0)
		if k == 0 {
			first = int64(len(kinds))
		}
		x.moveTop(k, x.b.Index(first))
	}
}

// kinds are the types of the elements of the stacks.
func (r *recursion) kinds() []ir.Type {
	if r == nil {
		return nil
	}
	return r.stack.kinds
}

// runsTwice refuses what cannot: a function that makes calls which record may run once more.
func (p caller) runsTwice() {
	graphs := map[*ir.Graph]*checked{p.g: p.checked}
	order := []*checked{p.checked}
	for i := 0; i < len(order); i++ {
		x := order[i]
		for v := range x.s.All() {
			x.runsAgain(v)
			if c := x.callee(x.g.NodeOf(v)); c != nil && graphs[c.g] == nil {
				graphs[c.g] = &checked{activity: &activity{g: c.g, s: c.s, recursion: p.recursion}, effects: c.g.Effects()}
				order = append(order, graphs[c.g])
			}
		}
		if x.err != nil && p.err == nil {
			p.err = x.err
		}
	}
}

// runsAgain refuses an op that cannot.
func (p *checked) runsAgain(v ir.Value) {
	const twice = "has no derivative: a function that makes recursive calls runs once more where their records are long, and it "
	n := p.g.NodeOf(v)
	isOwn := func(m ir.Value) bool {
		home, _, isParam := p.g.Param(p.whole(m))
		_, isNew := ir.As[ir.Allocation](p.g.NodeOf(p.whole(m)))
		return isNew || isParam && home == ir.Root
	}
	for _, e := range p.effects(v) {
		if e.Kind == ir.Free && slices.ContainsFunc(p.g.Args(v), func(m ir.Value) bool {
			_, isNew := ir.As[ir.Allocation](p.g.NodeOf(p.whole(m)))
			return !isNew
		}) {
			p.fail(v, twice+"frees memory that it did not allocate; free it where it is allocated")
		}
	}
	if derive.WhyNot(p.g.Ctx, n.Def()) == derive.Effect && !n.Def().Has(ir.Partial) {
		p.fail(v, twice+"prints; print what it gives instead")
	}
	l, _ := p.accesses(n)
	for _, a := range l.Accesses {
		if a.Writes && !isOwn(a.Memory) {
			p.fail(v, twice+"writes memory that is one of several, or is neither an argument nor allocated here; let it write to an argument")
		}
	}
}
