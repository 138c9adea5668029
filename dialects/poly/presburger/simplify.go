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
		if !again && !c.unusedDivs() && !c.triangulate() && !c.mergeStrides() && !c.onlyValues() {
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
	find := finder{few: len(c.ge) <= fewRows}
	if !find.few {
		find.index = make(map[uint64]int, len(c.ge))
	}
	out := c.ge[:0]
	gone := 0
	for _, r := range c.ge {
		drop, bad := normalizeGe(r)
		if bad {
			c.clear()
			return false
		}
		if drop {
			continue
		}
		h := find.hash(r)
		if i := find.parallel(out, r, h, 1); i >= 0 {
			if r[0].Cmp(out[i][0]) < 0 {
				out[i] = r
			}
			continue
		}
		out = append(out, r)
		find.add(h)
	}
	c.ge = out
	for i, r := range c.ge { // r >= 0 and k - r >= 0: k = 0 gives an equation
		if r == nil {
			continue
		}
		j := find.opposite(c.ge, i)
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

// finder finds parallel rows of a list by hashes that are the same for opposite rows;
// at most one row of each direction is in the list.
type finder struct {
	few   bool           // rows are compared each with each
	index map[uint64]int // else: the last row with a hash
	next  []int          // the one before it with the same hash, or -1
}

// fewRows are compared one by one faster than by their hashes.
const fewRows = 20

func (f *finder) hash(r row) uint64 {
	if f.few {
		return 0
	}
	return r.hash(1)
}

func (f *finder) add(h uint64) {
	if f.few {
		return
	}
	i, ok := f.index[h]
	if !ok {
		i = -1
	}
	f.index[h] = len(f.next)
	f.next = append(f.next, i)
}

// parallel is a row of rs that has the direction of r, or the opposite one with sign
// -1; or -1.
func (f *finder) parallel(rs []row, r row, h uint64, sign int) int {
	if f.few {
		for i, s := range rs {
			if s != nil && parallel(s, r) == sign {
				return i
			}
		}
		return -1
	}
	i, ok := f.index[h]
	for ; ok && i >= 0; i = f.next[i] {
		if rs[i] != nil && parallel(rs[i], r) == sign {
			return i
		}
	}
	return -1
}

// opposite is a row after i with the opposite direction, or -1.
func (f *finder) opposite(rs []row, i int) int {
	if f.few {
		if k := f.parallel(rs[i+1:], rs[i], 0, -1); k >= 0 {
			return i + 1 + k
		}
		return -1
	}
	if k := f.parallel(rs, rs[i], f.hash(rs[i]), -1); k > i {
		return k
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
	low, high, bounds, unitLow, unitHigh := 0, 0, 0, true, true
	for _, r := range c.ge {
		switch s := r[col].Sign(); {
		case s == 0:
		case c.isBound(r, i):
			bounds++
		case s > 0:
			low++
			unitLow = unitLow && r[col].isUnit()
		default:
			high++
			unitHigh = unitHigh && r[col].isUnit()
		}
	}
	if c.divs[i].known() {
		if low+high > 0 || bounds == 1 {
			return false
		}
	} else if low > 0 && high > 0 && (!unitLow && !unitHigh || low*high > low+high+4) {
		return false
	}
	c.eliminateDiv(col, low > 0 && high > 0)
	return true
}

// eliminateDiv removes a column from the inequalities, by their shadows or together
// with what bounds it on one side only.
func (c *conj) eliminateDiv(col int, shadows bool) {
	rest := c.ge[:0:0]
	for _, r := range c.ge {
		if r[col].isZero() {
			rest = append(rest, r)
		}
	}
	for _, l := range c.ge {
		for _, h := range c.ge {
			if shadows && l[col].Sign() > 0 && h[col].Sign() < 0 {
				rest = append(rest, shadow(l, h, col))
			}
		}
	}
	c.ge = rest
	c.dropCol(col)
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
