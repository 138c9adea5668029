package differentiate

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/polyhedral/raise"
)

// The way back through a stencil is a scatter: a round adds to the shadows of what it read, where other rounds add, too. So no two
// rounds may run at once. A gather takes it apart: the rounds write to an array what they would add. Loops behind them add to each
// element what all rounds have for it. The source is Hückelheim, Kukreja, Narayanan, Luporini, Gorman and Hovland, "Automatic
// differentiation for adjoint stencil loops", 2019. That array has zeros around what the rounds write, in the place of loops over borders.

// mostSpread is how many rounds apart those may be that read an element, for a gather.
const mostSpread = 32

// A gather is what the way back through a nest of loops leaves to loops behind it.
type gather struct {
	loops  []*loop // the outermost first
	dims   []int   // which index of the reads each of them changes
	fixed  bool    // they run equally often each time
	groups []*group
	spread []int64 // by loop, of a group at most
	givers []giver
	arrays []ir.Value // of what the rounds have, by giver
}

// A group is of reads that come, some rounds earlier or later, to the same elements.
type group struct {
	memory ir.Value
	index  []affine.Linear // of the element that offset 0 is about
	reads  []*neighbour
	least  []int64 // offset, by loop
}

// A neighbour is a read whose adjoint is gathered: in a round it is of the element of offset rounds later.
type neighbour struct {
	v      ir.Value
	memory ir.Value
	index  []affine.Linear
	offset []int64
	minus  bool
	giver  giver
	of     *gather
}

// A giver is a value whose adjoint, times a factor, is that of reads, or the negative.
type giver struct {
	root   ref
	factor float64
}

// gatherer finds what is to be gathered.
type gatherer struct {
	*plan
	known affine.Analysis
}

// find notes it in the plan, for each loop.
func (p gatherer) find() {
	for _, r := range p.allRegions() {
		if l := p.loops[r]; l != nil && p.hasAdjoints(l.n.Old()) {
			p.in(l)
		}
	}
}

// in looks at the reads of the body of a loop, by memory and by how loops change the indices.
func (p gatherer) in(l *loop) {
	var alike [][]*neighbour
	for _, v := range p.s.Body(l.Body) {
		x := p.neighbour(v, l)
		if x == nil {
			continue
		}
		i := slices.IndexFunc(alike, func(b []*neighbour) bool { return x.isLike(b[0]) })
		if i < 0 {
			i, alike = len(alike), append(alike, nil)
		}
		alike[i] = append(alike[i], x)
	}
	for _, b := range alike {
		g := &gather{loops: []*loop{l}, dims: []int{p.dimOf(b[0], l)}, fixed: p.isFixed(l)}
		b = slices.DeleteFunc(slices.Clone(b), func(x *neighbour) bool { return !p.mayWait(x, l) })
		if len(p.groups(g, b)) > 0 {
			p.widen(g, b)
			p.add(g, p.groups(g, b))
		}
	}
}

// neighbour is a read with indices that are affine in loops and in what is there before the loop, of which one changes with it; else nil.
func (p gatherer) neighbour(v ir.Value, l *loop) *neighbour {
	a, ok := p.single(v)
	if !ok || !a.Reads || p.inUpdate[v] || !p.active(v) || !p.activeMemory(a.Memory) {
		return nil
	}
	if a.Memory != p.whole(a.Memory) || p.regionOfRef(refOf(p.g, a.Memory)) != ir.Root {
		return nil
	}
	x := &neighbour{v: v, memory: a.Memory, index: lists.Map(a.Indices, p.known.Linear)}
	if p.dimOf(x, l) < 0 {
		return nil
	}
	p.findGiver(x)
	return x
}

// dimOf is which index of a read a loop changes, if it changes one, in steps that are known, and no other loop from there on
// inwards changes that one; else it is -1.
func (p gatherer) dimOf(x *neighbour, l *loop) int {
	at := -1
	for d, f := range x.index {
		inside := 0
		for _, t := range f.Terms {
			home := p.regionOfRef(refOf(p.g, t.Value))
			if !p.isInside(home, l.n.Old()) {
				continue
			}
			if k := p.loops[home]; k == nil || k.Indices[0] != t.Value {
				return -1
			}
			if inside++; home == l.Body {
				if at >= 0 {
					return -1
				}
				at = d
			}
		}
		if f.Width == 0 || inside > 1 {
			return -1
		}
	}
	if at >= 0 && p.stepOf(x, at, l) == 0 {
		return -1
	}
	return at
}

// stepOf is by how much a round of a loop changes an index of a read, or 0 if that is not known.
func (p gatherer) stepOf(x *neighbour, d int, l *loop) int64 {
	f, step := x.index[d], l.Step[0].Const
	if v := l.Step[0].Value; v != 0 {
		c, ok := p.g.Const(v)
		if !ok {
			return 0
		}
		step = f.Int(c.Bits)
	}
	for _, t := range f.Terms {
		if t.Value == l.Indices[0] && p.g.Type(t.Value) == ir.Index && step > 0 && step < math.MaxInt32 && max(f.Int(t.Coef), -f.Int(t.Coef)) < math.MaxInt32 {
			return f.Int(t.Coef) * step
		}
	}
	return 0
}

// isLike reports a read of the same memory, with indices that differ by constants.
func (x *neighbour) isLike(y *neighbour) bool {
	return x.memory == y.memory && slices.EqualFunc(x.index, y.index, func(a, b affine.Linear) bool { return slices.Equal(a.Terms, b.Terms) })
}

// mayWait reports a read whose adjoint may be added behind a loop on the way back: nothing in the loop writes to the element before
// the read, and takes its adjoint after it on the way back.
func (p gatherer) mayWait(x *neighbour, l *loop) bool {
	e := p.elementsAt(p.home[x.v])
	if e == nil {
		return false
	}
	read := slices.IndexFunc(e.List, func(a raise.Access) bool { return a.Op == x.v })
	level := -1
	if read >= 0 {
		level = slices.Index(e.List[read].Loops, l.n.Old())
	}
	if level < 0 {
		return false
	}
	for i, a := range e.List {
		if a.Writes && p.rootOf(a.Memory) == p.rootOf(x.memory) && slices.Contains(a.Loops, l.n.Old()) && e.mayBeWithin(i, read, level) {
			return false
		}
	}
	return true
}

// mayBeWithin reports two accesses that may be of one element, in this order, in one execution of a loop around both.
func (x *elements) mayBeWithin(first, second, level int) bool {
	d, ok := x.compare(first, second)
	if !ok {
		return true
	}
	d = d.Forward(x.List[first].Time < x.List[second].Time)
	return slices.ContainsFunc(d.Levels(), func(l int) bool { return l >= level })
}

// findGiver finds of whose adjoint that of a read is a multiple: behind sums, and products with constants, that nothing else uses.
func (p gatherer) findGiver(x *neighbour) {
	at, factor := x.v, 1.0
	for {
		users := p.uses.Of(at)
		if len(users) != 1 || p.inUpdate[users[0]] || p.regionOf(users[0]) != p.regionOf(x.v) || !p.active(users[0]) {
			break
		}
		args, by := p.g.Args(users[0]), 1.0
		switch def := p.g.Def(users[0]); {
		case (def == arith.Addf || def == arith.Subf) && args[0] != args[1]:
			if def == arith.Subf && args[1] == at {
				by = -1
			}
		case def == arith.Mulf && p.isNumber(args[0]) != p.isNumber(args[1]):
			for _, a := range args {
				if c, ok := p.g.Const(a); ok {
					by = c.Float(p.g.Type(a))
				}
			}
		default:
			by = 0
		}
		next := factor * by
		if by == 0 || next == 0 || math.IsInf(next, 0) {
			break
		}
		at, factor = users[0], next
	}
	x.minus, x.giver = factor < 0, giver{ref{op: at}, math.Abs(factor)}
}

// isNumber reports a constant that is finite, and not 0.
func (p gatherer) isNumber(v ir.Value) bool {
	c, ok := p.g.Const(v)
	if !ok || c.Ref != nil {
		return false
	}
	x := c.Float(p.g.Type(v))
	return x != 0 && x-x == 0
}

// groups are the reads that come to the same elements in some rounds of the loops of a gather, where there are such for the innermost
// one.
func (p gatherer) groups(g *gather, b []*neighbour) (out []*group) {
	for _, x := range b {
		i := slices.IndexFunc(out, func(o *group) bool { x.offset = p.offset(g, o, x); return x.offset != nil })
		if i < 0 {
			x.offset = make([]int64, len(g.loops))
			i, out = len(out), append(out, &group{memory: x.memory, index: x.index})
		}
		out[i].reads = append(out[i].reads, x)
	}
	return slices.DeleteFunc(out, func(o *group) bool {
		inner := len(g.loops) - 1
		for k := range g.loops {
			least, most := o.offsets(k)
			if most-least > mostSpread || k == inner && most == least {
				return true
			}
		}
		return false
	})
}

// offsets are the least and the greatest offset, in rounds of a loop.
func (o *group) offsets(k int) (least, most int64) {
	least, most = math.MaxInt64, math.MinInt64
	for _, x := range o.reads {
		least, most = min(least, x.offset[k]), max(most, x.offset[k])
	}
	return least, most
}

// offset is how many rounds later a group has the element that a read has, by loop; nil if it never has.
func (p gatherer) offset(g *gather, o *group, x *neighbour) []int64 {
	out := make([]int64, len(g.loops))
	for d, f := range x.index {
		by, k := f.Int(f.Const-o.index[d].Const), slices.Index(g.dims, d)
		step := int64(1)
		if k >= 0 {
			step = p.stepOf(x, d, g.loops[k])
		}
		if by%step != 0 || k < 0 && by != 0 {
			return nil
		}
		if k >= 0 {
			out[k] = by / step
		}
	}
	return out
}

// widen takes loops around into a gather, as long as all reads may wait for their ends, too, and each loop changes an index of its own:
// then fewer elements are read again, and tiles of all loops can be made.
func (p gatherer) widen(g *gather, b []*neighbour) {
	for g.fixed {
		l := p.loops[p.regionOf(g.loops[0].n.Old())]
		if l == nil || !p.isFixed(l) {
			return
		}
		d := p.dimOf(b[0], l)
		if d < 0 || slices.Contains(g.dims, d) || slices.ContainsFunc(b, func(x *neighbour) bool { return !p.mayWait(x, l) }) {
			return
		}
		g.loops, g.dims = slices.Insert(g.loops, 0, l), slices.Insert(g.dims, 0, d)
	}
}

// add notes a gather, and asks for what its indices are made of.
func (p gatherer) add(g *gather, groups []*group) {
	if len(groups) == 0 {
		return
	}
	g.groups, g.spread = groups, make([]int64, len(g.loops))
	for _, o := range groups {
		for k := range g.loops {
			least, most := o.offsets(k)
			o.least, g.spread[k] = append(o.least, least), max(g.spread[k], most-least)
		}
		for _, f := range o.index {
			for _, t := range f.Terms {
				p.wantValue(t.Value)
			}
		}
		for _, x := range o.reads {
			if x.of, p.waits[x.v] = g, x; !slices.Contains(g.givers, x.giver) {
				g.givers = append(g.givers, x.giver)
			}
		}
	}
	l := g.loops[0]
	p.gathers[l] = append(p.gathers[l], g)
}
