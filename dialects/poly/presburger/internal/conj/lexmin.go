package conj

import "github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"

// ErrUnbounded is the error of an optimum that does not exist.
var ErrUnbounded = UnboundedError{}

// An UnboundedError is thrown where an optimum does not exist.
type UnboundedError struct{}

func (UnboundedError) Error() string { return "presburger: the set has no bound in that direction" }

// An Optimum is a function of the parameters: its graph, parameters first, as
// disjoint conjunctions, and its domain.
type Optimum struct{ Domain, Graphs []*Conj }

// Optimum solves one conjunction; its first np variables are parameters.
func (c *Conj) Optimum(np int, max bool, w *lp.Work) (out Optimum) {
	n := c.N - np
	if max {
		c = c.Clone()
		c.everyRow(func(r lp.Row) lp.Row {
			for i := 1 + np; i <= c.N; i++ {
				r[i] = r[i].Neg()
			}
			return r
		})
	}
	for _, s := range c.LexMin(np, w) {
		g := s.C.Clone()
		g.Insert(np, n)
		for i := range n {
			if s.Missing[i] {
				panic(ErrUnbounded)
			}
			v, e := s.Values[i], g.Row()
			copy(e, v[:1+np])
			copy(e[1+np+n:], v[1+np:])
			e[1+np+i] = lp.NewInt(-1)
			if max {
				e[1+np+i] = lp.NewInt(1)
			}
			g.Eq = append(g.Eq, e)
		}
		if !g.Simplify().Empty {
			out.Domain = append(out.Domain, s.C)
			out.Graphs = append(out.Graphs, g)
		}
	}
	return out
}

// Join takes the better where both are defined, else the one that is.
func (o Optimum) Join(p Optimum, np int, max bool, w *lp.Work) Optimum {
	if len(o.Graphs) == 0 {
		return p
	}
	if len(p.Graphs) == 0 {
		return o
	}
	n := o.Graphs[0].N - np
	out := Optimum{Domain: append(o.Domain[:len(o.Domain):len(o.Domain)], p.Domain...)}
	keep := func(gs []*Conj) {
		for _, g := range gs {
			if g.HasPoint(w) {
				out.Graphs = append(out.Graphs, g)
			}
		}
	}
	keep(SubtractAll(o.Graphs, Cylinders(p.Domain, n), w))
	keep(SubtractAll(p.Graphs, Cylinders(o.Domain, n), w))
	for _, a := range o.Graphs {
		for _, b := range p.Graphs {
			first, second := duel(a, b, np, n, max, w)
			keep(first)
			keep(second)
		}
	}
	return out
}

// duel is where both graphs a and b are defined: the part of a where it is not worse,
// and that of b where it is better.
func duel(a, b *Conj, np, n int, max bool, w *lp.Work) (first, second []*Conj) {
	w.Step(a.Width() * (len(a.Ge) + len(b.Ge)))
	a, b = a.Clone(), b.Clone()
	a.Insert(np+n, n) // parameters, values of a, values of b
	b.Insert(np, n)
	both := Meet(a, b)
	if both.Empty {
		return nil, nil
	}
	t := both.Tableau(w)
	defer t.Release()
	wins := func(c *Conj) { first = append(first, ProjectAll([]*Conj{c}, np+n, n)...) }
	loses := func(c *Conj) { second = append(second, ProjectAll([]*Conj{c}, np, n)...) }
	for i := 0; i < n && !t.Empty && !both.Empty; i++ {
		d := make(lp.Row, 1+t.N) // by how much a is better
		d[1+np+i], d[1+np+n+i] = lp.NewInt(-1), lp.NewInt(1)
		if max {
			d.Negate()
		}
		low, hasLow := t.Minimum(d)
		high, hasHigh := t.Minimum(d.Negated())
		switch {
		case hasLow && low.Sign() > 0:
			wins(both)
			return first, second
		case hasHigh && high.Sign() > 0:
			loses(both)
			return first, second
		case hasLow && hasHigh && low.Sign() == 0 && high.Sign() == 0:
			continue
		}
		if !hasHigh || high.Sign() < 0 {
			wins(signed(both, d[:1+np+2*n], 1))
		}
		if !hasLow || low.Sign() < 0 {
			loses(signed(both, d[:1+np+2*n], -1))
		}
		both = signed(both, d[:1+np+2*n], 0)
		t.AddEq(d)
	}
	if !t.Empty && !both.Empty {
		wins(both)
	}
	return first, second
}

// signed is the part of c where d, a function of its first variables, has a sign.
func signed(c *Conj, d lp.Row, sign int) *Conj {
	out := c.Clone()
	out.Constrain(d, make(lp.Row, len(d)), sign)
	return out.Simplify()
}

// LexSplit adds that variables [at, at+n) come before the n that follow them.
func (c *Conj) LexSplit(at, n int, orEqual bool) (out []*Conj) {
	for i := range n {
		less := c.Clone()
		r := less.Row()
		r[0], r[1+at+i], r[1+at+n+i] = lp.NewInt(-1), lp.NewInt(-1), lp.NewInt(1)
		less.Ge = append(less.Ge, r)
		out = append(out, less.Simplify())
		c = c.Clone()
		e := c.Row()
		e[1+at+i], e[1+at+n+i] = lp.NewInt(-1), lp.NewInt(1)
		c.Eq = append(c.Eq, e)
	}
	if orEqual {
		out = append(out, c.Simplify())
	}
	return out
}
