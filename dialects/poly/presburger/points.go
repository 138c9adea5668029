package presburger

import (
	"fmt"
	"iter"
	"slices"
)

// FixParam gives a parameter a value; it stays in the list of parameters.
func (s Set) FixParam(name string, v Int) Set { return Set{s.rel().fixParam(name, v)} }

// FixParam gives a parameter a value.
func (m Map) FixParam(name string, v Int) Map { return Map{m.rel().fixParam(name, v)} }

func (r *relation) fixParam(name string, v Int) *relation {
	i := slices.Index(r.params, name)
	if i < 0 {
		return r
	}
	return r.each(func(p part) (space, []*conj) {
		var out []*conj
		for _, c := range p.conjs {
			out = append(out, c.fixed(i, v))
		}
		return p.space, out
	})
}

// Fix gives dimension i of every tuple a value.
func (s Set) Fix(i int, v Int) Set {
	r := s.rel()
	return Set{r.each(func(p part) (space, []*conj) {
		var out []*conj
		for _, c := range p.conjs {
			if i < p.numOut() {
				out = append(out, c.fixed(len(r.params)+i, v))
			}
		}
		return p.space, out
	})}
}

// fixed is c with a value for a variable.
func (c *conj) fixed(i int, v Int) *conj {
	out := c.clone()
	e := out.row()
	e[0], e[1+i] = v.Neg(), Int{v: 1}
	out.eq = append(out.eq, e)
	return out.simplify()
}

// Points lists the points of a bounded set in one space in lexicographic order,
// each once; parameters must have values (see FixParam).
func (s Set) Points() (iter.Seq[[]Int], error) {
	r := s.rel()
	if len(r.parts) > 1 {
		return nil, fmt.Errorf("presburger: Points wants a set in one space, not %d", len(r.parts))
	}
	if len(r.parts) == 0 {
		return func(func([]Int) bool) {}, nil
	}
	np := len(r.params)
	var bad error
	cs := slices.Clone(r.parts[0].conjs)
	for _, c := range cs {
		if _, err := run(r.budget, func(w *work) bool { bad = c.enumerable(np, r.params, w); return true }); err != nil {
			return nil, err
		}
		if bad != nil {
			return nil, bad
		}
	}
	return func(yield func([]Int) bool) {
		merge(cs, np, yield)
	}, nil
}

// enumerable refuses what Points cannot list.
func (c *conj) enumerable(np int, params []string, w *work) error {
	t := c.tableau(w)
	defer t.release()
	if t.empty {
		return nil
	}
	for i := range c.n {
		r := c.row()
		r[1+i] = Int{v: 1}
		low, ok1 := t.minimum(r)
		high, ok2 := t.minimum(r.negated())
		if i < np && (!ok1 || !ok2 || low.Cmp(high.Neg()) != 0) {
			return fmt.Errorf("presburger: the parameter %s has no value", params[i])
		}
		if !ok1 || !ok2 {
			return fmt.Errorf("presburger: the set is not bounded in dimension %d", i-np)
		}
	}
	return nil
}

// merge yields the points of a union, smallest first.
func merge(cs []*conj, np int, yield func([]Int) bool) {
	type stream struct {
		next func() ([]Int, bool)
		stop func()
		head []Int
	}
	var open []*stream
	defer func() {
		for _, s := range open {
			s.stop()
		}
	}()
	for _, c := range cs {
		s := &stream{}
		s.next, s.stop = iter.Pull(c.points(np))
		var ok bool
		if s.head, ok = s.next(); ok {
			open = append(open, s)
		} else {
			s.stop()
		}
	}
	for len(open) > 0 {
		least := open[0].head
		for _, s := range open[1:] {
			if compareInts(s.head, least) < 0 {
				least = s.head
			}
		}
		if !yield(least) {
			return
		}
		for i := len(open) - 1; i >= 0; i-- {
			s := open[i]
			for ok := true; ok && compareInts(s.head, least) == 0; {
				if s.head, ok = s.next(); !ok {
					open = slices.Delete(open, i, i+1)
				}
			}
		}
	}
}

func compareInts(a, b []Int) int { return row(a).compare(row(b), 0) }

// points lists the points of a conjunction without its first np variables.
func (c *conj) points(np int) iter.Seq[[]Int] {
	return func(yield func([]Int) bool) {
		if t := c.tableau(nil); !t.empty {
			c.scan(t, make([]Int, c.n), 0, np, yield)
		}
	}
}

// scan tries the values of variable i that the rational relaxation allows.
func (c *conj) scan(t *tableau, x []Int, i, np int, yield func([]Int) bool) bool {
	if i == c.n {
		if len(c.divs) > 0 && !c.at(x).hasPoint(nil) {
			return true
		}
		return yield(slices.Clone(x[np:]))
	}
	r := c.row()
	r[1+i] = Int{v: 1}
	low, _ := t.minimum(r)
	high, _ := t.minimum(r.negated())
	last := high.Neg().Floor()
	for v := low.Ceil(); v.Cmp(last) <= 0; v = v.Add(Int{v: 1}) {
		x[i] = v
		r[0] = v.Neg()
		u := t.clone()
		if !u.addEq(r) {
			continue
		}
		if !c.scan(u, x, i+1, np, yield) {
			return false
		}
	}
	return true
}

// at is what a point leaves for the divs to satisfy.
func (c *conj) at(x []Int) *conj {
	out := &conj{n: len(c.divs)}
	cut := func(r row) row {
		s := make(row, 1+len(c.divs))
		s[0] = r[0].Add(dot(r[1:1+c.n], x))
		copy(s[1:], r[1+c.n:])
		return s
	}
	for _, r := range c.eq {
		out.eq = append(out.eq, cut(r))
	}
	for _, r := range c.ge {
		out.ge = append(out.ge, cut(r))
	}
	return out
}

// Contains reports that a point, without parameters, is in the set at the values of
// the parameters.
func (s Set) Contains(x []Int, params map[string]Int) (bool, error) {
	r := s.rel()
	all := make([]Int, 0, len(r.params)+len(x))
	for _, p := range r.params {
		v, ok := params[p]
		if !ok {
			return false, fmt.Errorf("presburger: no value for the parameter %s", p)
		}
		all = append(all, v)
	}
	all = append(all, x...)
	return r.asks(func(w *work) bool {
		for _, p := range r.parts {
			for _, c := range p.conjs {
				if c.n == len(all) && c.at(all).hasPoint(w) {
					return true
				}
			}
		}
		return false
	})
}
