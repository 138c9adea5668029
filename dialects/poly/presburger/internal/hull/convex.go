package hull

import (
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// PolyhedralHull joins the conjunctions one by one and projects divs away.
func PolyhedralHull(cs []*conj.Conj, n int, w *lp.Work) *conj.Conj {
	var hull *polyhedron
	for _, c := range cs {
		if !c.HasPoint(w) {
			continue
		}
		d := c.WithEqualities(w).Clone()
		if !roundInequalities(d) || d.Simplify().Empty {
			continue
		}
		p := &polyhedron{n: d.Width() - 1, eq: d.Eq, ge: d.Ge, work: w}
		p.project(n)
		if hull == nil {
			hull = p
		} else {
			hull = hull.join(p)
		}
	}
	if hull == nil {
		return nil
	}
	out := (&conj.Conj{N: n, Eq: hull.eq, Ge: hull.ge}).Simplify()
	roundInequalities(out)
	return out.Simplify().Irredundant(w)
}

// polyhedron is one over the rationals: unlike those of a conj its rows are not
// rounded.
type polyhedron struct {
	n      int
	eq, ge []lp.Row
	work   *lp.Work
}

// join is the closed convex hull of the union of two that have points (Balas,
// "Disjunctive programming", 1979): x = y + z with y in l times the one and z in 1 - l
// times the other. z = x - y is put in at once; y and l are eliminated.
func (p *polyhedron) join(q *polyhedron) *polyhedron {
	n := p.n
	out := &polyhedron{n: 2*n + 1, work: p.work} // x, y, l
	first := func(r lp.Row) lp.Row {             // a y + b l
		s := make(lp.Row, 2+2*n)
		copy(s[1+n:], r[1:])
		s[1+2*n] = r[0]
		return s
	}
	second := func(r lp.Row) lp.Row { // a (x - y) + b (1 - l)
		s := make(lp.Row, 2+2*n)
		copy(s[1:], r[1:])
		for i := range n {
			s[1+n+i] = r[1+i].Neg()
		}
		s[0], s[1+2*n] = r[0], r[0].Neg()
		return s
	}
	for _, r := range p.eq {
		out.eq = append(out.eq, first(r))
	}
	for _, r := range p.ge {
		out.ge = append(out.ge, first(r))
	}
	for _, r := range q.eq {
		out.eq = append(out.eq, second(r))
	}
	for _, r := range q.ge {
		out.ge = append(out.ge, second(r))
	}
	low, high := make(lp.Row, 2+2*n), make(lp.Row, 2+2*n)
	low[1+2*n] = lp.NewInt(1)
	high[0], high[1+2*n] = lp.NewInt(1), lp.NewInt(-1)
	out.ge = append(out.ge, low, high)
	out.project(n)
	return out
}

// project eliminates all variables but the first n: by an equation where one has it,
// else by Fourier-Motzkin elimination, the cheapest first, without redundant rows.
func (p *polyhedron) project(n int) {
	for p.n > n {
		if !p.solveLast(n) {
			p.eliminate(p.cheapest(n))
		}
		p.tidy()
	}
}

// solveLast uses up an equation with a variable from n on.
func (p *polyhedron) solveLast(n int) bool {
	for i, e := range p.eq {
		col := e.Last()
		if col <= n {
			continue
		}
		p.eq = append(p.eq[:i:i], p.eq[i+1:]...)
		for _, r := range p.eq {
			r.Eliminate(col, e)
		}
		for _, r := range p.ge {
			r.Eliminate(col, e)
		}
		p.drop(col)
		return true
	}
	return false
}

func (p *polyhedron) drop(col int) {
	for _, rs := range [][]lp.Row{p.eq, p.ge} {
		for i, r := range rs {
			rs[i] = append(r[:col:col], r[col+1:]...)
		}
	}
	p.n--
}

// cheapest is the column from n on whose elimination makes the fewest rows.
func (p *polyhedron) cheapest(n int) int {
	best, cost := -1, 0
	for col := n + 1; col <= p.n; col++ {
		low, high := 0, 0
		for _, r := range p.ge {
			switch r[col].Sign() {
			case 1:
				low++
			case -1:
				high++
			}
		}
		if k := low*high - low - high; best < 0 || k < cost {
			best, cost = col, k
		}
	}
	return best
}

func (p *polyhedron) eliminate(col int) {
	low, high, rest := conj.Bounds(p.ge, col)
	p.work.Step(len(low) * len(high) * p.n)
	for _, l := range low {
		for _, h := range high {
			rest = append(rest, conj.Shadow(l, h, col))
		}
	}
	p.ge = rest
	p.drop(col)
}

// tidy divides rows by their contents and drops what others imply; equations that
// inequalities imply are made.
func (p *polyhedron) tidy() {
	var rows []lp.Row
	for _, r := range p.ge {
		if r.IsZero(1) {
			continue // it has points, so this holds
		}
		r.Reduce()
		rows = append(rows, r)
	}
	for i := len(rows) - 1; i >= 0; i-- {
		t := lp.NewTableau(p.n, p.work)
		for _, e := range p.eq {
			t.AddEq(e)
		}
		for k, r := range rows {
			if k != i {
				t.AddGe(r)
			}
		}
		if t.AtLeast(rows[i]) {
			rows = append(rows[:i:i], rows[i+1:]...)
		} else if t.AtLeast(rows[i].Negated()) {
			p.eq = append(p.eq, rows[i])
			rows = append(rows[:i:i], rows[i+1:]...)
		}
		t.Release()
	}
	p.ge = rows
}

// roundInequalities lowers their constants as far as no solution of the equations in
// integers is lost; false if these have none.
func roundInequalities(c *conj.Conj) bool {
	base, gens, ok := lp.Lattice(c.Eq, c.Width()-1)
	if !ok {
		return false
	}
	for _, r := range c.Ge {
		if s := lp.Pull(r, base, gens); !s.IsZero(1) {
			r[0] = r[0].Sub(s[0].Mod(s.Content(1)))
		}
	}
	return true
}
