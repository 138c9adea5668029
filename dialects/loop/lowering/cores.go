package lowering

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/target"
)

// The cores of a target share the rounds of a loop also where each round needs something of those before: a filter where
// to store, a scan what has been combined. The rounds are cut into parts. First each part is gone over for what those
// behind it need of it, its tally; then the tallies are added up from the first part to the last; and then each part is
// done from there on (Blelloch 1990, Prefix sums and their applications, section 1.2). The body is made twice, of which
// the first time only that is left which the tally is made of.
//
// Only what is exact is taken so, so that a result is the same to the bit on any number of cores. Maps and reductions
// alone are left to the pass parallelize.

// A shareable accumulator can begin behind rounds that it has not seen.
type shareable interface {
	accumulator
	// tally is what a part of the rounds is gone over with before; nil if nothing is to be known of parts. ok is
	// false if the accumulator has to see all rounds in turn.
	tally(d down) (t tally, ok bool)
	// resumes reports that a part is done again, once the tally of those before is known.
	resumes() bool
	// resume begins behind parts whose tallies are joined.
	resume(tallied []ir.Value)
}

// A tally is an accumulator of which two parts can be joined.
type tally interface {
	accumulator
	joined(d down, x, y []ir.Value) []ir.Value
	ofTuples() bool // what is in the tuples, not only how many there are
}

// partsPerCore is how many parts the rounds are cut into for each core, so that cores which are done early find more.
const partsPerCore = 8

// Bodies up to so many ops are made twice: what they compute is cheaper than to keep it in memory.
const maxTwice = 64

// sharing is how the cores of a target share the rounds of one loop.
type sharing struct {
	d      down
	target *target.Target
	n      ir.Node  // the loop
	size   ir.Value // of it: how many rounds there are
}

// serial has one core do all rounds.
func (sh sharing) serial(items []item) { sh.d.rounds(sh.n, sh.size, items) }

// mayShare reports a loop that is worth two passes over its rounds, and gives the same as one.
func (sh sharing) mayShare(items []item) bool {
	second, tuples := false, make([]int, len(items))
	for i, it := range items {
		s, ok := it.s.(shareable)
		if !ok {
			return false
		}
		t, ok := s.tally(sh.d)
		if !ok {
			return false
		}
		if second = second || s.resumes() && t != nil; t != nil && t.ofTuples() {
			tuples[i] = math.MaxInt
		}
	}
	return second && sh.onCores() && sh.d.source.twice(sh.n, items, tuples)
}

// onCores reports a loop of a program for several cores that is in no other one, whose cores have other work.
func (sh sharing) onCores() bool {
	t := sh.target
	return t != nil && t.Kind == target.CPU && t.Cores > 1 && !sh.d.source.inLoop(sh.n) && !writes(sh.n)
}

// twice reports a loop whose body may be made a second time: it is short, and what may trap in it does so when the tallies
// are made, so that it is the first round to trap that does. tuples says how many values of the tuples of each item are looked
// at, from the first on.
func (src source) twice(n ir.Node, items []item, tuples []int) bool {
	g := n.Graph()
	body := n.Region(0).Old()
	if src.opsIn(body) > maxTwice {
		return false
	}
	t := tallied{source: src, g: g, needed: map[ir.Value]bool{}, emits: map[ir.Value]bool{}}
	for i, it := range items {
		t.given(it.given, tuples[i])
	}
	return t.trapNeeded(body)
}

// tallied is what is needed of a loop's body to count what it emits.
type tallied struct {
	source
	g      *ir.Graph
	needed map[ir.Value]bool
	emits  map[ir.Value]bool // ops that decide on what is emitted, which are made by what they decide
}

// need needs a value and what it is made of.
func (t tallied) need(v ir.Value) {
	if from, _, ok := t.g.Projection(v); ok {
		v = from
	}
	if t.needed[v] {
		return
	}
	t.needed[v] = true
	for _, a := range t.g.Args(v) {
		t.need(a)
	}
	for _, r := range t.g.Regions(v) {
		for _, v := range t.s.Body(r) {
			t.need(v)
		}
	}
}

// given needs what decides on the values that are given to an item, and the first values of its tuples.
func (t tallied) given(vs []ir.Value, tuples int) {
	g := t.g
	if !loop.EmitsIn(g, vs) {
		for _, v := range vs[:min(tuples, len(vs))] {
			t.need(v)
		}
		return
	}
	v, i, _ := g.Projection(vs[0])
	switch g.Def(v) {
	case loop.Emit:
		for _, a := range g.Args(v)[:min(tuples, len(g.Args(v)))] {
			t.need(a)
		}
	case loop.Seq:
		for _, p := range g.Args(v) {
			t.given([]ir.Value{p}, tuples)
		}
	case arith.Select:
		t.need(g.Args(v)[0])
		t.given(g.Args(v)[1:2], tuples)
		t.given(g.Args(v)[2:3], tuples)
	case scf.If:
		t.emits[v] = true
		t.need(g.Args(v)[0])
		for _, r := range g.Regions(v) {
			t.given(g.Yields(r)[i:i+1], tuples)
		}
	default:
		t.need(v)
	}
}

// trapNeeded reports that what may trap in a region is among what is needed.
func (t tallied) trapNeeded(r ir.Region) bool {
	for _, v := range t.s.Body(r) {
		switch {
		case t.needed[v]:
		case t.emits[v]:
			for _, in := range t.g.Regions(v) {
				if !t.trapNeeded(in) {
					return false
				}
			}
		case t.g.MayTrap(v):
			return false
		}
	}
	return true
}

// enough is an i1: the work of a loop is worth to be shared, where each core does some operations more.
func (sh sharing) enough(more int) ir.Value {
	least := (sh.target.Costs.MinParallel + more) / (1 + sh.d.source.opsIn(sh.n.Region(0).Old()))
	return sh.d.kit().Less(sh.d.kit().Index(int64(least)), sh.size)
}

// shared makes a loop as it is for one core, and another one for several, which runs if there is enough to do.
func (sh sharing) shared(items []item) {
	before := statesOf(items)
	way := func(do func(items []item)) func() []ir.Value {
		return func() []ir.Value {
			setStates(items, before)
			do(items)
			return statesOf(items)
		}
	}
	setStates(items, sh.d.kit().If(sh.enough(0), way(sh.inParts), way(sh.serial)))
}

// A cut is how rounds are cut into parts of one length, of which the last may be shorter.
type cut struct{ size, length, parts ir.Value }

// cut makes parts of the rounds, of which there is one at least.
func (sh sharing) cut() cut {
	return sh.cutInto(int64(partsPerCore * sh.target.Cores))
}

// cutInto makes so many parts at most.
func (sh sharing) cutInto(most int64) cut {
	k, size := sh.d.kit(), sh.size
	length := k.Div(k.Add(size, k.Index(most-1)), k.Index(most))
	return cut{size, length, k.Div(k.Add(size, k.Last(length)), length)}
}

// part is from where to where a part goes.
func (c cut) part(d down, at ir.Value) (from, to ir.Value) {
	k := d.kit()
	from = k.Max(k.Mul(at, c.length), k.Index(0)) // which says that it is not negative
	return from, k.Min(k.Add(from, c.length), c.size)
}

// parts are how a loop is made over parts of its rounds.
type parts struct {
	cut
	first, second []item     // what is made of a part for its tallies, and then
	resumed       []resumed  // those that have tallies
	mems          []ir.Value // of the tallies' states: of the parts before a part, and behind the last of all
}

// resumed is an accumulator with its tally.
type resumed struct {
	s shareable
	t tally
}

// inParts makes a loop over parts, which cores share.
func (sh sharing) inParts(items []item) {
	n, k, p := sh.n, sh.d.kit(), parts{cut: sh.cut()}
	for _, it := range items {
		s := it.s.(shareable)
		if t, _ := s.tally(sh.d); t != nil {
			p.resumed = append(p.resumed, resumed{s, t})
			p.first = append(p.first, item{t, it.given})
		}
		if s.resumes() {
			p.second = append(p.second, it)
		}
	}
	marks := sameCondition(n.Graph(), p.second)
	for _, r := range p.resumed {
		if c, ok := r.t.(*counter); ok {
			c.marks = marks
		}
	}
	p.begin(sh.d)
	none := statesOf(p.first)
	for _, v := range none {
		p.mems = append(p.mems, k.Alloc(sh.d.B.Graph().Type(v), k.Next(p.parts)))
	}
	k.EachAtOnce(p.parts, func(at ir.Value) {
		p.begin(sh.d)
		from, to := p.part(sh.d, at)
		setStates(p.first, k.For(from, to, statesOf(p.first), sh.d.roundOf(n, p.first, batches{})))
		p.put(sh.d, at, statesOf(p.first))
	})
	total := k.For(k.Index(0), p.parts, none, func(at ir.Value, before []ir.Value) []ir.Value {
		own := p.got(sh.d, at)
		p.put(sh.d, at, before)
		return p.joined(sh.d, before, own)
	})
	p.put(sh.d, p.parts, total)
	k.EachAtOnce(p.parts, func(at ir.Value) {
		from, to := p.part(sh.d, at)
		items := p.second
		if marks {
			to = k.Min(k.Add(from, p.length), p.last(sh.d, p.got(sh.d, k.Next(at)))) // which says how many rounds there are at most
		} else {
			items = unmasked(items)
		}
		p.resume(p.got(sh.d, at))
		k.For(from, to, statesOf(items), sh.d.roundOf(n, items, batches{}))
	})
	k.Free(p.mems...)
	p.resume(total)
}

func (p *parts) begin(d down) {
	for _, r := range p.resumed {
		r.t.begin(d, p.size, -1, false)
	}
}

// put keeps the states of the tallies, and got gives them.
func (p *parts) put(d down, at ir.Value, states []ir.Value) {
	for i, v := range states {
		d.kit().Store(v, p.mems[i], at)
	}
}

func (p *parts) got(d down, at ir.Value) []ir.Value {
	return lists.Map(p.mems, func(m ir.Value) ir.Value { return d.kit().Load(m, at) })
}

// each visits the tallies with their places among all states.
func (p *parts) each(visit func(r resumed, from, to int)) {
	at := 0
	for _, r := range p.resumed {
		n := len(r.t.state())
		visit(r, at, at+n)
		at += n
	}
}

// joined joins the states of the tallies of two parts, of which the second is behind the first.
func (p *parts) joined(d down, x, y []ir.Value) (out []ir.Value) {
	p.each(func(r resumed, from, to int) { out = append(out, r.t.joined(d, x[from:to:to], y[from:to:to])...) })
	return out
}

// resume sets accumulators to what they have behind parts whose tallies are joined.
func (p *parts) resume(state []ir.Value) {
	p.each(func(r resumed, from, to int) { r.s.resume(state[from:to:to]) })
}

// last is the round behind the last one that gives a tuple to any of the counters, of the part whose state is given.
func (p *parts) last(d down, state []ir.Value) ir.Value {
	k := d.kit()
	end := k.Index(0)
	p.each(func(r resumed, _, to int) {
		if _, ok := r.t.(*counter); ok {
			end = k.Max(end, state[to-1])
		}
	})
	return end
}

// sameCondition reports that all items are tuples which are emitted under one condition. Only then may tuples be stored that
// do not count (see maskable): the last round of a part which is run is one that emits, so that all such are overwritten,
// and none is the first of the part behind.
func sameCondition(g *ir.Graph, items []item) bool {
	var cond ir.Value
	for _, it := range items {
		v, _, _ := g.Projection(it.given[0])
		m, ok := it.s.(maskable)
		if !ok || !m.canMask() || !loop.EmitsIn(g, it.given) || g.Def(v) != scf.If || cond != 0 && cond != g.Args(v)[0] {
			return false
		}
		cond = g.Args(v)[0]
	}
	return true
}

// alone is a generator that takes no tuples with a condition.
type alone struct{ accumulator }

func unmasked(items []item) []item {
	return lists.Map(items, func(it item) item { return item{alone{it.s}, it.given} })
}
