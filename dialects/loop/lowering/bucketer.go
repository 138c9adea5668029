package lowering

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/loop/hash"
	"github.com/irc-lang/irc/dialects/loop/order"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
	irtext "github.com/irc-lang/irc/ir/text"
)

// bucketer numbers groups by a table of keys. What its generators reduce stands in memory by
// group; what they collect is kept in the order in which it comes, with the number of its
// group, and put together in the end; inner buckets have a table of their own, whose keys
// begin with the number of the group.
type bucketer struct {
	g       loop.Generator
	types   []ir.Type  // of the keys; of an inner bucket the first is the number of the group around
	looked  bool       // something is looked for in the groups
	sums    []*reducer // of reduces and scans, by inner generator; nil of others
	buckets []*bucketer
	tab     hash.Table
	batched bool       // there is room in the table for the groups of a round
	firsts  ir.Value   // i32: of each group the first round, if asked for
	index   ir.Value   // of the round
	keys    savedKey   // of this round
	log     *collector // the group and what is collected; nil if nothing is
}

// byGroup lists the accumulators that are given the number of the group with each tuple.
func (s *bucketer) byGroup() (out []accumulator) {
	if s.log != nil {
		out = append(out, s.log)
	}
	for _, in := range s.buckets {
		if in != nil {
			out = append(out, in)
		}
	}
	return out
}

func (d down) newBucketer(g loop.Generator, ids *[]ir.Value, regions *[]ir.Block) *bucketer {
	s := &bucketer{g: g, types: g.Types, sums: make([]*reducer, len(g.Inner)), buckets: make([]*bucketer, len(g.Inner))}
	logged := []ir.Type{ir.Index}
	for i, x := range g.Inner {
		switch x.Kind {
		case loop.ReduceKind, loop.ScanKind:
			s.sums[i] = newReducer(x, ids, regions)
		case loop.BucketKind:
			s.buckets[i] = d.newBucketer(x, ids, regions)
			s.buckets[i].types = append([]ir.Type{ir.Index}, x.Types...)
		}
		if x.Kind == loop.CollectKind || x.Kind == loop.ScanKind {
			logged = append(logged, x.Types...)
		}
	}
	if len(logged) > 1 {
		s.log = &collector{types: logged}
	}
	return s
}

// checkGroups refuses what has no place in the memory of a group: a combination that is an array.
func (d down) checkGroups(n ir.Node, list []loop.Generator) {
	for _, x := range list {
		for _, t := range x.Types {
			for _, part := range loop.Parts(d.B.Ctx(), t) {
				if (x.Kind == loop.ReduceKind || x.Kind == loop.ScanKind) && d.B.Ctx().Info(part).Kind == ir.KindMemRef {
					lower.Refuse(n.Errorf("combines %s in the groups of a bucket, where only numbers and structs of such are combined: collect them, and combine them in a loop over the groups", irtext.TypeString(d.B.Ctx(), t)))
				}
			}
		}
		d.checkGroups(n, x.Inner)
	}
}

func (s *bucketer) begin(d down, size ir.Value, most int, exact bool) {
	s.batched = most > 0 && most <= maxEmits
	o := hash.Options{Kinds: kinds(d.B.Ctx(), s.types), Numbered: s.looked || len(s.byGroup()) > 0}
	for _, r := range s.sums {
		if r != nil {
			o.Values = append(o.Values, r.identity(d)...)
		}
	}
	if s.batched {
		o.Extra = batchRounds * most
	}
	s.tab = hash.New(d.B, o)
	for _, in := range s.byGroup() {
		in.begin(d, size, most, exact)
	}
}

func (s *bucketer) round(i ir.Value) {
	s.index = i
	for _, in := range s.byGroup() {
		in.round(i)
	}
}

// add finds the group and gives each generator its part of the tuple.
func (s *bucketer) add(d down, tuple []ir.Value) {
	n := len(s.types)
	rest := make([][]ir.Value, len(s.g.Inner))
	at := n
	for i, x := range s.g.Inner {
		m := len(x.Tuple())
		rest[i] = tuple[at : at+m]
		at += m
	}
	if !s.batched {
		s.tab = s.tab.Reserve(d.B)
	}
	var row, isNew ir.Value
	row, isNew, s.tab = s.tab.Insert(d.B, s.key(d, d.arrays.keyValues(s.types, tuple[:n])))
	if s.firsts != 0 {
		k := d.kit()
		k.IfOnly(isNew, func() { k.Store(k.Widen(s.index, ir.I32), s.firsts, k.Last(s.tab.Count())) })
	}
	s.reduce(d, s.tab, row, rest)
	if !s.tab.Numbered {
		return
	}
	group := s.tab.Group(d.B, row)
	logged := []ir.Value{group}
	slot := 0
	for i, x := range s.g.Inner {
		switch x.Kind {
		case loop.CollectKind:
			logged = append(logged, rest[i]...)
		case loop.ScanKind:
			logged = append(logged, d.arrays.wholes(x.Types, s.loaded(d, s.tab, row, slot, i))...)
		case loop.BucketKind:
			s.buckets[i].add(d, append([]ir.Value{group}, rest[i]...))
		}
		if s.sums[i] != nil {
			slot += s.sums[i].slots(d.B.Ctx())
		}
	}
	if s.log != nil {
		s.log.add(d, logged)
	}
}

// reserve makes room for the groups of a batch of rounds.
func (s *bucketer) reserve(d down) {
	s.tab = s.tab.Reserve(d.B)
	if k := d.kit(); s.firsts != 0 {
		room := s.tab.Capacity(d.B)
		s.firsts = k.Where(k.Less(k.Len(s.firsts), room), func() ir.Value { return k.Resize(s.firsts, room) }, func() ir.Value { return s.firsts })
	}
	for _, in := range s.buckets {
		if in != nil {
			in.reserve(d)
		}
	}
}

// slots is how many places in memory by group a reducer has.
func (r *reducer) slots(c *ir.Context) (n int) {
	for _, t := range r.g.Types {
		n += len(loop.Parts(c, t))
	}
	return n
}

// loaded is what the reducer of inner generator i has of a group.
func (s *bucketer) loaded(d down, t hash.Table, row ir.Value, slot, i int) []ir.Value {
	out := make([]ir.Value, s.sums[i].slots(d.B.Ctx()))
	for k := range out {
		out[k] = t.Value(d.B, slot+k, row)
	}
	return out
}

// reduce combines a tuple with what the group of a row has.
func (s *bucketer) reduce(d down, t hash.Table, row ir.Value, rest [][]ir.Value) {
	slot := 0
	for i, r := range s.sums {
		if r == nil {
			continue
		}
		before := s.loaded(d, t, row, slot, i)
		for k, v := range r.combined(d, before, rest[i]) {
			set := func() { t.SetValue(d.B, slot+k, row, v) }
			if stays, ok := r.stays(d, before[k], rest[i], k); ok {
				d.kit().IfOnly(d.kit().Not(stays), set)
			} else {
				set()
			}
		}
		slot += r.slots(d.B.Ctx())
	}
}

// stays says of the smallest or largest float so far, component i, that it is such still: the
// more there have been, the more often, so that to combine and store it is no chain that the
// next round of the same group waits for.
func (r *reducer) stays(d down, acc ir.Value, tuple []ir.Value, i int) (ir.Value, bool) {
	if r.g.IsRegional() || !d.B.Ctx().IsFloat(r.g.Types[i]) {
		return 0, false
	}
	switch r.g.By {
	case loop.ByMin:
		return arith.CmpF(d.B, arith.OLT, acc, tuple[i]), true
	case loop.ByMax:
		return arith.CmpF(d.B, arith.OGT, acc, tuple[i]), true
	}
	return 0, false
}

func (s *bucketer) state() []ir.Value {
	out := s.tab.State()
	if s.firsts != 0 {
		out = append(out, s.firsts)
	}
	for _, in := range s.byGroup() {
		out = append(out, in.state()...)
	}
	return out
}

func (s *bucketer) set(state []ir.Value) {
	n := len(s.tab.State())
	s.tab, state = s.tab.With(state[:n]), state[n:]
	if s.firsts != 0 {
		s.firsts, state = state[0], state[1:]
	}
	for _, in := range s.byGroup() {
		n = len(in.state())
		in.set(state[:n])
		state = state[n:]
	}
}

// results: the groups, and of each inner generator its results by group.
func (s *bucketer) results(d down) []ir.Value {
	c := d.B.Ctx()
	count := s.tab.Count()
	keys, sums := s.tab.Columns(d.B, d.arrays.owned)
	groups := d.arrays.pack(loop.Buckets(c, s.types...), keys...)
	var collected []ir.Value
	var offsets ir.Value
	if s.log != nil {
		logged := s.log.results(d)
		where := d.arrays.parts(logged[0])[0]
		var rows ir.Value
		offsets, rows = order.Counting(d.B, where, d.kit().Len(where), count)
		for _, v := range logged[1:] {
			collected = append(collected, d.gathered(v, rows))
		}
		d.kit().Free(rows)
	}
	out := []ir.Value{groups}
	slot := 0
	for i, x := range s.g.Inner {
		switch x.Kind {
		case loop.ReduceKind:
			out = append(out, d.arrays.wholes(arraysOf(c, x.Types), sums[slot:slot+s.sums[i].slots(c)])...)
		case loop.CollectKind, loop.ScanKind:
			for _, t := range x.Types {
				out = append(out, d.arrays.jagged(loop.Array(c, t), offsets, collected[0]))
				collected = collected[1:]
			}
		case loop.BucketKind:
			out = append(out, s.buckets[i].nested(d, count)...)
		}
		if s.sums[i] != nil {
			slot += s.sums[i].slots(c)
		}
	}
	s.tab.Free(d.B)
	if s.log != nil {
		d.kit().Free(offsets)
	}
	return out
}

// nested are the results of an inner bucket for each of a number of groups around.
func (s *bucketer) nested(d down, around ir.Value) []ir.Value {
	c := d.B.Ctx()
	rs := s.results(d)
	parts := d.arrays.parts(rs[0])
	parents := parts[0]
	offsets, rows := order.Counting(d.B, parents, d.kit().Len(parents), around)
	var moved []ir.Value
	for t, col := range columns(c, s.types[1:], parts[1:]) {
		moved = append(moved, d.arrays.parts(d.gathered(d.arrays.pack(loop.Array(c, t), col...), rows))...)
	}
	out := []ir.Value{d.arrays.jagged(loop.Buckets(c, s.g.Types...), offsets, d.arrays.pack(loop.Buckets(c, s.g.Types...), moved...))}
	for _, r := range rs[1:] {
		out = append(out, d.arrays.jagged(d.B.Graph().Type(r), offsets, d.gathered(r, rows)))
	}
	d.kit().Free(rows, offsets)
	return out
}

// jagged is an array of values of type t, which lie one after the other in flat, between
// offsets, of which it has a copy.
func (m arrays) jagged(t ir.Type, offsets, flat ir.Value) ir.Value {
	own := m.copied(view{elem: ir.Index, parts: []ir.Value{offsets}, from: m.B.Index(0), n: m.kit().Len(offsets)})
	return m.pack(loop.Array(m.B.Ctx(), t), append(own, m.parts(flat)...)...)
}

// gathered is an array of the elements whose places are given.
func (d down) gathered(v, places ir.Value) ir.Value {
	k, x := d.kit(), d.arrays.view(v)
	n := k.Len(places)
	s := &collector{types: []ir.Type{x.elem}}
	s.begin(d, n, 1, true)
	s.set(k.For(k.Index(0), n, s.state(), func(i ir.Value, state []ir.Value) []ir.Value {
		s.set(state)
		s.round(i)
		s.add(d, []ir.Value{d.arrays.element(x, k.Load(places, i))})
		return s.state()
	}))
	return s.results(d)[0]
}
