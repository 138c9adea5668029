package presburger

// A tableau is a feasible simplex tableau over the rationals: of n variables
// without bounds and of constraints that are at least 0. Some of them are columns,
// whose value is 0; each other one is a row, den x = const + sum of coef column.
// Pivoting follows Bland's rule, so it ends.
type tableau struct {
	n      int // variables; constraints are numbered after them
	rows   []row
	rowVar []int
	colVar []int
	at     []int // by variable: ^column, or row
	empty  bool
	work   *work
}

const (
	denominator = iota
	constant
	columns
)

func newTableau(n int, w *work) *tableau {
	t := &tableau{n: n, colVar: make([]int, n), at: make([]int, n, 2*n+8), work: w}
	for i := range n {
		t.colVar[i], t.at[i] = i, ^i
	}
	return t
}

func (t *tableau) clone() *tableau {
	out := *t
	out.rows = cloneRows(t.rows)
	out.rowVar = append([]int(nil), t.rowVar...)
	out.colVar = append([]int(nil), t.colVar...)
	out.at = append([]int(nil), t.at...)
	return &out
}

func (t *tableau) bounded(v int) bool { return v >= t.n }

// express writes an affine expression over the variables by the columns.
func (t *tableau) express(r row) row {
	out := make(row, columns+len(t.colVar))
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
	if g := r.content(0); !g.isOne() {
		r.divide(g)
	}
}

// addGe adds r >= 0; it returns false, and t is empty, if that has no solution.
func (t *tableau) addGe(r row) bool {
	if t.empty {
		return false
	}
	v := len(t.at)
	t.rows = append(t.rows, t.express(r))
	t.rowVar = append(t.rowVar, v)
	t.at = append(t.at, len(t.rows)-1)
	t.empty = !t.restore(v)
	return !t.empty
}

// addEq adds r = 0.
func (t *tableau) addEq(r row) bool { return t.addGe(r) && t.addGe(r.negated()) }

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
		t.substitute(s, r, c)
	}
	v, w := t.rowVar[p], t.colVar[col]
	t.rowVar[p], t.colVar[col] = w, v
	t.at[w], t.at[v] = p, ^col
}

// substitute puts den y = r, r being the row of the old column c, into row s.
func (t *tableau) substitute(s, r row, c int) {
	b, d := s[c], r[denominator]
	g := b.GCD(d)
	b, d = b.quo(g), d.quo(g)
	s[c] = Int{}
	s[denominator] = s[denominator].Mul(d)
	one := d.isOne()
	for j := constant; j < len(s); j++ {
		x, y := s[j], r[j]
		if !one && !x.isZero() {
			x = x.Mul(d)
		}
		if !y.isZero() {
			x = x.Add(b.Mul(y))
		}
		s[j] = x
	}
	if !s[denominator].isOne() {
		s.reduce()
	}
}

// minimum is the least value of an affine expression; bounded is false if there is
// none. t must not be empty.
func (t *tableau) minimum(r row) (min Rat, bounded bool) {
	v := len(t.at)
	obj := t.express(r)
	t.rows, t.rowVar, t.at = append(t.rows, obj), append(t.rowVar, -1), append(t.at, len(t.rows))
	defer func() {
		t.rows, t.rowVar, t.at = t.rows[:len(t.rows)-1], t.rowVar[:len(t.rowVar)-1], t.at[:v]
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

// atLeast reports that r >= 0 at all points.
func (t *tableau) atLeast(r row) bool {
	if t.empty {
		return true
	}
	min, ok := t.minimum(r)
	return ok && min.Sign() >= 0
}

// value is variable i at the current vertex.
func (t *tableau) value(i int) Rat {
	if p := t.at[i]; p >= 0 {
		return rat(t.rows[p][constant], t.rows[p][denominator])
	}
	return Rat{Den: Int{v: 1}}
}
