package lowering

import (
	"slices"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// What emits to a generator of the body around may be made where it stands, together with what
// else it gives, if the body takes all that it emits. If it writes or prints it has to be made
// there, once: what the body does not take at once (of a sequence, or of a conditional around) is
// collected, and emitted from there.

// streamFusion are, for all loops of a graph: the items of the bodies that are being made, innermost last, which nothing has
// been made for yet, and what was collected, by op and result.
type streamFusion struct {
	items     [][]item
	collected map[[2]ir.Value][]ir.Value
}

type takingKey struct{}

// streamsOf are those of a mirror, which all its rules share.
func streamsOf(m *ir.Mirror) *streamFusion {
	return m.Once(takingKey{}, func() any { return new(streamFusion) }).(*streamFusion)
}

// within makes a body whose ops may take items, and returns the others.
func (t *streamFusion) within(items []item, body func()) []item {
	t.items = append(t.items, slices.Clone(items))
	body()
	rest := t.items[len(t.items)-1]
	t.items = t.items[:len(t.items)-1]
	return rest
}

// takes lists what is to be made with a node: the items that are given what it emits, if that is
// all that is done with it. Of a node that writes, what is given to others is collected; done
// keeps it.
func (t *streamFusion) takes(d down, n ir.Node) (items []item, done func()) {
	g, emitted := n.Graph(), emittedBy(n)
	var others []item
	uses := 0
	for _, u := range n.Users() {
		for _, a := range g.Args(u.Old()) {
			if v, j, _ := g.Projection(a); v == n.Old() && emitted[j] == a {
				uses++
			}
		}
	}
	if len(t.items) > 0 {
		for _, it := range t.items[len(t.items)-1] {
			if v, _, _ := g.Projection(it.given[0]); loop.EmitsIn(g, it.given) && v == n.Old() {
				items = append(items, it)
			} else {
				others = append(others, it)
			}
		}
	}
	switch {
	case len(emitted) > 0 && len(items) == uses:
		if uses > 0 {
			t.items[len(t.items)-1] = others
		}
		return items, func() {}
	case len(emitted) > 0 && writes(n):
		return t.collects(d, n, emitted)
	}
	return nil, func() {}
}

// emittedBy are the results of a node that are sequences and are used, by number.
func emittedBy(n ir.Node) map[int]ir.Value {
	out := map[int]ir.Value{}
	for _, u := range n.Users() {
		for _, a := range n.Graph().Args(u.Old()) {
			if v, j, _ := n.Graph().Projection(a); v == n.Old() && loop.IsEmit(n.Graph().Ctx, n.Graph().Type(a)) {
				out[j] = a
			}
		}
	}
	return out
}

// collects makes arrays of what a node emits.
func (t *streamFusion) collects(d down, n ir.Node, emitted map[int]ir.Value) (items []item, done func()) {
	var results []int
	for j := range d.B.Ctx().Results(n.Type()) {
		if a, ok := emitted[j]; ok {
			ts, _ := loop.TupleOf(d.B.Ctx(), n.Graph().Type(a))
			s := &collector{types: ts}
			s.begin(d, d.B.Index(firstRoom), -1, false)
			items, results = append(items, item{s, []ir.Value{a}}), append(results, j)
		}
	}
	return items, func() {
		if t.collected == nil {
			t.collected = map[[2]ir.Value][]ir.Value{}
		}
		for i, j := range results {
			t.collected[[2]ir.Value{n.Old(), ir.Value(j)}] = items[i].s.results(d)
		}
	}
}

// isCollected reports what was collected already.
func (t *streamFusion) isCollected(g *ir.Graph, it item) bool {
	n, j, _ := g.Projection(it.given[0])
	_, ok := t.collected[[2]ir.Value{n, ir.Value(j)}]
	return ok
}

// giveCollected gives an item what was collected for it, if anything was.
func (t *streamFusion) giveCollected(d down, it item) bool {
	g := d.Schedule().Graph()
	if !t.isCollected(g, it) {
		return false
	}
	n, j, _ := g.Projection(it.given[0])
	arrays, k := t.collected[[2]ir.Value{n, ir.Value(j)}], d.kit()
	views := lists.Map(arrays, d.arrays.view)
	it.s.set(k.For(k.Index(0), views[0].n, it.s.state(), func(i ir.Value, state []ir.Value) []ir.Value {
		it.s.set(state)
		tuple := lists.Map(views, func(x view) ir.Value { return d.arrays.element(x, i) })
		it.s.add(d, tuple)
		return it.s.state()
	}))
	return true
}
