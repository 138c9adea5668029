package conj

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// OuterFloors keeps what c says of its first n variables by floors of them alone.
func (c *Conj) OuterFloors(n int, w *lp.Work) *Conj {
	c = c.Clone()
	for i := len(c.Divs) - 1; i >= 0; i-- {
		if c.Divs[i].Known() && !c.Floors().isOuter(c.Divs[i].Num, n) {
			c.Floors().forget(i)
		}
	}
	for i := len(c.Divs) - 1; i >= 0 && !c.Empty; i-- {
		if !c.Divs[i].Known() {
			newElimination(c, i, w).overRationals()
		}
	}
	return c.Simplify()
}

// isOuter reports that a row uses none of the variables from n on, and no div that does
// or that is unknown.
func (f Floors) isOuter(r lp.Row, n int) bool {
	for k := 1 + n; k < len(r); k++ {
		if r[k].IsZero() {
			continue
		}
		if k <= f.n || !f.divs[k-1-f.n].Known() || !f.isOuter(f.divs[k-1-f.n].Num, n) {
			return false
		}
	}
	return true
}

// overRationals removes the column by an equation, or by the shadows of inequalities.
func (e elimination) overRationals() {
	c, col := e.c, e.col
	for i, eq := range c.Eq {
		if eq[col].IsZero() {
			continue
		}
		c.Eq = append(c.Eq[:i:i], c.Eq[i+1:]...)
		for _, r := range c.Eq {
			r.Eliminate(col, eq)
		}
		for _, r := range c.Ge {
			r.Eliminate(col, eq)
		}
		c.dropCol(col)
		return
	}
	e.w.Step((1 + len(e.low)*len(e.high)) * c.Width())
	rest := e.rest
	for _, l := range e.low {
		for _, h := range e.high {
			rest = append(rest, Shadow(l, h, col))
		}
	}
	more := len(e.low)*len(e.high) > len(e.low)+len(e.high)
	c.Ge = rest
	c.dropCol(col)
	if c.inequalities(); more && !c.Empty {
		if d := c.Irredundant(e.w); d.Empty {
			c.clear()
		} else {
			c.Ge = d.Ge
		}
	}
}

// A Residue says that a variable is floor(num / den) modulo stride; num is over the
// variables of a conjunction before it, and divs. Of the stride 0 it is that.
type Residue struct {
	n      int
	Stride lp.Int
	Num    lp.Row
	Den    lp.Int
	Divs   []Div
}

// Residue is that of variable v, by the equations of c: columns of the variable and of
// the divs that are no functions of what is before it are combined until each equation
// has one left (Hermite normal form). Then an equation gives the value of its column, as a
// function of what is before v, and the columns that are left are free. Equations of later
// variables are left out.
func (c *Conj) Residue(v int) Residue {
	outer := make([]bool, c.Width())
	var cols []int // those of v and of the divs that are not outer
	for k := range outer {
		outer[k] = k <= v || k > c.N && c.Divs[k-1-c.N].Known() && c.Floors().isOuter(c.Divs[k-1-c.N].Num, v)
		if k == 1+v || k > c.N && !outer[k] {
			cols = append(cols, k)
		}
	}
	none := Residue{Stride: lp.NewInt(1)}
	eqs := c.equationsOf(v, outer)
	if len(eqs) == 0 {
		return none
	}
	if i := slices.IndexFunc(eqs, func(e lp.Row) bool { return e[1+v].IsUnit() }); i > 0 { // v is no fraction
		eqs[0], eqs[i] = eqs[i], eqs[0]
	}
	u := make([][]lp.Int, len(cols)) // a column: its entries in the equations, and in v
	for j, k := range cols {
		for _, e := range eqs {
			u[j] = append(u[j], e[k])
		}
		u[j] = append(u[j], lp.Int{})
	}
	last := len(eqs)
	u[0][last] = lp.NewInt(1)
	value, den := make([]lp.Row, last+1), make([]lp.Int, last+1) // what fixed columns add to each
	for k, e := range eqs {
		value[k] = e.Clone()
		for _, col := range cols {
			value[k][col] = lp.Int{}
		}
		den[k] = lp.NewInt(1)
	}
	value[last], den[last] = c.Row(), lp.NewInt(1)
	u = solve(u, value, den)
	out := Residue{n: c.N, Num: value[last], Den: den[last]}
	for _, f := range u {
		out.Stride = out.Stride.GCD(f[last])
	}
	if out.Stride.IsOne() {
		return none
	}
	return out.only(c)
}

// solve makes each equation but the last fix one column of u, if it has any, and gives the columns that stay free. What
// fixed columns add to the later equations goes into value / den.
func solve(u [][]lp.Int, value []lp.Row, den []lp.Int) [][]lp.Int {
	last := len(value) - 1
	for k := range last {
		at := make([]lp.Int, len(u))
		for j := range u {
			at[j] = u[j][k]
		}
		p := lp.Euclid(at, u)
		if p < 0 {
			continue
		}
		x, d := value[k].Negated(), den[k].Mul(at[p]) // the value of column p is x / d
		if d.Sign() < 0 {
			x.Negate()
			d = d.Neg()
		}
		if g := x.Content(0).GCD(d); !g.IsOne() {
			x.Divide(g)
			d = d.Quo(g)
		}
		for m := k + 1; m <= last; m++ {
			y := u[p][m]
			if y.IsZero() {
				continue
			}
			// value / den + y x / d
			l := den[m].LCM(d)
			value[m].Combine(l.Quo(den[m]), y.Mul(l.Quo(d)), x)
			den[m] = l
		}
		u = slices.Delete(u, p, p+1)
	}
	return u
}

// equationsOf are the equations that have v, or divisions of it, and no later dimension.
func (c *Conj) equationsOf(v int, outer []bool) (eqs []lp.Row) {
	for _, e := range c.Eq {
		used, later := false, false
		for k := 1 + v; k < len(e); k++ {
			if !e[k].IsZero() && !outer[k] {
				used, later = true, later || k > 1+v && k <= c.N
			}
		}
		if used && !later {
			eqs = append(eqs, e)
		}
	}
	return eqs
}

// only keeps the divs of c that num uses; coefficients are made less than the stride.
func (x Residue) only(c *Conj) Residue {
	if x.Den.IsOne() && !x.Stride.IsZero() {
		for k := range x.Num {
			x.Num[k] = x.Num[k].Mod(x.Stride)
		}
	}
	d := &Conj{N: c.N, Divs: slices.Clone(c.Divs), Eq: []lp.Row{x.Num}}
	d = d.Clone()
	for i := len(d.Divs) - 1; i >= 0; i-- {
		used := false
		for _, r := range append([]lp.Row{d.Eq[0]}, nums(d.Divs[i+1:])...) {
			used = used || !r[d.DivCol(i)].IsZero()
		}
		if !used {
			d.dropCol(d.DivCol(i))
		}
	}
	x.Num, x.Divs = d.Eq[0], d.Divs
	return x
}

func nums(ds []Div) (out []lp.Row) {
	for _, d := range ds {
		out = append(out, d.Num)
	}
	return out
}

// Join is what two have in common.
func (x Residue) Join(y Residue) Residue {
	none := Residue{Stride: lp.NewInt(1)}
	if x.Stride.IsOne() || y.Stride.IsOne() || !x.Den.Equal(y.Den) {
		return none
	}
	u := &Conj{N: x.n, Divs: x.Divs, Eq: []lp.Row{x.Num}}
	u = u.Clone()
	u.Add(&Conj{N: y.n, Divs: y.Divs, Eq: []lp.Row{y.Num}})
	d := u.Eq[1].Clone()
	d.Combine(lp.NewInt(1), lp.NewInt(-1), u.Eq[0])
	g := x.Stride.GCD(y.Stride)
	if x.Den.IsOne() {
		g = g.GCD(d.Content(0))
	} else if !d.IsZero(0) {
		return none
	}
	if g.IsOne() {
		return none
	}
	return Residue{n: x.n, Stride: g, Num: u.Eq[0], Den: x.Den}.only(u)
}

// Class is the conjunction of v = floor(num / den) modulo the stride.
func (x Residue) Class(v int) *Conj {
	c := &Conj{N: x.n, Divs: slices.Clone(x.Divs)}
	c = c.Clone()
	for i := range c.Divs {
		c.BoundDiv(i)
	}
	e := x.Num.Negated()
	if !x.Den.IsOne() {
		col := c.AddDiv(x.Num, x.Den)
		e = c.Row()
		e[col] = lp.NewInt(-1)
	}
	e[1+v] = e[1+v].Add(lp.NewInt(1)) // v - floor(num / den)
	if !x.Stride.IsZero() {
		col := c.AddDiv(e, x.Stride)
		e = e.Grown(c.Width() - len(e))
		e[col] = x.Stride.Neg()
	}
	c.Eq = append(c.Eq, e)
	return c
}
