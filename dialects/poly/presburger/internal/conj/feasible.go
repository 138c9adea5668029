package conj

import "github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"

// Sample is an integer point of a conjunction: its variables and divs; ok is false
// if it has none.
func (c *Conj) Sample(w *lp.Work) (x []lp.Int, ok bool) {
	if c.Empty {
		return nil, false
	}
	n := c.Width() - 1
	if len(c.Eq) == 0 {
		p := &Conj{N: n, Ge: lp.CloneRows(c.Ge)}
		if p.inequalities(); p.Empty {
			return nil, false
		}
		if len(p.Eq) > 0 { // opposite bounds that meet
			return p.Sample(w)
		}
		return newPolyhedron(p, w).solve()
	}
	base, gens, ok := lp.Lattice(c.Eq, n)
	if !ok {
		return nil, false
	}
	p := &Conj{N: len(gens)}
	for _, r := range c.Ge {
		p.Ge = append(p.Ge, lp.Pull(r, base, gens))
	}
	p.inequalities()
	if p.Empty {
		return nil, false
	}
	var y []lp.Int
	if len(p.Eq) > 0 {
		y, ok = p.Sample(w)
	} else {
		y, ok = newPolyhedron(p, w).solve()
	}
	if !ok {
		return nil, false
	}
	return lp.Point(base, gens, y), true
}

// HasPoint reports that a conjunction has an integer point.
func (c *Conj) HasPoint(w *lp.Work) bool {
	if !c.Empty && len(c.Ge) == 0 && len(c.Eq) == 0 {
		return true
	}
	_, ok := c.Sample(w)
	return ok
}

// A polyhedron is inequalities alone, over n variables, in which an integer point is looked for: by branch and bound for a while,
// then on hyperplanes, then by elimination. It has neither divs nor equations.
type polyhedron struct {
	n  int
	ge []lp.Row
	w  *lp.Work
}

// newPolyhedron is that of a conjunction without divs, equations and contradictions.
func newPolyhedron(c *Conj, w *lp.Work) polyhedron { return polyhedron{c.N, c.Ge, w} }

func (p polyhedron) conj() *Conj { return &Conj{N: p.n, Ge: p.ge} }

// branches is how many nodes branch and bound may visit before slices are tried.
const branches = 16

// solve finds an integer point of inequalities alone.
func (p polyhedron) solve() (x []lp.Int, ok bool) {
	switch p.n {
	case 0:
		return nil, true
	case 1:
		z, ok := p.line()
		return []lp.Int{z}, ok
	}
	t := lp.NewTableau(p.n, p.w)
	defer t.Release()
	for _, r := range p.ge {
		if !t.AddGe(r) {
			return nil, false
		}
	}
	left := branches
	switch x, found := p.branch(t, &left); {
	case found:
		return x, true
	case left >= 0:
		return nil, false
	}
	return p.slice()
}

// maxSlices is how many slices are tried before elimination.
const maxSlices = 1000

// slice finds an integer point on one of the hyperplanes r = k of the inequality that
// allows the fewest values k; each has a dimension less. Where all inequalities grow
// without bound there are points far inside.
func (p polyhedron) slice() (x []lp.Int, ok bool) {
	t := p.conj().Tableau(p.w)
	defer t.Release()
	var best lp.Row
	var low, high, least lp.Int
	for _, r := range p.ge {
		max, ok := t.Minimum(r.Negated())
		if !ok {
			continue
		}
		min, _ := t.Minimum(r)
		lo, hi := min.Ceil(), max.Neg().Floor()
		if d := hi.Sub(lo); best == nil || d.Cmp(least) < 0 {
			best, low, high, least = r, lo, hi, d
		}
		if least.Sign() <= 0 {
			break
		}
	}
	switch {
	case best == nil:
		return p.inside(), true
	case least.Cmp(lp.NewInt(maxSlices)) > 0:
		return p.search()
	}
	for k := low; k.Cmp(high) <= 0; k = k.Add(lp.NewInt(1)) {
		p.w.Step(len(p.ge) * p.n)
		e := best.Clone()
		e[0] = e[0].Sub(k)
		if x, ok := (&Conj{N: p.n, Eq: []lp.Row{e}, Ge: p.ge}).Sample(p.w); ok {
			return x, true
		}
	}
	return nil, false
}

// inside is a point of inequalities that all grow without bound: a rational one that
// is far enough from each to be rounded.
func (p polyhedron) inside() []lp.Int {
	t := lp.NewTableau(p.n, p.w)
	defer t.Release()
	for _, r := range p.ge {
		s := r.Clone()
		for _, x := range r[1:] {
			s[0] = s[0].Sub(x.Abs())
		}
		t.AddGe(s)
	}
	x := make([]lp.Int, p.n)
	for i := range x {
		x[i] = t.Value(i).Floor()
	}
	return x
}

// branch splits at a variable that is no integer in the current vertex. left goes
// below 0 where that takes too long.
func (p polyhedron) branch(t *lp.Tableau, left *int) (x []lp.Int, ok bool) {
	if *left--; *left < 0 {
		return nil, false
	}
	x, split := make([]lp.Int, p.n), -1
	var at lp.Rat
	for i := range p.n {
		v := t.Value(i)
		if v.IsInt() {
			x[i] = v.Num
			continue
		}
		x[i] = v.Floor()
		if split < 0 {
			split, at = i, v
		}
	}
	if split < 0 || p.holds(x) {
		return x, true
	}
	low := make(lp.Row, 1+p.n) // floor - x >= 0
	low[0], low[1+split] = at.Floor(), lp.NewInt(-1)
	u := t.Clone()
	defer u.Release()
	if u.AddGe(low) {
		if y, ok := p.branch(u, left); ok || *left < 0 {
			return y, ok
		}
	}
	high := make(lp.Row, 1+p.n)
	high[0], high[1+split] = at.Ceil().Neg(), lp.NewInt(1)
	if !t.AddGe(high) {
		return nil, false
	}
	return p.branch(t, left)
}

// holds reports that a point, divs included, satisfies the constraints.
func (p polyhedron) holds(x []lp.Int) bool {
	for _, r := range p.ge {
		if lp.Dot(r[1:], x).Add(r[0]).Sign() < 0 {
			return false
		}
	}
	return true
}

// search finds an integer point of inequalities by eliminating one variable after
// another, exactly (see eliminate).
func (p polyhedron) search() (x []lp.Int, ok bool) {
	if p.n == 0 {
		return nil, true
	}
	for _, c := range newElimination(p.conj().Clone().Exist(p.n-1, 1), 0, p.w).union() {
		y, ok := c.Sample(p.w)
		if !ok {
			continue
		}
		fixed := polyhedron{n: 1} // the rest of the point, then a line
		for _, r := range p.ge {
			k := r[0].Add(lp.Dot(r[1:p.n], y[:p.n-1]))
			fixed.ge = append(fixed.ge, lp.Row{k, r[p.n]})
		}
		if z, ok := fixed.line(); ok {
			return append(append([]lp.Int(nil), y[:p.n-1]...), z), true
		}
	}
	return nil, false
}

// line is an integer that satisfies inequalities over one variable.
func (p polyhedron) line() (z lp.Int, ok bool) {
	var low, high lp.Int
	hasLow, hasHigh := false, false
	for _, r := range p.ge {
		switch r[1].Sign() {
		case 0:
			if r[0].Sign() < 0 {
				return z, false
			}
		case 1:
			if b := r[0].Neg().CeilDiv(r[1]); !hasLow || b.Cmp(low) > 0 {
				low, hasLow = b, true
			}
		case -1:
			if b := r[0].FloorDiv(r[1].Neg()); !hasHigh || b.Cmp(high) < 0 {
				high, hasHigh = b, true
			}
		}
	}
	switch {
	case hasLow && hasHigh && low.Cmp(high) > 0:
		return z, false
	case hasLow:
		return low, true
	case hasHigh:
		return high, true
	}
	return z, true
}
