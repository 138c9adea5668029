package ir

import "slices"

// A UseTable says which ops use each value of a graph: one list for all, in which those of
// a value stand side by side (compressed rows). Only ops that are needed count, and
// only operands: what comes after a write uses nothing of it.
type UseTable struct {
	start []uint32 // users of v: users[start[v]:start[v+1]]
	users []Value
}

var useTables = NewAnalysis("uses", newUseTable)

// Uses is the table of a finished graph, made in one sweep and kept with it.
func Uses(g *Graph) *UseTable { return useTables.Of(g) }

func newUseTable(g *Graph) *UseTable {
	s := ScheduleOf(g)
	u := &UseTable{start: make([]uint32, len(g.nodes)+1)}
	uses := func(f func(used, user Value)) {
		for v := Value(1); int(v) < len(g.nodes); v++ {
			if !g.IsOp(v) || !s.Live(v) {
				continue
			}
			for _, a := range g.Args(v) {
				f(a, v)
				if n, _, ok := g.Projection(a); ok {
					f(n, v)
				}
			}
		}
	}
	uses(func(used, _ Value) { u.start[used+1]++ })
	for v := range g.nodes {
		u.start[v+1] += u.start[v]
	}
	u.users = make([]Value, u.start[len(g.nodes)])
	next := slices.Clone(u.start)
	uses(func(used, user Value) { u.users[next[used]] = user; next[used]++ })
	return u
}

// Of lists the users of a value, in order, one for each operand that it is; of an op with
// several results those of any of them. The slice must not be changed.
func (u *UseTable) Of(v Value) []Value { return u.users[u.start[v]:u.start[v+1]] }

// Users lists the ops that use a result of the node, in its own region and in others, each
// once.
func (n Node) Users() []Node {
	vs := Uses(n.g).Of(n.v)
	out := make([]Node, 0, len(vs))
	for i, v := range vs {
		if i == 0 || v != vs[i-1] {
			out = append(out, Node{n.g, v})
		}
	}
	return out
}

// NumUses counts the operands that are a result of the node.
func (n Node) NumUses() int { return len(Uses(n.g).Of(n.v)) }

// UsedResults says of each result of the node whether an op uses it.
func (n Node) UsedResults() []bool {
	out := make([]bool, n.g.Results(n.v))
	for _, u := range Uses(n.g).Of(n.v) {
		for _, a := range n.g.Args(u) {
			if w, i, _ := n.g.Projection(a); w == n.v {
				out[i] = true
			}
		}
	}
	return out
}
