package piecewise

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// corners searches for the vertices of a conjunction over np parameters and d
// dimensions: all choices of rows that give the dimensions, equations among them.
type corners struct {
	c     *conj.Conj
	np, d int
	found []Corner
	work  *lp.Work
}

// A Corner is a vertex, and the parameters for which it is one.
type Corner struct {
	At     []Quasi
	Domain *conj.Conj
}

// Corners finds the vertices of c.
func Corners(c *conj.Conj, np, d int, w *lp.Work) []Corner {
	e := &corners{c: c, np: np, d: d, work: w}
	e.search()
	return e.found
}

func (e *corners) search() {
	var basis, chosen []lp.Row
	for _, r := range e.c.Eq {
		if b := e.independent(basis, r); b != nil {
			basis, chosen = append(basis, b), append(chosen, r)
		}
	}
	e.choose(basis, chosen, 0)
}

// independent reduces the dimensions of a row by those of a basis; nil if nothing is
// left.
func (e *corners) independent(basis []lp.Row, r lp.Row) lp.Row {
	out := slices.Clone(r[1+e.np:])
	for _, b := range basis {
		p := 0
		for b[p].IsZero() {
			p++
		}
		out.Eliminate(p, b)
	}
	if out.IsZero(0) {
		return nil
	}
	out.Reduce()
	return out
}

func (e *corners) choose(basis, chosen []lp.Row, from int) {
	e.work.Step(e.d * e.d)
	if len(chosen) == e.d {
		e.corner(chosen)
		return
	}
	for i := from; i < len(e.c.Ge); i++ {
		if b := e.independent(basis, e.c.Ge[i]); b != nil {
			e.choose(append(basis[:len(basis):len(basis)], b), append(chosen[:len(chosen):len(chosen)], e.c.Ge[i]), i+1)
		}
	}
}

// corner solves the chosen rows, a y = -rest, and keeps what satisfies the others
// for some parameters.
func (e *corners) corner(chosen []lp.Row) {
	a := make([][]lp.Int, e.d)
	for i, r := range chosen {
		a[i] = r[1+e.np:]
	}
	adj, det := [][]lp.Int{}, lp.NewInt(1)
	if e.d > 0 {
		adj, det = lp.Adjugate(a, e.work)
	}
	v := Corner{Domain: conj.Universe(e.np)}
	y := make([]lp.Row, e.d) // times det
	for i := range y {
		y[i] = make(lp.Row, 1+e.np)
		for k, r := range chosen {
			y[i].Combine(lp.NewInt(1), adj[i][k].Neg(), r[:1+e.np])
		}
		q := Quasi{N: e.np, Num: y[i].Clone(), Den: det}
		if det.Sign() < 0 {
			q.Num.Negate()
			q.Den = det.Neg()
		}
		v.At = append(v.At, q.Normal())
	}
	at := func(r lp.Row) lp.Row { // its value there, times |det|
		out := r[:1+e.np].Clone()
		out.Scale(det)
		for i := range y {
			out.Combine(lp.NewInt(1), r[1+e.np+i], y[i])
		}
		if det.Sign() < 0 {
			out.Negate()
		}
		return out
	}
	for _, f := range e.found {
		if slices.EqualFunc(f.At, v.At, Quasi.same) {
			return
		}
	}
	for _, r := range e.c.Eq {
		v.Domain.Eq = append(v.Domain.Eq, at(r))
	}
	for _, r := range e.c.Ge {
		v.Domain.Ge = append(v.Domain.Ge, at(r))
	}
	if v.Domain.Simplify(); v.Domain.HasPoint(e.work) {
		v.Domain = v.Domain.Irredundant(e.work)
		e.found = append(e.found, v)
	}
}
