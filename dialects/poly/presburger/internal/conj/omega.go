package conj

import "github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"

// An elimination takes the column of a div out of a conjunction.
type elimination struct {
	c               *Conj
	col             int
	low, high, rest []lp.Row // the bounds of the column, and what does not use it
	w               *lp.Work
}

func newElimination(c *Conj, div int, w *lp.Work) elimination {
	e := elimination{c: c, col: c.DivCol(div), w: w}
	e.low, e.high, e.rest = Bounds(c.Ge, e.col)
	return e
}

// isExact reports that over the integers, too, there is a value wherever there is one over the rationals.
func (e elimination) isExact() bool {
	return len(e.low) == 0 || len(e.high) == 0 || unit(e.low, e.col) || unit(e.high, e.col)
}

// union is what is left of one that no equation uses, exactly on integers, as a union: Pugh, "A practical algorithm for exact array dependence analysis",
// 1992. That is Fourier-Motzkin elimination, or where it is not exact the dark
// shadow and splinters, in which an equation gives the div. It changes the conjunction.
func (e elimination) union() []*Conj {
	e.w.Step(len(e.c.Ge) * e.c.Width())
	if e.isExact() {
		return e.project(e.c, false)
	}
	return append(e.project(e.c.Clone(), true), e.splinters()...)
}

// project eliminates the column from the inequalities of c, a copy perhaps; dark asks for the shadow of
// the points with room for an integer above.
func (e elimination) project(c *Conj, dark bool) []*Conj {
	ge := e.rest
	for _, l := range e.low {
		for _, h := range e.high {
			r := l.Clone()
			a, b := l[e.col], h[e.col].Neg()
			r.Combine(b, a, h)
			if dark {
				r[0] = r[0].Sub(a.Sub(lp.NewInt(1)).Mul(b.Sub(lp.NewInt(1))))
			}
			ge = append(ge, r)
		}
	}
	c.Ge = lp.CloneRows(ge)
	c.dropCol(e.col)
	if c.Simplify().Empty {
		return nil
	}
	return []*Conj{c}
}

// splinters are the conjunctions with a point close above a lower bound, which the
// dark shadow may miss: a e = l + k for 0 <= k <= (a b - a - b) / b, where b is the
// largest coefficient of an upper bound.
func (e elimination) splinters() (out []*Conj) {
	var most lp.Int
	for _, h := range e.high {
		if b := h[e.col].Neg(); b.Cmp(most) > 0 {
			most = b
		}
	}
	for _, l := range e.low {
		a := l[e.col]
		if a.IsOne() {
			continue
		}
		last := a.Mul(most).Sub(a).Sub(most).FloorDiv(most)
		for k := (lp.Int{}); k.Cmp(last) <= 0; k = k.Add(lp.NewInt(1)) {
			e.w.Step(len(e.c.Ge) * e.c.Width())
			s := e.c.Clone()
			eq := l.Clone()
			eq[0] = eq[0].Sub(k)
			s.Eq = append(s.Eq, eq)
			if !s.Simplify().Empty {
				out = append(out, s)
			}
		}
	}
	return out
}

// Bounds parts inequalities into lower and upper bounds of a column and the rest.
func Bounds(ge []lp.Row, col int) (low, high, rest []lp.Row) {
	for _, r := range ge {
		switch r[col].Sign() {
		case 0:
			rest = append(rest, r)
		case 1:
			low = append(low, r)
		default:
			high = append(high, r)
		}
	}
	return low, high, rest
}

// triangulate changes the unknown divs that equations use, by a unimodular
// transformation, to ones that the equations define, each in turn (column style
// Hermite normal form). What is left unknown no equation uses. changed reports
// that there was one to define.
func (c *Conj) triangulate() (changed bool) {
	for _, e := range c.Eq {
		var cols []int
		for i, d := range c.Divs {
			if col := c.DivCol(i); !d.Known() && !e[col].IsZero() {
				cols = append(cols, col)
			}
		}
		if len(cols) == 0 {
			continue
		}
		changed = true
		p := c.reduceColumns(e, cols)
		i := c.moveKnown(p - 1 - c.N)
		c.define(e, i)
	}
	return changed
}

// reduceColumns does Euclid's algorithm on the coefficients of an equation by
// replacing unknown divs in all rows, until one of them is left, and returns it.
func (c *Conj) reduceColumns(e lp.Row, cols []int) int {
	for {
		p := cols[0]
		for _, k := range cols {
			if !e[k].IsZero() && (e[p].IsZero() || e[k].Abs().Cmp(e[p].Abs()) < 0) {
				p = k
			}
		}
		more := false
		for _, k := range cols {
			if k == p || e[k].IsZero() {
				continue
			}
			q := e[k].FloorDiv(e[p])
			c.everyRow(func(r lp.Row) lp.Row { // e_p becomes e_p - q e_k
				if !r[p].IsZero() {
					r[k] = r[k].Sub(q.Mul(r[p]))
				}
				return r
			})
			more = more || !e[k].IsZero()
		}
		if !more {
			return p
		}
	}
}

// moveKnown moves unknown div i behind the known ones and returns its new number.
func (c *Conj) moveKnown(i int) int {
	to := 0
	for k, d := range c.Divs {
		if d.Known() {
			to = k + 1
		}
	}
	if to > i {
		to--
	}
	a, b := c.DivCol(i), c.DivCol(to)
	c.everyRow(func(r lp.Row) lp.Row {
		x := r[a]
		if a < b {
			copy(r[a:b], r[a+1:b+1])
		} else {
			copy(r[b+1:a+1], r[b:a])
		}
		r[b] = x
		return r
	})
	d := c.Divs[i]
	if i < to {
		copy(c.Divs[i:to], c.Divs[i+1:to+1])
	} else {
		copy(c.Divs[to+1:i+1], c.Divs[to:i])
	}
	c.Divs[to] = d
	return to
}

// define makes div i the one that equation e gives, and removes it from the
// inequalities.
func (c *Conj) define(e lp.Row, i int) {
	col := c.DivCol(i)
	num := e.Clone()
	num[col] = lp.Int{}
	if e[col].Sign() > 0 {
		num.Negate()
	}
	c.Divs[i] = Div{num, e[col].Abs()}
	for _, r := range c.Ge {
		substitute(r, col, e)
	}
}
