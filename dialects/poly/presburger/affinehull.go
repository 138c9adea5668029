package presburger

// AffineHull returns, in each space, the smallest set that equations without floors
// describe and that holds all integer points of s. Parameters count as dimensions.
// isl's keeps strides that single conjunctions have: see LatticeHull.
func (s Set) AffineHull() (Set, error) { return set(hulls(s.rel(), affineHull)) }

// AffineHull returns the smallest map that equations without floors describe and
// that holds all pairs of m.
func (m Map) AffineHull() (Map, error) { return mapOf(hulls(m.rel(), affineHull)) }

// LatticeHull returns, in each space, the smallest set of the form x0 + integer
// combinations of some vectors that holds all integer points of s: equations and
// congruences. Parameters count as dimensions.
func (s Set) LatticeHull() (Set, error) { return set(hulls(s.rel(), latticeHull)) }

// LatticeHull returns the smallest map of equations and congruences that holds all
// pairs of m.
func (m Map) LatticeHull() (Map, error) { return mapOf(hulls(m.rel(), latticeHull)) }

// hulls replaces the union in each space by one conjunction.
func hulls(r *relation, hull func(cs []*conj, n int, w *work) *conj) (*relation, error) {
	return r.do(func(w *work) *relation {
		return r.each(func(p part) (space, []*conj) {
			c := hull(p.conjs, len(r.params)+p.dims(), w)
			if c == nil || c.empty {
				return p.space, nil
			}
			return p.space, []*conj{c}
		})
	})
}

// affineHull starts from the equations of one point. Each is tried: a point of the
// union off it removes it, and what that point says of the others with it (as in
// Karr, "Affine relationships among variables of a program", 1976); where there is
// none it holds everywhere.
func affineHull(cs []*conj, n int, w *work) *conj {
	x, ok := anyPoint(cs, w)
	if !ok {
		return nil
	}
	var open, proved []row
	for i := range n {
		e := make(row, 1+n)
		e[0], e[1+i] = x[i].Neg(), Int{v: 1}
		open = append(open, e)
	}
	for len(open) > 0 {
		e := open[0]
		y, ok := pointOff(cs, e, w)
		if !ok {
			proved, open = append(proved, e), open[1:]
			continue
		}
		open = dropped(open, y[:n])
	}
	out := &conj{n: n, eq: proved}
	return out.simplify()
}

// dropped are the combinations of equations that hold at a point, too, at which the
// first does not.
func dropped(eqs []row, y []Int) (out []row) {
	at := func(e row) Int { return e[0].Add(dot(e[1:], y)) }
	first := at(eqs[0])
	for _, e := range eqs[1:] {
		if v := at(e); !v.isZero() {
			e = e.clone()
			e.combine(first, v.Neg(), eqs[0])
			e.reduce()
		}
		out = append(out, e)
	}
	return out
}

func anyPoint(cs []*conj, w *work) (x []Int, ok bool) {
	for _, c := range cs {
		if x, ok := c.sample(w); ok {
			return x, true
		}
	}
	return nil, false
}

// pointOff is a point of a union at which a function of its variables is not 0.
func pointOff(cs []*conj, e row, w *work) (x []Int, ok bool) {
	for _, c := range cs {
		for _, sign := range []int{1, -1} {
			d := c.clone()
			r := e.grown(c.width() - len(e))
			d.constrain(r, make(row, len(r)), sign)
			if d.simplify(); d.empty {
				continue
			}
			if x, ok := d.sample(w); ok {
				return x, true
			}
		}
	}
	return nil, false
}

// latticeHull adds differences of points to a lattice until it holds all. Each makes
// its dimension larger or divides its index by 2 at least.
func latticeHull(cs []*conj, n int, w *work) *conj {
	x, ok := anyPoint(cs, w)
	if !ok {
		return nil
	}
	x = x[:n]
	var gens [][]Int
	for {
		l := latticeConj(x, gens)
		if l.unknown() != nil {
			panic("presburger: a lattice has a definition for every variable")
		}
		y, ok := pointOutside(cs, l, w)
		if !ok {
			return l
		}
		d := make([]Int, n)
		for i := range d {
			d[i] = y[i].Sub(x[i])
		}
		gens = HermiteNormalForm(append(gens, d))
	}
}

// latticeConj is base + integer combinations of vectors.
func latticeConj(base []Int, gens [][]Int) *conj {
	n := len(base)
	c := universe(n)
	c.addDivs(len(gens))
	for i := range n {
		e := c.row()
		e[0], e[1+i] = base[i].Neg(), Int{v: 1}
		for j, g := range gens {
			e[1+n+j] = g[i].Neg()
		}
		c.eq = append(c.eq, e)
	}
	return c.simplify()
}

func pointOutside(cs []*conj, l *conj, w *work) (x []Int, ok bool) {
	for _, c := range cs {
		for _, p := range c.minusOne(l, w) {
			if x, ok := p.sample(w); ok {
				return x, true
			}
		}
	}
	return nil, false
}
