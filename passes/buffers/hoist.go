package buffers

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// leaves reports that an allocation of a region may be made before the loop whose round the
// region is: the rounds run one after the other, and all have its sizes.
func (u *sharing) leaves(r ir.Region, v ir.Value) (loop ir.Value, ok bool) {
	g := u.a.body.g
	if r == ir.Root {
		return 0, false
	}
	loop = g.Owner(r)
	l, ok := ir.As[ir.LoopLike](g.NodeOf(loop))
	if !ok || l.Parallel || l.Body != r || len(l.Indices) != 1 || len(g.Regions(loop)) != 1 || l.Lower[0].Value == 0 || l.Upper[0].Value == 0 {
		return 0, false
	}
	for _, x := range g.Args(v) {
		n, _, _ := g.Projection(x)
		in := u.a.body.s.Place(n)
		if p, _, ok := g.Param(n); ok {
			in = p
		}
		// A size that the round computes, or one of its parameters, is not there before the loop.
		if in == r {
			return 0, false
		}
	}
	return loop, true
}

// rebuild makes an allocation the one whose memory it has, and a loop behind what is
// allocated before it.
func (u *sharing) rebuild(m *ir.Mirror, n ir.Node) ir.Value {
	v := n.Old()
	if root := u.is[v]; root != 0 {
		return m.Of(u.a.body.g.NodeOf(root))
	}
	// The rule of a loop makes its allocations before it. Their own rule, inside of the loop, finds them
	// here.
	made := m.Once(u, func() any { return map[ir.Value]ir.Value{} }).(map[ir.Value]ir.Value)
	if w := made[v]; w != 0 {
		return w
	}
	allocs := u.out[v]
	if len(allocs) == 0 {
		return 0
	}
	for _, alloc := range allocs {
		made[alloc] = u.allocate(m, n, u.a.body.g.NodeOf(alloc))
	}
	return m.Copy(n)
}

// allocate makes an allocation before a loop. One whose size may be negative, which would
// trap in a round if there is one, is made of size zero there: it must not trap where there
// is none, or before a round does something else.
func (u *sharing) allocate(m *ir.Mirror, loop, alloc ir.Node) ir.Value {
	g := u.a.body.g
	l, _ := ir.As[ir.LoopLike](loop)
	call := ir.Call{Def: alloc.Def(), Attr: alloc.Attrs(), Type: alloc.Type()}
	for _, x := range alloc.Args() {
		size := m.Of(x)
		if !u.known.Within(x.Old(), 0, math.MaxInt64) {
			zero := m.B.Index(0)
			runs := arith.CmpI(m.B, arith.SLT, m.Of(g.NodeOf(l.Lower[0].Value)), m.Of(g.NodeOf(l.Upper[0].Value)))
			size = m.Op(arith.Maxsi, m.Op(arith.Select, runs, size, zero), zero)
		}
		call.Args = append(call.Args, size)
	}
	return m.B.Must(call)
}

// inPlace reports that a loop which is the last to read one allocation and the first to touch
// another may write the second over the first: a round reads no element that it, or a round
// before it, has written. The rounds run upward, each reads at its index or further on, and
// writes at its index, behind all that it reads there, or at a place that has not advanced
// as far (see lags). Or all that is done is done at one place, another one in each round of all loops.
func (u *sharing) inPlace(from, to, loop ir.Value) bool {
	g := u.a.body.g
	l, ok := ir.As[ir.LoopLike](g.NodeOf(loop))
	if !ok || len(g.Regions(loop)) != 1 {
		return false
	}
	if u.pointwise(from, to, loop) {
		return true
	}
	if l.Reverse || len(l.Indices) != 1 {
		return false
	}
	order := map[ir.Value]int{}
	u.number(l.Body, order)
	reads, ok := u.accesses(from, loop, order)
	if !ok || len(reads) == 0 {
		return false
	}
	writes, ok := u.accesses(to, loop, order)
	if !ok || len(writes) == 0 {
		return false
	}
	for _, w := range writes {
		if w.reads || w.at != l.Indices[0] && (l.Parallel || !u.lags(loop, l, w.at)) {
			return false
		}
		for _, r := range reads {
			if r.writes || r.order >= w.order || r.at != l.Indices[0] && (l.Parallel || !u.later(r.at, l.Indices[0])) {
				return false
			}
		}
	}
	return true
}

// number gives the ops of a round that run in order their place in it: those of branches
// too, but not those of loops.
func (u *sharing) number(r ir.Region, order map[ir.Value]int) {
	for _, v := range u.a.body.s.Body(r) {
		order[v] = len(order) + 1
		for _, in := range u.a.body.g.Regions(v) {
			if k := u.a.body.g.KindOf(in); k == ir.Once || k == ir.Branch {
				u.number(in, order)
			}
		}
	}
}

// touch is an access to an element in a loop.
type touch struct {
	at            ir.Value
	order         int
	reads, writes bool
}

// accesses lists what a loop does with an allocation; false if that is more than to load and
// store elements by one index, in the order of a round.
func (u *sharing) accesses(v, loop ir.Value, order map[ir.Value]int) (out []touch, ok bool) {
	list, ok := u.elements(v, loop)
	for _, e := range list {
		if len(e.Indices) != 1 || order[e.op] == 0 {
			return nil, false
		}
		out = append(out, touch{e.Indices[0], order[e.op], e.Reads, e.Writes})
	}
	return out, ok
}

// whole reports a value that is all of an allocation.
func (u *sharing) whole(k key, alloc ir.Value) bool {
	v := k.node
	for v != alloc {
		view, ok := ir.As[ir.ViewLike](u.a.body.g.NodeOf(v))
		if !ok || !view.Whole {
			return false
		}
		v, _, _ = u.a.body.g.Projection(view.Source)
	}
	return true
}

// later reports an index that is further on than that of the round, unless it is none: a sum
// that overflows is negative.
func (u *sharing) later(v, index ir.Value) bool {
	l := u.known.Certain().Linear(v).Plus(^uint64(0), u.known.Certain().Linear(index))
	return len(l.Terms) == 0 && l.Int(l.Const) >= 0
}

// lags reports a place that a loop carries, begins no further on than the loop and advances
// by at most one a round: what a filter writes to.
func (u *sharing) lags(loop ir.Value, l ir.LoopLike, v ir.Value) bool {
	g := u.a.body.g
	k := slices.Index(l.Carried, v)
	ys := g.Yields(l.Body)
	if k < 0 || len(ys) != len(l.Carried) || len(l.Inits) != len(ys) || l.Lower[0].Value == 0 {
		return false
	}
	// The place starts at most at the lower bound, and a round adds at most 1: it never passes the index.
	init, lower := l.Inits[k], l.Lower[0].Value
	x, y := u.known.Number(init), u.known.Number(lower)
	return (init == lower || x.Width > 0 && x.High <= y.Low) && u.advances(ys[k], v, 8)
}

// advances reports a value that is another, or one more.
func (u *sharing) advances(y, v ir.Value, depth int) bool {
	g := u.a.body.g
	n, i, _ := g.Projection(y)
	switch {
	case depth == 0:
		return false
	case y == v:
		return true
	// Both choices may advance the place or leave it, so both are followed.
	case g.Def(y) == arith.Select:
		return u.advances(g.Args(y)[1], v, depth-1) && u.advances(g.Args(y)[2], v, depth-1)
	}
	if _, ok := ir.As[ir.BranchLike](g.NodeOf(n)); ok && n != 0 && len(g.Regions(n)) > 0 {
		for _, r := range g.Regions(n) {
			if ys := g.Yields(r); i >= len(ys) || !u.advances(ys[i], v, depth-1) {
				return false
			}
		}
		return true
	}
	d := u.known.Certain().Linear(y).Plus(^uint64(0), u.known.Certain().Linear(v))
	return len(d.Terms) == 0 && (d.Int(d.Const) == 1 || d.Int(d.Const) == 0)
}
