package presburger

// sample is an integer point of a conjunction: its variables and divs; ok is false
// if it has none.
func (c *conj) sample(w *work) (x []Int, ok bool) {
	if c.empty {
		return nil, false
	}
	n := c.width() - 1
	if len(c.eq) == 0 {
		p := &conj{n: n, ge: cloneRows(c.ge)}
		if p.inequalities(); p.empty {
			return nil, false
		}
		if len(p.eq) > 0 { // opposite bounds that meet
			return p.sample(w)
		}
		return p.solve(w)
	}
	base, gens, ok := lattice(c.eq, n)
	if !ok {
		return nil, false
	}
	p := &conj{n: len(gens)}
	for _, r := range c.ge {
		p.ge = append(p.ge, pull(r, base, gens))
	}
	p.inequalities()
	if p.empty {
		return nil, false
	}
	var y []Int
	if len(p.eq) > 0 {
		y, ok = p.sample(w)
	} else {
		y, ok = p.solve(w)
	}
	if !ok {
		return nil, false
	}
	return point(base, gens, y), true
}

// hasPoint reports that a conjunction has an integer point.
func (c *conj) hasPoint(w *work) bool {
	if !c.empty && len(c.ge) == 0 && len(c.eq) == 0 {
		return true
	}
	_, ok := c.sample(w)
	return ok
}

// branches is how many nodes branch and bound may visit before slices are tried.
const branches = 16

// solve finds an integer point of inequalities alone.
func (c *conj) solve(w *work) (x []Int, ok bool) {
	switch c.n {
	case 0:
		return nil, true
	case 1:
		z, ok := c.line()
		return []Int{z}, ok
	}
	t := newTableau(c.n, w)
	defer t.release()
	for _, r := range c.ge {
		if !t.addGe(r) {
			return nil, false
		}
	}
	left := branches
	switch x, found := c.branch(t, &left); {
	case found:
		return x, true
	case left >= 0:
		return nil, false
	}
	return c.slice(w)
}

// maxSlices is how many slices are tried before elimination.
const maxSlices = 1000

// slice finds an integer point on one of the hyperplanes r = k of the inequality that
// allows the fewest values k; each has a dimension less. Where all inequalities grow
// without bound there are points far inside.
func (c *conj) slice(w *work) (x []Int, ok bool) {
	t := c.tableau(w)
	defer t.release()
	var best row
	var low, high, least Int
	for _, r := range c.ge {
		max, ok := t.minimum(r.negated())
		if !ok {
			continue
		}
		min, _ := t.minimum(r)
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
		return c.inside(w), true
	case least.Cmp(Int{v: maxSlices}) > 0:
		return c.search(w)
	}
	for k := low; k.Cmp(high) <= 0; k = k.Add(Int{v: 1}) {
		w.step(len(c.ge) * c.n)
		e := best.clone()
		e[0] = e[0].Sub(k)
		if x, ok := (&conj{n: c.n, eq: []row{e}, ge: c.ge}).sample(w); ok {
			return x, true
		}
	}
	return nil, false
}

// inside is a point of inequalities that all grow without bound: a rational one that
// is far enough from each to be rounded.
func (c *conj) inside(w *work) []Int {
	t := newTableau(c.n, w)
	defer t.release()
	for _, r := range c.ge {
		s := r.clone()
		for _, x := range r[1:] {
			s[0] = s[0].Sub(x.Abs())
		}
		t.addGe(s)
	}
	x := make([]Int, c.n)
	for i := range x {
		x[i] = t.value(i).Floor()
	}
	return x
}

// branch splits at a variable that is no integer in the current vertex. left goes
// below 0 where that takes too long.
func (c *conj) branch(t *tableau, left *int) (x []Int, ok bool) {
	if *left--; *left < 0 {
		return nil, false
	}
	x, split := make([]Int, c.n), -1
	var at Rat
	for i := range c.n {
		v := t.value(i)
		if v.IsInt() {
			x[i] = v.Num
			continue
		}
		x[i] = v.Floor()
		if split < 0 {
			split, at = i, v
		}
	}
	if split < 0 || c.holds(x) {
		return x, true
	}
	low := make(row, 1+c.n) // floor - x >= 0
	low[0], low[1+split] = at.Floor(), Int{v: -1}
	u := t.clone()
	defer u.release()
	if u.addGe(low) {
		if y, ok := c.branch(u, left); ok || *left < 0 {
			return y, ok
		}
	}
	high := make(row, 1+c.n)
	high[0], high[1+split] = at.Ceil().Neg(), Int{v: 1}
	if !t.addGe(high) {
		return nil, false
	}
	return c.branch(t, left)
}

// holds reports that a point, divs included, satisfies the constraints.
func (c *conj) holds(x []Int) bool {
	for _, r := range c.eq {
		if !dot(r[1:], x).Add(r[0]).isZero() {
			return false
		}
	}
	for _, r := range c.ge {
		if dot(r[1:], x).Add(r[0]).Sign() < 0 {
			return false
		}
	}
	return true
}

// search finds an integer point of inequalities by eliminating one variable after
// another, exactly (see eliminate).
func (c *conj) search(w *work) (x []Int, ok bool) {
	if c.n == 0 {
		return nil, !c.empty
	}
	for _, p := range c.clone().exist(c.n-1, 1).without(0, w) {
		y, ok := p.sample(w)
		if !ok {
			continue
		}
		at := c.clone() // the rest of the point, then a line
		fixed := &conj{n: 1}
		for _, r := range at.ge {
			k := r[0].Add(dot(r[1:c.n], y[:c.n-1]))
			fixed.ge = append(fixed.ge, row{k, r[c.n]})
		}
		if z, ok := fixed.line(); ok {
			return append(append([]Int(nil), y[:c.n-1]...), z), true
		}
	}
	return nil, false
}

// line is an integer that satisfies inequalities over one variable.
func (c *conj) line() (z Int, ok bool) {
	var low, high Int
	hasLow, hasHigh := false, false
	for _, r := range c.ge {
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
