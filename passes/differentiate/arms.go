package differentiate

import (
	"maps"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// arm is where a value is used alone, as far as adjoints go: an arm of a select, or of a branch. In a run that does not take it the
// adjoints of all values in it are of no account, whatever they are: the slopes by which they were multiplied may be infinite
// there. So what leaves an arm is zero if the arm is not taken. Arms are in one another.
type arm struct {
	kind   armKind
	op     ir.Value // the select or the branch
	which  int      // its operand, or its region
	zero   ref      // of kind zeroArm
	parent *arm     // nil of live alone
}

// An armKind says what an arm is of.
type armKind uint8

const (
	live      armKind = iota // it is used in all runs
	selectArm                // not taken where the select takes the other operand
	branchArm                // not taken where another region runs
	zeroArm                  // of a value with several uses, each in an arm: none is taken where its adjoint is zero
	someArm                  // in some arm: of another round of a loop, of a loop that may have none, or beyond memory
)

// arms says in which arm each value is.
type arms struct {
	*plan
	in      map[ref]*arm
	top     *arm // live
	some    *arm
	nodes   map[armKey]*arm
	zeros   map[ref]*arm
	edges   map[ref][]armEdge
	order   []ref                 // that have edges, the last ones of the function first
	guarded map[ir.Value]ir.Value // of products that a choice guards, the factor that is compared with 0
	beyond  map[ir.Value]bool     // ops and memory on which an arm of a select depends
}

// An armKey is what an arm is found by: the same one in another arm is another one.
type armKey struct {
	op     ir.Value
	which  int
	parent *arm
}

// An armEdge is a use that gives an adjoint back: by an op, as an operand of a select (1 or 2), by what a loop hands on, or by one
// of which the arm is fixed.
type armEdge struct {
	at      ir.Region // where it stands
	user    ref
	operand int
	loop    *loop
	slot    int
	fixed   *arm
}

// newArms finds the arms. Where nobody may ask for the results of the function, they are in some arm, and so is memory that
// is beyond because of what follows it.
func newArms(p *plan, asked bool, beyond map[ir.Value]bool) *arms {
	a := &arms{plan: p, in: map[ref]*arm{}, top: &arm{}, nodes: map[armKey]*arm{}, zeros: map[ref]*arm{}, edges: map[ref][]armEdge{}}
	a.some = &arm{kind: someArm, parent: a.top}
	a.beyond = p.masked(p.picked())
	maps.Copy(a.beyond, beyond)
	a.guarded = map[ir.Value]ir.Value{}
	for v := range p.s.All() {
		if a.guardsProduct(a.g.NodeOf(v)) {
			a.guarded[a.g.Args(v)[2]] = a.g.Args(a.g.Args(v)[0])[0]
		}
	}
	out := a.top
	if !asked {
		out = a.some
	}
	a.find(ir.Root, out)
	slices.Reverse(a.order)
	for rounds, changed := 0, true; changed; rounds++ {
		if changed = false; rounds > len(a.order)+10 {
			return a.apiece()
		}
		for _, x := range a.order {
			before, parent := a.in[x], (*arm)(nil)
			if before != nil {
				parent = before.parent
			}
			now := a.of(x)
			changed = changed || now != before || now != nil && now.parent != parent
			a.in[x] = now
		}
	}
	return a
}

// apiece gives each value an arm of its own, which is always right.
func (a *arms) apiece() *arms {
	for _, x := range a.order {
		a.in[x] = &arm{kind: zeroArm, zero: x, parent: a.top}
	}
	return a
}

// use notes a use of an active value.
func (a *arms) use(v ir.Value, e armEdge) {
	if !a.active(v) {
		return
	}
	r := refOf(a.g, v)
	if a.edges[r] == nil {
		a.order = append(a.order, r)
	}
	a.edges[r] = append(a.edges[r], e)
}

// find notes the uses in a region; out is the arm of what the function gives.
func (a *arms) find(r ir.Region, out *arm) {
	for _, v := range a.s.Body(r) {
		n := a.g.NodeOf(v)
		switch access, isAccess := ir.As[ir.AccessLike](n); {
		case a.isMapped(n):
			a.findMapped(r, n)
		case len(a.g.Regions(v)) > 0:
			a.findNested(n)
		case v == a.g.Term(r):
			if r == ir.Root {
				for _, y := range a.g.Args(v) {
					a.use(y, armEdge{at: r, fixed: out})
				}
			}
		case a.callee(n) != nil:
			for _, x := range a.g.Args(v) {
				a.use(x, armEdge{at: r, fixed: a.some})
			}
		case isAccess:
			for _, y := range access.Accesses {
				for _, x := range a.parts(n) {
					e := armEdge{at: r, fixed: a.top}
					if y.Writes {
						e.fixed = a.stored(a.rootOf(y.Memory))
					}
					a.use(x, e)
				}
			}
		default:
			for i, x := range a.g.Args(v) {
				a.use(x, a.edgeOf(r, v, i))
			}
		}
	}
}

// stored is the arm of what is written to memory.
func (a *arms) stored(memory ref) *arm {
	if a.beyond[memory.op] {
		return a.some
	}
	return a.top
}

// edgeOf is the use of an operand by an op without regions. A guarded product is no choice, and by its other factor it has the slope 0
// where the guard says so: what that is made of may be infinite there.
func (a *arms) edgeOf(r ir.Region, v ir.Value, operand int) armEdge {
	e := armEdge{at: r, user: ref{op: v}}
	switch zero, isGuarded := a.guarded[v]; {
	case isGuarded && a.g.Args(v)[operand] != zero:
		e.fixed = a.some
	case a.g.Def(v) == arith.Select && !a.guardsProduct(a.g.NodeOf(v)):
		e.operand = operand
	}
	return e
}

// findMapped notes the uses by an op whose region makes its elements. What it uses in an arm alone is in some arm here, too.
func (a *arms) findMapped(r ir.Region, n ir.Node) {
	w := a.mappings[n.Old()]
	if w == nil {
		return
	}
	for i, x := range a.g.Args(n.Old()) {
		if p := (ref{op: w.g.Params(ir.Root)[i]}); w.arms.in[p] == w.arms.top {
			a.use(x, armEdge{at: r, user: ref{op: n.Old()}})
		} else {
			a.use(x, armEdge{at: r, fixed: a.some})
		}
	}
}

// findNested notes the uses by an op with regions.
func (a *arms) findNested(n ir.Node) {
	v := n.Old()
	if w := a.aparts[v]; w != nil && w.steps != nil {
		for _, x := range slices.Concat(w.free, w.steps.Inits) {
			a.use(x, armEdge{at: a.regionOf(v), fixed: a.some})
		}
		return
	} else if w != nil {
		// What the loop uses in an arm alone is in some arm here, too.
		within, params := w.arms, w.g.Params(ir.Root)
		for i, x := range w.free {
			if within.in[ref{op: params[i]}] != within.top {
				a.use(x, armEdge{at: a.regionOf(v), fixed: a.some})
				continue
			}
			for _, r := range a.results(v) {
				a.use(x, armEdge{at: a.regionOf(v), user: r})
			}
			for memory := range w.written {
				if a.varied[memory] && a.useful[memory] {
					a.use(x, armEdge{at: a.regionOf(v), fixed: a.stored(memory)})
				}
			}
		}
		return
	}
	if a.whiles[v] != nil {
		a.findWhile(n)
		return
	}
	l, isLoop := ir.As[ir.LoopLike](n)
	for _, r := range a.g.Regions(v) {
		a.find(r, nil)
		for k, y := range a.g.Yields(r) {
			if isLoop && k < len(l.Carried) {
				a.use(y, armEdge{at: r, loop: a.loops[l.Body], slot: k})
			} else if !isLoop && k < a.g.Results(v) {
				a.use(y, armEdge{at: r, user: ref{v, k}})
			}
		}
	}
	for k, x := range l.Inits {
		a.use(x, armEdge{at: a.regionOf(v), loop: a.loops[l.Body], slot: k})
	}
}

// of is the arm of a value: that of all its uses, if they have one; its own if each has another one.
func (a *arms) of(x ref) *arm {
	var all *arm
	for _, e := range a.edges[x] {
		switch at := a.across(e, x); {
		case at == nil:
		case at == a.top:
			return at
		case all == nil:
			all = at
		default:
			all = common(all, at)
		}
	}
	// Uses in two arms: both may be taken, one, or none.
	if all == nil || all != a.top && a.isThere(all, a.regionOfRef(x)) {
		return all
	}
	z := a.zeros[x]
	if z == nil {
		z = &arm{kind: zeroArm, zero: x}
		a.zeros[x] = z
	}
	for z.parent = all; !a.isThere(z.parent, a.regionOfRef(x)); {
		z.parent = z.parent.parent
	}
	return z
}

// across is the arm of a use of a value, which may be in a branch that the value is not in.
func (a *arms) across(e armEdge, x ref) *arm {
	at := e.fixed
	switch {
	case at != nil:
	case e.loop != nil:
		at = a.handedOn(e.loop, e.slot)
	default:
		if at = a.in[e.user]; at != nil && e.operand > 0 {
			at = a.node(selectArm, e.user.op, e.operand, at)
		}
	}
	if at == nil {
		return nil
	}
	home := a.regionOfRef(x)
	for r := e.at; r != home && r != ir.Root; r = a.around(r) {
		if owner := a.g.Owner(r); a.isBranch(owner) && !at.has(owner) && a.isThere(at, a.regionOf(owner)) {
			at = a.node(branchArm, owner, slices.Index(a.g.Regions(owner), r), at)
		} else if l := a.loops[r]; l != nil && l.mayNotRun() || a.isWhile(r) {
			at = a.some
		}
	}
	return at
}

// mayNotRun reports a loop of which it is not known that it has a round.
func (l *loop) mayNotRun() bool {
	low, high := l.Lower[0], l.Upper[0]
	return low.Value != 0 || high.Value != 0 || low.Const > high.Const || low.Const == high.Const && !l.Inclusive
}

// isBranch reports an op of whose regions one runs.
func (a *arms) isBranch(v ir.Value) bool {
	_, ok := ir.As[ir.BranchLike](a.g.NodeOf(v))
	return ok
}

// has reports an arm of a branch, or one within.
func (x *arm) has(branch ir.Value) bool {
	for ; x != nil; x = x.parent {
		if x.kind == branchArm && x.op == branch {
			return true
		}
	}
	return false
}

// handedOn is the arm of what a loop hands on, from its first value to its last one: one that is known outside of the loop.
func (a *arms) handedOn(l *loop, k int) *arm {
	at := a.in[ref{l.n.Old(), k}]
	if carried := a.in[ref{op: l.Carried[k]}]; at == nil {
		at = carried
	} else if carried != nil {
		at = common(at, carried)
	}
	if at != nil && !a.isThere(at, a.regionOf(l.n.Old())) {
		return a.some
	}
	return at
}

// carried is the arm in which the adjoint that a loop carries is.
func (a *arms) carried(l *loop, k int) *arm {
	if at := a.handedOn(l, k); at != nil && at != a.some {
		return at
	}
	return a.top
}

// node is an arm in another one.
func (a *arms) node(kind armKind, op ir.Value, which int, parent *arm) *arm {
	k := armKey{op, which, parent}
	if a.nodes[k] == nil {
		a.nodes[k] = &arm{kind: kind, op: op, which: which, parent: parent}
	}
	return a.nodes[k]
}

// isThere reports an arm of which it can be said in a region whether it is taken.
func (a *arms) isThere(x *arm, r ir.Region) bool {
	var at ir.Region
	switch x.kind {
	case live:
		return true
	case someArm:
		return false
	case selectArm:
		if at = a.regionOf(x.op); a.g.Type(a.g.Args(x.op)[0]) != ir.I1 {
			return false
		}
	case branchArm:
		at = a.regionOf(x.op)
	case zeroArm:
		if at = a.regionOfRef(x.zero); !a.g.Ctx.IsFloat(x.zero.typeOf(a.g)) {
			return false
		}
	}
	for ; r != at; r = a.around(r) {
		if r == ir.Root {
			return false
		}
	}
	return true
}

// common is the innermost arm that two are in.
func common(x, y *arm) *arm {
	for above := y; ; above = above.parent {
		for z := x; z != nil; z = z.parent {
			if z == above {
				return z
			}
		}
	}
}

// clean is the arm of a value without the one that is dead where its adjoint is zero: of these it is zero.
func (a *arms) clean(x ref) *arm {
	at := a.in[x]
	if at != nil && at.kind == zeroArm && at.zero == x {
		return at.parent
	}
	return at
}

// leaves is an adjoint that leaves the arm from for the arm to, if from is taken: else zero.
func (f *frame) leaves(z ir.Value, from, to *arm) ir.Value {
	if z == 0 || from == nil || to == nil {
		return z
	}
	zero := arith.Zero(f.b, f.b.Graph().Type(z))
	// The innermost arm is left first.
	for end := common(from, to); from != end; from = from.parent {
		switch from.kind {
		case selectArm:
			x := []ir.Value{zero, zero, zero}
			x[from.which] = z
			z = arith.Choose(f.b, f.value(f.g.Args(from.op)[0]), x[1], x[2])
		case branchArm:
			z = f.masksBranch(z, zero, from)
		case zeroArm:
			if y := f.taken[from.zero]; y != 0 {
				z = arith.Choose(f.b, arith.CmpF(f.b, arith.OEQ, y, arith.Zero(f.b, f.b.Graph().Type(y))), zero, z)
			}
		}
	}
	return z
}

// masksBranch is z where a branch took a region, else zero.
func (f *frame) masksBranch(z, zero ir.Value, x *arm) ir.Value {
	l, _ := ir.As[ir.BranchLike](f.g.NodeOf(x.op))
	on := f.value(l.On)
	is := func(i int) ir.Value {
		if f.b.Graph().Type(on) == ir.I1 && l.Values[i] == 1 {
			return on
		}
		return f.b.OpAttr(arith.Cmpi, arith.PredicateI(f.b.Ctx(), arith.EQ), on, f.b.Const(f.b.Graph().Type(on), ir.Val{Bits: uint64(l.Values[i])}))
	}
	if x.which != l.Default {
		return arith.Choose(f.b, is(x.which), z, zero)
	}
	for i := range l.Values {
		if i != l.Default {
			z = arith.Choose(f.b, is(i), zero, z)
		}
	}
	return z
}
