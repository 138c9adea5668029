package presburger

import (
	"fmt"
	"slices"
)

// What code that visits the points of a set asks of one dimension as a function of
// those before it: its stride, and a set around it that has no other floors than those
// of the dimensions before.

// InsertDims puts n dimensions that may have any value before dimension at of a set in
// one space; its tuples lose their name.
func (s Set) InsertDims(at, n int) (Set, error) {
	r := s.rel()
	if len(r.parts) != 1 {
		return Set{}, fmt.Errorf("presburger: InsertDims wants a set in one space, not %d", len(r.parts))
	}
	if k := r.parts[0].out.len(); at < 0 || n < 0 || at > k {
		return Set{}, fmt.Errorf("presburger: %d dimensions before dimension %d of %d", n, at, k)
	}
	return Set{r.each(func(p part) (space, []*conj) {
		var out []*conj
		for _, c := range p.conjs {
			c = c.clone()
			c.insert(len(r.params)+at, n)
			out = append(out, c)
		}
		names := slices.Insert(p.out.names(), at, make([]string, n)...)
		return space{out: &tuple{dims: names}}, out
	})}, nil
}

// OuterFloors returns a set that holds s, in which each variable that exists is a floor
// of the parameters and of dimensions before dimension i. The others are eliminated over
// the rationals (Fourier and Motzkin), so it may have more points.
func (s Set) OuterFloors(i int) (Set, error) {
	return set(s.rel().eachConj(func(c *conj, w *work) *conj {
		return c.outerFloors(len(s.rel().params)+i, w)
	}))
}

func (c *conj) outerFloors(n int, w *work) *conj {
	c = c.clone()
	for i := len(c.divs) - 1; i >= 0; i-- {
		if c.divs[i].known() && !c.isOuter(c.divs[i].num, n) {
			c.forget(i)
		}
	}
	for i := len(c.divs) - 1; i >= 0 && !c.empty; i-- {
		if !c.divs[i].known() {
			c.shadowOut(c.divCol(i), w)
		}
	}
	return c.simplify()
}

// isOuter reports that a row uses none of the variables from n on, and no div that does
// or that is unknown.
func (c *conj) isOuter(r row, n int) bool {
	for k := 1 + n; k < len(r); k++ {
		if r[k].isZero() {
			continue
		}
		if k <= c.n || !c.divs[k-1-c.n].known() || !c.isOuter(c.divs[k-1-c.n].num, n) {
			return false
		}
	}
	return true
}

// shadowOut removes a column over the rationals.
func (c *conj) shadowOut(col int, w *work) {
	for i, e := range c.eq {
		if e[col].isZero() {
			continue
		}
		c.eq = append(c.eq[:i:i], c.eq[i+1:]...)
		for _, r := range c.eq {
			r.eliminate(col, e)
		}
		for _, r := range c.ge {
			r.eliminate(col, e)
		}
		c.dropCol(col)
		return
	}
	low, high, rest := bounds(c.ge, col)
	w.step((1 + len(low)*len(high)) * c.width())
	for _, l := range low {
		for _, h := range high {
			rest = append(rest, shadow(l, h, col))
		}
	}
	more := len(low)*len(high) > len(low)+len(high)
	c.ge = rest
	c.dropCol(col)
	if c.inequalities(); more && !c.empty {
		if d := c.irredundant(w); d.empty {
			c.clear()
		} else {
			c.ge = d.ge
		}
	}
}

// Stride returns the greatest s such that dimension i has, for given values of the
// parameters and of the dimensions before it, the values of one residue class modulo s
// in all points of the conjunctions of the set that it can tell; 0 is one value at most.
// The class is the set of all points with these values: of one equation, or of none where
// s is 1.
func (s Set) Stride(i int) (stride Int, class Set, err error) {
	r := s.rel()
	if len(r.parts) != 1 {
		return Int{}, Set{}, fmt.Errorf("presburger: Stride wants a set in one space, not %d", len(r.parts))
	}
	p := r.parts[0]
	if i < 0 || i >= p.out.len() {
		return Int{}, Set{}, fmt.Errorf("presburger: dimension %d of %d", i, p.out.len())
	}
	out, err := run(r.budget, func(w *work) residue {
		var all residue
		for k, c := range p.conjs {
			w.step((1 + len(c.eq)) * c.width())
			x := c.residue(len(r.params) + i)
			if k == 0 {
				all = x
			} else {
				all = all.join(x)
			}
			if all.stride.isOne() {
				break
			}
		}
		return all
	})
	if err != nil || len(p.conjs) == 0 || out.stride.isOne() {
		return Int{v: 1}, s.Universe(), err
	}
	class = Set{&relation{params: r.params, budget: r.budget}}
	class.r.put(p.space, out.class(len(r.params)+i))
	return out.stride, class, nil
}

// A residue says that a variable is floor(num / den) modulo stride; num is over the
// variables of a conjunction before it, and divs. Of the stride 0 it is that.
type residue struct {
	n      int
	stride Int
	num    row
	den    Int
	divs   []div
}

// residue is that of variable v, by the equations of c: columns of the variable and of
// the divs that are no functions of what is before it are combined until each equation
// has one left (Hermite normal form). Then an equation gives the value of its column, as a
// function of what is before v, and the columns that are left are free. Equations of later
// variables are left out.
func (c *conj) residue(v int) residue {
	outer := make([]bool, c.width())
	var cols []int // those of v and of the divs that are not outer
	for k := range outer {
		outer[k] = k <= v || k > c.n && c.divs[k-1-c.n].known() && c.isOuter(c.divs[k-1-c.n].num, v)
		if k == 1+v || k > c.n && !outer[k] {
			cols = append(cols, k)
		}
	}
	none := residue{stride: Int{v: 1}}
	eqs := c.equationsOf(v, outer)
	if len(eqs) == 0 {
		return none
	}
	if i := slices.IndexFunc(eqs, func(e row) bool { return e[1+v].isUnit() }); i > 0 { // v is no fraction
		eqs[0], eqs[i] = eqs[i], eqs[0]
	}
	u := make([][]Int, len(cols)) // a column: its entries in the equations, and in v
	for j, k := range cols {
		for _, e := range eqs {
			u[j] = append(u[j], e[k])
		}
		u[j] = append(u[j], Int{})
	}
	last := len(eqs)
	u[0][last] = Int{v: 1}
	value, den := make([]row, last+1), make([]Int, last+1) // what fixed columns add to each
	for k, e := range eqs {
		value[k] = e.clone()
		for _, col := range cols {
			value[k][col] = Int{}
		}
		den[k] = Int{v: 1}
	}
	value[last], den[last] = c.row(), Int{v: 1}
	u = solve(u, value, den)
	out := residue{n: c.n, num: value[last], den: den[last]}
	for _, f := range u {
		out.stride = out.stride.GCD(f[last])
	}
	if out.stride.isOne() {
		return none
	}
	return out.only(c)
}

// solve makes each equation but the last fix one column of u, if it has any, and gives the columns that stay free. What
// fixed columns add to the later equations goes into value / den.
func solve(u [][]Int, value []row, den []Int) [][]Int {
	last := len(value) - 1
	for k := range last {
		at := make([]Int, len(u))
		for j := range u {
			at[j] = u[j][k]
		}
		p := euclid(at, u)
		if p < 0 {
			continue
		}
		x, d := value[k].negated(), den[k].Mul(at[p]) // the value of column p is x / d
		if d.Sign() < 0 {
			x.negate()
			d = d.Neg()
		}
		if g := x.content(0).GCD(d); !g.isOne() {
			x.divide(g)
			d = d.quo(g)
		}
		for m := k + 1; m <= last; m++ {
			y := u[p][m]
			if y.isZero() {
				continue
			}
			// value / den + y x / d
			l := den[m].LCM(d)
			value[m].combine(l.quo(den[m]), y.Mul(l.quo(d)), x)
			den[m] = l
		}
		u = slices.Delete(u, p, p+1)
	}
	return u
}

// equationsOf are the equations that have v, or divisions of it, and no later dimension.
func (c *conj) equationsOf(v int, outer []bool) (eqs []row) {
	for _, e := range c.eq {
		used, later := false, false
		for k := 1 + v; k < len(e); k++ {
			if !e[k].isZero() && !outer[k] {
				used, later = true, later || k > 1+v && k <= c.n
			}
		}
		if used && !later {
			eqs = append(eqs, e)
		}
	}
	return eqs
}

// only keeps the divs of c that num uses; coefficients are made less than the stride.
func (x residue) only(c *conj) residue {
	if x.den.isOne() && !x.stride.isZero() {
		for k := range x.num {
			x.num[k] = x.num[k].Mod(x.stride)
		}
	}
	d := &conj{n: c.n, divs: slices.Clone(c.divs), eq: []row{x.num}}
	d = d.clone()
	for i := len(d.divs) - 1; i >= 0; i-- {
		used := false
		for _, r := range append([]row{d.eq[0]}, nums(d.divs[i+1:])...) {
			used = used || !r[d.divCol(i)].isZero()
		}
		if !used {
			d.dropCol(d.divCol(i))
		}
	}
	x.num, x.divs = d.eq[0], d.divs
	return x
}

func nums(ds []div) (out []row) {
	for _, d := range ds {
		out = append(out, d.num)
	}
	return out
}

// join is what two have in common.
func (x residue) join(y residue) residue {
	none := residue{stride: Int{v: 1}}
	if x.stride.isOne() || y.stride.isOne() || !x.den.equal(y.den) {
		return none
	}
	u := &conj{n: x.n, divs: x.divs, eq: []row{x.num}}
	u = u.clone()
	u.add(&conj{n: y.n, divs: y.divs, eq: []row{y.num}})
	d := u.eq[1].clone()
	d.combine(Int{v: 1}, Int{v: -1}, u.eq[0])
	g := x.stride.GCD(y.stride)
	if x.den.isOne() {
		g = g.GCD(d.content(0))
	} else if !d.isZero(0) {
		return none
	}
	if g.isOne() {
		return none
	}
	return residue{n: x.n, stride: g, num: u.eq[0], den: x.den}.only(u)
}

// class is the conjunction of v = floor(num / den) modulo the stride.
func (x residue) class(v int) *conj {
	c := &conj{n: x.n, divs: slices.Clone(x.divs)}
	c = c.clone()
	for i := range c.divs {
		c.boundDiv(i)
	}
	e := x.num.negated()
	if !x.den.isOne() {
		col := c.addDiv(x.num, x.den)
		e = c.row()
		e[col] = Int{v: -1}
	}
	e[1+v] = e[1+v].Add(Int{v: 1}) // v - floor(num / den)
	if !x.stride.isZero() {
		col := c.addDiv(e, x.stride)
		e = e.grown(c.width() - len(e))
		e[col] = x.stride.Neg()
	}
	c.eq = append(c.eq, e)
	return c
}

// Floors returns the function as (row / den), a row being a constant and the coefficients
// of the parameters, the dimensions and the divs.
func (a Aff) Floors() (row []Int, den Int, divs []Div) {
	q := a.value()
	w := 1 + q.n + len(q.divs)
	for _, d := range q.divs {
		divs = append(divs, Div{d.num.grown(w - len(d.num)), d.den})
	}
	return q.num.grown(w - len(q.num)), q.den, divs
}

// AffOf returns row / den as a function on the tuples of a set in one space, whose
// parameters it has: a row is a constant and the coefficients of these, the dimensions and
// the divs, which are floors.
func AffOf(s Set, num []Int, den Int, divs []Div) (Aff, error) {
	r := s.rel()
	if len(r.parts) != 1 {
		return Aff{}, fmt.Errorf("presburger: a function wants a domain in one space, not %d", len(r.parts))
	}
	t := r.parts[0].out
	n := len(r.params) + t.len()
	if len(num) != 1+n+len(divs) || den.Sign() <= 0 {
		return Aff{}, fmt.Errorf("presburger: a row of %d entries over %d variables and %d divs", len(num), n, len(divs))
	}
	var ds []div
	for _, d := range divs {
		ds = append(ds, div{d.Num, d.Den})
	}
	q := quasi{n: n, den: den}
	q.num = q.adopt(num, ds)
	return Aff{params: r.params, in: t, q: q.normal()}, nil
}
