package presburger

import "slices"

// Parametric integer programming by the lexicographic dual simplex method and
// Gomory cuts: Feautrier, "Parametric integer programming", 1988. Unknowns without
// a lower bound are counted from -M, where M is larger than anything and a
// multiple of everything.

// A piece of the solution: in a context the unknowns have these values, affine
// functions of the parameters and the divs of the context. missing is true for an
// unknown without a least value.
type solution struct {
	c       *conj // over the parameters, divs known
	values  []row
	missing []bool
}

// program is the tableau of an integer program: each row says den x = const + M +
// columns + parameters, and is at least 0.
type program struct {
	n      int // unknowns; constraints are numbered after them
	rows   []row
	rowVar []int
	colVar []int
	at     []int // by unknown: ^column, or row
	x      *context
	c      *conj   // parameters, unknowns and its own divs
	live   [][]Int // points of the context, divs included, with a solution
	cuts   int
	limits int // restrictions of the context
	work   *work
}

const (
	bigM    = 2 // after denominator and constant
	unknown = 3 // the first column
)

// lexmin finds the lexicographically least unknowns, variables [np, n) and then the
// divs, of a conjunction by its first np variables.
func (c *conj) lexmin(np int, w *work) []solution {
	if c.empty {
		return nil
	}
	start := universe(np)
	for _, r := range c.eq { // what holds of the parameters alone
		if r.isZero(1 + np) {
			start.eq = append(start.eq, r[:1+np].clone())
		}
	}
	for _, r := range c.ge {
		if r.isZero(1 + np) {
			start.ge = append(start.ge, r[:1+np].clone())
		}
	}
	x := newContext(start, w)
	if x == nil {
		return nil
	}
	p := newProgram(c, np, x, w)
	var out []solution
	p.solve(&out)
	return out
}

func newProgram(c *conj, np int, x *context, w *work) *program {
	n := c.width() - 1 - np
	p := &program{n: n, x: x, c: c, work: w, colVar: make([]int, n), at: make([]int, n)}
	for i := range n {
		p.colVar[i], p.at[i] = i, ^i
	}
	put := func(r row) {
		if r.isZero(1 + np) {
			return
		}
		s := make(row, unknown+n+np)
		s[denominator], s[constant] = Int{v: 1}, r[0]
		copy(s[unknown:], r[1+np:])
		copy(s[unknown+n:], r[1:1+np])
		for _, a := range r[1+np:] {
			s[bigM] = s[bigM].Sub(a)
		}
		p.rows, p.rowVar = append(p.rows, s), append(p.rowVar, n)
	}
	for _, r := range c.eq {
		put(r)
		put(r.negated())
	}
	for _, r := range c.ge {
		put(r)
	}
	return p
}

// fork copies a program, to be restricted.
func (p *program) fork() *program {
	out := *p
	out.live = slices.Clone(p.live)
	out.rows = cloneRows(p.rows)
	out.rowVar = append([]int(nil), p.rowVar...)
	out.colVar = append([]int(nil), p.colVar...)
	out.at = append([]int(nil), p.at...)
	return &out
}

// freely is how many restrictions of a context are made before each is asked for a
// solution.
const freely = 4

// restrict adds r >= 0 to the context; false if there is no solution then. To follow
// contexts without one may take for ever.
func (p *program) restrict(r row) bool {
	if p.x = p.x.with(r); p.x == nil {
		return false
	}
	var live [][]Int
	for _, x := range p.live {
		if dot(r[1:], x).Add(r[0]).Sign() >= 0 {
			live = append(live, x)
		}
	}
	p.live = live
	p.limits++
	return p.limits <= freely || p.alive()
}

// alive reports that there is a solution for some parameters in the context.
func (p *program) alive() bool {
	if len(p.live) > 0 {
		return true
	}
	y, ok := p.whole().sample(p.work)
	if ok {
		p.live = [][]Int{p.x.c.extended(y[:p.x.c.n])}
	}
	return ok
}

// whole is the program in its context: parameters, unknowns, and divs of both.
func (p *program) whole() *conj {
	np := p.x.c.n
	x := p.x.c.clone()
	x.insert(np, p.c.n-np)
	all := p.c.clone()
	all.add(x)
	return all
}

// flatten adds the equations that hold for all integer solutions: where the rational
// ones have more dimensions, cuts come near them one by one. It is false if that
// leaves no context.
func (p *program) flatten() bool {
	np, n := p.x.c.n, p.x.c.n+p.n
	whole := p.whole()
	hull := affineHull([]*conj{{n: whole.width() - 1, eq: whole.eq, ge: whole.ge}}, n, p.work)
	if hull == nil {
		return false
	}
	for _, e := range hull.eq {
		for _, r := range []row{e, e.negated()} {
			if !r.isZero(1 + np) {
				p.rows, p.rowVar = append(p.rows, p.express(r)), append(p.rowVar, p.n)
			} else if !p.restrict(r[:1+np].clone().grown(len(p.x.c.divs))) {
				return false
			}
		}
	}
	return true
}

// express writes a constraint over parameters and unknowns as a row of the tableau.
func (p *program) express(r row) row {
	np := p.x.c.n
	s := make(row, unknown+p.n+np+len(p.x.c.divs))
	s[denominator], s[constant] = Int{v: 1}, r[0]
	copy(s[unknown+p.n:], r[1:1+np])
	for v, a := range r[1+np:] {
		if a.isZero() {
			continue
		}
		den := s[denominator]
		s[bigM] = s[bigM].Sub(a.Mul(den))
		i := p.at[v]
		if i < 0 {
			s[unknown+^i] = s[unknown+^i].Add(a.Mul(den))
			continue
		}
		t := p.rows[i]
		s.combine(t[denominator], a.Mul(den), t)
		s[denominator] = den.Mul(t[denominator])
	}
	s.reduce()
	return s
}

// extended is a point with the values of the divs, which are known.
func (c *conj) extended(x []Int) []Int {
	out := append(make([]Int, 0, c.n+len(c.divs)), x[:c.n]...)
	for i, d := range c.divs {
		out = append(out, dot(d.num[1:1+c.n+i], out).Add(d.num[0]).FloorDiv(d.den))
	}
	return out
}

// part is the parametric constant of a row, over the variables of the context.
func (p *program) part(r row) row {
	out := make(row, 1, 1+len(r)-unknown-p.n)
	out[0] = r[constant]
	return append(out, r[unknown+p.n:]...)
}

// solve pivots until all rows are at least 0 and all unknowns are integers,
// splitting the context where a sign depends on it.
func (p *program) solve(out *[]solution) {
	for {
		p.work.step(len(p.rows))
		bad, split, must := p.signs()
		switch {
		case bad >= 0:
			if !p.raise(bad) {
				return
			}
		case must >= 0:
			if !p.restrict(p.part(p.rows[must])) {
				return
			}
		case split >= 0:
			f := p.part(p.rows[split])
			if q := p.fork(); q.restrict(negation(f)) {
				q.solve(out)
			}
			if !p.restrict(f) {
				return
			}
		default:
			if !p.cut() {
				if s := p.result(); !slices.Contains(s.missing, true) || p.alive() {
					*out = append(*out, s)
				}
				return
			}
			if p.cuts++; p.cuts == 8 || p.cuts == 64 {
				if !p.flatten() {
					return
				}
			}
		}
	}
}

// signs finds a negative row, or one that is negative in part of the context:
// must if it can only be made positive by the context.
func (p *program) signs() (bad, split, must int) {
	bad, split, must = -1, -1, -1
	for i, r := range p.rows {
		s := r[bigM].Sign()
		if s > 0 {
			continue
		}
		if s < 0 {
			return i, -1, -1
		}
		f := p.part(r)
		sign := mixed
		if f.isZero(1) {
			if sign = nonnegative; f[0].Sign() < 0 {
				sign = negative
			}
		} else {
			sign = p.x.sign(f)
		}
		switch {
		case sign == negative:
			return i, -1, -1
		case sign == mixed && must < 0 && !p.canRise(r):
			must = i
		case sign == mixed && split < 0:
			split = i
		}
	}
	return bad, split, must
}

func (p *program) canRise(r row) bool {
	for j := range p.colVar {
		if r[unknown+j].Sign() > 0 {
			return true
		}
	}
	return false
}

// raise pivots a negative row at the column that keeps the columns
// lexicographically positive; false if it cannot rise.
func (p *program) raise(i int) bool {
	r := p.rows[i]
	best := -1
	for j := range p.colVar {
		if r[unknown+j].Sign() > 0 && (best < 0 || p.less(j, best, r)) {
			best = j
		}
	}
	if best < 0 {
		return false
	}
	p.pivot(i, best)
	return true
}

// less compares columns j / r[j] and k / r[k] by the unknowns in order.
func (p *program) less(j, k int, r row) bool {
	a, b := r[unknown+j], r[unknown+k]
	for v := range p.n {
		var x, y Int
		if i := p.at[v]; i >= 0 {
			x, y = p.rows[i][unknown+j], p.rows[i][unknown+k]
		} else {
			switch ^i {
			case j:
				x = Int{v: 1}
			case k:
				y = Int{v: 1}
			}
		}
		if c := x.Mul(b).Cmp(y.Mul(a)); c != 0 {
			return c < 0
		}
	}
	return false
}

func (p *program) pivot(i, col int) {
	p.work.step(len(p.rows) * len(p.rows[i]))
	r := p.rows[i]
	c := unknown + col
	den, a := r[denominator], r[c] // a > 0
	for j := constant; j < len(r); j++ {
		r[j] = r[j].Neg()
	}
	r[denominator], r[c] = a, den
	r.reduce()
	for k, s := range p.rows {
		if k != i && !s[c].isZero() {
			s.substitute(r, c)
		}
	}
	v, w := p.rowVar[i], p.colVar[col]
	p.rowVar[i], p.colVar[col] = w, v
	if w < p.n {
		p.at[w] = i
	}
	if v < p.n {
		p.at[v] = ^col
	}
}

// cut makes the first unknown that is no integer closer to one: the value is f / d
// plus columns / d; as those are integers, the sum of their coefficients modulo d
// is at least -f modulo d. It returns false if all unknowns are integers.
func (p *program) cut() bool {
	for v := range p.n {
		i := p.at[v]
		if i < 0 {
			continue // at its lowest, -M
		}
		r := p.rows[i]
		d := r[denominator]
		if d.isOne() {
			continue
		}
		g := p.part(r)
		for k := range g {
			g[k] = g[k].Neg().Mod(d)
		}
		if g.isZero(0) {
			continue
		}
		if g.isZero(1) {
			p.addCut(i, g)
			return true
		}
		q := p.div(g, d)
		rest := g.grown(len(p.x.c.row()) - len(g)) // g modulo d
		rest[q] = rest[q].Sub(d)
		if p.x.sign(rest.negated()) == nonnegative {
			p.addZero(i, rest)
		} else {
			p.addCut(i, rest)
		}
		return true
	}
	return false
}

// div adds a div to the context, and a column for it to the rows.
func (p *program) div(num row, den Int) int {
	n := len(p.x.c.divs)
	col := p.x.div(num, den)
	if k := len(p.x.c.divs) - n; k > 0 {
		for i, r := range p.rows {
			p.rows[i] = r.grown(k)
		}
		for i, x := range p.live {
			p.live[i] = p.x.c.extended(x)
		}
	}
	return col
}

// addZero adds a function that is 0 in the context to row i, which makes it divisible.
func (p *program) addZero(i int, zero row) {
	r := p.rows[i]
	r[constant] = r[constant].Add(zero[0])
	for k := 1; k < len(zero); k++ {
		c := unknown + p.n + k - 1
		r[c] = r[c].Add(zero[k])
	}
	r.reduce()
}

// addCut adds the row (columns of row i mod d) - rest >= 0.
func (p *program) addCut(i int, rest row) {
	r := p.rows[i]
	d := r[denominator]
	s := make(row, unknown+p.n+len(rest)-1)
	s[denominator] = d
	s[constant] = rest[0].Neg()
	for j := range p.colVar {
		s[unknown+j] = r[unknown+j].Mod(d)
	}
	for k := 1; k < len(rest); k++ {
		s[unknown+p.n+k-1] = rest[k].Neg()
	}
	s.reduce()
	p.rows, p.rowVar = append(p.rows, s), append(p.rowVar, p.n)
}

// result reads the values of the unknowns off.
func (p *program) result() solution {
	out := solution{c: p.x.c, values: make([]row, p.n), missing: make([]bool, p.n)}
	for v := range p.n {
		i := p.at[v]
		if i < 0 || p.rows[i][bigM].isZero() {
			out.missing[v] = true
			continue
		}
		r := p.rows[i]
		f := p.part(r)
		f.divide(r[denominator])
		out.values[v] = f
	}
	return out
}
