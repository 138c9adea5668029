package conj

import "github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"

// Status tells whether an optimum exists.
type Status uint8

// What minimizing a function over a set may end with.
const (
	Optimal   Status = iota // there is one
	Unbounded               // the function has no bound there
	Empty                   // the set has no points
)

// String is the name in lower case.
func (s Status) String() string { return [...]string{"optimal", "unbounded", "empty"}[s] }

// RationalMinimum is the minimum of a row over the rational relaxation.
func (c *Conj) RationalMinimum(objective lp.Row, w *lp.Work) (Status, lp.Rat, []lp.Int) {
	if c.Empty {
		return Empty, lp.Rat{}, nil
	}
	t := c.Tableau(w)
	if t.Empty {
		return Empty, lp.Rat{}, nil
	}
	v, ok := t.Minimum(objective)
	if !ok {
		return Unbounded, lp.Rat{}, nil
	}
	return Optimal, v, nil
}

// IntegerMinimum is the minimum of a row over the integer points, divs included. The
// relaxation bounds it from below and a point from above; what is between is halved
// by asking for a point below the middle, which is decided exactly (see solve). So it
// ends where branch and bound on the objective would not.
func (c *Conj) IntegerMinimum(objective lp.Row, w *lp.Work) (Status, lp.Rat, []lp.Int) {
	if c.Empty {
		return Empty, lp.Rat{}, nil
	}
	p, y, ok := c.Coordinates()
	if !ok {
		return Empty, lp.Rat{}, nil
	}
	f := y.pull(objective)
	x, ok := newPolyhedron(p, w).solve()
	if !ok {
		return Empty, lp.Rat{}, nil
	}
	value := func(x []lp.Int) lp.Int { return f[0].Add(lp.Dot(f[1:], x)) }
	step := f.Content(1)
	if step.IsZero() {
		return Optimal, lp.Rat{Num: f[0], Den: lp.NewInt(1)}, y.point(x)
	}
	t := p.Tableau(w)
	low, bounded := t.Minimum(f)
	if !bounded {
		// The relaxation goes on in a rational direction, so do the integer points.
		return Unbounded, lp.Rat{}, y.point(x)
	}
	// Values are f[0] plus multiples of step.
	lo := lp.NewRat(low.Num.Sub(f[0].Mul(low.Den)), low.Den.Mul(step)).Ceil()
	hi := value(x).Sub(f[0]).Quo(step)
	for mid := lo; lo.Cmp(hi) < 0; mid = lo.Add(hi.Sub(lo).FloorDiv(lp.NewInt(2))) {
		below := polyhedron{p.N, append(lp.CloneRows(p.Ge), nil), w}
		r := f.Negated() // f <= f[0] + step mid
		r[0] = step.Mul(mid)
		below.ge[len(below.ge)-1] = r
		if z, ok := below.solve(); ok {
			x = z
			hi = value(x).Sub(f[0]).Quo(step)
		} else {
			lo = mid.Add(lp.NewInt(1))
		}
	}
	return Optimal, lp.Rat{Num: value(x), Den: lp.NewInt(1)}, y.point(x)
}

// Coordinates are those of the lattice of solutions of equations: variables are
// base + gens y.
type Coordinates struct {
	Base []lp.Int
	Gens [][]lp.Int
}

func (l Coordinates) pull(r lp.Row) lp.Row { return lp.Pull(r, l.Base, l.Gens) }

func (l Coordinates) point(y []lp.Int) []lp.Int { return lp.Point(l.Base, l.Gens, y) }

// Coordinates writes the inequalities of a conjunction over the solutions of its
// equations, and of those that opposite bounds make; ok is false where there is no
// integer solution.
func (c *Conj) Coordinates() (p *Conj, l Coordinates, ok bool) {
	l.Base, l.Gens, ok = lp.Lattice(c.Eq, c.Width()-1)
	for ok {
		p = &Conj{N: len(l.Gens)}
		for _, r := range c.Ge {
			p.Ge = append(p.Ge, l.pull(r))
		}
		p.inequalities()
		if p.Empty {
			return nil, l, false
		}
		if len(p.Eq) == 0 {
			return p, l, true
		}
		var inner Coordinates
		if inner.Base, inner.Gens, ok = lp.Lattice(p.Eq, p.N); ok {
			l = l.through(inner)
		}
	}
	return nil, l, false
}

// through are the coordinates whose points are those of l at points of inner.
func (l Coordinates) through(inner Coordinates) Coordinates {
	out := Coordinates{Base: l.point(inner.Base)}
	zero := make([]lp.Int, len(l.Base))
	for _, g := range inner.Gens {
		out.Gens = append(out.Gens, lp.Point(zero, l.Gens, g))
	}
	return out
}
