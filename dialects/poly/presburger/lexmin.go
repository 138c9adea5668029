package presburger

import "github.com/irc-lang/irc/ir/unwind"

// LexMin returns the lexicographically least point for each value of the
// parameters, as a set. It is an error if there is none because the set has no
// lower bound.
func (s Set) LexMin() (Set, error) { return set(lexopt(s.rel(), false)) }

// LexMax returns the lexicographically greatest point.
func (s Set) LexMax() (Set, error) { return set(lexopt(s.rel(), true)) }

// LexMin relates each point of the domain to the least one that m relates it to.
func (m Map) LexMin() (Map, error) { return mapOf(lexopt(m.rel(), false)) }

// LexMax relates each point of the domain to the greatest one that m relates it to.
func (m Map) LexMax() (Map, error) { return mapOf(lexopt(m.rel(), true)) }

// ErrUnbounded is the error of an optimum that does not exist.
var ErrUnbounded = errUnbounded{}

type errUnbounded struct{}

func (errUnbounded) Error() string { return "presburger: the set has no bound in that direction" }

func lexopt(r *relation, max bool) (out *relation, err error) {
	_, unbounded := unwind.Catch[errUnbounded](func() { out, err = lexoptOf(r, max) })
	if unbounded {
		return nil, ErrUnbounded
	}
	return out, err
}

func lexoptOf(r *relation, max bool) (*relation, error) {
	return r.do(func(w *work) *relation {
		return r.each(func(p part) (space, []*conj) {
			np := len(r.params) + p.numIn()
			var best optimum
			for _, c := range p.conjs {
				o := c.optimum(np, max, w)
				if len(p.conjs) > 1 && len(o.domain) > 1 { // often fewer parts than contexts
					if d := definedAll(projectAll([]*conj{c}, np, c.n-np), w); len(d) < len(o.domain) {
						o.domain = d
					}
				}
				best = best.join(o, np, max, w)
			}
			return p.space, best.graphs
		})
	})
}

// An optimum is a function of the parameters: its graph, parameters first, as
// disjoint conjunctions, and its domain.
type optimum struct{ domain, graphs []*conj }

// optimum solves one conjunction; its first np variables are parameters.
func (c *conj) optimum(np int, max bool, w *work) (out optimum) {
	n := c.n - np
	if max {
		c = c.clone()
		c.everyRow(func(r row) row {
			for i := 1 + np; i <= c.n; i++ {
				r[i] = r[i].Neg()
			}
			return r
		})
	}
	for _, s := range c.lexmin(np, w) {
		g := s.c.clone()
		g.insert(np, n)
		for i := range n {
			if s.missing[i] {
				panic(ErrUnbounded)
			}
			v, e := s.values[i], g.row()
			copy(e, v[:1+np])
			copy(e[1+np+n:], v[1+np:])
			e[1+np+i] = Int{v: -1}
			if max {
				e[1+np+i] = Int{v: 1}
			}
			g.eq = append(g.eq, e)
		}
		if !g.simplify().empty {
			out.domain = append(out.domain, s.c)
			out.graphs = append(out.graphs, g)
		}
	}
	return out
}

// join takes the better where both are defined, else the one that is.
func (o optimum) join(p optimum, np int, max bool, w *work) optimum {
	if len(o.graphs) == 0 {
		return p
	}
	if len(p.graphs) == 0 {
		return o
	}
	n := o.graphs[0].n - np
	out := optimum{domain: append(o.domain[:len(o.domain):len(o.domain)], p.domain...)}
	keep := func(gs []*conj) {
		for _, g := range gs {
			if g.hasPoint(w) {
				out.graphs = append(out.graphs, g)
			}
		}
	}
	keep(subtractAll(o.graphs, cylinders(p.domain, n), w))
	keep(subtractAll(p.graphs, cylinders(o.domain, n), w))
	for _, a := range o.graphs {
		for _, b := range p.graphs {
			first, second := duel(a, b, np, n, max, w)
			keep(first)
			keep(second)
		}
	}
	return out
}

// cylinders adds n free variables.
func cylinders(cs []*conj, n int) []*conj {
	out := make([]*conj, len(cs))
	for i, c := range cs {
		out[i] = c.clone()
		out[i].insert(c.n, n)
	}
	return out
}

// duel is where both graphs a and b are defined: the part of a where it is not worse,
// and that of b where it is better.
func duel(a, b *conj, np, n int, max bool, w *work) (first, second []*conj) {
	w.step(a.width() * (len(a.ge) + len(b.ge)))
	a, b = a.clone(), b.clone()
	a.insert(np+n, n) // parameters, values of a, values of b
	b.insert(np, n)
	both := meet(a, b)
	if both.empty {
		return nil, nil
	}
	t := both.tableau(w)
	defer t.release()
	wins := func(c *conj) { first = append(first, projectAll([]*conj{c}, np+n, n)...) }
	loses := func(c *conj) { second = append(second, projectAll([]*conj{c}, np, n)...) }
	for i := 0; i < n && !t.empty && !both.empty; i++ {
		d := make(row, 1+t.n) // by how much a is better
		d[1+np+i], d[1+np+n+i] = Int{v: -1}, Int{v: 1}
		if max {
			d.negate()
		}
		low, hasLow := t.minimum(d)
		high, hasHigh := t.minimum(d.negated())
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
			wins(both.with(d, np+2*n, 1))
		}
		if !hasLow || low.Sign() < 0 {
			loses(both.with(d, np+2*n, -1))
		}
		both = both.with(d, np+2*n, 0)
		t.addEq(d)
	}
	if !t.empty && !both.empty {
		wins(both)
	}
	return first, second
}

// with is the part of c where d, a function of the first n variables, has a sign.
func (c *conj) with(d row, n, sign int) *conj {
	out := c.clone()
	r := out.row()
	copy(r, d[:1+n])
	if sign < 0 {
		r.negate()
	}
	if sign == 0 {
		out.eq = append(out.eq, r)
	} else {
		r[0] = r[0].Sub(Int{v: 1})
		out.ge = append(out.ge, r)
	}
	return out.simplify()
}
