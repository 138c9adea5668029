package presburger

import (
	"fmt"
	"slices"
)

// A Vertex of a parametric polyhedron: its coordinates, rational affine functions of
// the parameters, and the integer values of the parameters for which it is one: its
// activity domain.
type Vertex struct {
	Domain Set
	Expr   MultiAff
}

// A Chamber is a set of parameter values for which the same vertices are active;
// Vertices are their indices. Chambers are disjoint.
type Chamber struct {
	Domain   Set
	Vertices []int
}

// Vertices lists the vertices of a set that is one conjunction without floors or
// variables that exist, as a polyhedron over the rationals (Loechner and Wilde,
// "Parameterized polyhedra and their vertices", 1997). A set that holds a line has
// none. Those that are vertices at single values of the parameters count, unlike
// isl's, which wants activity domains of full dimension.
func (s Set) Vertices() ([]Vertex, error) {
	r := s.rel()
	if len(r.parts) != 1 {
		return nil, fmt.Errorf("presburger: vertices of a set in one space, not %d", len(r.parts))
	}
	p := r.parts[0]
	if len(p.conjs) == 0 {
		return nil, nil
	}
	if len(p.conjs) > 1 || len(p.conjs[0].divs) > 0 {
		return nil, fmt.Errorf("presburger: vertices of one conjunction without floors; this set has %d, some with %d floors or variables that exist",
			len(p.conjs), len(p.conjs[0].divs))
	}
	return run(r.budget, func(w *work) (out []Vertex) {
		c := p.conjs[0].irredundant(w)
		if c.empty {
			return nil
		}
		for _, v := range cornersOf(c, len(r.params), p.numOut(), w) {
			dom := &relation{params: r.params, budget: r.budget}
			dom.put(space{}, v.domain)
			out = append(out, Vertex{Set{dom}, MultiAff{params: r.params, out: p.out, qs: v.at}})
		}
		return out
	})
}

// corners searches for the vertices of a conjunction over np parameters and d
// dimensions: all choices of rows that give the dimensions, equations among them.
type corners struct {
	c     *conj
	np, d int
	found []cornerAt
	work  *work
}

type cornerAt struct {
	at     []quasi
	domain *conj
}

// cornersOf finds the vertices of c.
func cornersOf(c *conj, np, d int, w *work) []cornerAt {
	e := &corners{c: c, np: np, d: d, work: w}
	e.search()
	return e.found
}

func (e *corners) search() {
	var basis, chosen []row
	for _, r := range e.c.eq {
		if b := e.independent(basis, r); b != nil {
			basis, chosen = append(basis, b), append(chosen, r)
		}
	}
	e.choose(basis, chosen, 0)
}

// independent reduces the dimensions of a row by those of a basis; nil if nothing is
// left.
func (e *corners) independent(basis []row, r row) row {
	out := slices.Clone(r[1+e.np:])
	for _, b := range basis {
		p := 0
		for b[p].isZero() {
			p++
		}
		out.eliminate(p, b)
	}
	if out.isZero(0) {
		return nil
	}
	out.reduce()
	return out
}

func (e *corners) choose(basis, chosen []row, from int) {
	e.work.step(e.d * e.d)
	if len(chosen) == e.d {
		e.corner(chosen)
		return
	}
	for i := from; i < len(e.c.ge); i++ {
		if b := e.independent(basis, e.c.ge[i]); b != nil {
			e.choose(append(basis[:len(basis):len(basis)], b), append(chosen[:len(chosen):len(chosen)], e.c.ge[i]), i+1)
		}
	}
}

// corner solves the chosen rows, a y = -rest, and keeps what satisfies the others
// for some parameters.
func (e *corners) corner(chosen []row) {
	a := make([][]Int, e.d)
	for i, r := range chosen {
		a[i] = r[1+e.np:]
	}
	adj, det := [][]Int{}, Int{v: 1}
	if e.d > 0 {
		adj, det = adjugate(a, e.work)
	}
	v := cornerAt{domain: universe(e.np)}
	y := make([]row, e.d) // times det
	for i := range y {
		y[i] = make(row, 1+e.np)
		for k, r := range chosen {
			y[i].combine(Int{v: 1}, adj[i][k].Neg(), r[:1+e.np])
		}
		q := quasi{n: e.np, num: y[i].clone(), den: det}
		if det.Sign() < 0 {
			q.num.negate()
			q.den = det.Neg()
		}
		v.at = append(v.at, q.normal())
	}
	at := func(r row) row { // its value there, times |det|
		out := r[:1+e.np].clone()
		out.scale(det)
		for i := range y {
			out.combine(Int{v: 1}, r[1+e.np+i], y[i])
		}
		if det.Sign() < 0 {
			out.negate()
		}
		return out
	}
	for _, f := range e.found {
		if slices.EqualFunc(f.at, v.at, quasi.same) {
			return
		}
	}
	for _, r := range e.c.eq {
		v.domain.eq = append(v.domain.eq, at(r))
	}
	for _, r := range e.c.ge {
		v.domain.ge = append(v.domain.ge, at(r))
	}
	if v.domain.simplify(); v.domain.hasPoint(e.work) {
		v.domain = v.domain.irredundant(e.work)
		e.found = append(e.found, v)
	}
}

// Chambers divides the parameter values for which one of some vertices is active by
// the vertices that are.
func Chambers(vs []Vertex) ([]Chamber, error) {
	if len(vs) == 0 {
		return nil, nil
	}
	first := vs[0].Domain.rel()
	return run(first.budget, func(w *work) (out []Chamber) {
		type cell struct {
			where  []*conj
			active []int
		}
		var cells []cell
		for i, v := range vs {
			dom := v.Domain.rel().parts[0].conjs
			rest := dom
			var next []cell
			for _, c := range cells {
				if in := both(c.where, dom, w); len(in) > 0 {
					next = append(next, cell{in, append(slices.Clone(c.active), i)})
				}
				if left := unionMinus(c.where, dom, w); len(left) > 0 {
					next = append(next, cell{left, c.active})
				}
				rest = unionMinus(rest, c.where, w)
			}
			if len(rest) > 0 {
				next = append(next, cell{rest, []int{i}})
			}
			cells = next
		}
		for _, c := range cells {
			dom := &relation{params: first.params, budget: first.budget}
			dom.put(space{}, coalesceAll(c.where, w)...)
			out = append(out, Chamber{Set{dom}, c.active})
		}
		return out
	})
}
