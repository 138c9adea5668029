package lowering

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
)

// The cores of a target share the groups of a bucket: their keys where there are many (partition), and parts of the rounds
// where there are few and what is reduced is exact: each core makes a table of its part, and these are joined from the first part to the
// last, so that groups come out in the order of their first rounds.

// Sizes of what the cores share of a bucket.
const (
	mostRounds  = math.MaxInt32 // which 32 bits number
	slotsAtOnce = 8             // slots that are made empty in one operation
)

// mayPartition reports a generator whose groups cores may share: one tuple a round, of which numbers are reduced by ways that trap
// never.
func (sh sharing) mayPartition(it item) bool {
	n := sh.n
	s, ok := it.s.(*bucketer)
	if !ok || s.looked || len(s.byGroup()) > 0 || !sh.onCores() {
		return false
	}
	if m := most(n.Graph(), it.given); m < 0 || m > 1 || isSeq(n.Graph(), it.given) {
		return false
	}
	for i := 1; i < n.NumRegions(); i++ {
		if sh.d.source.mayTrap(n.Region(i).Old()) {
			return false
		}
	}
	return sh.d.source.twice(n, []item{it}, []int{len(s.types)})
}

// isSeq reports a sequence of several, though it may have one tuple at most.
func isSeq(g *ir.Graph, given []ir.Value) bool {
	if !loop.EmitsIn(g, given) {
		return false
	}
	v, _, _ := g.Projection(given[0])
	return g.Def(v) == loop.Seq
}

// byGroups makes a loop with groups that cores may share: their own where there are many, parts of the rounds where there are few and what is reduced is
// exact. Else one core does all: where there are few groups cores wait for the memory that rounds read, and if each reads that of all rounds it takes no
// less time than one. What else the loop makes is made after them.
func (sh sharing) byGroups(items []item) {
	var first item
	slots, exact, many := 0, true, false
	for _, it := range items {
		if s, ok := it.s.(*bucketer); ok && sh.mayPartition(it) {
			slots, exact, many = max(slots, s.tab.Slots(sh.d.B.Ctx())), exact && s.isExact(sh.d.B.Ctx()), many || s.tab.Slots(sh.d.B.Ctx()) == 0
			if first.s == nil || s.tab.Slots(sh.d.B.Ctx()) == 0 {
				first = it
			}
		}
	}
	k := sh.d.kit()
	before := statesOf(items)
	serial := func() []ir.Value {
		setStates(items, before)
		sh.serial(items)
		return statesOf(items)
	}
	by := func(do func(it item)) func() []ir.Value {
		return func() []ir.Value {
			setStates(items, before)
			sh.eachGroups(items, do)
			return statesOf(items)
		}
	}
	few := by(sh.joinTables)
	if !exact {
		few = serial
	}
	enough := k.And(sh.enough(slots/slotsAtOnce), k.Less(sh.size, k.Index(mostRounds)))
	switch {
	case many:
		p := &partition{of: sh, it: first, s: first.s.(*bucketer)}
		isMany := k.Where(enough, func() ir.Value { return p.many(sh.d) }, func() ir.Value { return arith.ConstBool(sh.d.B, false) })
		els := few
		if exact {
			els = func() []ir.Value {
				return k.If(enough, few, serial)
			}
		}
		setStates(items, k.If(isMany, by(sh.partition), els))
	case exact:
		setStates(items, k.If(enough, few, serial))
	default:
		sh.serial(items)
	}
}

// eachGroups makes the groups that cores may share, and after them one loop for what else there is.
func (sh sharing) eachGroups(items []item, do func(it item)) {
	var rest []item
	for _, it := range items {
		if sh.mayPartition(it) {
			do(it)
		} else {
			rest = append(rest, it)
		}
	}
	switch {
	case len(rest) > 0 && sh.mayShare(rest):
		sh.inParts(rest)
	case len(rest) > 0:
		sh.serial(rest)
	}
}

// isExact reports what may be reduced in any order.
func (s *bucketer) isExact(c *ir.Context) bool {
	return !slices.ContainsFunc(s.sums, func(r *reducer) bool { return r != nil && !r.isExact(c) })
}

// part is a bucketer for some of the rounds, with a table of its own.
func (s *bucketer) part(d down, size ir.Value) *bucketer {
	p := *s
	p.begin(d, size, 1, false)
	p.tab.Range, p.firsts = s.tab.Range, d.kit().Alloc(ir.I32, p.tab.Capacity(d.B))
	return &p
}

// joinTables has each core make a table of a part of the rounds, and joins them.
func (sh sharing) joinTables(it item) {
	n, size, k, s := sh.n, sh.size, sh.d.kit(), it.s.(*bucketer)
	c := sh.cutInto(int64(sh.target.Cores))
	rows, firsts, counts := s.tab.Rows(sh.d.B, size), k.Alloc(ir.I32, size), k.Alloc(ir.Index, c.parts)
	k.EachAtOnce(c.parts, func(at ir.Value) {
		from, to := c.part(sh.d, at)
		p := s.part(sh.d, size)
		own := []item{{p, it.given}}
		b := sh.d.newBatches(n, to, own)
		b.run(sh.d, from, to, own, func(from, to ir.Value) { setStates(own, k.For(from, to, statesOf(own), sh.d.roundOf(n, own, b))) })
		b.end(sh.d)
		p.tab.EachRow(sh.d.B, nil, func(g, row ir.Value, _ []ir.Value) []ir.Value {
			s.tab.CopyRow(sh.d.B, p.tab, row, rows, k.Add(from, g))
			k.Store(k.Load(p.firsts, g), firsts, k.Add(from, g))
			return nil
		})
		k.Store(p.tab.Count(), counts, at)
		k.Free(p.firsts)
		p.tab.Free(sh.d.B)
	})
	j := &joiner{s: s, rows: rows}
	s.set(k.For(k.Index(0), c.parts, s.state(), func(at ir.Value, state []ir.Value) []ir.Value {
		from, _ := c.part(sh.d, at)
		return k.For(k.Index(0), k.Load(counts, at), state, func(g ir.Value, state []ir.Value) []ir.Value {
			s.set(state)
			j.at = k.Add(from, g)
			sh.d.again(n, item{j, it.given}, k.Widen(k.Load(firsts, j.at), ir.Index))
			return s.state()
		})
	}))
	k.Free(rows, firsts, counts)
}

// again gives an accumulator the tuple of a round.
func (d down) again(n ir.Node, it item, round ir.Value) {
	d.give(d.streams.within([]item{it}, func() { d.Body(n.Region(0), round) }))
}

// A joiner stands for a bucketer when it is given the first tuple of each group of other tables, for all that these have of the group: a
// row of other memory.
type joiner struct {
	s        *bucketer
	rows, at ir.Value
}

func (j *joiner) begin(down, ir.Value, int, bool) {}

func (j *joiner) round(ir.Value) {}

func (j *joiner) add(d down, tuple []ir.Value) {
	s := j.s
	s.tab = s.tab.Reserve(d.B)
	var row ir.Value
	row, _, s.tab = s.tab.Insert(d.B, s.tab.Keys.Of(d.B, d.arrays.keyValues(s.types, tuple[:len(s.types)])))
	given, slot := make([][]ir.Value, len(s.sums)), 0
	for i, r := range s.sums {
		if r != nil {
			given[i] = d.arrays.wholes(r.g.Types, s.loaded(d, s.tab.In(j.rows), j.at, slot, i))
			slot += r.slots(d.B.Ctx())
		}
	}
	s.reduce(d, s.tab, row, given)
}

func (j *joiner) state() []ir.Value { return j.s.state() }

func (j *joiner) set(state []ir.Value) { j.s.set(state) }

func (j *joiner) results(down) []ir.Value { return nil }
