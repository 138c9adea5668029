package sparse

import "slices"

// A StarPlan is how a Hessian is had from its products with vectors: one for each colour, the sum of the columns that have it.
// Its colouring is a star colouring of the graph of the pattern: adjacent vertices have two colours, and the vertices of a path
// of four have three. So of two colours there are stars alone. Each entry stands by itself in a product: its own,
// or that of the entry on the other side of the diagonal.
type StarPlan struct {
	Pattern *Pattern // symmetric
	Colours int
	Colour  []int // of each column; -1 where there is no entry
}

// Star finds a plan of few products for a symmetric pattern: the best of greedy colourings in three orders.
func Star(p *Pattern) *StarPlan {
	g := newAdjacency(p)
	out := &StarPlan{Pattern: p}
	for _, order := range [][]int32{g.natural(), g.largestFirst(), g.smallestLast()} {
		if n, colour := g.star(order); out.Colour == nil || n < out.Colours {
			out.Colours, out.Colour = n, colour
		}
	}
	return out
}

// adjacency is the graph of a symmetric pattern, without its diagonal.
type adjacency struct {
	near  [][]int32
	empty []bool // there is no entry
}

func newAdjacency(p *Pattern) *adjacency {
	g := &adjacency{near: make([][]int32, len(p.Rows)), empty: make([]bool, len(p.Rows))}
	for i, r := range p.Rows {
		g.empty[i] = len(r) == 0
		for _, j := range r {
			if int(j) != i {
				g.near[i] = append(g.near[i], j)
			}
		}
	}
	return g
}

// star colours greedily: each vertex gets the first colour that keeps what is coloured a star colouring (Gebremedhin, Manne and
// Pothen, "What color is your Jacobian? Graph coloring for computing derivatives", 2005, Algorithm 4.1).
func (g *adjacency) star(order []int32) (n int, colour []int) {
	colour = make([]int, len(g.near))
	for i := range colour {
		colour[i] = -1
	}
	forbidden := make([]int32, len(g.near)+1) // by colour, for which vertex, and one
	for _, v := range order {
		if g.empty[v] {
			continue
		}
		forbid := func(c int) { forbidden[c] = v + 1 }
		for _, w := range g.near[v] {
			if colour[w] >= 0 {
				forbid(colour[w])
			}
			for _, x := range g.near[w] {
				// Two neighbours of a vertex without a colour get different ones: whatever it gets, no path over it has two.
				if x != v && colour[x] >= 0 && (colour[w] < 0 || g.continues(x, w, colour)) {
					forbid(colour[x])
				}
			}
		}
		c := 0
		for forbidden[c] == v+1 {
			c++
		}
		colour[v] = c
		n = max(n, c+1)
	}
	return n, colour
}

// continues reports a neighbour of x besides w with the colour of w.
func (g *adjacency) continues(x, w int32, colour []int) bool {
	return slices.ContainsFunc(g.near[x], func(y int32) bool { return y != w && colour[y] == colour[w] })
}

// natural is the order of the columns.
func (g *adjacency) natural() []int32 {
	out := make([]int32, len(g.near))
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// largestFirst is the order of descending degree.
func (g *adjacency) largestFirst() []int32 {
	out := g.natural()
	slices.SortStableFunc(out, func(a, b int32) int { return len(g.near[b]) - len(g.near[a]) })
	return out
}

// smallestLast has at its end the vertex of least degree, before it that of least degree without it, and so on (Matula
// and Beck 1983).
func (g *adjacency) smallestLast() []int32 {
	n := len(g.near)
	degree, buckets := make([]int, n), make([][]int32, n+1)
	for v, near := range g.near {
		degree[v] = len(near)
		buckets[len(near)] = append(buckets[len(near)], int32(v))
	}
	out, done := make([]int32, 0, n), make([]bool, n)
	for d := 0; len(out) < n; {
		if len(buckets[d]) == 0 {
			d++
			continue
		}
		v := buckets[d][len(buckets[d])-1]
		buckets[d] = buckets[d][:len(buckets[d])-1]
		if done[v] || degree[v] != d {
			continue // it stands in another bucket, too
		}
		done[v] = true
		out = append(out, v)
		for _, w := range g.near[v] {
			if !done[w] {
				degree[w]--
				buckets[degree[w]] = append(buckets[degree[w]], w)
			}
		}
		d = max(0, d-1)
	}
	slices.Reverse(out)
	return out
}

// Recover reads the entries, row by row, off the products: product[c] is that of colour c.
//
// Entry (i, j) stands alone in row i of the product of the colour of j, unless i has another neighbour of that colour. Then j
// has no other of the colour of i, since that would be a path of four vertices and two colours.
func (p *StarPlan) Recover(product [][]float64) (out []float64) {
	count := make([]int, p.Colours)
	at := func(i, j int32) float64 { return product[p.Colour[j]][i] }
	for i, r := range p.Pattern.Rows {
		for _, j := range r {
			count[p.Colour[j]]++
		}
		for _, j := range r {
			if int(j) == i || count[p.Colour[j]] == 1 {
				out = append(out, at(int32(i), j))
			} else {
				out = append(out, at(j, int32(i)))
			}
		}
		for _, j := range r {
			count[p.Colour[j]] = 0
		}
	}
	return out
}
