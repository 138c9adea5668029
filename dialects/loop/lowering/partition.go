package lowering

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop/hash"
	"github.com/irc-lang/irc/ir"
)

// Where a bucket has many groups, cores share its keys. All rounds are gone over for the classes of their keys, and the classes are
// dealt out to the cores; then each core does the rounds of its own, in turn, with a table of its own: what is reduced of a
// group is reduced in the order of the rounds, on any number of cores. It notes of each group the first round, and in
// the order of these the groups come out. Rounds are not moved: what they read is read where it is.

// Sizes of a partition.
const (
	sampled    = 1 << 13 // rounds that are looked at to deal classes out
	mostNew    = 8       // groups are many if all but one of so many rounds of a sample are of others
	largest    = 32      // classes that are dealt out first, the largest of all
	ownRounds  = 1 << 12 // rounds of which a core lists its own at once
	mostOwners = 64      // cores among which groups are dealt out
)

// A classer stands for a bucketer when the rounds are gone over for the hashes of their keys; 0 is that of a round without one.
type classer struct {
	s    *bucketer
	tab  hash.Table
	hash ir.Value
}

func (c *classer) begin(d down, _ ir.Value, _ int, _ bool) { c.hash = d.kit().Int(ir.I16, 0) }

func (c *classer) round(ir.Value) {}

func (c *classer) add(d down, tuple []ir.Value) {
	n := len(c.s.types)
	c.hash = c.tab.Keys.Hash16(d.B, d.arrays.keyValues(c.s.types, tuple[:n]))
}

func (c *classer) canMask() bool { return !c.tab.HasTexts() }

func (c *classer) addMasked(d down, cond ir.Value, tuple []ir.Value) {
	before := c.hash
	c.add(d, tuple)
	c.hash = d.kit().Choose(cond, c.hash, before)
}

func (c *classer) state() []ir.Value { return []ir.Value{c.hash} }

func (c *classer) set(state []ir.Value) { c.hash = state[0] }

func (c *classer) results(down) []ir.Value { return nil }

// A partition is how the groups of a bucket are shared.
type partition struct {
	of     sharing
	it     item
	s      *bucketer
	cores  ir.Value
	dealt  ir.Value // i8, of each class: the core that has it, or nobody
	owner  ir.Value // i8, of each round: the core that has the class of its key, or nobody
	rows   ir.Value // of groups: those of a core behind those of the one before
	firsts ir.Value // i32, of each of these rows: the first round of the group
	next   ir.Value // index, of each core: the first of its rows
	counts ir.Value // index, of each core: its groups
	zeros  ir.Value // index, of each core: the row of the key 0, or -1
}

// partition has each core do the groups of some classes of keys.
func (sh sharing) partition(it item) {
	k, s, size := sh.d.kit(), it.s.(*bucketer), sh.size
	p := &partition{of: sh, it: it, s: s, cores: k.Index(int64(min(sh.target.Cores, mostOwners)))}
	p.owner, p.rows, p.firsts = k.Alloc(ir.I8, size), s.tab.Rows(sh.d.B, size), k.Alloc(ir.I32, size)
	for _, m := range []*ir.Value{&p.next, &p.counts, &p.zeros} {
		*m = k.Alloc(ir.Index, p.cores)
	}
	p.deal(sh.d)
	p.classify(sh.d)
	p.count(sh.d)
	k.EachAtOnce(p.cores, func(core ir.Value) { p.own(sh.d, core) })
	k.Free(p.owner, p.dealt)
	p.gather(sh.d)
	k.Free(p.firsts, p.next, p.counts, p.zeros)
}

// classOf is the class of a key by its hash.
func (p *partition) classOf(d down, h ir.Value) ir.Value {
	k := d.kit()
	return k.Div(h, k.Index(hash.Classes))
}

// eachHash visits rounds with the hashes of their keys.
func (p *partition) eachHash(d down, from, to, step ir.Value, visit func(i, hash ir.Value)) {
	k := d.kit()
	class := &classer{s: p.s, tab: p.s.tab.Elsewhere(d.B)}
	items := []item{{class, p.it.given}}
	k.EachStep(from, to, step, func(i ir.Value) {
		class.begin(d, p.of.size, 1, false)
		d.again(p.of.n, items[0], i)
		visit(i, k.Widen(class.hash, ir.Index))
	})
}

// classify notes of each round the core that has the class of its key.
func (p *partition) classify(d down) {
	k, c := d.kit(), p.of.cut()
	k.EachAtOnce(c.parts, func(at ir.Value) {
		from, to := c.part(d, at)
		p.eachHash(d, from, to, k.Index(1), func(i, hash ir.Value) { k.Store(k.Load(p.dealt, p.classOf(d, hash)), p.owner, i) })
	})
}

// count gives each core as many rows as it has rounds.
func (p *partition) count(d down) {
	k := d.kit()
	k.EachAtOnce(p.cores, func(core ir.Value) {
		self := k.Widen(core, ir.I8)
		n := k.For(k.Index(0), p.of.size, []ir.Value{k.Index(0)}, func(i ir.Value, n []ir.Value) []ir.Value {
			return []ir.Value{d.arrays.counted(n[0], k.Is(arith.EQ, k.Load(p.owner, i), self))}
		})
		k.Store(n[0], p.counts, core)
	})
	k.For(k.Index(0), p.cores, []ir.Value{k.Index(0)}, func(c ir.Value, n []ir.Value) []ir.Value {
		k.Store(n[0], p.next, c)
		return []ir.Value{k.Add(n[0], k.Load(p.counts, c))}
	})
}

// nobody has the rounds without a key.
const nobody = -1

// deal deals the classes out to cores, by how many rounds of a sample they have: the largest first, the others as they come, each
// to the core that has the least by then.
func (p *partition) deal(d down) {
	k := d.kit()
	classes := k.Index(hash.Classes)
	counts, load := k.Zeros(ir.Index, classes), k.Zeros(ir.Index, p.cores)
	p.dealt = k.Alloc(ir.I8, classes)
	k.Fill(p.dealt, classes, k.Int(ir.I8, nobody))
	p.sample(d, func(hash ir.Value) {
		class := p.classOf(d, hash)
		k.Store(k.Next(k.Load(counts, class)), counts, class)
	})
	give := func(class ir.Value) {
		core := p.extreme(d, k.Index(0), p.cores, func(i ir.Value) ir.Value { return k.Sub(k.Index(0), k.Load(load, i)) })
		k.Store(k.Widen(core, ir.I8), p.dealt, class)
		k.Store(k.Add(k.Load(load, core), k.Load(counts, class)), load, core)
	}
	open := func(class ir.Value) ir.Value { return k.Is(arith.EQ, k.Load(p.dealt, class), k.Int(ir.I8, nobody)) }
	k.Each(k.Index(0), k.Index(largest), func(ir.Value) {
		give(p.extreme(d, k.Index(1), classes, func(c ir.Value) ir.Value { return k.Choose(open(c), k.Load(counts, c), k.Index(-1)) }))
	})
	k.Each(k.Index(1), classes, func(c ir.Value) { k.IfOnly(open(c), func() { give(c) }) })
	k.Free(counts, load)
}

// extreme is the first index of those from low up to high where a number is largest.
func (p *partition) extreme(d down, low, high ir.Value, of func(i ir.Value) ir.Value) ir.Value {
	k := d.kit()
	return k.For(k.Next(low), high, []ir.Value{low, of(low)}, func(i ir.Value, s []ir.Value) []ir.Value {
		x := of(i)
		more := k.Less(s[1], x)
		return []ir.Value{k.Choose(more, i, s[0]), k.Choose(more, x, s[1])}
	})[0]
}

// own does the rounds of a core: it lists those among some, and does them.
func (p *partition) own(d down, core ir.Value) {
	k := d.kit()
	s := p.s.part(d, p.of.size)
	items := []item{{s, p.it.given}}
	list, self, step := k.Alloc(ir.I32, k.Index(ownRounds)), k.Widen(core, ir.I8), k.Index(ownRounds)
	b := d.newBatches(p.of.n, p.of.size, items)
	round := func(j ir.Value, state []ir.Value) []ir.Value {
		setStates(items, state)
		i := k.Widen(k.Load(list, j), ir.Index)
		s.round(i)
		b.round(d, j)
		d.again(p.of.n, items[0], i)
		return statesOf(items)
	}
	setStates(items, k.ForStep(k.Index(0), p.of.size, step, statesOf(items), func(from ir.Value, state []ir.Value) []ir.Value {
		setStates(items, state)
		n := k.For(from, k.Min(k.Add(from, step), p.of.size), []ir.Value{k.Index(0)}, func(i ir.Value, n []ir.Value) []ir.Value {
			k.Store(k.Widen(i, ir.I32), list, n[0])
			return []ir.Value{d.arrays.counted(n[0], k.Is(arith.EQ, k.Load(p.owner, i), self))}
		})[0]
		for _, a := range b.ahead {
			a.known, a.list = n, list
		}
		b.run(d, k.Index(0), n, items, func(from, to ir.Value) { setStates(items, k.For(from, to, statesOf(items), round)) })
		return statesOf(items)
	}))
	b.end(d)
	k.Free(list)
	p.hand(d, core, s)
}

// hand copies the groups of a core to where all can see them.
func (p *partition) hand(d down, core ir.Value, s *bucketer) {
	k, t := d.kit(), s.tab
	first := k.Load(p.next, core)
	zero := t.EachRow(d.B, []ir.Value{k.Index(-1)}, func(g, row ir.Value, zero []ir.Value) []ir.Value {
		at := k.Add(first, g)
		p.s.tab.CopyRow(d.B, t, row, p.rows, at)
		k.Store(k.Load(s.firsts, g), p.firsts, at)
		return []ir.Value{k.Choose(t.IsZeroKey(d.B, row), at, zero[0])}
	})
	k.Store(t.Count(), p.counts, core)
	k.Store(zero[0], p.zeros, core)
	k.Free(s.firsts)
	t.Free(d.B)
}

// gather makes one table of the groups of all cores, in the order of their first rounds, in which those of each core are.
func (p *partition) gather(d down) {
	k, s := d.kit(), p.s
	ends := k.Alloc(ir.Index, p.cores)
	all := k.For(k.Index(0), p.cores, []ir.Value{k.Index(0), k.Index(-1)}, func(c ir.Value, so []ir.Value) []ir.Value {
		n := k.Load(p.counts, c)
		k.Store(k.Add(k.Load(p.next, c), n), ends, c)
		return []ir.Value{k.Add(so[0], n), k.Max(so[1], k.Load(p.zeros, c))}
	})
	index := k.Alloc(ir.I32, k.Max(all[0], k.Index(1)))
	k.Each(k.Index(0), all[0], func(g ir.Value) {
		core := p.extreme(d, k.Index(0), p.cores, func(c ir.Value) ir.Value {
			at := k.Load(p.next, c)
			return k.Where(k.Less(at, k.Load(ends, c)), func() ir.Value { return k.Sub(k.Index(0), k.Widen(k.Load(p.firsts, at), ir.Index)) },
				func() ir.Value { return k.Index(-mostRounds) })
		})
		row := k.Load(p.next, core)
		k.Store(k.Widen(row, ir.I32), index, g)
		k.Store(k.Next(row), p.next, core)
	})
	k.Free(ends)
	s.tab = s.tab.Placed(d.B, p.rows, index, all[0], all[1])
	if s.tab.HasTexts() {
		p.texts(d)
	}
}

// texts makes the strings of the keys, which are those of the first rounds.
func (p *partition) texts(d down) {
	k, s := d.kit(), p.s
	texts := &texter{s: s}
	items := []item{{texts, p.it.given}}
	s.set(k.For(k.Index(0), s.tab.Count(), s.state(), func(g ir.Value, state []ir.Value) []ir.Value {
		s.set(state)
		texts.row = s.tab.RowOf(d.B, g)
		d.again(p.of.n, items[0], k.Widen(k.Load(p.firsts, texts.row), ir.Index))
		return s.state()
	}))
}

// A texter stands for a bucketer when the strings of its keys are copied.
type texter struct {
	s   *bucketer
	row ir.Value
}

func (t *texter) begin(down, ir.Value, int, bool) {}

func (t *texter) round(ir.Value) {}

func (t *texter) add(d down, tuple []ir.Value) {
	t.s.tab = t.s.tab.SetTexts(d.B, d.arrays.keyValues(t.s.types, tuple[:len(t.s.types)]), t.row)
}

func (t *texter) state() []ir.Value { return t.s.state() }

func (t *texter) set(state []ir.Value) { t.s.set(state) }

func (t *texter) results(down) []ir.Value { return nil }

// many is an i1: most rounds of a sample have keys that no others of it have. Where there are few groups, cores wait for the memory that rounds
// read, and if each reads that of all it takes no less time than one.
func (p *partition) many(d down) ir.Value {
	k := d.kit()
	seen := k.Zeros(ir.I8, k.Index(hash.Classes*hash.Classes))
	n := k.Alloc(ir.Index, k.Index(2)) // rounds, and those of a key that is new
	for i := range int64(2) {
		k.Store(k.Index(0), n, k.Index(i))
	}
	count := func(i int64, x ir.Value) { k.Store(k.Add(k.Load(n, k.Index(i)), x), n, k.Index(i)) }
	p.sample(d, func(hash ir.Value) {
		isNew := k.IsZero(k.Load(seen, hash))
		k.Store(k.Int(ir.I8, 1), seen, hash)
		count(0, k.Index(1))
		count(1, arith.Cast(d.B, arith.IndexCastui, isNew, ir.Index))
	})
	all, first := k.Load(n, k.Index(0)), k.Load(n, k.Index(1))
	k.Free(seen, n)
	return k.Less(k.Mul(all, k.Index(mostNew-1)), k.Mul(first, k.Index(mostNew)))
}

// sample visits the hashes of the keys of some rounds, from all: where a round may trap, of the first ones.
func (p *partition) sample(d down, visit func(hash ir.Value)) {
	k := d.kit()
	end, step := p.of.size, k.Next(k.Div(p.of.size, k.Index(sampled)))
	if d.source.mayTrap(p.of.n.Region(0).Old()) {
		end, step = k.Min(p.of.size, k.Index(sampled)), k.Index(1)
	}
	p.eachHash(d, k.Index(0), end, step, func(_, hash ir.Value) { visit(hash) })
}
