package sparse

import (
	"slices"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/coloring"
	"gonum.org/v1/gonum/graph/iterator"
	"gonum.org/v1/gonum/graph/simple"
)

// A Plan is how a Jacobian is had from runs of derivatives: one in forward mode for each colour, in the direction of the
// sum of its columns, and one in reverse mode for each dense row. No other row has entries in two columns of one colour.
type Plan struct {
	Pattern *Pattern
	Colours int
	Colour  []int // of each column; -1 where no row asks for it
	Dense   []int // the rows left to reverse mode, ascending
}

// Runs is how many there are.
func (p *Plan) Runs() int { return p.Colours + len(p.Dense) }

// Compress finds a plan of few runs. A row with r entries takes r colours at least. So rows are left to reverse mode,
// those with most entries first, as long as that lowers the number of runs.
func Compress(p *Pattern, reverse bool) *Plan {
	rows := make([]int, len(p.Rows))
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(i, j int) int { return len(p.Rows[j]) - len(p.Rows[i]) })
	least := func(k int) int { // runs, with k dense rows
		if k == len(rows) {
			return k
		}
		return k + len(p.Rows[rows[k]])
	}
	best := 0
	for k := range len(rows) + 1 {
		if reverse && least(k) < least(best) {
			best = k
		}
	}
	plan := p.plan(rows[:best])
	if best > 0 && least(0) < plan.Runs() { // colouring may take more than its rows ask for
		if whole := p.plan(nil); whole.Runs() <= plan.Runs() {
			return whole
		}
	}
	return plan
}

// plan colours the columns of all rows but the dense ones.
func (p *Pattern) plan(dense []int) *Plan {
	out := &Plan{Pattern: p, Dense: slices.Sorted(slices.Values(dense)), Colour: make([]int, p.Columns)}
	// Columns without an entry in the rows that are coloured are in no run.
	isDense, least := make([]bool, len(p.Rows)), 0
	for _, i := range dense {
		isDense[i] = true
	}
	for i, r := range p.Rows {
		if !isDense[i] {
			least = max(least, len(r))
		}
	}
	g := &intersections{}
	rows := p.byColumn(func(i int) bool { return isDense[i] })
	for j := range rows {
		out.Colour[j] = -1
		if len(rows[j]) > 0 {
			g.nodes = append(g.nodes, simple.Node(j))
		}
	}
	g.near = near(p.Columns, rows, func(i int32) []int32 { return p.Rows[i] })
	n, colours := g.colours(least)
	for j, c := range colours {
		out.Colour[j] = c
	}
	out.Colours = n
	return out
}

// near lists the columns that some row has together with each.
func near(columns int, rows [][]int32, of func(row int32) []int32) [][]int32 {
	out, seen := make([][]int32, columns), make([]int32, columns)
	for j := range out {
		seen[j] = int32(j) + 1
		for _, i := range rows[j] {
			for _, k := range of(i) {
				if seen[k] != int32(j)+1 {
					seen[k] = int32(j) + 1
					out[j] = append(out[j], k)
				}
			}
		}
	}
	return out
}

// Recover reads the entries, row by row, off the runs: forward[c] are the derivatives of all rows in the direction of
// colour c, reverse[k] those of dense row k by all columns.
func (p *Plan) Recover(forward, reverse [][]float64) (out []float64) {
	for i, r := range p.Pattern.Rows {
		k, isDense := slices.BinarySearch(p.Dense, i)
		for _, j := range r {
			if isDense {
				out = append(out, reverse[k][j])
			} else {
				out = append(out, forward[p.Colour[j]][i])
			}
		}
	}
	return out
}

// mostExact is up to how many columns DSATUR, whose time grows with the square, looks for fewer colours.
const mostExact = 1000

// colours are those of the fewest that are found, at least so many: in the order of the columns, which is right for bands;
// by descending degree (Welsh and Powell 1967); by saturation (Brélaz 1979).
func (g *intersections) colours(least int) (n int, of map[int64]int) {
	if len(g.nodes) == 0 {
		return 0, nil
	}
	n, of = g.inOrder()
	// No colouring has fewer colours than a row has entries, so the first that has no more is the last.
	better := func(k int, colours map[int64]int, err error) {
		if err == nil && k < n {
			n, of = k, colours
		}
	}
	if n > least {
		better(coloring.WelshPowell(g, nil))
	}
	if n > least && len(g.nodes) <= mostExact {
		better(coloring.Dsatur(g, nil))
	}
	return n, of
}

// inOrder gives each column the first colour that none of those near it has.
func (g *intersections) inOrder() (n int, of map[int64]int) {
	of = map[int64]int{}
	for _, u := range g.nodes {
		taken := map[int]bool{}
		for _, k := range g.near[u.ID()] {
			if c, ok := of[int64(k)]; ok {
				taken[c] = true
			}
		}
		c := 0
		for taken[c] {
			c++
		}
		of[u.ID()] = c
		n = max(n, c+1)
	}
	return n, of
}

// intersections is the graph of columns of which two are adjacent where some row has both.
type intersections struct {
	nodes []graph.Node
	near  [][]int32 // of each column
}

var _ graph.Undirected = (*intersections)(nil)

// Node is the column of a number, or nil.
func (g *intersections) Node(id int64) graph.Node {
	if id < 0 || id >= int64(len(g.near)) || !slices.Contains(g.nodes, graph.Node(simple.Node(id))) {
		return nil
	}
	return simple.Node(id)
}

// Nodes are the columns, in their order.
func (g *intersections) Nodes() graph.Nodes { return iterator.NewOrderedNodes(slices.Clone(g.nodes)) }

// From are the columns adjacent to one.
func (g *intersections) From(id int64) graph.Nodes {
	out := make([]graph.Node, len(g.near[id]))
	for i, k := range g.near[id] {
		out[i] = simple.Node(k)
	}
	return iterator.NewOrderedNodes(out)
}

// HasEdgeBetween reports two columns that some row has.
func (g *intersections) HasEdgeBetween(x, y int64) bool { return slices.Contains(g.near[x], int32(y)) }

// Edge is the edge between two columns, or nil.
func (g *intersections) Edge(x, y int64) graph.Edge { return g.EdgeBetween(x, y) }

// EdgeBetween is the edge between two columns, or nil.
func (g *intersections) EdgeBetween(x, y int64) graph.Edge {
	if !g.HasEdgeBetween(x, y) {
		return nil
	}
	return simple.Edge{F: simple.Node(x), T: simple.Node(y)}
}
