package fuse

import (
	"slices"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// building makes the loops of the shapes of one graph.
type building struct {
	f      *fused
	m      *ir.Mirror
	shapes map[ir.Value]*shape   // by member
	of     map[ir.Value]ir.Value // members by index
	elems  map[result]ir.Value   // elements of this round
	counts map[result]ir.Value   // how many elements
	gone   map[result]bool
}

// buildingKey is under what a mirror keeps its building: one for each graph that is built.
type buildingKey struct{}

// rules make each cluster when its first member's turn comes: by then all that its members
// need is there (see order).
func (f *fused) rules() ir.Rules {
	at := func(m *ir.Mirror) *building {
		return m.Once(buildingKey{}, func() any {
			b := &building{f: f, m: m, shapes: f.shapes[m.Schedule().Graph()], of: map[ir.Value]ir.Value{}, elems: map[result]ir.Value{}, counts: map[result]ir.Value{}, gone: map[result]bool{}}
			for v, s := range b.shapes {
				b.of[s.loops[s.at[v]].index] = v
			}
			return b
		}).(*building)
	}
	return ir.Rules{
		loop.For: func(m *ir.Mirror, n ir.Node) ir.Value { return at(m).loop(n) },
		loop.At:  func(m *ir.Mirror, n ir.Node) ir.Value { return at(m).element(n) },
		loop.Len: func(m *ir.Mirror, n ir.Node) ir.Value { return at(m).length(n) },
	}
}

// loop makes a whole cluster at its first member. Later members are found in the mirror, which make told of
// them.
func (b *building) loop(n ir.Node) ir.Value {
	s := b.shapes[n.Old()]
	switch {
	case s == nil:
		return 0
	case s.loops[s.members[0]].v == n.Old():
		b.make(s)
	}
	return b.m.Of(n)
}

// element is that of this round, where a member reads what another one makes.
func (b *building) element(n ir.Node) ir.Value {
	v, i, _ := n.Graph().Projection(n.Arg(0).Old())
	s := b.shapes[v]
	if s == nil {
		return 0
	}
	if l, ok := b.of[n.Arg(1).Old()]; !ok || b.shapes[l] != s {
		return 0
	}
	return b.elems[result{v, i}]
}

// length is a number that was counted, or what nothing asks for any more.
func (b *building) length(n ir.Node) ir.Value {
	v, i, _ := n.Graph().Projection(n.Arg(0).Old())
	if x := b.counts[result{v, i}]; x != 0 {
		return x
	}
	if b.gone[result{v, i}] {
		return b.m.B.Pack()
	}
	return 0
}

// make builds the loop of a cluster and tells the mirror what its members' results are.
func (b *building) make(s *shape) {
	m, slots := b.m, s.domains[root].slots
	args := []ir.Value{m.Of(s.g.NodeOf(s.size))}
	var given [][]ir.Value
	var place []int // of each slot that of its generator
	var list []loop.Generator
	body := m.B.Region(ir.Loop, []ir.Type{ir.Index}, func(p []ir.Value) {
		m.B.Enter(loop.For, 0, args, 0, p)
		given = b.round(s, s.domains[root], p[0], nil)
		var ys []ir.Value
		list, place, ys = s.merge(given)
		m.B.Op(loop.Yield, ys...)
	})
	b.f.ctx.Count("merged", len(slots)-len(list))
	regions := []ir.Region{body}
	for i, x := range slots {
		if place[i] < len(list) && !slices.Contains(place[:i], place[i]) {
			ids, combine := b.combine(s, x)
			args, regions = append(args, ids...), append(regions, combine...)
		}
	}
	b.results(s, list, place, loop.Assemble(m.B, args, list, regions))
}

// merge makes one generator of those that are equal and are given the same.
func (s *shape) merge(given [][]ir.Value) (list []loop.Generator, place []int, ys []ir.Value) {
	var kept []int
	for i, x := range s.domains[root].slots {
		g := s.generator(x)
		at := slices.IndexFunc(kept, func(k int) bool {
			return slices.Equal(given[k], given[i]) && g.MakesSame(s.g.Ctx, s.generator(s.domains[root].slots[k]))
		})
		if at < 0 {
			at = len(kept)
			kept, list, ys = append(kept, i), append(list, g), append(ys, given[i]...)
		}
		place = append(place, at)
	}
	return list, place, ys
}

// combine copies the identities and regions of a slot's generator.
func (b *building) combine(s *shape, x slot) (ids []ir.Value, regions []ir.Region) {
	if x.count {
		return nil, nil
	}
	l := s.loops[x.loop]
	// Operand 0 is the size and region 0 the body: identities and combining regions follow, in the order of
	// the generators.
	n := s.g.NodeOf(l.v)
	r, at := 1, 1
	for _, g := range loop.Regional(l.gens[:x.gen]) {
		r, at = r+1, at+len(g.Types)
	}
	for _, g := range loop.Regional(l.gens[x.gen : x.gen+1]) {
		for range g.Types {
			ids = append(ids, b.m.Of(n.Arg(at)))
			at++
		}
		regions = append(regions, b.m.Region(n.Region(r)))
		r++
	}
	return ids, regions
}

// round builds the bodies of the members that run in a domain, in the round of an index or for
// a tuple, and returns what each slot of it is given.
func (b *building) round(s *shape, d *domain, index ir.Value, tuple []ir.Value) (out [][]ir.Value) {
	if d.whole {
		out = append(out, tuple)
	}
	if d.counted {
		out = append(out, []ir.Value{b.m.B.Index(1)})
	}
	for _, l := range d.members {
		x := s.loops[l]
		ys := b.m.Body(s.g.NodeOf(x.v).Region(0), index)
		for k, given := range loop.Split(b.m.B.Graph(), x.gens, ys) {
			at := source{l, k}
			if !x.conditional(k) {
				b.elements(x, k, given)
			}
			if sub := s.domains[at]; sub != nil {
				out = append(out, b.emitted(s, sub, given)...)
			} else if s.needed[at] {
				out = append(out, given)
			}
		}
	}
	return out
}

// elements notes what a generator collects in this round.
func (b *building) elements(x *member, k int, given []ir.Value) {
	if x.gens[k].Kind == loop.CollectKind {
		for j, v := range given {
			b.elems[result{x.v, x.first[k] + j}] = v
		}
	}
}

// emitted builds the rounds of a domain where its tuples are emitted.
func (b *building) emitted(s *shape, d *domain, given []ir.Value) (out [][]ir.Value) {
	if len(d.slots) == 1 && d.whole && !s.writes {
		return [][]ir.Value{given}
	}
	outs := lists.Map(d.slots, func(x slot) ir.Type { return loop.EmitOf(b.m.B.Ctx(), s.generator(x).Tuple()...) })
	for _, v := range loop.Bind(b.m.B, given[0], outs, func(tuple []ir.Value) []ir.Value {
		b.elements(s.loops[d.loop], d.gen, tuple)
		return lists.Map(b.round(s, d, 0, tuple), func(given []ir.Value) ir.Value { return sequence(b.m.B, given) })
	}) {
		out = append(out, []ir.Value{v})
	}
	return out
}

// sequence is what a generator is given as one value.
func sequence(b *ir.Builder, given []ir.Value) ir.Value {
	if loop.EmitsIn(b.Graph(), given) {
		return given[0]
	}
	return b.Op(loop.Emit, given...)
}

// results gives each member what is left of its results. What nothing needs any more is
// something else.
func (b *building) results(s *shape, list []loop.Generator, place []int, vs []ir.Value) {
	first, n := make([]int, len(list)), 0
	for i, g := range list {
		first[i] = n
		n += len(g.Results(b.m.B.Ctx()))
	}
	of := map[source]int{}
	for i, x := range s.domains[root].slots {
		if !x.count {
			of[x.source] = first[place[i]]
			continue
		}
		l := s.loops[x.loop]
		for j := range l.gens[x.gen].Types {
			b.counts[result{l.v, l.first[x.gen] + j}] = vs[first[place[i]]]
		}
	}
	for _, l := range s.members {
		x := s.loops[l]
		var out []ir.Value
		for k, g := range x.gens {
			at, ok := of[source{l, k}]
			for j := range g.Results(b.m.B.Ctx()) {
				if b.gone[result{x.v, x.first[k] + j}] = !ok; ok {
					out = append(out, vs[at+j])
				} else {
					// The mirror wants a value for each result, also for one that nothing uses: any will do.
					out = append(out, vs[0])
				}
			}
		}
		b.m.Set(s.g.NodeOf(x.v), b.m.B.Pack(out...))
	}
}
