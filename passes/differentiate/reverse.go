package differentiate

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
	"github.com/irc-lang/irc/ir/lists"
)

// real is what licences sums and products of adjoints have: they are of real numbers, in any order.
const real = arith.Contract | arith.Nsz | arith.Reassoc

// back is the way back through a function that is being built: after a run of the function itself, whose values of its own
// region are in there.
type back struct {
	*plan
	b        *ir.Builder
	there    map[ref]ir.Value      // new values of the function's own region
	shadows  map[ir.Value]ir.Value // of memory, by old value
	tapes    map[ref]*tape
	copies   map[ir.Value][]*tape // of memory before each loop apart
	initials map[initial]ir.Value // copies of memory before nests
	ranTapes map[ir.Value]*tape   // of the numbers of rounds of while loops
	counts   map[*loop]*counted
	arms     *arms
	taken    map[ref]ir.Value      // adjoints of values that the way back has come to
	stacks   []ir.Value            // of what calls record, those of integers and of tops first
	rounded  map[ir.Value]ir.Value // of while loops that record on a stack, how often they ran
	left     map[*gather][]bool    // the givers whose adjoints the rounds leave
}

// newBack is the way back through a function by a plan.
func newBack(p *plan, b *ir.Builder, in *arms) *back {
	return &back{plan: p, b: b, there: map[ref]ir.Value{}, shadows: map[ir.Value]ir.Value{}, tapes: map[ref]*tape{}, copies: map[ir.Value][]*tape{}, ranTapes: map[ir.Value]*tape{}, initials: map[initial]ir.Value{}, counts: map[*loop]*counted{},
		arms: in, taken: map[ref]ir.Value{}, rounded: map[ir.Value]ir.Value{}, left: map[*gather][]bool{}}
}

// root is the way back through the function's own region, with shadows of what is not given any.
func (x *back) root() *frame {
	f := &frame{back: x, region: ir.Root, at: x.there, adj: map[ref]ir.Value{}, rans: map[ir.Value]ir.Value{}}
	f.have()
	f.startArgs()
	f.start(ir.Root)
	f.startGathers()
	return f
}

// frame is the way back through a region.
type frame struct {
	*back
	up     *frame
	region ir.Region
	at     map[ref]ir.Value      // what is at hand again
	adj    map[ref]ir.Value      // adjoints so far
	now    ir.Value              // of a loop's body: the number of the round, from 0
	rans   map[ir.Value]ir.Value // how often while loops ran that record on a stack
	zeros  []zeroed              // as late as may be: what adds a multiple of an element to others stands before, and need not be told of it
}

// value is a value of the function, where the way back is.
func (f *frame) value(v ir.Value) ir.Value { return f.valueOf(refOf(f.g, v)) }

// valueOf is value of a result or parameter.
func (f *frame) valueOf(r ref) ir.Value {
	home := f.regionOfRef(r)
	if home == ir.Root {
		return f.there[r]
	}
	x := f
	for x.region != home {
		x = x.up
	}
	return x.at[r]
}

// have puts at hand what the plan says.
func (f *frame) have() {
	if f.isStacked {
		f.pop()
	}
	for _, r := range f.inOrder(f.region) {
		switch f.hand[f.region][r] {
		case recorded:
			if f.isStacked {
				continue
			}
			t := f.tapes[r]
			f.at[r] = t.load(f.b, t.count.number(f.b, f.roundNow))
		case again:
			var args []ir.Value
			for _, x := range f.g.Args(r.op) {
				args = append(args, f.value(x))
			}
			if f.isMapped(f.g.NodeOf(r.op)) {
				f.at[r] = f.repeatMapped(f.g.NodeOf(r.op), args)
			} else {
				f.at[r] = f.repeat(r.op, args)
			}
		case stored:
			from := f.rereadOf(r)
			memory := f.there[ref{op: from.memory}]
			if from.initial {
				memory = f.initials[initial{from.memory, f.home[r.op]}]
			}
			f.at[r] = f.b.Op(memref.Load, append([]ir.Value{memory}, lists.Map(from.indices, f.value)...)...)
		}
	}
}

// roundNow is the number of the round of a loop in which the way back is.
func (f *frame) roundNow(l *loop) ir.Value {
	x := f
	for x.region != l.Body {
		x = x.up
	}
	return x.now
}

// add adds to the adjoint of a value, if it has one.
func (f *frame) add(v, z ir.Value) {
	r := refOf(f.g, v)
	if z == 0 || !f.active(v) {
		return
	}
	if old := f.adj[r]; old != 0 {
		z = arith.Float(f.b, arith.Addf, real, old, z)
	}
	f.adj[r] = z
}

// take is the adjoint of a value whose op the way back has come to, or 0.
func (f *frame) take(r ref) ir.Value {
	z := f.adj[r]
	delete(f.adj, r)
	f.taken[r] = z
	return z
}

// orZero is an adjoint that is there.
func (f *frame) orZero(r ref) ir.Value {
	if z := f.adj[r]; z != 0 {
		return z
	}
	return arith.Zero(f.b, r.typeOf(f.g))
}

// sweep goes back through the ops of the region.
func (f *frame) sweep() {
	body := f.s.Body(f.region)
	for i := len(body) - 1; i >= 0; i-- {
		v := body[i]
		n := f.g.NodeOf(v)
		if v == f.g.Term(f.region) {
			continue
		}
		if l := f.g.LocsOf(v); len(l) > 0 {
			f.b.Loc = l[0]
		}
		switch access, isAccess := ir.As[ir.AccessLike](n); {
		case f.isMapped(n):
			f.mapped(n)
		case len(f.g.Regions(v)) > 0:
			f.zero(always)
			f.nested(n)
		case f.callee(n) != nil:
			if to := f.calls[v]; to != nil {
				f.zero(always)
				f.called(n, to)
			}
		case isAccess:
			f.access(n, access)
		default:
			f.ruled(n)
		}
	}
	f.zero(always)
}

// ruled goes back through an op with a rule.
func (f *frame) ruled(n ir.Node) {
	v := n.Old()
	if f.g.Results(v) != 1 || f.inUpdate[v] {
		return
	}
	z := f.take(ref{op: v})
	rule := f.rowOf(n)
	if z == 0 || rule == nil {
		return
	}
	o := derive.NewOp(f.b, n.Attrs(), n.Type(), asked{f, n})
	from := f.arms.in[ref{op: v}]
	if rule.Transpose != nil {
		for i, x := range rule.Transpose(o, z) {
			f.give(f.g.Args(v)[i], x, f.arms.clean(ref{op: v}))
		}
		return
	}
	for i, partial := range rule.Partials {
		x := f.g.Args(v)[i]
		if partial == nil || !f.active(x) {
			continue
		}
		d, from := partial(o), from
		if c, ok := f.b.Graph().Const(d); ok && c.Ref == nil && !math.IsInf(c.Float(f.b.Graph().Type(d)), 0) {
			from = f.arms.clean(ref{op: v})
		}
		f.give(x, arith.Float(f.b, arith.Mulf, real, z, d), from)
	}
}

// give adds to the adjoint of a value what comes from an arm.
func (f *frame) give(x, z ir.Value, from *arm) {
	f.add(x, f.leaves(z, from, f.arms.in[refOf(f.g, x)]))
}

// asked gives a rule what it asks for.
type asked struct {
	f *frame
	n ir.Node
}

func (a asked) Operand(i int) ir.Value    { return a.f.value(a.n.Arg(i).Old()) }
func (a asked) OperandType(i int) ir.Type { return a.n.Arg(i).Type() }
func (a asked) Result() ir.Value          { return a.f.value(a.n.Old()) }
func (a asked) Active(i int) bool         { return a.f.active(a.n.Arg(i).Old()) }

// Guarded: an adjoint that is zero in an arm that is not taken.
func (a asked) Guarded() bool {
	at := a.f.arms.in[ref{op: a.n.Old()}]
	return at != nil && at != a.f.arms.top
}

// access goes back through reads and writes of elements, or through a copy of memory.
func (f *frame) access(n ir.Node, l ir.AccessLike) {
	if len(l.Accesses) == 2 {
		f.zero(always)
		f.copied(l.Accesses[0].Memory, l.Accesses[1].Memory)
		return
	}
	for _, x := range l.Accesses {
		if !f.activeMemory(x.Memory) || f.inUpdate[n.Old()] {
			f.take(ref{op: n.Old()})
			continue
		}
		if w := f.waits[n.Old()]; w != nil {
			f.deliver(w)
			continue
		}
		f.zero(func(memory ref) bool { return memory == f.rootOf(x.Memory) })
		if rule := f.partRule(n, l); rule != nil {
			f.part(n, rule, x.Memory)
			continue
		}
		at := []ir.Value{f.shadow(x.Memory)}
		for _, i := range x.Indices {
			at = append(at, f.value(i))
		}
		if u := f.updates[n.Old()]; u != nil {
			f.update(u, f.b.Op(memref.Load, at...))
		} else if x.Writes {
			z := f.b.Op(memref.Load, at...)
			f.zeros = append(f.zeros, zeroed{f.rootOf(x.Memory), at})
			f.add(x.Stored, z)
		} else if z := f.leaves(f.take(ref{op: n.Old()}), f.arms.clean(ref{op: n.Old()}), f.arms.top); z != 0 {
			f.addTo(at, z)
		}
	}
}

// nested goes back through an op with regions.
func (f *frame) nested(n ir.Node) {
	if !f.hasAdjoints(n.Old()) {
		return
	}
	if b, ok := ir.As[ir.BranchLike](n); ok {
		f.branch(n, b)
		return
	}
	if w := f.whiles[n.Old()]; w != nil {
		f.while(n, w)
		return
	}
	if w := f.aparts[n.Old()]; w != nil && w.steps != nil {
		f.stepped(n, w)
		return
	} else if w != nil {
		f.apart(n, w)
		return
	}
	l, _ := ir.As[ir.LoopLike](n)
	f.loop(f.loops[l.Body])
}

// inner is the way back through a region of an op, with the adjoints so far of what it takes from outside.
func (f *frame) inner(r ir.Region, outside []ref, so []ir.Value) *frame {
	in := &frame{back: f.back, up: f, region: r, at: map[ref]ir.Value{}, adj: map[ref]ir.Value{}, rans: map[ir.Value]ir.Value{}}
	for i, c := range outside {
		in.adj[c] = so[i]
	}
	return in
}

// leave is the adjoint of a parameter of the function at the end of the way back.
func (f *frame) leave(param ir.Value) ir.Value {
	r := ref{op: param}
	return f.leaves(f.orZero(r), f.arms.clean(r), f.arms.top)
}

// adjoints are those of values, as they are now.
func (f *frame) adjoints(of []ref) []ir.Value {
	out := make([]ir.Value, len(of))
	for i, r := range of {
		out[i] = f.orZero(r)
	}
	return out
}

// loop goes back through the rounds, the last one first, or in the order of the function where that makes no difference.
func (f *frame) loop(l *loop) {
	v, outside := l.n.Old(), f.captured[l.n.Old()]
	var inits []ir.Value
	for _, k := range l.carries {
		z := f.take(ref{v, k})
		if z == 0 {
			z = arith.Zero(f.b, ref{v, k}.typeOf(f.g))
		}
		inits = append(inits, f.leaves(z, f.arms.clean(ref{v, k}), f.arms.carried(l, k)))
	}
	inits = append(inits, f.adjoints(outside)...)
	rounds, index := f.rounds(l, f.value)
	zero, step := f.b.Index(0), f.b.Index(1)
	res := f.b.Results(scf.BuildFor(f.b, zero, rounds, step, inits, func(k ir.Value, carried []ir.Value) []ir.Value {
		in := f.inner(l.Body, outside, carried[len(l.carries):])
		in.now = k
		if !f.isInAnyOrder(l) {
			in.now = arith.SubI(f.b, arith.SubI(f.b, rounds, step), k)
		}
		in.at[ref{op: l.Indices[0]}] = index(in.now)
		in.have()
		in.start(l.Body)
		for i, k := range l.carries {
			in.give(f.g.Yields(l.Body)[k], carried[i], f.arms.carried(l, k))
		}
		in.sweep()
		var out []ir.Value
		for _, k := range l.carries {
			r := ref{op: l.Carried[k]}
			out = append(out, in.leaves(in.orZero(r), f.arms.clean(r), f.arms.carried(l, k)))
		}
		return append(out, in.adjoints(outside)...)
	}))
	f.gather(l)
	for i, c := range outside {
		f.adj[c] = res[len(l.carries)+i]
	}
	for i, k := range l.carries {
		f.give(l.Inits[k], res[i], f.arms.carried(l, k))
	}
}

// isInAnyOrder reports a loop whose rounds have adjoints that need none of each other's: what it carries is added
// to, and it writes nothing that has one.
func (f *frame) isInAnyOrder(l *loop) bool {
	if f.isStacked || (caller{f.plan}).hasCalls(l.Body) {
		return false // records are taken off a stack
	}
	for _, k := range l.carries {
		if !f.isSum(l, k) {
			return false
		}
	}
	return !f.writesActive(l.Body) || f.isIndependent(l)
}

// isSum reports that a round adds to a carried value, in loops within too, and nothing asks for that value or what it becomes:
// so the adjoint of what is carried is the same in all rounds.
func (f *frame) isSum(l *loop, k int) bool {
	for x, end := l.Carried[k], f.g.Yields(l.Body)[k]; ; {
		users := f.uses.Of(x)
		if len(users) != 1 {
			return false
		}
		next := users[0]
		if x == end {
			return next == f.g.Term(l.Body)
		}
		args, def := f.g.Args(next), f.g.Def(next)
		switch {
		case def == arith.Addf && args[0] != args[1] || def == arith.Subf && args[0] == x && args[1] != x:
			x = next
		default:
			if x = f.throughLoop(next, x); x == 0 {
				return false
			}
		}
	}
}

// throughLoop is the result of a loop that only adds to a value that it begins with, or 0.
func (f *frame) throughLoop(v, x ir.Value) ir.Value {
	like, ok := ir.As[ir.LoopLike](f.g.NodeOf(v))
	if !ok || f.loops[like.Body] == nil {
		return 0
	}
	k := slices.Index(like.Inits, x)
	if k < 0 || !f.isSum(f.loops[like.Body], k) {
		return 0
	}
	if f.g.Results(v) == 1 {
		return v
	}
	for _, user := range f.uses.Of(v) {
		for _, a := range f.g.Args(user) {
			if n, i, ok := f.g.Projection(a); ok && n == v && i == k {
				return a
			}
		}
	}
	return 0
}

// writesActive reports a write, in the region of a loop or deeper, to memory from outside of it that has adjoints. An update
// writes nothing on the way back: it counts where something else reads the memory, whose adjoint is added to.
func (f *frame) writesActive(r ir.Region) bool {
	for _, v := range f.s.Body(r) {
		if access, ok := f.accesses(f.g.NodeOf(v)); ok {
			for _, x := range access.Accesses {
				root := f.rootOf(x.Memory)
				isUpdate := f.updates[v] != nil && !f.isReadIn(f.g.Owner(r), root)
				if x.Writes && f.activeMemory(x.Memory) && !isUpdate && !f.isInside(f.regionOfRef(root), f.g.Owner(r)) {
					return true
				}
			}
		}
		if slices.ContainsFunc(f.g.Regions(v), f.writesActive) {
			return true
		}
	}
	return false
}

// start makes shadows of what the region allocates.
func (f *frame) start(r ir.Region) {
	for _, v := range f.s.Body(r) {
		if a, ok := ir.As[ir.Allocation](f.g.NodeOf(v)); ok && f.activeMemory(v) {
			f.allocate(v, a)
		}
	}
}
