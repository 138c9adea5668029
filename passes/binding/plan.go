package binding

import (
	"slices"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
)

// A slot is a static value that is computed ahead, and where the buffer keeps it: one
// number, or one for each round of the loops that it varies in.
type slot struct {
	v     ir.Value
	at    int64
	loops []counted
}

// counted is a loop with constant bounds.
type counted struct {
	iv           ir.Node
	lower, trips int64
	stride       int64 // in the buffer
}

// plan finds what to compute ahead.
type plan struct {
	*Times
	min      float64           // operations that a value has to save
	needed   map[ir.Value]bool // by what is left of the function
	changed  bool
	heavy    map[ir.Value]bool
	varies   *gathered[depths]               // which of the loops around a value it varies in
	elements *gathered[int64]                // how many elements the memory has that a value is made of: no table is larger
	written  map[ir.Value]map[ir.Region]bool // by memory of the function's own: regions in which it is
	slots    []slot
	size     int64
	of       map[projection]ir.Value
}

// projection is a result of an op with several.
type projection struct {
	op ir.Value
	i  int
}

// newPlan finds the largest static expressions that what is dynamic needs, and which cost
// more than a load.
func newPlan(t *Times, on *target.Target) *plan {
	t.findStrided(on)
	p := &plan{Times: t, min: minAhead * on.Costs.Access, needed: map[ir.Value]bool{}, changed: true, heavy: map[ir.Value]bool{},
		written: map[ir.Value]map[ir.Region]bool{}, of: map[projection]ir.Value{}}
	p.varies = gather(p.code, p.variesIn, func(v ir.Value, x, y depths) depths { return x | y.upTo(p.s.Depth(p.placeOf(v))) })
	p.elements = gather(p.code, p.data, func(_ ir.Value, x, y int64) int64 { return max(x, y) })
	for v := range t.g.Len() {
		if n, i, ok := t.g.Projection(ir.Value(v)); ok {
			p.of[projection{n, i}] = ir.Value(v)
		}
	}
	for p.changed {
		p.changed = false
		p.region(ir.Root, true, func(int) bool { return true })
	}
	for _, tables := range []bool{true, false} { // tables begin where vectors do
		for v := range p.g.Len() {
			if v := ir.Value(v); p.needed[v] && p.worthStatic(v) {
				p.keep(v, tables)
			}
		}
	}
	return p
}

// minAhead is how many times as much as a load from the buffer a value has to cost.
const minAhead = 8

func (p *plan) need(v ir.Value) {
	if !p.needed[v] {
		p.needed[v], p.changed = true, true
	}
}

// region finds what the ops of a region need, from the last to the first; yields says
// which of its results are needed.
func (p *plan) region(r ir.Region, always bool, yields func(i int) bool) {
	for i, y := range p.g.Yields(r) {
		if yields(i) {
			p.need(y)
		}
	}
	body := p.s.Body(r)
	for _, v := range slices.Backward(body) {
		if v != p.g.Term(r) {
			p.op(v, always)
		}
	}
}

func (p *plan) op(v ir.Value, always bool) {
	g := p.g
	rs := g.Regions(v)
	switch m := p.storesInto(v); {
	case m != 0:
		if p.needed[m] {
			p.operands(v)
		}
	case len(rs) == 0:
		if always && p.Static(v) && (!p.needed[v] || p.worthStatic(v)) {
			return
		}
		p.operands(v)
	case always && p.isFixedLoop(v):
		p.loop(v)
	case always && p.isFixedIf(v):
		p.conditional(v)
	case always && p.isFixedWhile(v):
		if p.acts(v) || p.isNeeded(v) {
			p.operands(v)
			for _, r := range rs {
				p.region(r, true, func(int) bool { return true })
			}
		}
	case always && p.isStatic(v) && !p.isNeeded(v):
	default:
		p.operands(v)
		for _, r := range rs {
			p.region(r, false, func(int) bool { return true })
		}
	}
}

func (p *plan) operands(v ir.Value) {
	for _, a := range p.g.Args(v) {
		p.need(a)
	}
}

// result is a result of an op; 0 if nothing uses it.
func (p *plan) result(v ir.Value, i int) ir.Value {
	if p.g.Results(v) == 1 {
		return v
	}
	return p.of[projection{v, i}]
}

// isStatic reports an op with regions that is a static value.
func (p *plan) isStatic(v ir.Value) bool {
	n := p.g.Results(v)
	for i := range n {
		if p.lateResult(v, i) {
			return false
		}
	}
	return n > 0 && !p.acts(v)
}

// acts reports an op that has an effect, in its regions too, other than to store into static memory
// that nothing needs.
func (p *plan) acts(v ir.Value) bool {
	if !p.g.HasEffect(v) {
		return false
	}
	if m := p.storesInto(v); m != 0 {
		return p.needed[m]
	}
	if len(p.g.Regions(v)) == 0 {
		return true
	}
	return slices.ContainsFunc(p.g.Regions(v), func(r ir.Region) bool {
		return slices.ContainsFunc(p.s.Body(r), func(w ir.Value) bool { return w != p.g.Term(r) && p.acts(w) })
	})
}

// isNeeded reports an op of which a result is needed and not computed ahead.
func (p *plan) isNeeded(v ir.Value) bool {
	for i := range p.g.Results(v) {
		if x := p.result(v, i); p.needed[x] && !p.worthStatic(x) {
			return true
		}
	}
	return false
}

// loop is a loop that every call runs alike: of what it carries some may be static.
func (p *plan) loop(v ir.Value) {
	g, r := p.g, p.g.Regions(v)[0]
	keeps := make([]bool, g.Results(v))
	any := p.acts(v)
	for i := range keeps {
		x := p.result(v, i)
		keeps[i] = p.lateResult(v, i) || p.needed[x] && !p.worthStatic(x) || p.needed[g.Params(r)[1+i]]
		any = any || keeps[i]
		if keeps[i] {
			p.need(g.Args(v)[3+i])
		}
	}
	if !any {
		return
	}
	for _, a := range g.Args(v)[:3] {
		p.need(a)
	}
	p.region(r, true, func(i int) bool { return keeps[i] })
}

// conditional is one of which every call takes the same branch: of its results some may be
// static, and so may what a branch computes.
func (p *plan) conditional(v ir.Value) {
	g := p.g
	keeps := func(i int) bool {
		x := p.result(v, i)
		return p.needed[x] && !p.worthStatic(x)
	}
	any := p.acts(v)
	for i := range g.Results(v) {
		any = any || keeps(i)
	}
	if !any {
		return
	}
	p.operands(v)
	for _, r := range g.Regions(v) {
		p.region(r, true, keeps)
	}
}

// worthStatic reports a static value that can be computed ahead, and costs enough.
func (p *plan) worthStatic(v ir.Value) bool {
	if x, ok := p.heavy[v]; ok {
		return x
	}
	x := p.canBe(v)
	p.heavy[v] = x
	return x
}

func (p *plan) canBe(v ir.Value) bool {
	g := p.g
	n := p.opOf(v)
	if _, ok := g.Const(v); ok || !g.IsOp(n) || !p.Static(v) || g.Type(v) != ir.F64 {
		return false
	}
	if !p.Always(p.s.Place(n)) || !p.costs(v, p.min) {
		return false
	}
	loops, ok := p.loopsOf(v)
	if !ok || len(loops) == 0 {
		return ok
	}
	size := int64(1)
	for _, l := range loops {
		size = ir.Times(size, l.trips)
	}
	return size > 0 && size <= p.elements.of(v)
}

// loopsOf lists the loops that a value varies in, outermost first; false if one has no
// constant bounds, or too many rounds for any table.
func (p *plan) loopsOf(v ir.Value) (out []counted, ok bool) {
	varies := p.varies.of(v)
	total := int64(1)
	for r := p.placeOf(v); r != ir.Root; r = p.around(r) {
		if p.g.Def(p.g.Owner(r)) == scf.While {
			return nil, false
		}
		if p.g.Def(p.g.Owner(r)) != scf.For || !varies.has(p.s.Depth(r)) {
			continue
		}
		lower, trips, ok := p.counts(p.g.Owner(r))
		if !ok || trips > maxTable/total {
			return nil, false
		}
		out = append(out, counted{p.g.NodeOf(p.g.Params(r)[0]), lower, trips, total})
		total = ir.Times(total, max(trips, 1))
	}
	slices.Reverse(out)
	return out, true
}

// maxTable is the most elements that a table may have.
const maxTable = 1 << 30

func (p *plan) placeOf(v ir.Value) ir.Region { return p.s.Place(p.opOf(v)) }

// depths are numbers of regions around a place, of which Root is number 0. That of deeper ones than
// there are bits stands for all of these.
type depths uint64

func depthBit(d int) depths     { return 1 << min(d, 63) }
func (x depths) has(d int) bool { return x&depthBit(d) != 0 }

func (x depths) upTo(d int) depths {
	if d >= 63 {
		return x
	}
	return x & (depthBit(d+1) - 1)
}

// variesIn is what varies says of a value itself: a loop's variable varies in it. What a loop carries varies in all loops
// around, and what is read from memory in those that store into it.
func (p *plan) variesIn(v ir.Value) (x depths, whole bool) {
	g := p.g
	switch r, i, ok := g.Param(v); {
	case ok && r == ir.Root:
		return 0, true
	case ok && i == 0 && g.Def(g.Owner(r)) == scf.For:
		return depthBit(p.s.Depth(r)), true
	case ok:
		return (^depths(0)).upTo(p.s.Depth(r)), true
	case g.Def(v) == memref.Load:
		return p.changes(p.root(g.Args(v)[0]), p.s.Place(v)), false
	}
	return 0, false
}

// changes says which of the loops around a place store into memory of the function's own.
func (p *plan) changes(m ir.Value, r ir.Region) (out depths) {
	in, ok := p.written[m]
	if !ok {
		in = map[ir.Region]bool{}
		for _, store := range p.memory[m] {
			for r := p.s.Place(store); r != ir.Root && !in[r]; r = p.around(r) {
				in[r] = true
			}
		}
		p.written[m] = in
	}
	for ; r != ir.Root; r = p.around(r) {
		if in[r] {
			out |= depthBit(p.s.Depth(r))
		}
	}
	return out
}

// data is what elements says of a value itself.
func (p *plan) data(v ir.Value) (n int64, whole bool) {
	if p.g.Def(v) != memref.Load {
		return 0, false
	}
	n = 1
	for _, d := range p.g.Ctx.Info(p.g.Type(p.root(p.g.Args(v)[0]))).Shape {
		n = ir.Times(n, max(d, 0))
	}
	return n, false
}

// keep gives a value its place in the buffer, if it is a table or one number, as is asked.
func (p *plan) keep(v ir.Value, table bool) {
	x := slot{v: v, at: p.size}
	x.loops, _ = p.loopsOf(v)
	if len(x.loops) > 0 != table {
		return
	}
	n := int64(1)
	for _, l := range x.loops {
		n = ir.Times(n, l.trips)
	}
	if table {
		n = (n + wholeVectors - 1) / wholeVectors * wholeVectors
	}
	p.size += n
	p.slots = append(p.slots, x)
}

// wholeVectors is how many numbers the widest vectors have.
const wholeVectors = 8
