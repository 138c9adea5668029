package placement

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/device"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// A covering is a store to each element of a memory: dimension d is that of an index which runs from 0 by 1 up to upper[d]. Threads
// share the values of an index if a thread begins at its number in the grid along an axis and goes on by the size of the grid.
type covering struct {
	upper []ir.Bound
	axis  []int // of dimension d, or -1
}

// An index is one of the loops around an op.
type index struct {
	v     ir.Value
	upper ir.Bound
	axis  int
	sure  bool // it runs a round
}

// coverings finds the stores to a memory in a region that run in every round of loops around them.
func coverings(g *ir.Graph, s *ir.Schedule, r ir.Region, m ir.Value, around []index) (out []*covering) {
	var visit func(r ir.Region, around []index)
	visit = func(r ir.Region, around []index) {
		for _, v := range s.Body(r) {
			n := g.NodeOf(v)
			if l, ok := ir.As[ir.LoopLike](n); ok {
				if is := indicesOf(g, l); is != nil {
					visit(l.Body, append(slices.Clone(around), is...))
				}
			} else if list, ok := ir.As[ir.AccessLike](n); ok && n.NumRegions() == 0 {
				for _, a := range list.Accesses {
					if c := coveringOf(a, m, around); c != nil {
						out = append(out, c)
					}
				}
			}
		}
	}
	visit(r, around)
	return out
}

// coveringOf is a store as a covering: each loop around is one of its dimensions, or surely runs.
func coveringOf(a ir.Access, m ir.Value, around []index) *covering {
	if a.Memory != m || !a.Writes || len(a.Indices) == 0 || len(a.Extents) > 0 {
		return nil
	}
	for _, x := range around {
		// A loop that is no dimension repeats the store. It has to run at least once.
		if !x.sure && !slices.Contains(a.Indices, x.v) {
			return nil
		}
	}
	c := &covering{}
	for d, x := range a.Indices {
		i := slices.IndexFunc(around, func(at index) bool { return at.v == x })
		if i < 0 || slices.Contains(a.Indices[:d], x) {
			return nil
		}
		c.upper, c.axis = append(c.upper, around[i].upper), append(c.axis, around[i].axis)
	}
	return c
}

// indicesOf are the indices of a loop that run from 0 by 1, or are shared by threads; nil if one does not.
func indicesOf(g *ir.Graph, l ir.LoopLike) (out []index) {
	if l.Inclusive {
		return nil
	}
	for k, v := range l.Indices {
		axis := -1
		if !isNumber(g, l.Lower[k], 0) || !isNumber(g, l.Step[k], 1) {
			if axis = sharedAxis(g, l.Lower[k].Value, l.Step[k].Value); axis < 0 {
				return nil
			}
		}
		out = append(out, index{v, l.Upper[k], axis, axis < 0 && isPositive(g, l.Upper[k])})
	}
	return out
}

// isNumber reports a bound that is n, as a constant or by a value that is one.
func isNumber(g *ir.Graph, b ir.Bound, n int64) bool {
	if b.Value == 0 {
		return b.Const == n
	}
	x, ok := g.Const(b.Value)
	return ok && int64(x.Bits) == n
}

// isPositive reports a bound that is a positive constant, or a value that is one.
func isPositive(g *ir.Graph, b ir.Bound) bool {
	if b.Value == 0 {
		return b.Const > 0
	}
	x, ok := g.Const(b.Value)
	return ok && int64(x.Bits) > 0
}

// sharedAxis is the axis along which threads share the rounds from lower by step, or -1.
func sharedAxis(g *ir.Graph, lower, step ir.Value) int {
	if lower == 0 || step == 0 || g.Def(lower) != arith.Addi || g.Def(step) != arith.Muli {
		return -1
	}
	is := func(v ir.Value, def *ir.OpDef, axis int) bool {
		return g.Def(v) == def && device.Dimension(g.Ctx, g.Attr(v, "dimension")) == axis
	}
	pair := func(v ir.Value, f, h func(ir.Value) bool) bool {
		a := g.Args(v)
		return f(a[0]) && h(a[1]) || f(a[1]) && h(a[0])
	}
	for axis := range 3 {
		of := func(def *ir.OpDef) func(ir.Value) bool { return func(v ir.Value) bool { return is(v, def, axis) } }
		first := func(v ir.Value) bool {
			return g.Def(v) == arith.Muli && pair(v, of(device.BlockID), of(device.BlockDim))
		}
		if pair(lower, first, of(device.ThreadID)) && pair(step, of(device.GridDim), of(device.BlockDim)) {
			return axis
		}
	}
	return -1
}

// covers reports that a loop of the host writes all elements of a memory, if it runs a round.
func (f *function) covers(loop, m ir.Value) bool {
	l, ok := ir.As[ir.LoopLike](f.g.NodeOf(loop))
	if !ok {
		return false
	}
	around := indicesOf(f.g, l)
	for i := range around {
		around[i].sure = true
	}
	return around != nil && slices.ContainsFunc(coverings(f.g, f.s, l.Body, m, around), func(c *covering) bool { return f.isExtent(c, m) })
}

// isExtent reports a store of the host to all elements: each bound is the extent, and no threads share an
// index.
func (f *function) isExtent(c *covering, m ir.Value) bool {
	for d, u := range c.upper {
		if c.axis[d] >= 0 || !f.isDim(u, m, d) {
			return false
		}
	}
	return true
}

// isDim reports that a bound is an extent of a memory.
func (f *function) isDim(b ir.Bound, m ir.Value, d int) bool {
	shape := f.g.Ctx.Info(f.g.Type(m)).Shape
	if shape[d] != ir.Dynamic {
		return isNumber(f.g, b, shape[d])
	}
	return b.Value != 0 && (isDimOf(f.g, f.clamped(b.Value), m, d) || f.isSize(f.clamped(b.Value), m, d))
}

// isDimOf reports the memref.dim of dimension d.
func isDimOf(g *ir.Graph, v, m ir.Value, d int) bool {
	return g.Def(v) == memref.Dim && g.Args(v)[0] == m && isNumber(g, ir.Bound{Value: g.Args(v)[1]}, int64(d))
}

// isSize reports the operand that an allocation was given for an extent.
func (f *function) isSize(v, m ir.Value, d int) bool {
	if _, _, param := f.g.Param(m); param || !f.g.IsOp(m) || f.g.Def(m) != memref.Alloc {
		return false
	}
	open := 0
	for _, n := range f.g.Ctx.Info(f.g.Type(m)).Shape[:d] {
		if n == ir.Dynamic {
			open++
		}
	}
	return f.g.Args(m)[open] == v
}

// clamped is x of max(x, 0), which is x where it is an extent.
func (f *function) clamped(v ir.Value) ir.Value {
	g := f.g
	switch g.Def(v) {
	case arith.Maxsi:
		for i, a := range g.Args(v) {
			if isNumber(g, ir.Bound{Value: a}, 0) {
				return g.Args(v)[1-i]
			}
		}
	case arith.Select:
		a := g.Args(v)
		if isNumber(g, ir.Bound{Value: a[2]}, 0) && g.Def(a[0]) == arith.Cmpi && g.Args(a[0])[0] == a[1] && isNumber(g, ir.Bound{Value: g.Args(a[0])[1]}, 0) &&
			arith.PredicateOfI(g.Ctx, g.AttrsOf(a[0])) == arith.SGT {
			return a[1]
		}
	}
	return v
}

// overwrites reports that a launch writes all elements of its argument i.
func (k *kernel) overwrites(l launch, i int) bool {
	return slices.ContainsFunc(k.stores[i], func(c *covering) bool {
		for d, u := range c.upper {
			if !k.runsTo(l, u, i, d) || c.axis[d] >= 0 && !l.hasThreads(c.axis[d]) {
				return false
			}
		}
		for axis := range 3 {
			// Every thread along such an axis stores all of it, but there must be one.
			if !slices.Contains(c.axis, axis) && !l.hasThreads(axis) {
				return false
			}
		}
		return true
	})
}

// runsTo reports that a bound in a kernel is an extent of argument i.
func (k *kernel) runsTo(l launch, u ir.Bound, i, d int) bool {
	m := l.args[i]
	if u.Value == 0 {
		return l.f.isDim(u, m, d)
	}
	if x, ok := k.g.Const(u.Value); ok {
		return l.f.isDim(ir.Bound{Const: int64(x.Bits)}, m, d)
	}
	if isDimOf(k.g, u.Value, k.g.Params(ir.Root)[i], d) {
		return true
	}
	r, p, ok := k.g.Param(u.Value)
	return ok && r == ir.Root && l.f.isDim(ir.Bound{Value: l.args[p]}, m, d)
}

// hasThreads reports that a launch has blocks and threads along an axis, unless an argument of it is 0 that a block shares.
func (l launch) hasThreads(axis int) bool {
	g := l.f.g
	seg := g.Ctx.Ints(l.n.Attr("operandSegmentSizes"))
	all := g.Args(l.n.Old())
	positive := func(v ir.Value) bool { return isPositive(g, ir.Bound{Value: v}) }
	if int64(axis) < seg[1] && !positive(all[int(seg[0])+axis]) {
		return false
	}
	if int64(axis) >= seg[0] {
		return true
	}
	v := all[axis]
	if g.Def(v) == arith.Minui {
		for i, a := range g.Args(v) {
			if positive(a) {
				v = g.Args(v)[1-i]
				break
			}
		}
	}
	return positive(v) || g.Def(v) == arith.Ceildivui && positive(g.Args(v)[1]) && slices.Contains(l.args, g.Args(v)[0])
}
