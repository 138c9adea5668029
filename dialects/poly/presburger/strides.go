package presburger

// Two equations that each give a div, such as i = 2e + 1 and 3i = 2f + 3, may say the
// same: with i put into the second it is f = 3e, and f is not needed.

// mergeStrides looks for such pairs: one equation has a coefficient of one at a
// variable, and the other gives a div with a coefficient of one once that is put in.
// changed reports that it found one, which gauss can use up.
func (c *conj) mergeStrides() (changed bool) {
	for i, p := range c.eq {
		if p.last() <= c.n {
			continue
		}
		for col := 1; col <= c.n; col++ {
			if !p[col].isUnit() {
				continue
			}
			for j, q := range c.eq {
				if i == j || q[col].isZero() || q.last() <= c.n {
					continue
				}
				r := q.clone()
				r.eliminate(col, p)
				if drop, bad := normalizeEq(r); bad || drop || c.givesDiv(r) {
					c.eq[j] = r
					return true
				}
			}
			if c.roundFloor(p, col) {
				return true
			}
		}
	}
	return false
}

// givesDiv reports that the last variable of an equation is a div with the coefficient
// one.
func (c *conj) givesDiv(r row) bool {
	l := r.last()
	return l > c.n && r[l].isUnit()
}

// roundFloor looks for a div whose bounds leave it one value once equation p is put in
// for column col, such as floor(i/2) where i = 2e + 1, and adds the equation.
func (c *conj) roundFloor(p row, col int) bool {
	for i, d := range c.divs {
		if !d.known() || d.num[col].isZero() || d.den.divides(p[p.last()]) && c.divCol(i) == p.last() {
			continue
		}
		low := d.num.clone() // low >= 0 and den - 1 - low >= 0
		low[c.divCol(i)] = d.den.Neg()
		low.eliminate(col, p)
		g := low.content(1)
		if g.isZero() || g.Cmp(d.den) < 0 {
			continue
		}
		// low = g x + con, so x is between -con/g and (den - 1 - con)/g.
		con := low[0]
		least := con.Neg().CeilDiv(g)
		if most := d.den.Sub(Int{v: 1}).Sub(con).FloorDiv(g); !least.equal(most) {
			continue
		}
		low[0] = Int{}
		low.divide(g)
		low[0] = least.Neg()
		if !c.givesDiv(low) || low.last() != c.divCol(i) {
			continue
		}
		c.eq = append(c.eq, low)
		return true
	}
	return false
}
