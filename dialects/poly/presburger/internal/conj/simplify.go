package conj

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// Simplify brings a conjunction under construction into a normal form: equations
// in echelon form, inequalities without common factors and doubles, divs that are
// used. It keeps the integer points and looks at no pair of inequalities but
// parallel ones; it does not decide emptiness.
func (c *Conj) Simplify() *Conj {
	for !c.Empty {
		again := c.gauss()
		if c.Empty {
			break
		}
		again = c.inequalities() || again
		if c.Empty {
			break
		}
		if !again && !c.unusedDivs() && !c.triangulate() && !c.mergeStrides() && !c.onlyValues() {
			return c
		}
	}
	return c.clear()
}

// NormalizeEq divides an equation by its content; drop says that it is 0 = 0.
func NormalizeEq(r lp.Row) (drop, contradiction bool) {
	g := r.Content(1)
	if g.IsZero() {
		return true, !r[0].IsZero()
	}
	if !g.Divides(r[0]) {
		return false, true
	}
	r.Divide(g)
	return false, false
}

// NormalizeGe divides an inequality by the content of its coefficients and rounds
// the constant down: no integer point is lost.
func NormalizeGe(r lp.Row) (drop, contradiction bool) {
	g := r.Content(1)
	if g.IsZero() {
		return r[0].Sign() >= 0, r[0].Sign() < 0
	}
	if !g.IsOne() {
		r[0] = r[0].FloorDiv(g)
		for i := 1; i < len(r); i++ {
			if !r[i].IsZero() {
				r[i] = r[i].Quo(g)
			}
		}
	}
	return false, false
}

// gauss solves the equations for their last variables and puts that into all other
// rows. A div that an equation gives as an integer combination goes away; changed
// says that one did.
func (c *Conj) gauss() (changed bool) {
	for done := 0; done < len(c.Eq); {
		pick, col := -1, -1
		for i := done; i < len(c.Eq); i++ {
			r := c.Eq[i]
			drop, bad := NormalizeEq(r)
			if bad {
				c.clear()
				return false
			}
			if drop {
				c.Eq[i] = c.Eq[len(c.Eq)-1]
				c.Eq = c.Eq[:len(c.Eq)-1]
				i--
				continue
			}
			if l := r.Last(); l > col || l == col && r[l].IsUnit() && !c.Eq[pick][l].IsUnit() {
				pick, col = i, l
			}
		}
		if pick < 0 {
			break
		}
		c.Eq[done], c.Eq[pick] = c.Eq[pick], c.Eq[done]
		eq := c.Eq[done]
		for i, r := range c.Eq {
			if i != done {
				substitute(r, col, eq)
			}
		}
		for _, r := range c.Ge {
			substitute(r, col, eq)
		}
		if col > c.N && c.solveDiv(done, col) {
			changed = true
			continue
		}
		done++
	}
	return changed
}

// substitute puts what an equation says of a column into a row.
func substitute(r lp.Row, col int, eq lp.Row) {
	if !r[col].IsZero() {
		r.Eliminate(col, eq)
	}
}

// solveDiv uses equation e, whose last variable is the div of column col, which
// occurs in no other constraint: with a coefficient of one the div is removed,
// otherwise the equation defines it where nothing does.
func (c *Conj) solveDiv(e, col int) (removed bool) {
	eq, i := c.Eq[e], col-1-c.N
	if eq[col].IsUnit() {
		for j := i + 1; j < len(c.Divs); j++ {
			if d := c.Divs[j]; d.Known() && !d.Num[col].IsZero() {
				d.Num.Eliminate(col, eq) // exact: by a unit
			}
		}
		c.Eq = append(c.Eq[:e], c.Eq[e+1:]...)
		c.dropCol(col)
		return true
	}
	if d := &c.Divs[i]; !d.Known() && c.Floors().onlyKnown(eq, col) {
		num := eq.Clone()
		num[col] = lp.Int{}
		if eq[col].Sign() > 0 {
			num.Negate()
		}
		d.Num, d.Den = num, eq[col].Abs()
	}
	return false
}

// inequalities normalizes them; of parallel ones the tighter stays, and two that
// leave no room become an equation, which changed reports.
func (c *Conj) inequalities() (changed bool) {
	find := finder{few: len(c.Ge) <= fewRows}
	if !find.few {
		find.index = make(map[uint64]int, len(c.Ge))
	}
	out := c.Ge[:0]
	gone := 0
	for _, r := range c.Ge {
		drop, bad := NormalizeGe(r)
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
	c.Ge = out
	for i, r := range c.Ge { // r >= 0 and k - r >= 0: k = 0 gives an equation
		if r == nil {
			continue
		}
		j := find.opposite(c.Ge, i)
		if j < 0 {
			continue
		}
		switch r[0].Add(c.Ge[j][0]).Sign() {
		case -1:
			c.clear()
			return false
		case 0:
			c.Eq = append(c.Eq, r)
			c.Ge[i], c.Ge[j] = nil, nil
			gone += 2
		}
	}
	if gone > 0 {
		c.Ge = slices.DeleteFunc(c.Ge, func(r lp.Row) bool { return r == nil })
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

func (f *finder) hash(r lp.Row) uint64 {
	if f.few {
		return 0
	}
	return r.Hash(1)
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
func (f *finder) parallel(rs []lp.Row, r lp.Row, h uint64, sign int) int {
	if f.few {
		for i, s := range rs {
			if s != nil && lp.Parallel(s, r) == sign {
				return i
			}
		}
		return -1
	}
	i, ok := f.index[h]
	for ; ok && i >= 0; i = f.next[i] {
		if rs[i] != nil && lp.Parallel(rs[i], r) == sign {
			return i
		}
	}
	return -1
}

// opposite is a row after i with the opposite direction, or -1.
func (f *finder) opposite(rs []lp.Row, i int) int {
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

// unusedDivs removes divs that only their own bounds use, and unknown ones that
// Fourier-Motzkin elimination removes exactly; changed reports that it did so.
func (c *Conj) unusedDivs() (changed bool) {
	for i := len(c.Divs) - 1; i >= 0; i-- {
		if c.dropDiv(i) {
			changed = true
		}
	}
	return changed
}

func (c *Conj) dropDiv(i int) bool {
	col := c.DivCol(i)
	for j := i + 1; j < len(c.Divs); j++ {
		if c.Divs[j].Known() && !c.Divs[j].Num[col].IsZero() {
			return false
		}
	}
	for _, r := range c.Eq {
		if !r[col].IsZero() {
			return false
		}
	}
	low, high, bounds, unitLow, unitHigh := 0, 0, 0, true, true
	for _, r := range c.Ge {
		switch s := r[col].Sign(); {
		case s == 0:
		case c.Floors().IsBound(r, i):
			bounds++
		case s > 0:
			low++
			unitLow = unitLow && r[col].IsUnit()
		default:
			high++
			unitHigh = unitHigh && r[col].IsUnit()
		}
	}
	if c.Divs[i].Known() {
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
func (c *Conj) eliminateDiv(col int, shadows bool) {
	rest := c.Ge[:0:0]
	for _, r := range c.Ge {
		if r[col].IsZero() {
			rest = append(rest, r)
		}
	}
	for _, l := range c.Ge {
		for _, h := range c.Ge {
			if shadows && l[col].Sign() > 0 && h[col].Sign() < 0 {
				rest = append(rest, Shadow(l, h, col))
			}
		}
	}
	c.Ge = rest
	c.dropCol(col)
}

func unit(rs []lp.Row, col int) bool {
	for _, r := range rs {
		if !r[col].IsUnit() {
			return false
		}
	}
	return true
}

// Shadow eliminates col from a lower and an upper bound over the rationals.
func Shadow(low, high lp.Row, col int) lp.Row {
	r := low.Clone()
	a, b := low[col], high[col].Neg()
	g := a.GCD(b)
	r.Combine(b.Quo(g), a.Quo(g), high)
	return r
}

// OnlyIn reports that nothing but equation k uses a column.
func (c *Conj) OnlyIn(col, k int) bool {
	for i, r := range c.Eq {
		if i != k && !r[col].IsZero() {
			return false
		}
	}
	for _, r := range c.Ge {
		if !r[col].IsZero() {
			return false
		}
	}
	for _, d := range c.Divs {
		if d.Known() && !d.Num[col].IsZero() {
			return false
		}
	}
	return true
}
