package presburger

import "math"

// A tableau is a feasible simplex tableau over the rationals: of n variables
// without bounds and of constraints that are at least 0. Some of them are columns,
// whose value is 0; each other one is a row, den x = const + sum of coef column.
// An equation leaves with the column that it takes. Pivoting follows Bland's rule,
// so it ends.
type tableau struct {
	n      int // variables; constraints are numbered after them
	rows   []row
	rowVar []int
	colVar []int
	at     []int // by variable: ^column, row, or gone
	loose  int   // a constraint that is free for now (see redundant), or -1
	empty  bool
	work   *work

	store []Int // what rows are made of
	used  int
}

const (
	denominator = iota
	constant
	columns
)

// gone is the place of a constraint that is no row or column any more.
const gone = math.MinInt

func newTableau(n int, w *work) *tableau {
	t := w.tableau()
	t.n = n
	for i := range n {
		t.colVar, t.at = append(t.colVar, i), append(t.at, ^i)
	}
	return t
}

// release gives the memory of a tableau back; it is not used after that.
func (t *tableau) release() {
	if t == nil || t.work == nil {
		return
	}
	w := t.work
	*t = tableau{rows: t.rows[:0], rowVar: t.rowVar[:0], colVar: t.colVar[:0], at: t.at[:0], store: t.store}
	w.spare = append(w.spare, t)
}

// newRow is a row of zeros.
func (t *tableau) newRow() row {
	n := columns + len(t.colVar)
	if t.used+n > len(t.store) {
		t.store, t.used = make([]Int, max(2*len(t.store), 12*n)), 0
	}
	r := row(t.store[t.used : t.used+n : t.used+n])
	t.used += n
	clear(r)
	return r
}

func (t *tableau) clone() *tableau {
	u := t.work.tableau()
	u.n, u.empty, u.loose = t.n, t.empty, t.loose
	u.rowVar, u.colVar, u.at = append(u.rowVar, t.rowVar...), append(u.colVar, t.colVar...), append(u.at, t.at...)
	n := columns + len(t.colVar)
	if need := (len(t.rows) + 2) * n; len(u.store) < need {
		u.store = make([]Int, need+4*n)
	}
	for _, r := range t.rows {
		s := row(u.store[u.used : u.used+n : u.used+n])
		copy(s, r)
		u.used += n
		u.rows = append(u.rows, s)
	}
	return u
}

func (t *tableau) bounded(v int) bool { return v >= t.n && v != t.loose }

// express writes an affine expression over the variables by the columns.
func (t *tableau) express(r row) row {
	out := t.newRow()
	out[denominator], out[constant] = Int{v: 1}, r[0]
	for i := range t.n {
		x := r[1+i]
		if x.isZero() {
			continue
		}
		if p := t.at[i]; p < 0 {
			c := columns + ^p
			out[c] = out[c].Add(x.Mul(out[denominator]))
			continue
		}
		s := t.rows[t.at[i]]
		d := s[denominator]
		if d.isOne() && out[denominator].isOne() {
			out.combine(Int{v: 1}, x, s)
			out[denominator] = Int{v: 1} // combine added x there too
			continue
		}
		g := d.GCD(out[denominator])
		scale, times := d.quo(g), x.Mul(out[denominator].quo(g))
		out.combine(scale, times, s)
		out[denominator] = out[denominator].Sub(times.Mul(d)) // combine added it there too
	}
	out.reduce()
	return out
}

// reduce divides a row of the tableau by its content.
func (r row) reduce() {
	if r[denominator].isOne() {
		return
	}
	if g := r.content(0); !g.isOne() {
		r.divide(g)
	}
}

// put adds a constraint as a row and returns its number.
func (t *tableau) put(r row) int {
	v := len(t.at)
	t.rows, t.rowVar, t.at = append(t.rows, r), append(t.rowVar, v), append(t.at, len(t.rows))
	return v
}

// addGe adds r >= 0; it returns false, and t is empty, if that has no solution.
func (t *tableau) addGe(r row) bool {
	if !t.empty {
		t.empty = !t.restore(t.put(t.express(r)))
	}
	return !t.empty
}

// addEq adds r = 0: the row is brought to 0 from below, exchanged for a column, and
// both go away.
func (t *tableau) addEq(r row) bool {
	if t.empty {
		return false
	}
	e := t.express(r)
	if e[constant].Sign() > 0 {
		e[constant:].negate()
	}
	v := t.put(e)
	if !t.restore(v) {
		t.empty = true
		return false
	}
	if p := t.at[v]; p >= 0 { // it is at 0 already: any column will do
		col := t.exchangeable(t.rows[p])
		if col < 0 {
			t.dropRow(p)
			return true
		}
		t.pivot(p, col)
	}
	t.dropColumn(^t.at[v])
	return true
}

// exchangeable is a column that a row uses, best a variable with a unit, or -1.
func (t *tableau) exchangeable(r row) int {
	best, cost := -1, 0
	for j, v := range t.colVar {
		x := r[columns+j]
		if x.isZero() {
			continue
		}
		k := 1
		if t.bounded(v) {
			k += 2
		}
		if !x.isUnit() {
			k++
		}
		if best < 0 || k < cost {
			best, cost = j, k
		}
	}
	return best
}

// dropRow forgets the constraint of a row.
func (t *tableau) dropRow(p int) {
	last := len(t.rows) - 1
	t.at[t.rowVar[p]] = gone
	if p != last {
		t.rows[p], t.rowVar[p] = t.rows[last], t.rowVar[last]
		t.at[t.rowVar[p]] = p
	}
	t.rows, t.rowVar = t.rows[:last], t.rowVar[:last]
}

// dropColumn makes the constraint of a column 0 for good.
func (t *tableau) dropColumn(col int) {
	last := len(t.colVar) - 1
	t.at[t.colVar[col]] = gone
	if col != last {
		t.colVar[col] = t.colVar[last]
		t.at[t.colVar[col]] = ^col
	}
	t.colVar = t.colVar[:last]
	for i, r := range t.rows {
		r[columns+col] = r[columns+last]
		t.rows[i] = r[:columns+last]
	}
}

// restore increases constraint v until it is at least 0.
func (t *tableau) restore(v int) bool {
	for {
		p := t.at[v]
		if p < 0 || t.rows[p][constant].Sign() >= 0 {
			return true
		}
		col, up := t.entering(t.rows[p], 1)
		if col < 0 {
			return false
		}
		r := t.leaving(col, up, p)
		if r < 0 {
			r = p
		}
		t.pivot(r, col)
	}
}

// entering is the column, least variable first, whose change moves the row in
// direction sign; up says that the column grows.
func (t *tableau) entering(r row, sign int) (col int, up bool) {
	col, best := -1, 0
	for j, v := range t.colVar {
		s := r[columns+j].Sign() * sign
		if s == 0 || s < 0 && t.bounded(v) {
			continue
		}
		if col < 0 || v < best {
			col, best, up = j, v, s > 0
		}
	}
	return col, up
}

// leaving is the row that reaches 0 first as the column changes, or -1: of those
// at least 0, and of target, which comes from below.
func (t *tableau) leaving(col int, up bool, target int) int {
	best := -1
	for i, r := range t.rows {
		v := t.rowVar[i]
		if i == target || !t.bounded(v) {
			continue
		}
		s := r[columns+col].Sign()
		if s == 0 || (s > 0) == up {
			continue
		}
		if best >= 0 {
			b := t.rows[best]
			d := r[constant].Mul(b[columns+col]).Cmp(b[constant].Mul(r[columns+col]))
			if d *= s; d > 0 || d == 0 && v > t.rowVar[best] { // both coefficients have sign s
				continue
			}
		}
		best = i
	}
	if best < 0 || target < 0 {
		return best
	}
	// The target is at its 0 first if |const/coef| of it is less.
	b, r := t.rows[best], t.rows[target]
	x := b[constant].Abs().Mul(r[columns+col].Abs())
	y := r[constant].Abs().Mul(b[columns+col].Abs())
	if y.Cmp(x) <= 0 {
		return target
	}
	return best
}

// pivot exchanges a row and a column.
func (t *tableau) pivot(p, col int) {
	t.work.step(len(t.rows) * len(t.colVar))
	r := t.rows[p]
	c := columns + col
	den := r[denominator]
	a := r[c]
	if a.Sign() > 0 {
		for j := constant; j < len(r); j++ {
			r[j] = r[j].Neg()
		}
		r[denominator], r[c] = a, den
	} else {
		r[denominator], r[c] = a.Neg(), den.Neg()
	}
	for i, s := range t.rows {
		if i == p || s[c].isZero() {
			continue
		}
		s.substitute(r, c)
	}
	v, w := t.rowVar[p], t.colVar[col]
	t.rowVar[p], t.colVar[col] = w, v
	t.at[w], t.at[v] = p, ^col
}

// substitute puts den y = r, r being the row of the old column c, into row s.
func (s row) substitute(r row, c int) {
	b, d := s[c], r[denominator]
	if !d.isOne() {
		if g := b.GCD(d); !g.isOne() {
			b, d = b.quo(g), d.quo(g)
		}
		s[denominator] = s[denominator].Mul(d)
	}
	s[c] = Int{}
	s[constant:].combine(d, b, r[constant:])
	s.reduce()
}

// minimum is the least value of an affine expression; bounded is false if there is
// none. t must not be empty.
func (t *tableau) minimum(r row) (min Rat, bounded bool) {
	used := t.used
	obj := t.express(r)
	v := t.put(obj)
	t.loose = v
	defer func() {
		t.rows, t.rowVar, t.at, t.loose = t.rows[:len(t.rows)-1], t.rowVar[:len(t.rowVar)-1], t.at[:v], -1
		if used < t.used {
			t.used = used
		}
	}()
	for {
		col, up := t.entering(obj, -1)
		if col < 0 {
			return rat(obj[constant], obj[denominator]), true
		}
		p := t.leaving(col, up, -1)
		if p < 0 {
			return Rat{}, false
		}
		t.pivot(p, col)
	}
}

// redundant reports that the other constraints imply constraint v over the
// rationals; then it is dropped. t must not be empty.
func (t *tableau) redundant(v int) bool {
	t.loose = v
	defer func() { t.loose = -1 }()
	if p := t.at[v]; p < 0 {
		q := t.leaving(^p, false, -1)
		if q < 0 {
			return false
		}
		t.pivot(q, ^p)
	}
	for t.rows[t.at[v]][constant].Sign() >= 0 {
		p := t.at[v]
		col, up := t.entering(t.rows[p], -1)
		if col < 0 {
			t.dropRow(p)
			return true
		}
		q := t.leaving(col, up, -1)
		if q < 0 {
			return false
		}
		t.pivot(q, col)
	}
	t.loose = -1
	t.restore(v)
	return false
}

// atLeast reports that r >= 0 at all points.
func (t *tableau) atLeast(r row) bool {
	if t.empty {
		return true
	}
	min, ok := t.minimum(r)
	return ok && min.Sign() >= 0
}

// above reports that r > low at all points.
func (t *tableau) above(r row, low Int) bool {
	if t.empty {
		return true
	}
	min, ok := t.minimum(r)
	return ok && min.Cmp(Rat{low, Int{v: 1}}) > 0
}

// value is variable i at the current vertex.
func (t *tableau) value(i int) Rat {
	if p := t.at[i]; p >= 0 {
		return rat(t.rows[p][constant], t.rows[p][denominator])
	}
	return Rat{Den: Int{v: 1}}
}
