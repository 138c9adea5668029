package lp

import "math"

// A Tableau is a feasible simplex tableau over the rationals: of n variables
// without bounds and of constraints that are at least 0. Some of them are columns,
// whose value is 0; each other one is a row, den x = const + sum of coef column.
// An equation leaves with the column that it takes. Pivoting follows Bland's rule,
// so it ends.
type Tableau struct {
	N      int // variables; constraints are numbered after them
	rows   []Row
	rowVar []int
	colVar []int
	At     []int // by variable: ^column, row, or gone
	loose  int   // a constraint that is free for now (see redundant), or -1
	Empty  bool
	work   *Work

	store []Int // what rows are made of
	used  int
}

const (
	Denominator = iota
	Constant
	columns
)

// gone is the place of a constraint that is no row or column any more.
const gone = math.MinInt

// NewTableau has no constraints yet; Release gives it back to w.
func NewTableau(n int, w *Work) *Tableau {
	t := w.tableau()
	t.N = n
	for i := range n {
		t.colVar, t.At = append(t.colVar, i), append(t.At, ^i)
	}
	return t
}

// Release gives the memory of a tableau back; it is not used after that.
func (t *Tableau) Release() {
	if t == nil || t.work == nil {
		return
	}
	w := t.work
	*t = Tableau{rows: t.rows[:0], rowVar: t.rowVar[:0], colVar: t.colVar[:0], At: t.At[:0], store: t.store}
	w.spare = append(w.spare, t)
}

// newRow is a row of zeros.
func (t *Tableau) newRow() Row {
	n := columns + len(t.colVar)
	if t.used+n > len(t.store) {
		t.store, t.used = make([]Int, max(2*len(t.store), 12*n)), 0
	}
	r := Row(t.store[t.used : t.used+n : t.used+n])
	t.used += n
	clear(r)
	return r
}

// Clone is a tableau of the same work, to be released too.
func (t *Tableau) Clone() *Tableau {
	u := t.work.tableau()
	u.N, u.Empty, u.loose = t.N, t.Empty, t.loose
	u.rowVar, u.colVar, u.At = append(u.rowVar, t.rowVar...), append(u.colVar, t.colVar...), append(u.At, t.At...)
	n := columns + len(t.colVar)
	if need := (len(t.rows) + 2) * n; len(u.store) < need {
		u.store = make([]Int, need+4*n)
	}
	for _, r := range t.rows {
		s := Row(u.store[u.used : u.used+n : u.used+n])
		copy(s, r)
		u.used += n
		u.rows = append(u.rows, s)
	}
	return u
}

func (t *Tableau) bounded(v int) bool { return v >= t.N && v != t.loose }

// express writes an affine expression over the variables by the columns.
func (t *Tableau) express(r Row) Row {
	out := t.newRow()
	out[Denominator], out[Constant] = Int{v: 1}, r[0]
	for i := range t.N {
		x := r[1+i]
		if x.IsZero() {
			continue
		}
		if p := t.At[i]; p < 0 {
			c := columns + ^p
			out[c] = out[c].Add(x.Mul(out[Denominator]))
			continue
		}
		s := t.rows[t.At[i]]
		d := s[Denominator]
		if d.IsOne() && out[Denominator].IsOne() {
			out.Combine(Int{v: 1}, x, s)
			out[Denominator] = Int{v: 1} // combine added x there too
			continue
		}
		g := d.GCD(out[Denominator])
		scale, times := d.Quo(g), x.Mul(out[Denominator].Quo(g))
		out.Combine(scale, times, s)
		out[Denominator] = out[Denominator].Sub(times.Mul(d)) // combine added it there too
	}
	out.Reduce()
	return out
}

// Reduce divides a row of the tableau by its content.
func (r Row) Reduce() {
	if r[Denominator].IsOne() {
		return
	}
	if g := r.Content(0); !g.IsOne() {
		r.Divide(g)
	}
}

// put adds a constraint as a row and returns its number.
func (t *Tableau) put(r Row) int {
	v := len(t.At)
	t.rows, t.rowVar, t.At = append(t.rows, r), append(t.rowVar, v), append(t.At, len(t.rows))
	return v
}

// AddGe adds r >= 0; it returns false, and t is empty, if that has no solution.
func (t *Tableau) AddGe(r Row) bool {
	if !t.Empty {
		t.Empty = !t.restore(t.put(t.express(r)))
	}
	return !t.Empty
}

// AddEq adds r = 0: the row is brought to 0 from below, exchanged for a column, and
// both go away.
func (t *Tableau) AddEq(r Row) bool {
	if t.Empty {
		return false
	}
	e := t.express(r)
	if e[Constant].Sign() > 0 {
		e[Constant:].Negate()
	}
	v := t.put(e)
	if !t.restore(v) {
		t.Empty = true
		return false
	}
	if p := t.At[v]; p >= 0 { // it is at 0 already: any column will do
		col := t.exchangeable(t.rows[p])
		if col < 0 {
			t.dropRow(p)
			return true
		}
		t.pivot(p, col)
	}
	t.dropColumn(^t.At[v])
	return true
}

// exchangeable is a column that a row uses, best a variable with a unit, or -1.
func (t *Tableau) exchangeable(r Row) int {
	best, cost := -1, 0
	for j, v := range t.colVar {
		x := r[columns+j]
		if x.IsZero() {
			continue
		}
		k := 1
		if t.bounded(v) {
			k += 2
		}
		if !x.IsUnit() {
			k++
		}
		if best < 0 || k < cost {
			best, cost = j, k
		}
	}
	return best
}

// dropRow forgets the constraint of a row.
func (t *Tableau) dropRow(p int) {
	last := len(t.rows) - 1
	t.At[t.rowVar[p]] = gone
	if p != last {
		t.rows[p], t.rowVar[p] = t.rows[last], t.rowVar[last]
		t.At[t.rowVar[p]] = p
	}
	t.rows, t.rowVar = t.rows[:last], t.rowVar[:last]
}

// dropColumn makes the constraint of a column 0 for good.
func (t *Tableau) dropColumn(col int) {
	last := len(t.colVar) - 1
	t.At[t.colVar[col]] = gone
	if col != last {
		t.colVar[col] = t.colVar[last]
		t.At[t.colVar[col]] = ^col
	}
	t.colVar = t.colVar[:last]
	for i, r := range t.rows {
		r[columns+col] = r[columns+last]
		t.rows[i] = r[:columns+last]
	}
}

// restore increases constraint v until it is at least 0.
func (t *Tableau) restore(v int) bool {
	for {
		p := t.At[v]
		if p < 0 || t.rows[p][Constant].Sign() >= 0 {
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
func (t *Tableau) entering(r Row, sign int) (col int, up bool) {
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
func (t *Tableau) leaving(col int, up bool, target int) int {
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
			d := r[Constant].Mul(b[columns+col]).Cmp(b[Constant].Mul(r[columns+col]))
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
	x := b[Constant].Abs().Mul(r[columns+col].Abs())
	y := r[Constant].Abs().Mul(b[columns+col].Abs())
	if y.Cmp(x) <= 0 {
		return target
	}
	return best
}

// pivot exchanges a row and a column.
func (t *Tableau) pivot(p, col int) {
	t.work.Step(len(t.rows) * len(t.colVar))
	r := t.rows[p]
	c := columns + col
	den := r[Denominator]
	a := r[c]
	if a.Sign() > 0 {
		for j := Constant; j < len(r); j++ {
			r[j] = r[j].Neg()
		}
		r[Denominator], r[c] = a, den
	} else {
		r[Denominator], r[c] = a.Neg(), den.Neg()
	}
	for i, s := range t.rows {
		if i == p || s[c].IsZero() {
			continue
		}
		s.Substitute(r, c)
	}
	v, w := t.rowVar[p], t.colVar[col]
	t.rowVar[p], t.colVar[col] = w, v
	t.At[w], t.At[v] = p, ^col
}

// Substitute puts den y = r, r being the row of the old column c, into row s.
func (s Row) Substitute(r Row, c int) {
	b, d := s[c], r[Denominator]
	if !d.IsOne() {
		if g := b.GCD(d); !g.IsOne() {
			b, d = b.Quo(g), d.Quo(g)
		}
		s[Denominator] = s[Denominator].Mul(d)
	}
	s[c] = Int{}
	s[Constant:].Combine(d, b, r[Constant:])
	s.Reduce()
}

// Minimum is the least value of an affine expression; bounded is false if there is
// none. t must not be empty.
func (t *Tableau) Minimum(r Row) (min Rat, bounded bool) {
	used := t.used
	obj := t.express(r)
	v := t.put(obj)
	t.loose = v
	defer func() {
		t.rows, t.rowVar, t.At, t.loose = t.rows[:len(t.rows)-1], t.rowVar[:len(t.rowVar)-1], t.At[:v], -1
		if used < t.used {
			t.used = used
		}
	}()
	for {
		col, up := t.entering(obj, -1)
		if col < 0 {
			return NewRat(obj[Constant], obj[Denominator]), true
		}
		p := t.leaving(col, up, -1)
		if p < 0 {
			return Rat{}, false
		}
		t.pivot(p, col)
	}
}

// Redundant reports that the other constraints imply constraint v over the
// rationals; then it is dropped. t must not be empty.
func (t *Tableau) Redundant(v int) bool {
	t.loose = v
	defer func() { t.loose = -1 }()
	if p := t.At[v]; p < 0 {
		q := t.leaving(^p, false, -1)
		if q < 0 {
			return false
		}
		t.pivot(q, ^p)
	}
	for t.rows[t.At[v]][Constant].Sign() >= 0 {
		p := t.At[v]
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

// AtLeast reports that r >= 0 at all points.
func (t *Tableau) AtLeast(r Row) bool {
	if t.Empty {
		return true
	}
	min, ok := t.Minimum(r)
	return ok && min.Sign() >= 0
}

// Above reports that r > low at all points.
func (t *Tableau) Above(r Row, low Int) bool {
	if t.Empty {
		return true
	}
	min, ok := t.Minimum(r)
	return ok && min.Cmp(Rat{low, Int{v: 1}}) > 0
}

// Value is variable i at the current vertex.
func (t *Tableau) Value(i int) Rat {
	if p := t.At[i]; p >= 0 {
		return NewRat(t.rows[p][Constant], t.rows[p][Denominator])
	}
	return Rat{Den: Int{v: 1}}
}
