package presburger

import (
	"fmt"
	"slices"
)

// graph is the relation of arguments and values; where a value is no integer there
// is none.
func (f *function) graph() *relation {
	r := &relation{params: f.params, budget: f.budget}
	s := space{in: f.in, out: f.out}
	r.put(s)
	for _, p := range f.pieces {
		for _, c := range p.when {
			g := c.clone()
			n := g.n
			g.insert(n, len(p.vals))
			for i, v := range p.vals {
				e := g.put(v.widened(len(p.vals)))
				e[1+n+i] = v.den.Neg()
				g.eq = append(g.eq, e)
			}
			if !g.simplify().empty {
				r.put(s, g)
			}
		}
	}
	return r
}

// widened is the function with k more variables, which it does not use.
func (q quasi) widened(k int) quasi {
	to := make([]int, q.n)
	for i := range to {
		to[i] = i
	}
	return rename(q.n+k, to).quasi(q)
}

// functionOf reads a function of np arguments off a conjunction: off its equations and
// bounds where these give it, which given says, else the least values by parametric
// integer programming. ok is false if some have no lower bound.
func (c *conj) functionOf(np int, w *work) (out []funPiece, given, ok bool) {
	if p, ok := c.explicit(np, w); ok {
		return p, true, true
	}
	for _, s := range c.lexmin(np, w) {
		p := funPiece{when: alive([]*conj{s.c}, w)}
		for i := range c.n - np {
			if s.missing[i] {
				return nil, false, false
			}
			v := quasi{n: np, den: Int{v: 1}}
			v.num = v.adopt(s.values[i], s.c.divs)
			p.vals = append(p.vals, v.normal())
		}
		out = append(out, p)
	}
	return out, false, true
}

// errNotFunction is the error of a relation that is no function.
var errNotFunction = fmt.Errorf("presburger: the map is not single-valued")

// asFunction converts a relation in one space; known says that it is the graph of a
// function, conjunctions with different arguments.
func (r *relation) asFunction(known bool) (*function, error) {
	if len(r.parts) != 1 {
		return nil, fmt.Errorf("presburger: a function has one space, this relation %d", len(r.parts))
	}
	p := r.parts[0]
	if p.isParams() {
		return nil, fmt.Errorf("presburger: a condition on parameters is no function")
	}
	f := &function{params: r.params, in: p.in, out: p.out, budget: r.budget}
	single := true
	g, err := run(r.budget, func(w *work) *function {
		var before []funPiece
		plain := true // the graph is that of one function on all conjunctions
		for _, c := range p.conjs {
			pieces, explicit, ok := c.functionOf(f.vars(), w)
			if single = single && ok; !ok {
				return nil
			}
			plain = plain && explicit
			for _, q := range pieces {
				when := q.when
				if !known {
					if other := others(before, q); len(other) > 0 {
						when, plain = unionMinus(when, other, w), false
					}
					before = append(before, q)
				}
				f.place(w, funPiece{when, q.vals})
			}
		}
		single = known || plain || within(r, f.graph(), w)
		if len(f.pieces) > 1 && len(f.pieces) <= 16 {
			return f.coalesced(w)
		}
		return f.tidy(w)
	})
	if err == nil && !single {
		return nil, errNotFunction
	}
	return g, err
}

// others are the domains of pieces whose values are written in another way.
func others(pieces []funPiece, p funPiece) (out []*conj) {
	for _, q := range pieces {
		if !slices.EqualFunc(p.vals, q.vals, quasi.same) {
			out = append(out, q.when...)
		}
	}
	return out
}

// AsPwMultiAff converts a single-valued map in one space to the function that it is;
// another map is an error.
func (m Map) AsPwMultiAff() (PwMultiAff, error) { return pwMultiAff(m.rel().asFunction(false)) }

// AsPwMultiAff converts a set with one point at most for each value of the
// parameters to a function of these.
func (s Set) AsPwMultiAff() (PwMultiAff, error) { return pwMultiAff(s.rel().asFunction(false)) }

// LexMinPwMultiAff is LexMin as a function of the parameters.
func (s Set) LexMinPwMultiAff() (PwMultiAff, error) { return pwMultiAff(lexfun(s.rel(), false)) }

// LexMaxPwMultiAff is LexMax as a function of the parameters.
func (s Set) LexMaxPwMultiAff() (PwMultiAff, error) { return pwMultiAff(lexfun(s.rel(), true)) }

// LexMinPwMultiAff is LexMin as a function on the domain.
func (m Map) LexMinPwMultiAff() (PwMultiAff, error) { return pwMultiAff(lexfun(m.rel(), false)) }

// LexMaxPwMultiAff is LexMax as a function on the domain.
func (m Map) LexMaxPwMultiAff() (PwMultiAff, error) { return pwMultiAff(lexfun(m.rel(), true)) }

func lexfun(r *relation, max bool) (*function, error) {
	best, err := lexopt(r, max)
	if err != nil {
		return nil, err
	}
	return best.asFunction(true)
}

// DimMin returns the least value of dimension i as a function of the parameters, on
// those for which the set has points.
func (s Set) DimMin(i int) (PwAff, error) { return pwAff(dimOptimum(s.rel(), i, false)) }

// DimMax returns the greatest value of dimension i as a function of the parameters.
func (s Set) DimMax(i int) (PwAff, error) { return pwAff(dimOptimum(s.rel(), i, true)) }

// DimMin returns the least value of dimension i of what each point is related to.
func (m Map) DimMin(i int) (PwAff, error) { return pwAff(dimOptimum(m.rel(), i, false)) }

// DimMax returns the greatest value of dimension i of what each point is related to.
func (m Map) DimMax(i int) (PwAff, error) { return pwAff(dimOptimum(m.rel(), i, true)) }

func dimOptimum(r *relation, i int, max bool) (*function, error) {
	if len(r.parts) != 1 {
		return nil, fmt.Errorf("presburger: a bound of a dimension wants one space, not %d", len(r.parts))
	}
	n := r.parts[0].numOut()
	if i < 0 || i >= n {
		return nil, fmt.Errorf("presburger: dimension %d of %d", i, n)
	}
	line, err := run(r.budget, func(w *work) *relation {
		return r.each(func(p part) (space, []*conj) {
			at := len(r.params) + p.numIn()
			cs := projectAll(projectAll(p.conjs, at+i+1, n-i-1), at, i)
			return space{in: p.in, out: &tuple{dims: []string{""}}}, cs
		})
	})
	if err != nil {
		return nil, err
	}
	return lexfun(line, max)
}
