package bugs

import (
	"slices"

	"github.com/dominikbraun/graph"
)

// A knot is a strongly connected component of the statements of a scope: they share
// the next loop, or have an order of their own.
type knot struct {
	stmts  []*Statement // by index
	deps   []*dep       // among them
	level  int
	cyclic bool
	dirs   directions // of the loop at this level
	own    []Item     // their order, if that is no loop of the program
}

// key is the loop of a knot at its level; "" is none.
func (k *knot) key() string {
	if s := k.stmts[0]; k.own == nil && k.level < len(s.keys) {
		return s.keys[k.level]
	}
	return ""
}

// components numbers the strongly connected components of n vertices, in the order
// of their least vertices.
func components(n int, edges func(yield func(from, to int))) []int {
	// Vertices are numbered from 1: the library's components lose a vertex whose
	// hash is the zero value (v0.23.0).
	g := graph.New(func(i int) int { return i }, graph.Directed())
	for i := range n {
		_ = g.AddVertex(i + 1) // each is added once
	}
	edges(func(from, to int) {
		_ = g.AddEdge(from+1, to+1) // there already is no error for us
	})
	sccs, _ := graph.StronglyConnectedComponents(g) // fails only for undirected graphs
	for _, c := range sccs {
		slices.Sort(c)
	}
	slices.SortFunc(sccs, func(a, b []int) int { return a[0] - b[0] })
	out := make([]int, n)
	for i, c := range sccs {
		for _, v := range c {
			out[v-1] = i
		}
	}
	return out
}

// numbered numbers statements from 0.
func numbered(stmts []*Statement) map[*Statement]int {
	out := make(map[*Statement]int, len(stmts))
	for i, s := range stmts {
		out[s] = i
	}
	return out
}

// knots finds the components of a scope, by their first statements, each with its
// loop or order. The error of an inner level has no path: the level around it then
// finds another order.
func (o *orderer) knots(sc scope) ([]*knot, *cycleError) {
	at := numbered(sc.stmts)
	comp := components(len(sc.stmts), func(yield func(from, to int)) {
		for _, d := range sc.deps {
			o.work++
			yield(at[d.from], at[d.to])
		}
	})
	var out []*knot
	for i, s := range sc.stmts {
		if comp[i] == len(out) {
			out = append(out, &knot{level: sc.level, dirs: either})
		}
		k := out[comp[i]]
		k.stmts = append(k.stmts, s)
		k.cyclic = k.cyclic || len(k.stmts) > 1
	}
	for _, d := range sc.deps {
		if c := comp[at[d.from]]; c == comp[at[d.to]] {
			out[c].deps = append(out[c].deps, d)
			out[c].cyclic = true
		}
	}
	for _, k := range out {
		if !k.cyclic {
			continue
		}
		if err := o.decide(k); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// decide finds how a cycle of statements can run: in one loop of the program,
// forward or backward; in a loop where the statements take turns; or, at the
// outermost level, instance by instance.
func (o *orderer) decide(k *knot) *cycleError {
	if o.shareLoop(k) {
		inner := scope{k.stmts, k.level + 1, o.inner(k.deps, k.level)}
		if _, err := o.knots(inner); err == nil {
			return nil
		}
	}
	k.dirs = 0
	if k.own = o.takeTurns(k); k.own != nil {
		return nil
	}
	if k.level > 0 {
		return &cycleError{}
	}
	w, err := o.byInstance(k)
	if err == nil {
		k.own = []Item{{Waves: w}}
	}
	return err
}

// shareLoop reports that the statements of a knot have the same loop at its level,
// and that it respects their dependences in some direction.
func (o *orderer) shareLoop(k *knot) bool {
	for _, s := range k.stmts {
		if sharedLoops(s, k.stmts[0]) <= k.level {
			return false
		}
	}
	for _, d := range k.deps {
		o.work++
		k.dirs &= d.directions(k.level)
	}
	return k.dirs != 0
}
