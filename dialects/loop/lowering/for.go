package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/lower"
)

// lowerFor makes an scf.for that carries the states of the generators, and of those that take
// what it emits. If it emits elsewhere, that is made where it is taken.
func (d down) lowerFor(n ir.Node) ir.Value {
	k := d.kit()
	list := loop.Generators(n)
	regions := make([]ir.Block, 0, n.NumRegions())
	for i := 1; i < n.NumRegions(); i++ {
		regions = append(regions, n.Region(i))
	}
	ids := d.All(n.Args()[1:])
	size := d.Of(n.Arg(0))
	if n.Graph().MayTrap(n.Old()) && sizeMayBeNegative(n) {
		d.arrays.assert(k.Is(arith.SGE, size, k.Index(0)), "the size of a loop is negative")
	}
	ys := loop.Split(n.Graph(), list, n.Graph().Yields(n.Region(0).Old()))
	var out []ir.Value
	var items []item
	at := 0 // of the results
	for i, g := range list {
		if g.Kind == loop.EmitKind {
			at++
			continue
		}
		d.checkGroups(n, g.Inner)
		s := d.newAccumulator(g, &ids, &regions)
		if b, ok := s.(*bucketer); ok {
			b.looked = lookedAt(n, at)
		}
		at += len(g.Results(d.B.Ctx()))
		s.begin(d, size, most(n.Graph(), ys[i]), !loop.EmitsIn(n.Graph(), ys[i]))
		items = append(items, item{s, ys[i]})
	}
	own := len(items)
	d.knowRanges(n, size, items)
	taken, done := d.streams.takes(d, n)
	items = append(items, inBody(n, taken, ys)...)
	sh := sharing{d, d.e.Target, n, size}
	switch {
	case len(taken) == 0 && sh.mayShare(items):
		sh.shared(items)
	case len(taken) == 0 && slices.ContainsFunc(items, sh.mayPartition):
		sh.byGroups(items)
	case len(items) > 0 || writes(n):
		d.rounds(n, size, items)
	}
	done()
	items = items[:own]
	for _, g := range list {
		if g.Kind == loop.EmitKind {
			out = append(out, k.Index(0))
			continue
		}
		if b, ok := items[0].s.(*bucketer); ok && b.looked {
			d.keepTable(n, len(out), b.tab)
		}
		out = append(out, items[0].s.results(d)...)
		items = items[1:]
	}
	return d.B.Pack(out...)
}

// sizeMayBeNegative: a loop is partial for its size, or for what its body does.
func sizeMayBeNegative(n ir.Node) bool { return loop.For.Traps(ir.CallsOf(n.Graph()).Of(n.Old())) }

// An item is what a generator is given: the values of one tuple, or a sequence, of the old
// graph.
type item struct {
	s     accumulator
	given []ir.Value
}

// rounds makes a loop whose body gives items to their generators: a loop over batches of
// rounds where there are buckets, so that a batch asks for its groups at once.
func (d down) rounds(n ir.Node, size ir.Value, items []item) {
	k := d.kit()
	b := d.newBatches(n, size, items)
	if d.onlyPicks(n, items) {
		d.pick(n, size, items, d.roundOf(n, items, b))
		return
	}
	run := func(from, to ir.Value) { setStates(items, k.For(from, to, statesOf(items), d.roundOf(n, items, b))) }
	if len(b.buckets) == 0 {
		run(k.Index(0), size)
		return
	}
	b.run(d, k.Index(0), size, items, run)
	b.end(d)
}

// roundOf is what makes a round of a loop, which carries the states of items.
func (d down) roundOf(n ir.Node, items []item, b batches) func(i ir.Value, carried []ir.Value) []ir.Value {
	return func(i ir.Value, carried []ir.Value) []ir.Value {
		setStates(items, carried)
		for _, it := range items {
			it.s.round(i)
		}
		b.round(d, i)
		d.give(d.streams.within(items, func() { d.Body(n.Region(0), i) }))
		return statesOf(items)
	}
}

func statesOf(items []item) []ir.Value {
	return lists.Join(items, func(it item) []ir.Value { return it.s.state() })
}

func setStates(items []item, vs []ir.Value) {
	for _, it := range items {
		n := len(it.s.state())
		it.s.set(vs[:n:n])
		vs = vs[n:]
	}
}

// give hands what items are given to their generators. What stands under one condition, or
// in one inner loop, is made together: generators do not see one another.
func (d down) give(items []item) {
	g := d.Schedule().Graph()
	for len(items) > 0 {
		it := items[0]
		if !loop.EmitsIn(g, it.given) {
			it.s.add(d, d.news(it.given))
			items = items[1:]
			continue
		}
		if d.streams.giveCollected(d, it) {
			items = items[1:]
			continue
		}
		n, _, _ := g.Projection(it.given[0])
		switch g.Def(n) {
		case loop.Emit:
			it.s.add(d, d.news(g.Args(n)))
			items = items[1:]
		case loop.None:
			items = items[1:]
		case loop.Seq:
			for _, p := range g.Args(n) {
				d.give([]item{{it.s, []ir.Value{p}}})
			}
			items = items[1:]
		case scf.If, arith.Select:
			items = d.together(items, func(m ir.Value) bool {
				def := g.Def(m)
				return (def == scf.If || def == arith.Select) && g.Args(m)[0] == g.Args(n)[0]
			}, func(same []item) {
				if !d.giveMasked(g.Args(n)[0], same) {
					d.giveIf(g.NodeOf(n), same, nil)
				}
			})
		case loop.For:
			items = d.together(items, func(m ir.Value) bool { return m == n }, func(same []item) { d.giveLoop(g.NodeOf(n), same) })
		default:
			lower.Refuse(g.NodeOf(n).Errorf("emits nothing that is known here"))
		}
	}
}

// news lists the new values of old ones.
func (d down) news(old []ir.Value) []ir.Value {
	return lists.Map(old, func(v ir.Value) ir.Value { return d.Of(d.Schedule().Graph().NodeOf(v)) })
}

// together takes the items out whose sequence the op makes that are is asked for, and
// returns the others.
func (d down) together(items []item, are func(m ir.Value) bool, do func(same []item)) (others []item) {
	g := d.Schedule().Graph()
	var same []item
	for _, it := range items {
		if m, _, _ := g.Projection(it.given[0]); loop.EmitsIn(g, it.given) && are(m) && !d.streams.isCollected(g, it) {
			same = append(same, it)
		} else {
			others = append(others, it)
		}
	}
	do(same)
	return others
}

// giveIf makes a conditional that gives in each branch what the items say there, and returns
// what else is kept of it. Its branches are those of n and of others with the same condition
// that give items.
func (d down) giveIf(n ir.Node, items []item, kept func(branch int) []ir.Value) []ir.Value {
	before := statesOf(items)
	branch := func(b int) func() []ir.Value {
		return func() []ir.Value {
			setStates(items, before)
			inner, blocks := d.inBranch(n, items, b)
			d.give(d.streams.within(inner, func() {
				for _, block := range blocks {
					d.Body(block)
				}
			}))
			out := statesOf(items)
			if kept != nil {
				out = append(out, kept(b)...)
			}
			return out
		}
	}
	after := d.kit().If(d.Of(n.Arg(0)), branch(0), branch(1))
	setStates(items, after[:len(before)])
	return after[len(before):]
}

// inBranch is what items are given in a branch, and the blocks that make it.
func (d down) inBranch(n ir.Node, items []item, b int) (inner []item, blocks []ir.Block) {
	g := n.Graph()
	if n.Def() == scf.If {
		blocks = append(blocks, n.Region(b))
	}
	for _, it := range items {
		m, j, _ := g.Projection(it.given[0])
		if g.Def(m) == arith.Select {
			inner = append(inner, item{it.s, g.Args(m)[1+b : 2+b]})
			continue
		}
		block := g.NodeOf(m).Region(b)
		if !slices.Contains(blocks, block) {
			blocks = append(blocks, block)
		}
		inner = append(inner, item{it.s, g.Yields(block.Old())[j : j+1]})
	}
	return inner, blocks
}

// giveLoop makes an inner loop that gives items what it emits to them.
func (d down) giveLoop(n ir.Node, items []item) {
	g := n.Graph()
	list := loop.Generators(n)
	ys := loop.Split(g, list, g.Yields(n.Region(0).Old()))
	d.rounds(n, d.Of(n.Arg(0)), inBody(n, items, ys))
}

// inBody are items that a loop emits to, in its body, which gives ys to its generators.
func inBody(n ir.Node, items []item, ys [][]ir.Value) []item {
	out := make([]item, len(items))
	for i, it := range items {
		_, j, _ := n.Graph().Projection(it.given[0])
		gen, _ := loop.GeneratorOf(n.Graph(), n.Old(), j)
		out[i] = item{within{it.s}, ys[gen]}
	}
	return out
}

// most is how many tuples are emitted at most; -1 if that is not known.
func most(g *ir.Graph, given []ir.Value) int {
	if !loop.EmitsIn(g, given) {
		return 1
	}
	n, i, _ := g.Projection(given[0])
	sum, largest := 0, 0
	note := func(m int) {
		if m < 0 || sum < 0 {
			sum, largest = -1, -1
			return
		}
		sum, largest = sum+m, max(largest, m)
	}
	switch g.Def(n) {
	case loop.Emit:
		return 1
	case loop.None:
		return 0
	case loop.Seq:
		for _, p := range g.Args(n) {
			note(most(g, []ir.Value{p}))
		}
		return sum
	case arith.Select:
		for _, p := range g.Args(n)[1:] {
			note(most(g, []ir.Value{p}))
		}
		return largest
	case scf.If:
		for _, r := range g.Regions(n) {
			note(most(g, g.Yields(r)[i:i+1]))
		}
		return largest
	}
	return -1
}
