package presburger

// SimpleHull returns, in each space, one conjunction that holds s: of the constraints
// of all conjunctions those with room for every integer point, loosened as little as
// that takes. An inequality that has no bound on s is left out, an equation counts as
// two inequalities. Floors stay as far as they are functions of the dimensions. What
// it is depends on the constraints that s has, not on its points alone.
func (s Set) SimpleHull() (Set, error) { return set(hulls(s.rel(), simpleHull)) }

// SimpleHull returns one conjunction that holds m; see Set.SimpleHull.
func (m Map) SimpleHull() (Map, error) { return mapOf(hulls(m.rel(), simpleHull)) }

func simpleHull(cs []*conj, n int, w *work) *conj {
	if len(cs) == 1 {
		return cs[0].withEqualities(w).irredundant(w)
	}
	var parts []*conj
	for _, c := range alive(cs, w) {
		parts = append(parts, c.withEqualities(w).irredundant(w))
	}
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	wide := universe(n) // the floors of all
	for _, c := range parts {
		wide.add(c)
	}
	if wide.empty {
		return nil
	}
	hull := &conj{n: n, divs: wide.divs}
	for i := range hull.divs {
		hull.boundDiv(i)
	}
	var spread []*conj
	for _, c := range parts {
		spread = append(spread, c.spread(hull))
	}
	hull = hull.clone()
	seen := &conj{n: n, divs: wide.divs} // directions
	try := func(r row) {
		for _, s := range seen.ge {
			if parallel(s, r) > 0 {
				return
			}
		}
		seen.ge = append(seen.ge, r)
		if low, ok := lowest(spread, r, w); ok {
			r = r.clone()
			r[0] = r[0].Sub(low)
			hull.ge = append(hull.ge, r)
		}
	}
	for _, c := range spread {
		for _, r := range c.eq {
			try(r)
			try(r.negated())
		}
		for _, r := range c.ge {
			if !c.definitional(r) {
				try(r)
			}
		}
	}
	return hull.simplify().withEqualities(w).irredundant(w)
}

// lowest is the least value of a function at the integer points of a union.
func lowest(cs []*conj, r row, w *work) (low Int, ok bool) {
	for i, c := range cs {
		status, v, _ := c.integerMinimum(r.grown(c.width()-len(r)), w)
		if status != Optimal {
			return low, false
		}
		if i == 0 || v.Num.Cmp(low) < 0 {
			low = v.Num
		}
	}
	return low, true
}
