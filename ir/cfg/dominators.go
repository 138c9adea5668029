package cfg

import (
	"gonum.org/v1/gonum/graph/flow"
	"gonum.org/v1/gonum/graph/simple"
)

// Dominators gives, for each block that can be reached, the block right above it in the dominator tree: -1 for the entry, and
// for those that cannot be reached.
func Dominators(g *Graph) []int {
	d := simple.NewDirectedGraph()
	d.AddNode(simple.Node(0))
	for b, x := range g.Blocks {
		for _, e := range x.Succs {
			if e.To != Leave && e.To != b {
				d.SetEdge(simple.Edge{F: simple.Node(b), T: simple.Node(e.To)})
			}
		}
	}
	tree := flow.Dominators(simple.Node(0), d)
	out := make([]int, len(g.Blocks))
	for b := range out {
		out[b] = -1
		if up := tree.DominatorOf(int64(b)); up != nil && b != 0 {
			out[b] = int(up.ID())
		}
	}
	return out
}
