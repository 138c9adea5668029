package presburger

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
	defer func() {
		if e := recover(); e != nil {
			if _, ok := e.(errUnbounded); !ok {
				panic(e)
			}
			out, err = nil, ErrUnbounded
		}
	}()
	return r.do(func(w *work) *relation {
		return r.each(func(p part) (space, []*conj) {
			np := len(r.params) + p.numIn()
			var best optimum
			for _, c := range p.conjs {
				best = best.join(c.optimum(np, max, w), np, max, w)
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
			keep(duel(a, b, np, n, max, true, w))
			keep(duel(b, a, np, n, max, false, w))
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

// duel is the part of graph a where graph b is defined and not better; orEqual says
// whose is a draw.
func duel(a, b *conj, np, n int, max, orEqual bool, w *work) (out []*conj) {
	w.step(a.width() * (len(a.ge) + len(b.ge)))
	a, b = a.clone(), b.clone()
	a.insert(np+n, n) // parameters, values of a, values of b
	b.insert(np, n)
	both := meet(a, b)
	for i := 0; i < n && !both.empty; i++ {
		d := both.row()
		d[1+np+i], d[1+np+n+i] = Int{v: -1}, Int{v: 1}
		if max {
			d.negate()
		}
		same := both.clone()
		same.eq = append(same.eq, d.clone())
		d[0] = Int{v: -1}
		both.ge = append(both.ge, d)
		out = append(out, projectAll([]*conj{both.simplify()}, np+n, n)...)
		both = same.simplify()
	}
	if orEqual {
		out = append(out, projectAll([]*conj{both}, np+n, n)...)
	}
	return out
}
