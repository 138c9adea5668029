package lp

// A LexProgram is an integer program: the lexicographically least nonnegative integers
// that satisfy constraints, to which more may be added as it goes (Feautrier,
// "Parametric integer programming", 1988, without parameters; Gomory's cuts make
// rational values integers). Only constraints that bind are part of its tableau. So an
// optimum stays one of fewer constraints while others are added, and solving again is
// short.
type LexProgram struct {
	n      int
	rows   []Row // of unknowns alone: den x = const + columns
	rowVar []int
	colVar []int // unknowns, or -1 for the slack of a constraint or cut
	at     []int // by unknown: ^column, or row
	pool   []sparse
	next   int // where in the pool to look for a violated constraint
	empty  bool
	work   *Work
}

// sparse is an affine expression over the unknowns.
type sparse struct {
	constant Int
	at       []int32
	coef     []Int
}

func newSparse(r []Int) sparse {
	s := sparse{constant: r[0]}
	for i, x := range r[1:] {
		if !x.IsZero() {
			s.at, s.coef = append(s.at, int32(i)), append(s.coef, x)
		}
	}
	return s
}

// NewLexProgram has n unknowns, and no constraints but that they are at least 0.
func NewLexProgram(n int, w *Work) *LexProgram {
	p := &LexProgram{n: n, work: w, colVar: make([]int, n), at: make([]int, n)}
	for i := range n {
		p.colVar[i], p.at[i] = i, ^i
	}
	return p
}

// Clone returns a program to which other constraints are added.
func (p *LexProgram) Clone() *LexProgram {
	q := *p
	q.rows = CloneRows(p.rows)
	q.rowVar = append([]int(nil), p.rowVar...)
	q.colVar = append([]int(nil), p.colVar...)
	q.at = append([]int(nil), p.at...)
	q.pool = p.pool[:len(p.pool):len(p.pool)]
	return &q
}

// AddGe adds r[0] + r[1] x[0] + ... >= 0.
func (p *LexProgram) AddGe(r []Int) { p.pool = append(p.pool, newSparse(r)) }

// AddEq adds r[0] + r[1] x[0] + ... = 0, which takes an unknown away.
func (p *LexProgram) AddEq(r []Int) error { return p.work.do(func() { p.addEq(newSparse(r)) }) }

// Solve returns the least solution; ok is false if there is none.
func (p *LexProgram) Solve() (x []Int, ok bool, err error) {
	err = p.work.do(func() {
		if ok = p.solve(); ok {
			x = make([]Int, p.n)
			for v := range x {
				if i := p.at[v]; i >= 0 {
					x[v] = p.rows[i][Constant].Quo(p.rows[i][Denominator])
				}
			}
		}
	})
	return x, ok && err == nil, err
}

// SolveRational is Solve without the wish for integers: it reports whether there is a
// rational solution, and returns the least one.
func (p *LexProgram) SolveRational() (x []Rat, ok bool, err error) {
	err = p.work.do(func() {
		if ok = p.relax(); ok {
			x = make([]Rat, p.n)
			for v := range x {
				x[v] = Rat{Den: Int{v: 1}}
				if i := p.at[v]; i >= 0 {
					x[v] = NewRat(p.rows[i][Constant], p.rows[i][Denominator])
				}
			}
		}
	})
	return x, ok && err == nil, err
}

// express writes an expression by the columns.
func (p *LexProgram) express(s sparse) Row {
	out := make(Row, columns+len(p.colVar))
	out[Denominator], out[Constant] = Int{v: 1}, s.constant
	for k, v := range s.at {
		x, i := s.coef[k], p.at[v]
		if i < 0 {
			c := columns + ^i
			out[c] = out[c].Add(x.Mul(out[Denominator]))
			continue
		}
		r := p.rows[i]
		d := r[Denominator]
		g := d.GCD(out[Denominator])
		scale, times := d.Quo(g), x.Mul(out[Denominator].Quo(g))
		den := out[Denominator].Mul(scale)
		out.Combine(scale, times, r)
		out[Denominator] = den
	}
	out.Reduce()
	return out
}

// addEq raises the expression to 0 and takes the column of its slack away.
func (p *LexProgram) addEq(s sparse) {
	if p.empty {
		return
	}
	r := p.express(s)
	if r[Constant].Sign() > 0 {
		r[Constant:].Negate()
	}
	col := p.leastColumn(r)
	if col < 0 && r[Constant].IsZero() {
		r[Constant:].Negate()
		col = p.leastColumn(r)
	}
	if col < 0 {
		p.empty = !r[Constant].IsZero()
		return
	}
	p.pivot(r, col)
	last := len(p.colVar) - 1
	p.colVar[col] = p.colVar[last]
	if v := p.colVar[col]; v >= 0 {
		p.at[v] = ^col
	}
	p.colVar = p.colVar[:last]
	for i, r := range p.rows {
		r[columns+col] = r[columns+last]
		p.rows[i] = r[:columns+last]
	}
}

// leastColumn is the column that can raise r and keeps all columns lexicographically
// positive, or -1.
func (p *LexProgram) leastColumn(r Row) int {
	best := -1
	for j := range p.colVar {
		if r[columns+j].Sign() > 0 && (best < 0 || p.less(j, best, r)) {
			best = j
		}
	}
	return best
}

// less compares columns j / r[j] and k / r[k] by the unknowns in order.
func (p *LexProgram) less(j, k int, r Row) bool {
	a, b := r[columns+j], r[columns+k]
	for v := range p.n {
		var x, y Int
		switch i := p.at[v]; {
		case i >= 0:
			x, y = p.rows[i][columns+j], p.rows[i][columns+k]
			if x.IsZero() && y.IsZero() {
				continue
			}
		case ^i == j:
			return false
		case ^i == k:
			return true
		default:
			continue
		}
		if c := x.Mul(b).Cmp(y.Mul(a)); c != 0 {
			return c < 0
		}
	}
	return false
}

// pivot makes the slack of r, a new row, a column in the place of col, whose unknown
// becomes a row. A slack that leaves is looked after by the pool.
func (p *LexProgram) pivot(r Row, col int) {
	p.work.Step((len(p.rows) + 1) * len(p.colVar))
	c := columns + col
	den, a := r[Denominator], r[c]
	for j := Constant; j < len(r); j++ {
		r[j] = r[j].Neg()
	}
	r[Denominator], r[c] = a, den
	r.Reduce()
	for _, s := range p.rows {
		if !s[c].IsZero() {
			s.Substitute(r, c)
		}
	}
	v := p.colVar[col]
	p.colVar[col] = -1
	if v >= 0 {
		p.at[v] = len(p.rows)
		p.rows, p.rowVar = append(p.rows, r), append(p.rowVar, v)
	}
}

// raise makes a violated constraint hold; false if nothing can.
func (p *LexProgram) raise(r Row) bool {
	col := p.leastColumn(r)
	if col < 0 {
		p.empty = true
		return false
	}
	p.pivot(r, col)
	return true
}

// raiseUnknown makes the unknown of row i a column, where it is 0.
func (p *LexProgram) raiseUnknown(i int) bool {
	r, v := p.rows[i], p.rowVar[i]
	col := p.leastColumn(r)
	if col < 0 {
		p.empty = true
		return false
	}
	last := len(p.rows) - 1
	p.rows[i], p.rowVar[i] = p.rows[last], p.rowVar[last]
	p.at[p.rowVar[i]] = i
	p.rows, p.rowVar = p.rows[:last], p.rowVar[:last]
	p.pivot(r, col)
	p.colVar[col], p.at[v] = v, ^col
	return true
}

// relax finds the least rational solution.
func (p *LexProgram) relax() bool {
	for !p.empty {
		if i := p.negative(); i >= 0 {
			if !p.raiseUnknown(i) {
				return false
			}
			continue
		}
		k := p.violated()
		if k < 0 {
			return true
		}
		if !p.raise(p.express(p.pool[k])) {
			return false
		}
	}
	return false
}

func (p *LexProgram) negative() int {
	for i, r := range p.rows {
		if r[Constant].Sign() < 0 {
			return i
		}
	}
	return -1
}

// violated is a constraint of the pool that the current values do not satisfy, or -1.
func (p *LexProgram) violated() int {
	den := Int{v: 1}
	for _, r := range p.rows {
		if !r[Denominator].IsOne() && !r[Constant].IsZero() {
			den = den.LCM(r[Denominator])
		}
	}
	x := make([]Int, p.n)
	for v, i := range p.at {
		if i >= 0 && !p.rows[i][Constant].IsZero() {
			x[v] = p.rows[i][Constant].Mul(den.Quo(p.rows[i][Denominator]))
		}
	}
	p.work.Step(len(p.pool))
	for k := range p.pool {
		i := (p.next + k) % len(p.pool)
		s := &p.pool[i]
		sum := s.constant
		if !den.IsOne() {
			sum = sum.Mul(den)
		}
		for k, v := range s.at {
			if !x[v].IsZero() {
				sum = sum.Add(s.coef[k].Mul(x[v]))
			}
		}
		if sum.Sign() < 0 {
			p.next = i
			return i
		}
	}
	return -1
}

// solve adds cuts until all unknowns are integers.
func (p *LexProgram) solve() bool {
	for p.relax() {
		i := p.fraction()
		if i < 0 {
			return true
		}
		if !p.raise(p.cut(p.rows[i])) {
			return false
		}
	}
	return false
}

// fraction is the row of the first unknown that is no integer, or -1.
func (p *LexProgram) fraction() int {
	for _, i := range p.at {
		if i >= 0 && !p.rows[i][Denominator].IsOne() && !p.rows[i][Denominator].Divides(p.rows[i][Constant]) {
			return i
		}
	}
	return -1
}

// cut is a row that says of the value f / d plus columns / d that the sum of their
// coefficients modulo d is at least -f modulo d.
func (p *LexProgram) cut(r Row) Row {
	d := r[Denominator]
	s := make(Row, len(r))
	s[Denominator] = d
	s[Constant] = r[Constant].Neg().Mod(d).Neg()
	for j := columns; j < len(r); j++ {
		s[j] = r[j].Mod(d)
	}
	s.Reduce()
	return s
}
