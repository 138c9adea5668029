package fuse

import (
	"maps"
	"slices"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
)

// A bucket that collects, and a loop over the groups with a loop over the members of each:
// what the latter makes of a group is made as the members come ("Loop Fusion and
// Deforestation": consume bucket collect):
//
//	x = bucket(K, [collect]); for g { for j < len(x[g]) -> G { f(x[g][j]) } }
//
// is bucket(K, [collect, G]), and the groups are not collected if nothing else needs them. The inner
// loop must run for each group (the member's function may trap), and need nothing that is not
// there before the bucket. A bucket is given a tuple for each member: where the loop gives none to
// a named reduce (a filter), what changes nothing for that takes its place.

// A moved op is one in the loop over the groups that the bucket does: an inner loop, or loop.len
// of a group.
type moved struct {
	op   ir.Value
	at   ir.Value // the place of the group
	gens []loop.Generator
}

// rows are the collections of the groups of one generator of a loop.
type rows struct {
	*region
	loop, gen int
	of        map[ir.Value]int // by group: the place in the tuple
	groups    map[ir.Value]int // the loops over the groups, by index
	moved     []moved
	kept      bool                    // something else needs the groups
	stays     map[ir.Value]groupStays // inner loops that are not moved
	later     map[ir.Value]bool       // what needs the bucket
}

// groupStays says why a loop over the members of a group stays one.
type groupStays string

const (
	mayNotRun    groupStays = "it does not run for each group"
	emitsFurther groupStays = "it emits to the loop around it"
	notEach      groupStays = "it collects or scans not of each member one tuple, and a bucket takes whole tuples only"
	noNeutral    groupStays = "it does not combine a tuple of each member, and of a region it is not known what changes nothing"
	notBefore    groupStays = "it needs what is not there before the bucket"
	placeInGroup groupStays = "it uses the place of a member in its group"
	hasEffects   groupStays = "it writes or prints"
)

// findRows looks for what generator k of a loop may do; nil if its groups are not looked at one by
// one.
func findRows(x *region, l, k int) *rows {
	m, g := x.loops[l], x.g
	r := &rows{region: x, loop: l, gen: k, of: map[ir.Value]int{}, groups: map[ir.Value]int{}, stays: map[ir.Value]groupStays{}}
	for j, c := range x.loops {
		size := g.Args(c.v)[0]
		if g.Def(size) != loop.Len {
			continue
		}
		if n, i, _ := g.Projection(g.Args(size)[0]); n == m.v && i == m.first[k] {
			r.groups[c.index] = j
		}
	}
	if len(r.groups) == 0 {
		return nil
	}
	r.later = x.dependents(m.pos)
	r.find()
	var counts []moved
	for _, v := range slices.Sorted(maps.Keys(r.of)) {
		counts = append(counts, r.group(v)...)
	}
	if !r.kept {
		r.moved = append(r.moved, counts...)
	}
	slices.SortFunc(r.moved, func(a, b moved) int { return int(a.op) - int(b.op) })
	return r
}

// find lists the groups: elements of what is collected, at the index of a loop over all of
// them.
func (r *rows) find() {
	m := r.loops[r.loop]
	bucket := m.gens[r.gen]
	place, result := len(bucket.Types), m.first[r.gen]+1
	// Collected results are matched with their places in the tuple that the bucket is given.
	from := map[int]int{}
	for _, in := range bucket.Inner {
		if in.Kind == loop.CollectKind {
			for j := range in.Types {
				from[result+j] = place + j
			}
		}
		place, result = place+len(in.Tuple()), result+len(in.Results(r.g.Ctx))
	}
	for _, u := range r.g.NodeOf(m.v).Users() {
		for i, a := range r.g.Args(u.Old()) {
			n, res, _ := r.g.Projection(a)
			at, collected := from[res]
			if n != m.v || !collected || u.Def() == loop.Len {
				continue
			}
			c, ok := -1, false
			if u.Def() == loop.At && i == 0 {
				c, ok = r.groups[r.g.Args(u.Old())[1]]
			}
			if !ok || r.s.Place(u.Old()) != r.g.Regions(r.loops[c].v)[0] {
				r.kept = true
				continue
			}
			r.of[u.Old()] = at
		}
	}
}

// group looks at what is done with a group, and returns the lengths that are asked for.
func (r *rows) group(v ir.Value) (counts []moved) {
	for _, u := range r.g.NodeOf(v).Users() {
		switch {
		case u.Def() == loop.Len:
			counts = append(counts, r.length(u, v)...)
		case u.Def() != loop.At || r.g.Args(u.Old())[0] != v || !r.read(u):
			r.kept = true
		}
	}
	return counts
}

// read reports an element that is read by an inner loop, at its index.
func (r *rows) read(u ir.Node) bool {
	in, _, ok := r.g.Param(r.g.Args(u.Old())[1])
	if !ok {
		return false
	}
	j := r.g.Owner(in)
	return r.g.Def(j) == loop.For && r.g.Def(r.g.Args(j)[0]) == loop.Len && r.of[r.g.Args(r.g.Args(j)[0])[0]] > 0
}

// length looks at the loops over a group's members, and whether its length is used else.
func (r *rows) length(u ir.Node, v ir.Value) []moved {
	at := r.g.Args(v)[1]
	counted := false
	for _, x := range u.Users() {
		if x.Def() != loop.For || x.Arg(0).Old() != u.Old() || slices.Contains(r.g.Args(x.Old())[1:], u.Old()) {
			counted = true
			continue
		}
		if why := r.movable(x, v); why != "" {
			r.stays[x.Old()], r.kept = why, true
			continue
		}
		r.moved = append(r.moved, moved{x.Old(), at, loop.Generators(x)})
	}
	if !counted {
		return nil
	}
	return []moved{{u.Old(), at, []loop.Generator{loop.Counter()}}}
}

// movable says why an inner loop over a group may not run where members are given to the
// bucket, "" if it may.
func (r *rows) movable(n ir.Node, group ir.Value) groupStays {
	g := r.g
	if r.s.Place(n.Old()) != r.s.Place(group) {
		return mayNotRun
	}
	list := loop.Generators(n)
	for k, given := range loop.Split(g, list, g.Yields(g.Regions(n.Old())[0])) {
		switch x := list[k]; {
		case x.Kind == loop.EmitKind:
			return emitsFurther
		case !loop.EmitsIn(g, given):
		case x.Kind != loop.ReduceKind || !loop.AtMostOne(g, given[0]):
			return notEach
		case x.By == loop.ByRegion:
			return noNeutral
		}
	}
	for _, a := range g.Args(n.Old())[1:] {
		if !r.before(a) {
			return notBefore
		}
	}
	inside := map[ir.Region]bool{}
	return r.bodies(g.Regions(n.Old()), g.Params(g.Regions(n.Old())[0])[0], inside)
}

// bodies says what regions have that may not stand in the bucket's: what writes, uses the index
// for more than members of groups, or needs more than what is there before the bucket.
func (r *rows) bodies(in []ir.Region, index ir.Value, inside map[ir.Region]bool) groupStays {
	g := r.g
	for _, x := range in {
		inside[x] = true
		if len(g.EffectsOf(x)) > 0 {
			return hasEffects
		}
		for _, v := range r.s.Body(x) {
			// A member of a group, at the index of the inner loop, is what the bucket is given: it needs no
			// group.
			row := g.Def(v) == loop.At && g.Args(v)[1] == index && r.of[g.Args(v)[0]] > 0
			for _, a := range g.Args(v) {
				n, _, _ := g.Projection(a)
				p, _, param := g.Param(n)
				switch {
				case row:
				case a == index:
					return placeInGroup
				case !(param && inside[p]) && !(!param && inside[r.s.Place(n)]) && !r.before(a):
					return notBefore
				}
			}
			if why := r.bodies(g.Regions(v), index, inside); why != "" {
				return why
			}
		}
	}
	return ""
}

// before reports a value that may be there before the loop with the bucket: it does not need it.
func (r *rows) before(a ir.Value) bool {
	g := r.g
	n, _, _ := g.Projection(a)
	if p, _, ok := g.Param(n); ok {
		return r.s.Depth(p) <= r.s.Depth(r.r)
	}
	if at := r.s.Place(n); at != r.r {
		return r.s.Depth(at) < r.s.Depth(r.r)
	}
	return !r.later[n]
}

// dependents are the ops of the region that need the one at a place, and that one.
func (x *region) dependents(pos int) map[ir.Value]bool {
	out := map[ir.Value]bool{x.body[pos]: true}
	for i := pos + 1; i < len(x.body); i++ {
		for _, d := range x.deps[i] {
			if out[x.body[d]] {
				out[x.body[i]] = true
			}
		}
	}
	return out
}

// order lists the ops of the region so that what does not need the bucket comes before it.
func (r *rows) order() (out []ir.Value) {
	term := r.g.Term(r.r)
	// The sort is stable, and what depends on the bucket stays behind it: no dependence is broken.
	for _, late := range []bool{false, true} {
		for _, v := range r.body {
			if (r.later[v] || v == term) == late {
				out = append(out, v)
			}
		}
	}
	return out
}
