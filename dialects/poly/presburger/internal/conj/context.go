package conj

import "github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"

// A context is what is known of the parameters of a parametric integer program: a
// conjunction with known divs that has an integer point.
type context struct {
	c      *Conj
	t      *lp.Tableau
	points [][]lp.Int // integer points of it, divs included
	work   *lp.Work
}

// newContext is nil if the conjunction has no integer point.
func newContext(c *Conj, w *lp.Work) *context {
	x, ok := c.Sample(w)
	if !ok {
		return nil
	}
	return &context{c: c, t: c.Tableau(w), points: [][]lp.Int{x}, work: w}
}

// with is the context where r >= 0 too, or nil if it has no point then.
func (x *context) with(r lp.Row) *context {
	c := x.c.Clone()
	c.Ge = append(c.Ge, r.Clone())
	out := &context{c: c, work: x.work}
	for _, p := range x.points {
		if lp.Dot(r[1:], p).Add(r[0]).Sign() >= 0 {
			out.points = append(out.points, p)
		}
	}
	out.t = x.t.Clone()
	if !out.t.AddGe(r) {
		return nil
	}
	if len(out.points) == 0 {
		p, ok := c.Sample(x.work)
		if !ok {
			return nil
		}
		out.points = [][]lp.Int{p}
		x.points = append(x.points, p)
	}
	return out
}

// The signs of an affine function of the parameters.
const (
	mixed = iota
	negative
	nonnegative
)

// sign tells whether an affine function is negative everywhere or nowhere.
func (x *context) sign(r lp.Row) int {
	pos, neg := false, false
	for _, p := range x.points {
		if lp.Dot(r[1:], p).Add(r[0]).Sign() < 0 {
			neg = true
		} else {
			pos = true
		}
	}
	switch {
	case pos && neg:
		return mixed
	case pos && x.t.AtLeast(r):
		return nonnegative
	case neg && x.t.AtLeast(negation(r)):
		return negative
	}
	if pos && x.with(negation(r)) == nil {
		return nonnegative
	}
	if neg && x.with(r) == nil {
		return negative
	}
	return mixed
}

// div is the column of floor(num / den), which is added if it is new.
func (x *context) div(num lp.Row, den lp.Int) int {
	n := len(x.c.Divs)
	c := x.c.Clone()
	col := c.AddDiv(num, den)
	if len(c.Divs) == n {
		return col
	}
	x.c = c
	x.t = c.Tableau(x.work)
	d := c.Divs[n]
	for i, p := range x.points {
		v := lp.Dot(d.Num[1:], p).Add(d.Num[0]).FloorDiv(d.Den)
		x.points[i] = append(p[:len(p):len(p)], v)
	}
	return col
}
