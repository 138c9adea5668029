package presburger

import "slices"

// simplify brings a conjunction under construction into a normal form: equations
// in echelon form, inequalities without common factors and doubles, divs that are
// used. It keeps the integer points and looks at no pair of inequalities but
// parallel ones; it does not decide emptiness.
func (c *conj) simplify() *conj {
	for !c.empty {
		again := c.gauss()
		if c.empty {
			break
		}
		again = c.inequalities() || again
		if c.empty {
			break
		}
		if !again && !c.unusedDivs() && !c.triangulate() && !c.mergeStrides() {
			return c
		}
	}
	return c.clear()
}

// normalizeEq divides an equation by its content; drop says that it is 0 = 0.
func normalizeEq(r row) (drop, contradiction bool) {
	g := r.content(1)
	if g.isZero() {
		return true, !r[0].isZero()
	}
	if !g.divides(r[0]) {
		return false, true
	}
	r.divide(g)
	return false, false
}

// normalizeGe divides an inequality by the content of its coefficients and rounds
// the constant down: no integer point is lost.
func normalizeGe(r row) (drop, contradiction bool) {
	g := r.content(1)
	if g.isZero() {
		return r[0].Sign() >= 0, r[0].Sign() < 0
	}
	if !g.isOne() {
		r[0] = r[0].FloorDiv(g)
		for i := 1; i < len(r); i++ {
			if !r[i].isZero() {
				r[i] = r[i].quo(g)
			}
		}
	}
	return false, false
}

// gauss solves the equations for their last variables and puts that into all other
// rows. A div that an equation gives as an integer combination goes away; changed
// says that one did.
func (c *conj) gauss() (changed bool) {
	for done := 0; done < len(c.eq); {
		pick, col := -1, -1
		for i := done; i < len(c.eq); i++ {
			r := c.eq[i]
			drop, bad := normalizeEq(r)
			if bad {
				c.clear()
				return false
			}
			if drop {
				c.eq[i] = c.eq[len(c.eq)-1]
				c.eq = c.eq[:len(c.eq)-1]
				i--
				continue
			}
			if l := r.last(); l > col || l == col && r[l].isUnit() && !c.eq[pick][l].isUnit() {
				pick, col = i, l
			}
		}
		if pick < 0 {
			break
		}
		c.eq[done], c.eq[pick] = c.eq[pick], c.eq[done]
		eq := c.eq[done]
		for i, r := range c.eq {
			if i != done {
				c.substitute(r, col, eq)
			}
		}
		for _, r := range c.ge {
			c.substitute(r, col, eq)
		}
		if col > c.n && c.solveDiv(done, col) {
			changed = true
			continue
		}
		done++
	}
	return changed
}

func (c *conj) substitute(r row, col int, eq row) {
	if !r[col].isZero() {
		r.eliminate(col, eq)
	}
}

// solveDiv uses equation e, whose last variable is the div of column col, which
// occurs in no other constraint: with a coefficient of one the div is removed,
// otherwise the equation defines it where nothing does.
func (c *conj) solveDiv(e, col int) (removed bool) {
	eq, i := c.eq[e], col-1-c.n
	if eq[col].isUnit() {
		for j := i + 1; j < len(c.divs); j++ {
			if d := c.divs[j]; d.known() && !d.num[col].isZero() {
				d.num.eliminate(col, eq) // exact: by a unit
			}
		}
		c.eq = append(c.eq[:e], c.eq[e+1:]...)
		c.dropCol(col)
		return true
	}
	if d := &c.divs[i]; !d.known() && c.onlyKnown(eq, col) {
		num := eq.clone()
		num[col] = Int{}
		if eq[col].Sign() > 0 {
			num.negate()
		}
		d.num, d.den = num, eq[col].Abs()
	}
	return false
}

// onlyKnown reports that a row uses no unknown div before column col.
func (c *conj) onlyKnown(r row, col int) bool {
	for i := range c.divs {
		if k := c.divCol(i); k < col && !r[k].isZero() && !c.divs[i].known() {
			return false
		}
	}
	return true
}

// inequalities normalizes them; of parallel ones the tighter stays, and two that
// leave no room become an equation, which changed reports.
func (c *conj) inequalities() (changed bool) {
	out := c.ge[:0]
	var index map[uint64]int // of rows in out, if there are many
	if len(c.ge) > fewRows {
		index = make(map[uint64]int, len(c.ge))
	}
	for _, r := range c.ge {
		drop, bad := normalizeGe(r)
		if bad {
			c.clear()
			return false
		}
		if drop {
			continue
		}
		if i := same(out, r, index); i >= 0 {
			if r[0].Cmp(out[i][0]) < 0 {
				out[i] = r
			}
			continue
		}
		out = append(out, r)
	}
	c.ge = out
	return c.opposite()
}

// same is the row of rs with the coefficients of r, or -1; then r gets its place
// in the index.
func same(rs []row, r row, index map[uint64]int) int {
	if index != nil {
		h := r.hash(1)
		if i, ok := index[h]; ok && parallel(rs[i], r) > 0 {
			return i
		}
		index[h] = len(rs)
		return -1
	}
	for i, s := range rs {
		if parallel(s, r) > 0 {
			return i
		}
	}
	return -1
}

// parallel is 1 for rows with equal coefficients, -1 for opposite ones, else 0.
func parallel(r, s row) int {
	sign := 0
	for i := 1; i < len(r); i++ {
		a, b := r[i], s[i]
		if a.b == nil && b.b == nil {
			if a.v == 0 && b.v == 0 {
				continue
			}
			switch {
			case a.v == b.v && sign >= 0:
				sign = 1
			case a.v == -b.v && sign <= 0:
				sign = -1
			default:
				return 0
			}
			continue
		}
		switch {
		case a.equal(b) && sign >= 0:
			sign = 1
		case a.equal(b.Neg()) && sign <= 0:
			sign = -1
		default:
			return 0
		}
	}
	return sign
}

// opposite looks for pairs r >= 0 and c - r >= 0: c = 0 gives an equation, c < 0 a
// contradiction.
func (c *conj) opposite() (changed bool) {
	gone := 0
	index := c.byHash()
	for i, r := range c.ge {
		if r == nil {
			continue
		}
		j := c.opponent(i, index)
		if j < 0 {
			continue
		}
		switch r[0].Add(c.ge[j][0]).Sign() {
		case -1:
			c.clear()
			return false
		case 0:
			c.eq = append(c.eq, r)
			c.ge[i], c.ge[j] = nil, nil
			gone += 2
		}
	}
	if gone > 0 {
		c.ge = slices.DeleteFunc(c.ge, func(r row) bool { return r == nil })
	}
	return gone > 0
}

const fewRows = 12 // are compared each with each

// byHash finds inequalities by their coefficients, if there are many.
func (c *conj) byHash() map[uint64]int {
	if len(c.ge) <= fewRows {
		return nil
	}
	index := make(map[uint64]int, len(c.ge))
	for i, r := range c.ge {
		index[r.hash(1)] = i
	}
	return index
}

// opponent is an inequality after i with the opposite coefficients, or -1.
func (c *conj) opponent(i int, index map[uint64]int) int {
	r := c.ge[i]
	if index != nil {
		k, ok := index[r.negated().hash(1)]
		if ok && k > i && c.ge[k] != nil && parallel(r, c.ge[k]) < 0 {
			return k
		}
		return -1
	}
	for k := i + 1; k < len(c.ge); k++ {
		if c.ge[k] != nil && parallel(r, c.ge[k]) < 0 {
			return k
		}
	}
	return -1
}

// unusedDivs removes divs that only their own bounds use, and unknown ones that
// Fourier-Motzkin elimination removes exactly; changed reports that it did so.
func (c *conj) unusedDivs() (changed bool) {
	for i := len(c.divs) - 1; i >= 0; i-- {
		if c.dropDiv(i) {
			changed = true
		}
	}
	return changed
}

func (c *conj) dropDiv(i int) bool {
	col := c.divCol(i)
	for j := i + 1; j < len(c.divs); j++ {
		if c.divs[j].known() && !c.divs[j].num[col].isZero() {
			return false
		}
	}
	for _, r := range c.eq {
		if !r[col].isZero() {
			return false
		}
	}
	var low, high, other []row
	bounds := 0
	for _, r := range c.ge {
		switch {
		case r[col].isZero():
			other = append(other, r)
		case c.isBound(r, i):
			bounds++
		case r[col].Sign() > 0:
			low = append(low, r)
		default:
			high = append(high, r)
		}
	}
	if c.divs[i].known() {
		if len(low)+len(high) > 0 || bounds == 1 {
			return false
		}
	} else if len(low) > 0 && len(high) > 0 {
		if !unit(low, col) && !unit(high, col) || len(low)*len(high) > len(low)+len(high)+4 {
			return false
		}
		for _, l := range low {
			for _, h := range high {
				other = append(other, shadow(l, h, col))
			}
		}
	}
	c.ge = other
	c.dropCol(col)
	return true
}

func unit(rs []row, col int) bool {
	for _, r := range rs {
		if !r[col].isUnit() {
			return false
		}
	}
	return true
}

// shadow eliminates col from a lower and an upper bound over the rationals.
func shadow(low, high row, col int) row {
	r := low.clone()
	a, b := low[col], high[col].Neg()
	g := a.GCD(b)
	r.combine(b.quo(g), a.quo(g), high)
	return r
}

// onlyIn reports that nothing but equation k uses a column.
func (c *conj) onlyIn(col, k int) bool {
	for i, r := range c.eq {
		if i != k && !r[col].isZero() {
			return false
		}
	}
	for _, r := range c.ge {
		if !r[col].isZero() {
			return false
		}
	}
	for _, d := range c.divs {
		if d.known() && !d.num[col].isZero() {
			return false
		}
	}
	return true
}
