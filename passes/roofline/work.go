package roofline

import (
	"errors"
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/polyhedral/raise"
)

// Work is what loops do at least.
type Work struct {
	Params []string
	Values []ir.Value // of the parameters
	// Operations are those on numbers, by the type of these.
	Operations []Operations
	// Read and Written are bytes of memory: what is read before it is written, and what is written.
	Read, Written Amount
	// NotCounted says what is not counted; "" if nothing is left out.
	NotCounted string
}

// Operations are some on numbers of a type.
type Operations struct {
	Type   ir.Type
	Bytes  int
	Number Amount
}

// workOfSets bounds what one question of sets may take, in steps.
const workOfSets = 2_000_000

// A counter counts the work of some loops.
type counter struct {
	g      *ir.Graph
	s      *ir.Schedule
	acc    *raise.Accesses
	bodies map[ir.Region]int // in acc.Bodies
	index  map[index]int     // bits of masks
	masks  map[ir.Value]uint64
	loads  map[ir.Value]bool // whether something is made of what was read
	counts map[instances]*presburger.Count
	out    *Work
}

// An index is one of a loop that may have several.
type index struct {
	loop ir.Value
	i    int
}

// instances are those of a body that differ in some indices.
type instances struct {
	body int
	mask uint64
}

// Of counts the work of loops that stand one after the other in a region. The error says which op does more than is
// understood.
func Of(s *ir.Schedule, loops []ir.Value) (*Work, error) {
	acc, err := raise.ReadAccesses(s, loops)
	if err != nil {
		return nil, err
	}
	c := &counter{g: s.Graph(), s: s, acc: acc, bodies: map[ir.Region]int{}, index: map[index]int{}, masks: map[ir.Value]uint64{}, loads: map[ir.Value]bool{},
		counts: map[instances]*presburger.Count{}, out: &Work{Params: acc.Params, Values: acc.Values}}
	for i, b := range acc.Bodies {
		c.bodies[b.Region] = i
		for _, x := range indices(b.Loops) {
			if _, ok := c.index[x]; !ok {
				c.index[x] = len(c.index)
			}
		}
	}
	// Masks have a bit for each index.
	if len(c.index) > 64 {
		return nil, errors.New("more than 64 loops are not counted")
	}
	for i, b := range acc.Bodies {
		if err := c.body(i, b); err != nil {
			return nil, err
		}
	}
	return c.out, c.memory()
}

// indices are those of loops, of which each stands there once for each of its indices.
func indices(loops []ir.Value) (out []index) {
	for _, l := range loops {
		n := 0
		for _, x := range out {
			if x.loop == l {
				n++
			}
		}
		out = append(out, index{l, n})
	}
	return out
}

// notCounted notes what is not counted.
func (c *counter) notCounted(format string, args ...any) {
	if c.out.NotCounted == "" {
		c.out.NotCounted = fmt.Sprintf(format, args...)
	}
}

// body counts the operations that stand in a region.
func (c *counter) body(i int, b raise.Body) error {
	for _, v := range c.s.Body(b.Region) {
		t, times := c.operation(v)
		if times == 0 {
			continue
		}
		if !b.Exact {
			c.notCounted("what runs under bounds or conditions that are not affine is not counted")
			return nil
		}
		n, err := c.count(i, c.mask(v))
		if err != nil {
			return err
		}
		c.out.add(c.g.Ctx, t, n, times)
	}
	return nil
}

// add adds operations on numbers of a type.
func (w *Work) add(ctx *ir.Context, t ir.Type, n *presburger.Count, times int64) {
	k := slices.IndexFunc(w.Operations, func(o Operations) bool { return o.Type == t })
	if k < 0 {
		k = len(w.Operations)
		w.Operations = append(w.Operations, Operations{Type: t, Bytes: max(1, ctx.Info(t).Width/8)})
	}
	w.Operations[k].Number.add(n, times)
}

// operation is the type of the numbers that an op computes with, and how many operations it does; none if it moves,
// compares or converts, or computes an index. A function of the mathematical library counts as one.
func (c *counter) operation(v ir.Value) (ir.Type, int64) {
	ctx, def := c.g.Ctx, c.g.Def(v)
	args := c.g.Args(v)
	d := ctx.DialectOf(def)
	if d != arith.Dialect && d != math.Dialect && d != special.Dialect && def != vector.FMA || def == arith.Select || len(args) == 0 {
		return 0, 0
	}
	t := c.g.Type(v)
	elem, lanes := t, int64(1)
	if info := ctx.Info(t); info.Kind == ir.KindVector {
		elem = info.Elem
		for _, n := range info.Shape {
			lanes = ir.Times(lanes, n)
		}
	}
	if c.g.Type(args[0]) != t || elem == ir.Index || ctx.Info(elem).Width < 8 || !ctx.IsFloat(elem) && !c.made(v) {
		return 0, 0
	}
	if def == math.Fma || def == vector.FMA {
		lanes *= 2
	}
	return elem, lanes
}

// made reports an integer that is made of what was read from memory: others are indices, and cost no operation of a vector.
func (c *counter) made(v ir.Value) bool {
	if known, ok := c.loads[v]; ok {
		return known
	}
	c.loads[v] = false
	if len(c.g.Regions(v)) == 0 && c.g.IsOp(v) {
		if a, ok := ir.As[ir.AccessLike](c.g.NodeOf(v)); ok && len(a.Accesses) > 0 {
			c.loads[v] = true
		} else {
			for _, a := range c.g.Args(v) {
				c.loads[v] = c.loads[v] || c.made(a)
			}
		}
	}
	return c.loads[v]
}

// count is the number of instances of a body that differ in some of its indices.
func (c *counter) count(i int, mask uint64) (*presburger.Count, error) {
	b := c.acc.Bodies[i]
	all := indices(b.Loops)
	has := uint64(0)
	for _, x := range all {
		has |= 1 << c.index[x]
	}
	mask &= has
	if n := c.counts[instances{i, mask}]; n != nil {
		return n, nil
	}
	d, err := b.Domain.WithBudget(workOfSets).IntersectParams(c.acc.Known)
	// What an index does not change is done once for all of its values: the index is projected out.
	// The last one goes first, so that the others keep their places.
	for k := len(all) - 1; k >= 0 && err == nil; k-- {
		if mask&(1<<c.index[all[k]]) == 0 {
			d, err = d.ProjectOut(k, 1)
		}
	}
	if err != nil {
		return nil, err
	}
	n, err := d.AlignParams(c.acc.Params...).Card()
	c.counts[instances{i, mask}] = n
	return n, err
}

// mask has a bit for each index that a value depends on.
func (c *counter) mask(v ir.Value) uint64 {
	if m, ok := c.masks[v]; ok {
		return m
	}
	c.masks[v] = 0 // of what depends on itself
	m := c.maskOf(v)
	c.masks[v] = m
	return m
}

// maskOf joins the indices of the operands and of all that may write what is read. An op with regions depends
// on all loops around it.
func (c *counter) maskOf(v ir.Value) (m uint64) {
	g := c.g
	if r, i, ok := g.Param(v); ok {
		return c.maskOfParam(v, r, i)
	}
	if n, _, ok := g.Projection(v); ok && n != v {
		return c.mask(n)
	}
	if len(g.Regions(v)) > 0 {
		return c.around(c.s.Place(v))
	}
	for _, a := range g.Args(v) {
		m |= c.mask(a)
	}
	if a, ok := ir.As[ir.AccessLike](g.NodeOf(v)); ok {
		for _, x := range a.Accesses {
			m |= c.writers(v, x.Memory)
		}
	}
	return m
}

// maskOfParam is that of an index, or of what a loop carries: that depends on all of its indices.
func (c *counter) maskOfParam(v ir.Value, r ir.Region, i int) (m uint64) {
	if _, ok := c.bodies[r]; !ok {
		return 0
	}
	owner := c.g.Owner(r)
	for x, bit := range c.index {
		if x.loop == owner && x.i == i {
			m |= 1 << bit
		}
	}
	l, ok := ir.As[ir.LoopLike](c.g.NodeOf(owner))
	if !ok {
		return c.around(r)
	}
	for k, p := range l.Carried {
		if p == v {
			m |= c.own(owner) | c.mask(l.Inits[k])
			for _, y := range c.g.Yields(l.Body) {
				m |= c.mask(y)
			}
		}
	}
	return m
}

// own are the indices of a loop.
func (c *counter) own(loop ir.Value) (m uint64) {
	for x, bit := range c.index {
		if x.loop == loop {
			m |= 1 << bit
		}
	}
	return m
}

// around are the indices of the loops around a region, and its own.
func (c *counter) around(r ir.Region) (m uint64) {
	for ; r != ir.Root; r = c.s.Place(c.g.Owner(r)) {
		m |= c.own(c.g.Owner(r))
	}
	return m
}

// writers are the indices of the loops around a read in which something may write what it reads.
func (c *counter) writers(read, memory ir.Value) (m uint64) {
	var on ir.Resource
	for _, a := range c.acc.List {
		if a.Op == read {
			on = a.On
		}
	}
	for _, w := range c.acc.List {
		if !w.Writes || w.Memory != memory && !c.g.MayAlias(w.On, on) {
			continue
		}
		for _, l := range w.Loops {
			for r := c.s.Place(read); r != ir.Root; r = c.s.Place(c.g.Owner(r)) {
				if c.g.Owner(r) == l {
					m |= c.own(l)
				}
			}
		}
	}
	return m
}
