package differentiate

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// A values gives the new value that an old one has where something is built.
type values func(old ir.Value) ir.Value

// counted numbers the rounds of a loop, in all rounds of the loops around it, in the order in which they run.
//
// The number of a round is where a tape has its value: so a tape is as long as there are rounds, however the bounds
// change, and no round needs to know of another one. Parallel loops may write their tapes in any order.
type counted struct {
	l      *loop
	parent *counted // of the loop around it, or nil
	n      ir.Value // how often it runs, if that is always the same
	base   ir.Value // else memory of the number of its first round, by the number of the parent's
	size   ir.Value // how many numbers there are
}

// number is that of a round, where round gives that of each loop in the loop itself.
func (c *counted) number(b *ir.Builder, round func(l *loop) ir.Value) ir.Value {
	switch k := (ir.Value)(0); {
	case c == nil:
		return b.Index(0)
	default:
		if k = round(c.l); c.parent == nil {
			return k
		}
		p := c.parent.number(b, round)
		if c.base != 0 {
			return arith.AddI(b, b.Op(memref.Load, c.base, p), k)
		}
		return arith.AddI(b, arith.MulI(b, p, c.n), k)
	}
}

// loopsAround lists the loops around a region, outermost first.
func (p *plan) loopsAround(r ir.Region) (out []*loop) {
	for ; r != ir.Root; r = p.around(r) {
		if l := p.loops[r]; l != nil {
			out = append([]*loop{l}, out...)
		}
	}
	return out
}

// uncounted is the outermost of the loops around a region of which it is not known before them all how often it runs: its
// bounds are not computed from what is there, and from the indices of the loops around. It is nil if there is none.
func (p *plan) uncounted(r ir.Region) *loop {
	for _, l := range p.loopsAround(r) {
		for _, x := range []ir.Bound{l.Lower[0], l.Upper[0], l.Step[0]} {
			if x.Value != 0 && !p.isAhead(refOf(p.g, x.Value)) {
				return l
			}
		}
	}
	return nil
}

// isAhead reports a value that can be computed before the loops in which it stands, for each of their rounds.
func (p *plan) isAhead(r ref) bool {
	home := p.regionOfRef(r)
	if home == ir.Root {
		return true
	}
	if _, _, ok := p.g.Param(r.op); ok {
		l := p.loops[home]
		return l != nil && l.Indices[0] == r.op
	}
	if !p.isRepeatable(r.op) || p.isGuarded(r.op) {
		return false
	}
	for _, x := range p.g.Args(r.op) {
		if !p.isAhead(refOf(p.g, x)) {
			return false
		}
	}
	return true
}

// isGuarded reports an op that may be undefined where it is not run, in a branch.
func (p *plan) isGuarded(v ir.Value) bool {
	_, reads := ir.As[ir.AccessLike](p.g.NodeOf(v))
	if !reads && !p.g.IsPartial(v) {
		return false
	}
	for r := p.regionOf(v); r != ir.Root; r = p.around(r) {
		if p.loops[r] == nil {
			return true
		}
	}
	return false
}

// count numbers the rounds of the innermost of the loops around a region, before all of them.
func (x *back) count(r ir.Region) *counted {
	var c *counted
	for _, l := range x.loopsAround(r) {
		if x.counts[l] == nil {
			x.counts[l] = x.countIn(l, c)
		}
		c = x.counts[l]
	}
	return c
}

// countIn numbers the rounds of a loop in those of the loop around it: by a product where it always runs as often, else
// by a table of where each round of the outer loop begins.
func (x *back) countIn(l *loop, parent *counted) *counted {
	c := &counted{l: l, parent: parent}
	if parent == nil {
		c.n, _ = x.rounds(l, x.ahead(nil))
		c.size = c.n
		return c
	}
	if x.isFixed(l) {
		c.n, _ = x.rounds(l, x.ahead(nil))
		c.size = arith.MulI(x.b, parent.size, c.n)
		return c
	}
	c.base = memref.BuildOwned(x.b, x.b.Ctx().MemRef([]int64{ir.Dynamic}, ir.Index), 0, parent.size)
	var around []*loop
	for p := parent; p != nil; p = p.parent {
		around = append([]*loop{p.l}, around...)
	}
	c.size = x.fill(c, around, map[ref]ir.Value{}, []ir.Value{x.b.Index(0), x.b.Index(0)})[1]
	return c
}

// isFixed reports a loop with bounds that no loop around it changes.
func (p *plan) isFixed(l *loop) bool {
	return !slices.ContainsFunc([]ir.Bound{l.Lower[0], l.Upper[0], l.Step[0]}, func(b ir.Bound) bool {
		return b.Value != 0 && !p.isSame(refOf(p.g, b.Value))
	})
}

// isSame reports a value that can be computed before all loops, and is the same in all rounds.
func (p *plan) isSame(r ref) bool {
	if p.regionOfRef(r) == ir.Root {
		return true
	}
	if _, _, ok := p.g.Param(r.op); ok || !p.isAhead(r) {
		return false
	}
	return !slices.ContainsFunc(p.g.Args(r.op), func(v ir.Value) bool { return !p.isSame(refOf(p.g, v)) })
}

// fill runs the loops around a counted one and writes its base; so is the number of the parent's round and the
// number of rounds so far.
func (x *back) fill(c *counted, around []*loop, indices map[ref]ir.Value, so []ir.Value) []ir.Value {
	if len(around) == 0 {
		x.b.Op(memref.Store, so[1], c.base, so[0])
		n, _ := x.rounds(c.l, x.ahead(indices))
		return []ir.Value{arith.AddI(x.b, so[0], x.b.Index(1)), arith.AddI(x.b, so[1], n)}
	}
	l := around[0]
	n, index := x.rounds(l, x.ahead(indices))
	return x.b.Results(scf.BuildFor(x.b, x.b.Index(0), n, x.b.Index(1), so, func(k ir.Value, so []ir.Value) []ir.Value {
		indices[ref{op: l.Indices[0]}] = index(k)
		return x.fill(c, around[1:], indices, so)
	}))
}

// ahead gives values before the loops, in rounds with some indices.
func (x *back) ahead(indices map[ref]ir.Value) values {
	var of values
	of = func(v ir.Value) ir.Value {
		r := refOf(x.g, v)
		if w := indices[r]; w != 0 {
			return w
		}
		if x.regionOfRef(r) == ir.Root {
			return x.there[r]
		}
		var args []ir.Value
		for _, a := range x.g.Args(v) {
			args = append(args, of(a))
		}
		return x.repeat(v, args)
	}
	return of
}

// repeat does an op again, of other operands. Memory is allocated as the way back's own.
func (x *back) repeat(v ir.Value, args []ir.Value) ir.Value {
	n := x.g.NodeOf(v)
	if _, isNew := ir.As[ir.Allocation](n); isNew {
		return memref.BuildOwned(x.b, n.Type(), 0, args...)
	}
	return x.b.Must(ir.Call{Def: n.Def(), Args: args, Attr: n.Attrs(), Type: n.Type(), Loc: x.b.Loc})
}

// bounds are the lower bound, the upper one and the step of a loop.
func (x *back) bounds(l *loop, now values) [3]ir.Value {
	bound := func(b ir.Bound) ir.Value {
		if b.Value != 0 {
			return now(b.Value)
		}
		return x.b.Const(x.g.Type(l.Indices[0]), ir.Val{Bits: uint64(b.Const)})
	}
	return [3]ir.Value{bound(l.Lower[0]), bound(l.Upper[0]), bound(l.Step[0])}
}

// rounds is how often a loop runs, and what its index is in a round, from 0.
func (x *back) rounds(l *loop, now values) (n ir.Value, at func(round ir.Value) ir.Value) {
	t, b := x.g.Type(l.Indices[0]), x.bounds(l, now)
	length := arith.SubI(x.b, b[1], b[0])
	if l.Inclusive {
		length = arith.AddI(x.b, length, x.b.Const(t, ir.Val{Bits: 1}))
	}
	length = x.b.Op(arith.Maxsi, length, x.b.Const(t, ir.Val{}))
	n = x.as(x.b.Op(arith.Ceildivsi, length, b[2]), ir.Index)
	return n, func(round ir.Value) ir.Value {
		return arith.AddI(x.b, b[0], arith.MulI(x.b, x.as(round, t), b[2]))
	}
}

// round is that of a loop whose index is there.
func (x *back) round(l *loop, now values) ir.Value {
	b := x.bounds(l, now)
	return x.as(x.b.Op(arith.Divsi, arith.SubI(x.b, now(l.Indices[0]), b[0]), b[2]), ir.Index)
}

// as is an integer of another type, or the same.
func (x *back) as(v ir.Value, t ir.Type) ir.Value {
	if x.b.Graph().Type(v) == t {
		return v
	}
	return arith.Cast(x.b, arith.IndexCast, v, t)
}
