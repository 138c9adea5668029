package conj

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// Parametric integer programming by the lexicographic dual simplex method and
// Gomory cuts: Feautrier, "Parametric integer programming", 1988. Unknowns without
// a lower bound are counted from -M, where M is larger than anything and a
// multiple of everything.

// A piece of the solution: in a context the unknowns have these values, affine
// functions of the parameters and the divs of the context. missing is true for an
// unknown without a least value.
type Solution struct {
	C       *Conj // over the parameters, divs known
	Values  []lp.Row
	Missing []bool
}

// program is the tableau of an integer program: each row says den x = const + M +
// columns + parameters, and is at least 0.
type program struct {
	n      int // unknowns; constraints are numbered after them
	rows   []lp.Row
	rowVar []int
	colVar []int
	at     []int // by unknown: ^column, or row
	x      *context
	c      *Conj      // parameters, unknowns and its own divs
	live   [][]lp.Int // points of the context, divs included, with a solution
	cuts   int
	limits int // restrictions of the context
	work   *lp.Work
}

const (
	bigM    = 2 // after denominator and constant
	unknown = 3 // the first column
)

// LexMin finds the lexicographically least unknowns, variables [np, n) and then the
// divs, of a conjunction by its first np variables.
func (c *Conj) LexMin(np int, w *lp.Work) []Solution {
	if c.Empty {
		return nil
	}
	start := Universe(np)
	for _, r := range c.Eq { // what holds of the parameters alone
		if r.IsZero(1 + np) {
			start.Eq = append(start.Eq, r[:1+np].Clone())
		}
	}
	for _, r := range c.Ge {
		if r.IsZero(1 + np) {
			start.Ge = append(start.Ge, r[:1+np].Clone())
		}
	}
	x := newContext(start, w)
	if x == nil {
		return nil
	}
	p := newProgram(c, np, x, w)
	var out []Solution
	p.solve(&out)
	return out
}

func newProgram(c *Conj, np int, x *context, w *lp.Work) *program {
	n := c.Width() - 1 - np
	p := &program{n: n, x: x, c: c, work: w, colVar: make([]int, n), at: make([]int, n)}
	for i := range n {
		p.colVar[i], p.at[i] = i, ^i
	}
	put := func(r lp.Row) {
		if r.IsZero(1 + np) {
			return
		}
		s := make(lp.Row, unknown+n+np)
		s[lp.Denominator], s[lp.Constant] = lp.NewInt(1), r[0]
		copy(s[unknown:], r[1+np:])
		copy(s[unknown+n:], r[1:1+np])
		for _, a := range r[1+np:] {
			s[bigM] = s[bigM].Sub(a)
		}
		p.rows, p.rowVar = append(p.rows, s), append(p.rowVar, n)
	}
	for _, r := range c.Eq {
		put(r)
		put(r.Negated())
	}
	for _, r := range c.Ge {
		put(r)
	}
	return p
}

// fork copies a program, to be restricted.
func (p *program) fork() *program {
	out := *p
	out.live = slices.Clone(p.live)
	out.rows = lp.CloneRows(p.rows)
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
func (p *program) restrict(r lp.Row) bool {
	if p.x = p.x.with(r); p.x == nil {
		return false
	}
	var live [][]lp.Int
	for _, x := range p.live {
		if lp.Dot(r[1:], x).Add(r[0]).Sign() >= 0 {
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
	y, ok := p.whole().Sample(p.work)
	if ok {
		p.live = [][]lp.Int{p.x.c.Floors().extended(y[:p.x.c.N])}
	}
	return ok
}

// whole is the program in its context: parameters, unknowns, and divs of both.
func (p *program) whole() *Conj {
	np := p.x.c.N
	x := p.x.c.Clone()
	x.Insert(np, p.c.N-np)
	all := p.c.Clone()
	all.Add(x)
	return all
}

// flatten adds the equations that hold for all integer solutions: where the rational
// ones have more dimensions, cuts come near them one by one. It is false if that
// leaves no context.
func (p *program) flatten() bool {
	np, n := p.x.c.N, p.x.c.N+p.n
	whole := p.whole()
	hull := AffineHull([]*Conj{{N: whole.Width() - 1, Eq: whole.Eq, Ge: whole.Ge}}, n, p.work)
	if hull == nil {
		return false
	}
	for _, e := range hull.Eq {
		for _, r := range []lp.Row{e, e.Negated()} {
			if !r.IsZero(1 + np) {
				p.rows, p.rowVar = append(p.rows, p.express(r)), append(p.rowVar, p.n)
			} else if !p.restrict(r[:1+np].Clone().Grown(len(p.x.c.Divs))) {
				return false
			}
		}
	}
	return true
}

// express writes a constraint over parameters and unknowns as a row of the tableau.
func (p *program) express(r lp.Row) lp.Row {
	np := p.x.c.N
	s := make(lp.Row, unknown+p.n+np+len(p.x.c.Divs))
	s[lp.Denominator], s[lp.Constant] = lp.NewInt(1), r[0]
	copy(s[unknown+p.n:], r[1:1+np])
	for v, a := range r[1+np:] {
		if a.IsZero() {
			continue
		}
		den := s[lp.Denominator]
		s[bigM] = s[bigM].Sub(a.Mul(den))
		i := p.at[v]
		if i < 0 {
			s[unknown+^i] = s[unknown+^i].Add(a.Mul(den))
			continue
		}
		t := p.rows[i]
		s.Combine(t[lp.Denominator], a.Mul(den), t)
		s[lp.Denominator] = den.Mul(t[lp.Denominator])
	}
	s.Reduce()
	return s
}

// part is the parametric constant of a row, over the variables of the context.
func (p *program) part(r lp.Row) lp.Row {
	out := make(lp.Row, 1, 1+len(r)-unknown-p.n)
	out[0] = r[lp.Constant]
	return append(out, r[unknown+p.n:]...)
}

// solve pivots until all rows are at least 0 and all unknowns are integers,
// splitting the context where a sign depends on it.
func (p *program) solve(out *[]Solution) {
	for {
		p.work.Step(len(p.rows))
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
				if s := p.result(); !slices.Contains(s.Missing, true) || p.alive() {
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
		if f.IsZero(1) {
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

func (p *program) canRise(r lp.Row) bool {
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
func (p *program) less(j, k int, r lp.Row) bool {
	a, b := r[unknown+j], r[unknown+k]
	for v := range p.n {
		var x, y lp.Int
		if i := p.at[v]; i >= 0 {
			x, y = p.rows[i][unknown+j], p.rows[i][unknown+k]
		} else {
			switch ^i {
			case j:
				x = lp.NewInt(1)
			case k:
				y = lp.NewInt(1)
			}
		}
		if c := x.Mul(b).Cmp(y.Mul(a)); c != 0 {
			return c < 0
		}
	}
	return false
}

func (p *program) pivot(i, col int) {
	p.work.Step(len(p.rows) * len(p.rows[i]))
	r := p.rows[i]
	c := unknown + col
	den, a := r[lp.Denominator], r[c] // a > 0
	for j := lp.Constant; j < len(r); j++ {
		r[j] = r[j].Neg()
	}
	r[lp.Denominator], r[c] = a, den
	r.Reduce()
	for k, s := range p.rows {
		if k != i && !s[c].IsZero() {
			s.Substitute(r, c)
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
		d := r[lp.Denominator]
		if d.IsOne() {
			continue
		}
		g := p.part(r)
		for k := range g {
			g[k] = g[k].Neg().Mod(d)
		}
		if g.IsZero(0) {
			continue
		}
		if g.IsZero(1) {
			p.addCut(i, g)
			return true
		}
		q := p.div(g, d)
		rest := g.Grown(len(p.x.c.Row()) - len(g)) // g modulo d
		rest[q] = rest[q].Sub(d)
		if p.x.sign(rest.Negated()) == nonnegative {
			p.addZero(i, rest)
		} else {
			p.addCut(i, rest)
		}
		return true
	}
	return false
}

// div adds a div to the context, and a column for it to the rows.
func (p *program) div(num lp.Row, den lp.Int) int {
	n := len(p.x.c.Divs)
	col := p.x.div(num, den)
	if k := len(p.x.c.Divs) - n; k > 0 {
		for i, r := range p.rows {
			p.rows[i] = r.Grown(k)
		}
		for i, x := range p.live {
			p.live[i] = p.x.c.Floors().extended(x)
		}
	}
	return col
}

// addZero adds a function that is 0 in the context to row i, which makes it divisible.
func (p *program) addZero(i int, zero lp.Row) {
	r := p.rows[i]
	r[lp.Constant] = r[lp.Constant].Add(zero[0])
	for k := 1; k < len(zero); k++ {
		c := unknown + p.n + k - 1
		r[c] = r[c].Add(zero[k])
	}
	r.Reduce()
}

// addCut adds the row (columns of row i mod d) - rest >= 0.
func (p *program) addCut(i int, rest lp.Row) {
	r := p.rows[i]
	d := r[lp.Denominator]
	s := make(lp.Row, unknown+p.n+len(rest)-1)
	s[lp.Denominator] = d
	s[lp.Constant] = rest[0].Neg()
	for j := range p.colVar {
		s[unknown+j] = r[unknown+j].Mod(d)
	}
	for k := 1; k < len(rest); k++ {
		s[unknown+p.n+k-1] = rest[k].Neg()
	}
	s.Reduce()
	p.rows, p.rowVar = append(p.rows, s), append(p.rowVar, p.n)
}

// result reads the values of the unknowns off.
func (p *program) result() Solution {
	out := Solution{C: p.x.c, Values: make([]lp.Row, p.n), Missing: make([]bool, p.n)}
	for v := range p.n {
		i := p.at[v]
		if i < 0 || p.rows[i][bigM].IsZero() {
			out.Missing[v] = true
			continue
		}
		r := p.rows[i]
		f := p.part(r)
		f.Divide(r[lp.Denominator])
		out.Values[v] = f
	}
	return out
}
