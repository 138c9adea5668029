package plate

import (
	"slices"

	"github.com/irc-lang/irc/ir/lists"
)

// sweeps is how often layers are put in the order of their neighbours.
const sweeps = 24

// order finds an order in each layer with few crossings: by barycentres, downwards and
// upwards in turn, and keeps the best that it met.
func (c *container) order() {
	best, fewest := c.orders(), c.crossings()
	for k := range sweeps {
		if k%2 == 0 {
			for i := 1; i < len(c.layers); i++ {
				c.sort(i, func(v *vertex) []link { return v.up })
			}
		} else {
			for i := len(c.layers) - 2; i >= 0; i-- {
				c.sort(i, func(v *vertex) []link { return v.down })
			}
		}
		if n := c.crossings(); n < fewest {
			best, fewest = c.orders(), n
		}
	}
	c.layers = best
}

func (c *container) orders() [][]*vertex {
	return lists.Map(c.layers, func(l []*vertex) []*vertex { return slices.Clone(l) })
}

// sort orders a layer by the mean place of the neighbours on one side; what has none
// keeps its place.
func (c *container) sort(i int, side func(*vertex) []link) {
	place := map[*vertex]float64{}
	for _, l := range c.layers {
		for k, v := range l {
			place[v] = float64(k)
			if len(l) > 1 {
				place[v] /= float64(len(l) - 1)
			}
		}
	}
	key := map[*vertex]float64{}
	for _, v := range c.layers[i] {
		key[v] = place[v]
		if links := side(v); len(links) > 0 {
			sum := 0.0
			for _, x := range links {
				sum += place[x.to] + x.toDx/(x.to.w+1)/float64(len(c.layers))
			}
			key[v] = sum / float64(len(links))
		}
	}
	slices.SortStableFunc(c.layers[i], func(a, b *vertex) int {
		switch {
		case key[a] < key[b]:
			return -1
		case key[a] > key[b]:
			return 1
		}
		return 0
	})
}

// crossings counts the pairs of links between neighbouring layers that cross.
func (c *container) crossings() (n int) {
	for i := 0; i+1 < len(c.layers); i++ {
		at := map[*vertex]int{}
		for k, v := range c.layers[i+1] {
			at[v] = k
		}
		type ends struct {
			a, b     int
			ax, bx   float64
			from, to *vertex
		}
		var all []ends
		for k, v := range c.layers[i] {
			for _, x := range v.down {
				all = append(all, ends{k, at[x.to], x.dx, x.toDx, v, x.to})
			}
		}
		less := func(i, j int, x, y float64) int {
			switch {
			case i < j || i == j && x < y-0.5:
				return -1
			case i > j || i == j && x > y+0.5:
				return 1
			}
			return 0
		}
		for k, x := range all {
			for _, y := range all[:k] {
				if less(x.a, y.a, x.ax, y.ax)*less(x.b, y.b, x.bx, y.bx) < 0 {
					n++
				}
			}
		}
	}
	return n
}
