package presburger

import (
	"fmt"
	"slices"
)

// Spaces of directions, as bases of integer vectors in Hermite normal form. Gautam
// and Rajopadhye, "Simplifying reductions", POPL 2006, look for reuse vectors in the
// share space of what a reduction reads (the kernel of its accesses).

// LinealitySpace returns the directions, over the dimensions alone, in which the
// convex hull of the set goes on both ways without end: a basis of integer vectors, in
// Hermite normal form. Parameters are fixed; conjunctions that have points count as if
// they had some for the same values of the parameters. The set has one space.
func (s Set) LinealitySpace() ([][]Int, error) {
	r := s.rel()
	if len(r.parts) != 1 {
		return nil, fmt.Errorf("presburger: a lineality space wants a set in one space, not %d", len(r.parts))
	}
	p, np := r.parts[0], len(r.params)
	return run(r.budget, func(w *work) [][]Int {
		var cones []*conj
		for _, c := range p.conjs {
			if c.hasPoint(w) {
				cones = append(cones, c.cone(np))
			}
		}
		if len(cones) == 0 {
			return nil
		}
		return bothWays(cones, p.numOut(), w)
	})
}

// cone are the directions in which the rational relaxation goes on, parameters fixed:
// variables are the dimensions, then the divs.
func (c *conj) cone(np int) *conj {
	out := &conj{n: c.width() - 1 - np}
	cut := func(rs []row) (cuts []row) {
		for _, r := range rs {
			s := make(row, 1, 1+out.n)
			cuts = append(cuts, append(s, r[1+np:]...))
		}
		return cuts
	}
	out.eq, out.ge = cut(c.eq), cut(c.ge)
	return out
}

// bothWays is the lineality space of the sum of cones, projected on their first n
// variables: the r with r and -r in the sum. The equations of that space are found as
// those of an affine hull are, by linear programs: the relaxation being rational and
// homogeneous, a rational point has an integer multiple.
func bothWays(cones []*conj, n int, w *work) [][]Int {
	c := &conj{n: n}
	for _, sign := range []int64{1, -1} {
		sum := make([]row, n)
		for i := range sum {
			sum[i] = c.row()
			sum[i][1+i] = Int{v: -sign}
		}
		for _, k := range cones {
			at := c.n
			c.insert(c.n, k.n)
			for i := range sum {
				sum[i] = sum[i].grown(k.n)
				sum[i][1+at+i] = Int{v: 1}
			}
			into := func(r row) row {
				s := c.row()
				copy(s[1+at:], r[1:])
				return s
			}
			for _, r := range k.eq {
				c.eq = append(c.eq, into(r))
			}
			for _, r := range k.ge {
				c.ge = append(c.ge, into(r))
			}
		}
		c.eq = append(c.eq, sum...)
	}
	t := c.tableau(w)
	var open, proved []row
	for i := range n {
		e := make(row, 1+n)
		e[1+i] = Int{v: 1}
		open = append(open, e)
	}
	for len(open) > 0 {
		r := open[0].grown(c.n - n)
		r[0] = Int{v: -1}
		u := t.clone()
		if !u.addGe(r) {
			proved, open = append(proved, open[0]), open[1:]
			continue
		}
		open = dropped(open, integerMultiple(u, n))
	}
	return kernel(proved, n, n)
}

// integerMultiple is a multiple of the first n values of a tableau.
func integerMultiple(t *tableau, n int) []Int {
	den, out := Int{v: 1}, make([]Int, n)
	for i := range n {
		den = den.LCM(t.value(i).Den)
	}
	for i := range n {
		v := t.value(i)
		out[i] = v.Num.Mul(den.quo(v.Den))
	}
	return out
}

// Kernel returns the integer vectors r, a basis in Hermite normal form, with f(x + r)
// = f(x) for all x. Each floor of f has to move by an integer alike for all x, so
// floors whose changes cancel out otherwise are not seen.
func (f MultiAff) Kernel() [][]Int {
	np, n := len(f.params), f.in.len()
	var eqs []row
	k := 0 // floors so far
	for _, q := range f.qs {
		for i, d := range q.divs { // num = den m
			e := moved(d.num, np, n, k)
			e = e.grown(n + k + i + 2 - len(e))
			e[1+n+k+i] = d.den.Neg()
			eqs = append(eqs, e)
		}
		eqs = append(eqs, moved(q.num, np, n, k))
		k += len(q.divs)
	}
	for i, e := range eqs {
		eqs[i] = e.grown(1 + n + k - len(e))
	}
	return kernel(eqs, n+k, n)
}

// moved is what a row over 1, np parameters, n dimensions and floors changes by: a
// row over 1, the n dimensions and the floors from number k on.
func moved(r row, np, n, k int) row {
	out := make(row, 1+n+k)
	copy(out[1:], r[1+np:1+np+n])
	return append(out, r[1+np+n:]...)
}

// Kernel returns the vectors r with f(x + r) = f(x) as long as x and x + r are in the
// same piece: those that the pieces have in common.
func (f PwMultiAff) Kernel() [][]Int {
	g := f.fun()
	out := identityMatrix(g.in.len())
	for _, p := range g.pieces {
		out = meetLattices(out, MultiAff{g.params, g.in, g.out, p.vals}.Kernel(), g.in.len())
	}
	return out
}

// Kernel returns the share space of an access relation: the integer vectors r, a
// basis in Hermite normal form, with which m relates x + r to the same as x, as long
// as both are in the domain of one conjunction of m. Its directions stay among the
// equations of that domain. Existing variables that m does not define have to move
// alike for all x, so the space may be larger where these are many.
func (m Map) Kernel() ([][]Int, error) {
	r := m.rel()
	if len(r.parts) == 0 {
		return nil, fmt.Errorf("presburger: the kernel of a map without a space")
	}
	n := r.parts[0].numIn()
	for _, p := range r.parts[1:] {
		if !p.in.equal(r.parts[0].in) {
			return nil, fmt.Errorf("presburger: the kernel of a map on several spaces")
		}
	}
	return run(r.budget, func(w *work) [][]Int {
		out := identityMatrix(n)
		for _, p := range r.parts {
			for _, c := range p.conjs {
				if c.hasPoint(w) {
					out = meetLattices(out, c.shareSpace(len(r.params), n), n)
				}
			}
		}
		return out
	})
}

// shareSpace solves for moves of the n dimensions after np parameters, and of the
// divs with them: equations have to hold on; so have inequalities that the values or
// unknown divs take part in, which then stay as they are; the others say where x is.
func (c *conj) shareSpace(np, n int) [][]Int {
	cut := func(r row) row {
		out := make(row, 1, 1+n+len(c.divs))
		out = append(out, r[1+np:1+np+n]...)
		return append(out, r[1+c.n:]...)
	}
	var eqs []row
	for _, r := range c.eq {
		eqs = append(eqs, cut(r))
	}
	for _, r := range c.ge {
		tied := !row(r[1+np+n : 1+c.n]).isZero(0)
		for i, d := range c.divs {
			tied = tied || !d.known() && !r[c.divCol(i)].isZero()
		}
		if tied && !c.definitional(r) {
			eqs = append(eqs, cut(r))
		}
	}
	for i := len(c.divs) - 1; i >= 0; i-- { // those that a later one uses come before it
		uses := func(e row) bool { return !e[1+n+i].isZero() }
		if d := c.divs[i]; d.known() && slices.ContainsFunc(eqs, uses) {
			e := cut(d.num)
			e[1+n+i] = d.den.Neg()
			eqs = append(eqs, e)
		}
	}
	return kernel(eqs, n+len(c.divs), n)
}
