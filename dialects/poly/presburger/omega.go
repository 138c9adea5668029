package presburger

// without eliminates the unknown div i, which no equation uses, exactly on integers,
// as a union: Pugh, "A practical algorithm for exact array dependence analysis",
// 1992. That is Fourier-Motzkin elimination, or where it is not exact the dark
// shadow and splinters, in which an equation gives the div.
func (c *conj) without(i int, w *work) []*conj {
	col := c.divCol(i)
	w.step(len(c.ge) * c.width())
	low, high, rest := bounds(c.ge, col)
	if len(low) == 0 || len(high) == 0 || unit(low, col) || unit(high, col) {
		return c.project(rest, low, high, col, false)
	}
	out := c.clone().project(rest, low, high, col, true)
	return append(out, c.splinters(low, high, col, w)...)
}

// bounds parts inequalities into lower and upper bounds of a column and the rest.
func bounds(ge []row, col int) (low, high, rest []row) {
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

// project eliminates a column from the inequalities; dark asks for the shadow of
// the points with room for an integer above.
func (c *conj) project(rest, low, high []row, col int, dark bool) []*conj {
	ge := rest
	for _, l := range low {
		for _, h := range high {
			r := l.clone()
			a, b := l[col], h[col].Neg()
			r.combine(b, a, h)
			if dark {
				r[0] = r[0].Sub(a.Sub(Int{v: 1}).Mul(b.Sub(Int{v: 1})))
			}
			ge = append(ge, r)
		}
	}
	c.ge = cloneRows(ge)
	c.dropCol(col)
	if c.simplify().empty {
		return nil
	}
	return []*conj{c}
}

// splinters are the conjunctions with a point close above a lower bound, which the
// dark shadow may miss: a e = l + k for 0 <= k <= (a b - a - b) / b, where b is the
// largest coefficient of an upper bound.
func (c *conj) splinters(low, high []row, col int, w *work) (out []*conj) {
	var most Int
	for _, h := range high {
		if b := h[col].Neg(); b.Cmp(most) > 0 {
			most = b
		}
	}
	for _, l := range low {
		a := l[col]
		if a.isOne() {
			continue
		}
		last := a.Mul(most).Sub(a).Sub(most).FloorDiv(most)
		for k := (Int{}); k.Cmp(last) <= 0; k = k.Add(Int{v: 1}) {
			w.step(len(c.ge) * c.width())
			s := c.clone()
			eq := l.clone()
			eq[0] = eq[0].Sub(k)
			s.eq = append(s.eq, eq)
			if !s.simplify().empty {
				out = append(out, s)
			}
		}
	}
	return out
}

// triangulate changes the unknown divs that equations use, by a unimodular
// transformation, to ones that the equations define, each in turn (column style
// Hermite normal form). What is left unknown no equation uses. changed reports
// that there was one to define.
func (c *conj) triangulate() (changed bool) {
	for _, e := range c.eq {
		var cols []int
		for i, d := range c.divs {
			if col := c.divCol(i); !d.known() && !e[col].isZero() {
				cols = append(cols, col)
			}
		}
		if len(cols) == 0 {
			continue
		}
		changed = true
		p := c.reduceColumns(e, cols)
		i := c.moveKnown(p - 1 - c.n)
		c.define(e, i)
	}
	return changed
}

// reduceColumns does Euclid's algorithm on the coefficients of an equation by
// replacing unknown divs in all rows, until one of them is left, and returns it.
func (c *conj) reduceColumns(e row, cols []int) int {
	for {
		p := cols[0]
		for _, k := range cols {
			if !e[k].isZero() && (e[p].isZero() || e[k].Abs().Cmp(e[p].Abs()) < 0) {
				p = k
			}
		}
		more := false
		for _, k := range cols {
			if k == p || e[k].isZero() {
				continue
			}
			q := e[k].FloorDiv(e[p])
			c.everyRow(func(r row) row { // e_p becomes e_p - q e_k
				if !r[p].isZero() {
					r[k] = r[k].Sub(q.Mul(r[p]))
				}
				return r
			})
			more = more || !e[k].isZero()
		}
		if !more {
			return p
		}
	}
}

// moveKnown moves unknown div i behind the known ones and returns its new number.
func (c *conj) moveKnown(i int) int {
	to := 0
	for k, d := range c.divs {
		if d.known() {
			to = k + 1
		}
	}
	if to > i {
		to--
	}
	a, b := c.divCol(i), c.divCol(to)
	c.everyRow(func(r row) row {
		x := r[a]
		if a < b {
			copy(r[a:b], r[a+1:b+1])
		} else {
			copy(r[b+1:a+1], r[b:a])
		}
		r[b] = x
		return r
	})
	d := c.divs[i]
	if i < to {
		copy(c.divs[i:to], c.divs[i+1:to+1])
	} else {
		copy(c.divs[to+1:i+1], c.divs[to:i])
	}
	c.divs[to] = d
	return to
}

// define makes div i the one that equation e gives, and removes it from the
// inequalities.
func (c *conj) define(e row, i int) {
	col := c.divCol(i)
	num := e.clone()
	num[col] = Int{}
	if e[col].Sign() > 0 {
		num.negate()
	}
	c.divs[i] = div{num, e[col].Abs()}
	for _, r := range c.ge {
		c.substitute(r, col, e)
	}
}
