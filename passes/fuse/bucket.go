package fuse

import (
	"slices"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
)

// A bucket that collects, and a loop over the groups with a loop over the elements of each:
// what the latter makes of a group is made as the elements come ("Loop Fusion and
// Deforestation": consume bucket collect). That is done where nothing else is done with
// the groups, so that they need not be there:
//
//	x = bucket(K, [collect]); for g { for j < len(x[g]) -> G { f(x[g][j]) } }
//
// is bucket(K, [G]). The inner loop must run for each group (the element's function may trap), give
// one tuple for each element, and need nothing that is not there before the bucket.

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
}

// findRows looks for what generator k of a loop may do; nil if it may not.
func findRows(x *region, l, k int) *rows {
	m, g := x.loops[l], x.g
	r := &rows{region: x, loop: l, gen: k, of: map[ir.Value]int{}, groups: map[ir.Value]int{}}
	for j, c := range x.loops {
		size := g.Args(c.v)[0]
		if g.Def(size) != loop.Len {
			continue
		}
		if n, i, _ := g.Projection(g.Args(size)[0]); n == m.v && i == m.first[k] {
			r.groups[c.index] = j
		}
	}
	if len(r.groups) == 0 || !r.find() {
		return nil
	}
	for v := range r.of {
		if !r.group(v) {
			return nil
		}
	}
	if len(r.moved) == 0 {
		return nil
	}
	slices.SortFunc(r.moved, func(a, b moved) int { return int(a.op) - int(b.op) })
	return r
}

// find lists the groups: elements of what is collected, at the index of a loop over all of
// them. It is false if something else is done with one of them.
func (r *rows) find() bool {
	m := r.loops[r.loop]
	bucket := m.gens[r.gen]
	place, result := len(bucket.Types), m.first[r.gen]+1
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
				return false
			}
			r.of[u.Old()] = at
		}
	}
	return true
}

// group looks at what is done with a group; it is false if that needs the group itself.
func (r *rows) group(v ir.Value) bool {
	for _, u := range r.g.NodeOf(v).Users() {
		switch {
		case u.Def() == loop.Len:
			if !r.length(u, v) {
				return false
			}
		case u.Def() != loop.At || r.g.Args(u.Old())[0] != v || !r.read(u):
			return false
		}
	}
	return true
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

// length looks at the loops over a group's elements, and whether its length is used else.
func (r *rows) length(u ir.Node, v ir.Value) bool {
	at := r.g.Args(v)[1]
	counted := false
	for _, x := range u.Users() {
		if x.Def() != loop.For || r.s.Place(x.Old()) != r.s.Place(v) || slices.Contains(r.g.Args(x.Old())[1:], u.Old()) {
			counted = true
			continue
		}
		if !r.movable(x) {
			return false
		}
		r.moved = append(r.moved, moved{x.Old(), at, loop.Generators(x)})
	}
	if counted {
		r.moved = append(r.moved, moved{u.Old(), at, []loop.Generator{{Kind: loop.ReduceKind, By: loop.ByAdd, Reassoc: true, Types: []ir.Type{ir.Index}}}})
	}
	return true
}

// movable reports an inner loop that may run where elements are given to the bucket.
func (r *rows) movable(n ir.Node) bool {
	g := r.g
	list := loop.Generators(n)
	for k, given := range loop.Split(g, list, g.Yields(g.Regions(n.Old())[0])) {
		if _, emits := loop.TupleOf(g.Ctx, g.Type(given[0])); emits || list[k].Kind == loop.EmitKind {
			return false
		}
	}
	for _, a := range g.Args(n.Old())[1:] {
		if !r.before(a) {
			return false
		}
	}
	inside := map[ir.Region]bool{}
	return r.bodies(g.Regions(n.Old()), g.Params(g.Regions(n.Old())[0])[0], inside)
}

// bodies reports regions that write nothing, use the index for elements of groups alone, and
// else only what is there before the bucket.
func (r *rows) bodies(in []ir.Region, index ir.Value, inside map[ir.Region]bool) bool {
	g := r.g
	for _, x := range in {
		inside[x] = true
		if len(g.EffectsOf(x)) > 0 {
			return false
		}
		for _, v := range r.s.Body(x) {
			row := g.Def(v) == loop.At && g.Args(v)[1] == index && r.of[g.Args(v)[0]] > 0
			for _, a := range g.Args(v) {
				n, _, _ := g.Projection(a)
				if p, _, ok := g.Param(n); !row && (a == index || !(ok && inside[p]) && !(!ok && inside[r.s.Place(n)]) && !r.before(a)) {
					return false
				}
			}
			if !r.bodies(g.Regions(v), index, inside) {
				return false
			}
		}
	}
	return true
}

// before reports a value that is there before the loop with the bucket.
func (r *rows) before(a ir.Value) bool {
	g := r.g
	n, _, _ := g.Projection(a)
	if p, _, ok := g.Param(n); ok {
		return r.s.Depth(p) <= r.s.Depth(r.r)
	}
	if at := r.s.Place(n); at != r.r {
		return r.s.Depth(at) < r.s.Depth(r.r)
	}
	return slices.Index(r.body, n) < r.loops[r.loop].pos
}
