package ir

import "slices"

// Tamper returns a copy of a graph in which operand i of node v is another node,
// whatever that breaks. No pass can do this; tests of the verifier need it.
func Tamper(g *Graph, v Value, i int, arg Value) *Graph {
	t := *g
	t.settled, t.kept = false, &kept{}
	t.edges = slices.Clone(g.edges)
	t.edges[g.nodes[v].off+uint32(i)] = uint32(arg)
	return &t
}
