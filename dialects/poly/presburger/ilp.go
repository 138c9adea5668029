package presburger

import "fmt"

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

// An Optimum is the result of an integer or linear program. Value is that of the
// function and, of an integer program, At a point of the set that has it.
type Optimum struct {
	Status Status
	Value  Rat
	At     Point
}

// String writes the value, or the status where there is none.
func (o Optimum) String() string {
	if o.Status == Optimal {
		return o.Value.String()
	}
	return o.Status.String()
}

// MinVal returns the least value of f over the integer points of s. Parameters count
// as dimensions: give them values (FixParam) for the minimum at these.
func (s Set) MinVal(f Aff) (Optimum, error) { return s.program(f, false, (*conj).integerMinimum) }

// MaxVal returns the greatest value of f over the integer points of s.
func (s Set) MaxVal(f Aff) (Optimum, error) { return s.program(f, true, (*conj).integerMinimum) }

// LPMin returns the least value of f over the rational relaxation of s: the points,
// rational ones, too, that satisfy the constraints of one of its conjunctions, with
// rational numbers also for the variables that exist. It is at most that of MinVal.
// Constraints are those that s keeps, with constants rounded to what integers allow:
// 2 i >= 1 is kept as i >= 1.
func (s Set) LPMin(f Aff) (Optimum, error) { return s.program(f, false, (*conj).rationalMinimum) }

// LPMax returns the greatest value of f over the rational relaxation of s.
func (s Set) LPMax(f Aff) (Optimum, error) { return s.program(f, true, (*conj).rationalMinimum) }

// MinVal returns the least value of f on its domain, for all values of the parameters.
func (f PwAff) MinVal() (Optimum, error) { return f.extreme(Set.MinVal, -1) }

// MaxVal returns the greatest value of f on its domain.
func (f PwAff) MaxVal() (Optimum, error) { return f.extreme(Set.MaxVal, 1) }

func (f PwAff) extreme(of func(Set, Aff) (Optimum, error), sign int) (Optimum, error) {
	out := Optimum{Status: Empty}
	for s, a := range f.Pieces() {
		o, err := of(s, a)
		if err != nil {
			return Optimum{}, err
		}
		out = out.better(o, sign)
	}
	return out, nil
}

// better is the optimum of two: the greater one for sign 1, the less one for -1.
func (o Optimum) better(p Optimum, sign int) Optimum {
	switch {
	case o.Status == Unbounded || p.Status == Empty:
		return o
	case p.Status == Unbounded || o.Status == Empty:
		return p
	case p.Value.Cmp(o.Value)*sign > 0:
		return p
	}
	return o
}

// program minimizes over each conjunction.
func (s Set) program(f Aff, max bool, solve func(c *conj, objective row, w *work) (Status, Rat, []Int)) (Optimum, error) {
	r := s.rel()
	all := joined(r.params, f.params)
	g := f.PwAff().f.withParams(all)
	r = r.withParams(all)
	p := r.find(g.domainSpace())
	if p == nil {
		if len(r.parts) == 0 {
			return Optimum{Status: Empty}, nil
		}
		return Optimum{}, fmt.Errorf("presburger: a function on %s, a set on %s", f.in.text(), r.parts[0].out.text())
	}
	q := g.pieces[0].vals[0]
	if max {
		q = q.times(Rat{Int{v: -1}, Int{v: 1}})
	}
	out, err := run(r.budget, func(w *work) Optimum {
		best := Optimum{Status: Empty}
		for _, c := range p.conjs {
			c = c.clone()
			objective := c.put(q)
			status, v, x := solve(c, objective, w)
			o := Optimum{Status: status}
			if status == Optimal {
				o.Value = rat(v.Num, v.Den.Mul(q.den))
			}
			if x != nil {
				o.At = r.point(*p, x)
			}
			best = best.better(o, -1)
		}
		return best
	})
	if max && out.Status == Optimal {
		out.Value = out.Value.Neg()
	}
	return out, err
}

// point names the parts of a point of a conjunction.
func (r *relation) point(p part, x []Int) Point {
	out := Point{Params: map[string]Int{}, Coords: x[len(r.params) : len(r.params)+p.dims()]}
	for i, name := range r.params {
		out.Params[name] = x[i]
	}
	if p.out != nil {
		out.Tuple = p.out.name
	}
	return out
}

// rationalMinimum is the minimum of a row over the rational relaxation.
func (c *conj) rationalMinimum(objective row, w *work) (Status, Rat, []Int) {
	if c.empty {
		return Empty, Rat{}, nil
	}
	t := c.tableau(w)
	if t.empty {
		return Empty, Rat{}, nil
	}
	v, ok := t.minimum(objective)
	if !ok {
		return Unbounded, Rat{}, nil
	}
	return Optimal, v, nil
}

// integerMinimum is the minimum of a row over the integer points, divs included. The
// relaxation bounds it from below and a point from above; what is between is halved
// by asking for a point below the middle, which is decided exactly (see solve). So it
// ends where branch and bound on the objective would not.
func (c *conj) integerMinimum(objective row, w *work) (Status, Rat, []Int) {
	if c.empty {
		return Empty, Rat{}, nil
	}
	p, y, ok := c.coordinates()
	if !ok {
		return Empty, Rat{}, nil
	}
	f := y.pull(objective)
	x, ok := p.solve(w)
	if !ok {
		return Empty, Rat{}, nil
	}
	value := func(x []Int) Int { return f[0].Add(dot(f[1:], x)) }
	step := f.content(1)
	if step.isZero() {
		return Optimal, Rat{f[0], Int{v: 1}}, y.point(x)
	}
	t := p.tableau(w)
	low, bounded := t.minimum(f)
	if !bounded {
		// The relaxation goes on in a rational direction, so do the integer points.
		return Unbounded, Rat{}, y.point(x)
	}
	// Values are f[0] plus multiples of step.
	lo := rat(low.Num.Sub(f[0].Mul(low.Den)), low.Den.Mul(step)).Ceil()
	hi := value(x).Sub(f[0]).quo(step)
	for mid := lo; lo.Cmp(hi) < 0; mid = lo.Add(hi.Sub(lo).FloorDiv(Int{v: 2})) {
		below := &conj{n: p.n, ge: append(cloneRows(p.ge), nil)}
		r := f.negated() // f <= f[0] + step mid
		r[0] = step.Mul(mid)
		below.ge[len(below.ge)-1] = r
		if z, ok := below.solve(w); ok {
			x = z
			hi = value(x).Sub(f[0]).quo(step)
		} else {
			lo = mid.Add(Int{v: 1})
		}
	}
	return Optimal, Rat{value(x), Int{v: 1}}, y.point(x)
}

// coordinates are those of the lattice of solutions of equations: variables are
// base + gens y.
type coordinates struct {
	base []Int
	gens [][]Int
}

func (l coordinates) pull(r row) row { return pull(r, l.base, l.gens) }

func (l coordinates) point(y []Int) []Int { return point(l.base, l.gens, y) }

// coordinates writes the inequalities of a conjunction over the solutions of its
// equations, and of those that opposite bounds make; ok is false where there is no
// integer solution.
func (c *conj) coordinates() (p *conj, l coordinates, ok bool) {
	l.base, l.gens, ok = lattice(c.eq, c.width()-1)
	for ok {
		p = &conj{n: len(l.gens)}
		for _, r := range c.ge {
			p.ge = append(p.ge, l.pull(r))
		}
		p.inequalities()
		if p.empty {
			return nil, l, false
		}
		if len(p.eq) == 0 {
			return p, l, true
		}
		var inner coordinates
		if inner.base, inner.gens, ok = lattice(p.eq, p.n); ok {
			l = l.through(inner)
		}
	}
	return nil, l, false
}

// through are the coordinates whose points are those of l at points of inner.
func (l coordinates) through(inner coordinates) coordinates {
	out := coordinates{base: l.point(inner.base)}
	zero := make([]Int, len(l.base))
	for _, g := range inner.gens {
		out.gens = append(out.gens, point(zero, l.gens, g))
	}
	return out
}
