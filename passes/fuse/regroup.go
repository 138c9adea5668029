package fuse

import (
	"maps"
	"slices"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
)

// regrouping are the buckets of one graph that take over what is done with their groups.
type regrouping struct {
	buckets map[ir.Value]map[int]*rows // by loop and generator
	moved   map[ir.Value]*rows         // by op
	orders  map[ir.Region][]ir.Value   // of regions with such a bucket
}

// regroup lets buckets take over what is done with their groups; nil if there is nothing to do.
func (f *fused) regroup(g *ir.Graph) *ir.Graph {
	found := map[*ir.Graph]*regrouping{}
	f.regroupings(g, found)
	if len(found) == 0 {
		return nil
	}
	at := func(m *ir.Mirror) *regrouper {
		return m.Once(regrouperKey{}, func() any {
			return &regrouper{m: m, regrouping: found[m.Schedule().Graph()], results: map[ir.Value][]ir.Value{}, elems: map[ir.Value]ir.Value{}}
		}).(*regrouper)
	}
	s := ir.ScheduleOf(g).Reordered(func(g *ir.Graph) map[ir.Region][]ir.Value {
		if x := found[g]; x != nil {
			return x.orders
		}
		return nil
	})
	g = ir.Rewrite(g.Ctx, s, ir.Rules{
		loop.For: func(m *ir.Mirror, n ir.Node) ir.Value { return at(m).loop(n) },
		loop.Len: func(m *ir.Mirror, n ir.Node) ir.Value { return at(m).taken(n) },
		loop.At:  func(m *ir.Mirror, n ir.Node) ir.Value { return at(m).element(n) },
	}, nil)
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), g.Ctx.Cleanups(), nil) // the groups
}

// regroupings looks at all graphs of a program, and at a region only if nothing around it
// changes.
func (f *fused) regroupings(g *ir.Graph, out map[*ir.Graph]*regrouping) {
	for g := range g.Nested() {
		f.regroupWithin(ir.ScheduleOf(g), ir.Root, out)
	}
}

// regroupWithin takes the first loop of a region whose buckets can take something over. A later call finds
// the others.
func (f *fused) regroupWithin(s *ir.Schedule, r ir.Region, out map[*ir.Graph]*regrouping) {
	g, found := s.Graph(), false
	if x := bucketsIn(s, r); x != nil {
		for l, m := range x.loops {
			if found {
				break
			}
			for k, b := range m.gens {
				if b.Kind != loop.BucketKind || m.conditional(k) && !m.known(x, k) {
					continue
				}
				if r := findRows(x, l, k); r != nil && f.addRows(g, r, out) {
					found = true
				}
			}
		}
	}
	for _, v := range s.Body(r) {
		for _, in := range g.Regions(v) {
			if !found {
				f.regroupWithin(s, in, out)
			}
		}
	}
}

// bucketsIn is scan where there is a bucket.
func bucketsIn(s *ir.Schedule, r ir.Region) *region {
	g := s.Graph()
	for _, v := range s.Body(r) {
		if g.Def(v) != loop.For {
			continue
		}
		for _, x := range loop.Generators(g.NodeOf(v)) {
			if x.Kind == loop.BucketKind {
				return scan(s, r)
			}
		}
	}
	return nil
}

// addRows notes what a bucket takes over, and tells what and why not; false if it is nothing.
func (f *fused) addRows(g *ir.Graph, r *rows, out map[*ir.Graph]*regrouping) bool {
	v := r.loops[r.loop].v
	for _, op := range slices.Sorted(maps.Keys(r.stays)) {
		f.say("the loop at %s over the members of a group is not done by the bucket at %s: %s", f.where(g, op), f.where(g, v), r.stays[op])
	}
	if len(r.moved) == 0 {
		return false
	}
	x := out[g]
	if x == nil {
		x = &regrouping{buckets: map[ir.Value]map[int]*rows{}, moved: map[ir.Value]*rows{}, orders: map[ir.Region][]ir.Value{}}
		out[g] = x
	}
	if x.buckets[v] == nil {
		x.buckets[v] = map[int]*rows{}
	}
	x.buckets[v][r.gen] = r
	x.orders[r.r] = r.order()
	for _, o := range r.moved {
		x.moved[o.op] = r
		f.say("what %s does with each group is done by the bucket at %s", f.where(g, o.op), f.where(g, v))
	}
	f.ctx.Count("buckets", 1)
	return true
}

// A regrouper builds them.
type regrouper struct {
	*regrouping
	m       *ir.Mirror
	results map[ir.Value][]ir.Value // of a moved op: arrays by group
	elems   map[ir.Value]ir.Value   // of the groups that are read
}

// regrouperKey is under what a mirror keeps its regrouper: one for each graph that is built.
type regrouperKey struct{}

// taken is the element of what the bucket makes in the place of a moved op.
func (x *regrouper) taken(n ir.Node) ir.Value {
	if x.regrouping == nil || x.moved[n.Old()] == nil {
		return 0
	}
	var out []ir.Value
	for _, o := range x.moved[n.Old()].moved {
		if o.op == n.Old() {
			for _, a := range x.results[o.op] {
				out = append(out, loop.Element(x.m.B, a, x.m.Of(n.Graph().NodeOf(o.at))))
			}
		}
	}
	return x.m.B.Pack(out...)
}

// element is what is given to the bucket, in what it does with it.
func (x *regrouper) element(n ir.Node) ir.Value { return x.elems[n.Arg(0).Old()] }

// loop makes a loop again whose buckets do more. For a loop that moved it gives the elements that stand for
// its results.
func (x *regrouper) loop(n ir.Node) ir.Value {
	if x.regrouping == nil || x.buckets[n.Old()] == nil {
		return x.taken(n)
	}
	b, of := x.m.B, x.buckets[n.Old()]
	args := []ir.Value{x.m.Of(n.Arg(0))}
	old := loop.Generators(n)
	list := make([]loop.Generator, len(old))
	for k, g := range old {
		if list[k] = g; of[k] != nil {
			list[k].Inner = append([]loop.Generator(nil), g.Inner...)
			for _, o := range of[k].moved {
				list[k].Inner = append(list[k].Inner, o.gens...)
			}
		}
	}
	regions := []ir.Region{b.Region(ir.Loop, []ir.Type{ir.Index}, func(p []ir.Value) {
		b.Enter(loop.For, 0, args, 0, p)
		var ys []ir.Value
		for k, given := range loop.Split(b.Graph(), old, x.m.Body(n.Region(0), p[0])) {
			ys = append(ys, x.given(of[k], list[k], given)...)
		}
		b.Op(loop.Yield, ys...)
	})}
	// Region 0 is the body and operand 0 the size; those of the generators follow, each with what it takes
	// over behind it.
	region, at := 1, 1
	for k, g := range old {
		count := len(loop.Regional([]loop.Generator{g}))
		for _, c := range loop.Regional([]loop.Generator{g}) {
			args = append(args, x.m.All(n.Args()[at:at+len(c.Types)])...)
			at += len(c.Types)
		}
		for ; count > 0; count-- {
			regions = append(regions, x.m.Region(n.Region(region)))
			region++
		}
		if of[k] != nil {
			args, regions = x.combine(of[k], args, regions)
		}
	}
	return x.spread(old, list, of, loop.Assemble(b, args, list, regions))
}

// combine adds the identities and regions of what is moved.
func (x *regrouper) combine(r *rows, args []ir.Value, regions []ir.Region) ([]ir.Value, []ir.Region) {
	for _, o := range r.moved {
		n := r.g.NodeOf(o.op)
		if n.Def() == loop.Len {
			continue
		}
		args = append(args, x.m.All(n.Args()[1:])...)
		for i := 1; i < n.NumRegions(); i++ {
			regions = append(regions, x.m.Region(n.Region(i)))
		}
	}
	return args, regions
}

// given adds to what a bucket is given what the moved bodies make of it.
func (x *regrouper) given(r *rows, g loop.Generator, given []ir.Value) []ir.Value {
	if r == nil {
		return given
	}
	more := func(tuple []ir.Value) []ir.Value {
		out := append([]ir.Value(nil), tuple...)
		for v, place := range r.of {
			x.elems[v] = tuple[place]
		}
		for _, o := range r.moved {
			if n := r.g.NodeOf(o.op); n.Def() == loop.Len {
				out = append(out, x.m.B.Index(1))
			} else {
				out = append(out, x.made(n, o.gens)...)
			}
		}
		for v := range r.of {
			delete(x.elems, v)
		}
		return out
	}
	if !loop.EmitsIn(x.m.B.Graph(), given) {
		return more(given)
	}
	return loop.Bind(x.m.B, given[0], []ir.Type{loop.EmitOf(x.m.B.Ctx(), g.Tuple()...)}, func(tuple []ir.Value) []ir.Value {
		return []ir.Value{x.m.B.Op(loop.Emit, more(tuple)...)}
	})
}

// made is what the body of a moved loop makes of a member: one tuple for each generator.
func (x *regrouper) made(n ir.Node, list []loop.Generator) (out []ir.Value) {
	for k, given := range loop.Split(x.m.B.Graph(), list, x.m.Body(n.Region(0), 0)) {
		if loop.EmitsIn(x.m.B.Graph(), given) {
			given = list[k].OrIdentity(x.m.B, given[0])
		}
		out = append(out, given...)
	}
	return out
}

// spread returns the results that were there before, and notes the others.
func (x *regrouper) spread(old, list []loop.Generator, of map[int]*rows, all []ir.Value) ir.Value {
	c := x.m.B.Ctx()
	var out []ir.Value
	for k, g := range old {
		n, m := len(g.Results(c)), len(list[k].Results(c))
		out = append(out, all[:n]...)
		more := all[n:m]
		all = all[m:]
		if of[k] == nil {
			continue
		}
		for _, o := range of[k].moved {
			n := 0
			for _, g := range o.gens {
				n += len(g.Results(c))
			}
			x.results[o.op], more = more[:n], more[n:]
		}
	}
	return x.m.B.Pack(out...)
}
