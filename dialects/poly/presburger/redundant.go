package presburger

// RemoveRedundancies drops the constraints of each conjunction that the others
// imply over the rationals.
func (s Set) RemoveRedundancies() (Set, error) {
	return set(s.rel().eachConj((*conj).irredundant))
}

// RemoveRedundancies drops constraints that the others imply.
func (m Map) RemoveRedundancies() (Map, error) {
	return mapOf(m.rel().eachConj((*conj).irredundant))
}

// DetectEqualities makes the equations explicit that hold at all points.
func (s Set) DetectEqualities() (Set, error) {
	return set(s.rel().eachConj((*conj).withEqualities))
}

// DetectEqualities makes the equations explicit that hold for all pairs.
func (m Map) DetectEqualities() (Map, error) {
	return mapOf(m.rel().eachConj((*conj).withEqualities))
}

func (r *relation) eachConj(f func(c *conj, w *work) *conj) (*relation, error) {
	return r.do(func(w *work) *relation {
		return r.each(func(p part) (space, []*conj) {
			var out []*conj
			for _, c := range p.conjs {
				if d := f(c, w); !d.empty {
					out = append(out, d)
				}
			}
			return p.space, out
		})
	})
}

// irredundant drops inequalities that the rest implies, but for the bounds of divs
// that something uses.
func (c *conj) irredundant(w *work) *conj {
	if c.empty || len(c.ge) == 0 {
		return c
	}
	t, first := c.numbered(w)
	defer t.release()
	if t.empty {
		return void(c.n)
	}
	keep := c.unimplied(t, first)
	if len(keep) == len(c.ge) {
		return c
	}
	return &conj{n: c.n, divs: c.divs, eq: c.eq, ge: keep}
}

// numbered is the tableau of c, in which the inequalities have the numbers from first on.
func (c *conj) numbered(w *work) (t *tableau, first int) {
	t = newTableau(c.width()-1, w)
	for _, r := range c.eq {
		t.addEq(r)
	}
	first = len(t.at)
	for _, r := range c.ge {
		t.addGe(r)
	}
	return t, first
}

// unimplied lists the inequalities that the others in t do not imply, and the bounds
// of divs. Those of c are numbered from first on.
func (c *conj) unimplied(t *tableau, first int) (keep []row) {
	gone := make([]bool, len(c.ge))
	n := len(c.ge)
	for i := len(c.ge) - 1; i >= 0; i-- {
		if !c.definitional(c.ge[i]) && t.redundant(first+i) {
			gone[i] = true
			n--
		}
	}
	if n == len(c.ge) {
		return c.ge
	}
	keep = make([]row, 0, n)
	for i, r := range c.ge {
		if !gone[i] {
			keep = append(keep, r)
		}
	}
	return keep
}

// withEqualities adds the equations of the affine hull of the integer points: an
// inequality that is tight at all points of the rational relaxation becomes one,
// until no more do.
func (c *conj) withEqualities(w *work) *conj {
	out := c.clone()
	for {
		if out.simplify(); out.empty || len(out.ge) == 0 {
			return out
		}
		t := out.tableau(w)
		if t.empty {
			t.release()
			return void(c.n)
		}
		found := false
		for i := 0; i < len(out.ge); i++ {
			// r <= 0 everywhere, or r < 1: it is 0 on integers
			max, ok := t.minimum(out.ge[i].negated())
			if !ok || max.Cmp(Rat{Int{v: -1}, Int{v: 1}}) <= 0 {
				continue
			}
			out.eq = append(out.eq, out.ge[i])
			out.ge = append(out.ge[:i], out.ge[i+1:]...)
			found = true
			i--
		}
		t.release()
		if !found {
			return out
		}
	}
}

// Gist simplifies s where t is known to hold: the result meets t in the same points
// as s.
func (s Set) Gist(t Set) (Set, error) { return set(gist(s.rel(), t.rel())) }

// Gist simplifies m where n is known to hold.
func (m Map) Gist(n Map) (Map, error) { return mapOf(gist(m.rel(), n.rel())) }

func gist(a, b *relation) (*relation, error) {
	a, b = align(a, b)
	return a.do(func(w *work) *relation {
		return a.each(func(p part) (space, []*conj) {
			q := b.find(p.space)
			if q == nil || len(q.conjs) == 0 {
				return p.space, nil
			}
			var out []*conj
			for _, c := range p.conjs {
				if len(q.conjs) > 1 {
					if !hits(c, q.conjs, w) {
						continue
					}
					out = append(out, c)
					continue
				}
				if g := c.gist(q.conjs[0], w); !g.empty {
					out = append(out, g)
				}
			}
			return p.space, out
		})
	})
}

// hits reports that a conjunction meets a union.
func hits(c *conj, bs []*conj, w *work) bool {
	for _, b := range bs {
		if meet(c, b).hasPoint(w) {
			return true
		}
	}
	return false
}

// gist drops the constraints of c that b and the others imply: equations one by one,
// those with integers in mind, then inequalities on one tableau of all that is left.
func (c *conj) gist(b *conj, w *work) *conj {
	if m := meet(c, b); !m.hasPoint(w) {
		return void(c.n)
	}
	for _, d := range b.divs {
		if !d.known() {
			return c // what exists for b need not be what c means
		}
	}
	all := b.clone() // b, with the divs of c and its constraints
	eqs, ges := len(b.eq), len(b.ge)
	all.add(c)
	out := &conj{n: c.n, divs: c.divs}
	t := newTableau(all.width()-1, w)
	defer func() { t.release() }()
	for _, r := range all.eq[:eqs] {
		t.addEq(r)
	}
	for _, r := range all.ge[:ges] {
		t.addGe(r)
	}
	var left []int // inequalities of c
	for i := range c.ge {
		if c.definitional(c.ge[i]) {
			t.addGe(all.ge[ges+i])
		} else {
			left = append(left, i)
		}
	}
	known := &conj{n: all.n, divs: all.divs, eq: all.eq[:eqs:eqs], ge: all.ge[:ges:ges]}
	for i := range known.divs {
		known.boundDiv(i)
	}
	for i, r := range c.eq {
		if e := all.eq[eqs+i]; !known.implies(e, t, w) {
			out.eq = append(out.eq, r)
			known.eq = append(known.eq, e)
			t.addEq(e)
		}
	}
	first := len(t.at)
	for _, i := range left {
		t.addGe(all.ge[ges+i])
	}
	gone := make([]bool, len(c.ge))
	for k := len(left) - 1; k >= 0; k-- {
		gone[left[k]] = t.empty || t.redundant(first+k)
	}
	for i, r := range c.ge {
		if !gone[i] {
			out.ge = append(out.ge, r)
		}
	}
	return out.clone().simplify()
}

// implies reports that e = 0 at all integer points of c, whose tableau is t.
func (c *conj) implies(e row, t *tableau, w *work) bool {
	if t.empty || t.atLeast(e) && t.atLeast(e.negated()) {
		return true
	}
	if e.last() <= c.n || !c.allKnown() {
		return false
	}
	for _, side := range []row{e, e.negated()} {
		d := c.clone()
		d.ge = append(d.ge, negation(side))
		if !d.simplify().empty && d.hasPoint(w) {
			return false
		}
	}
	return true
}
