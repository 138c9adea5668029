package closure

import p "github.com/irc-lang/irc/dialects/poly/presburger"

// states divides the points into sets that no step divides, and takes these for the
// states of an automaton: the steps between two of them, by way of the states up to one,
// are found a state at a time (Kleene's theorem, as Floyd and Warshall do it).
func states(c *closer, r p.Map, pieces []p.Map, depth int) (t p.Map, exact, ok bool) {
	from, to, n := c.groups(pieces)
	if n < 2 || c.err != nil {
		return t, false, false
	}
	steps := make([][]p.Map, n)
	for i := range steps {
		steps[i] = make([]p.Map, n)
	}
	for i, m := range pieces {
		steps[from[i]][to[i]] = steps[from[i]][to[i]].Union(m)
	}
	exact = true
	for via := range n {
		loop, is := c.close(steps[via][via], depth)
		exact = exact && is
		steps[via][via] = loop
		for i := range n {
			if i != via {
				in := steps[i][via]
				steps[i][via] = c.coalesce(in.Union(c.after(loop, in)))
			}
		}
		for i := range n {
			for j := range n {
				if j == via {
					continue
				}
				if i == via {
					continue
				}
				steps[i][j] = c.coalesce(steps[i][j].Union(c.after(steps[via][j], steps[i][via])))
			}
		}
		for j := range n {
			if j != via {
				out := steps[via][j]
				steps[via][j] = c.coalesce(out.Union(c.after(out, loop)))
			}
		}
	}
	for i := range n {
		t = t.Union(c.unite(steps[i]...))
	}
	return t, exact, true
}

// groups numbers the sets of points: two belong together if domains or ranges in them
// overlap.
func (c *closer) groups(pieces []p.Map) (from, to []int, n int) {
	sets := make([]p.Set, 0, 2*len(pieces))
	for _, m := range pieces {
		sets = append(sets, m.Domain(), m.Range())
	}
	group := make([]int, len(sets))
	for i := range sets {
		group[i] = i
		for j := range i {
			if group[i] != group[j] && c.overlap(sets[i], sets[j]) {
				was := group[i]
				for k := range i + 1 {
					if group[k] == was {
						group[k] = group[j]
					}
				}
			}
		}
	}
	number := map[int]int{}
	for i, g := range group {
		if _, ok := number[g]; !ok {
			number[g] = len(number)
		}
		if i%2 == 0 {
			from = append(from, number[g])
		} else {
			to = append(to, number[g])
		}
	}
	return from, to, len(number)
}

func (c *closer) overlap(s, t p.Set) bool {
	both := try(c, func() (p.Set, error) { return s.WithBudget(c.steps).Intersect(t) })
	return !try(c, both.WithBudget(c.steps).IsEmpty)
}
