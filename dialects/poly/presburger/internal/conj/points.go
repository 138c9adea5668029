package conj

import (
	"fmt"
	"iter"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// Fixed is c with a value for a variable.
func (c *Conj) Fixed(i int, v lp.Int) *Conj {
	out := c.Clone()
	e := out.Row()
	e[0], e[1+i] = v.Neg(), lp.NewInt(1)
	out.Eq = append(out.Eq, e)
	return out.Simplify()
}

// Enumerable refuses what Points cannot list.
func (c *Conj) Enumerable(np int, params []string, w *lp.Work) error {
	t := c.Tableau(w)
	defer t.Release()
	if t.Empty {
		return nil
	}
	for i := range c.N {
		r := c.Row()
		r[1+i] = lp.NewInt(1)
		low, ok1 := t.Minimum(r)
		high, ok2 := t.Minimum(r.Negated())
		if i < np && (!ok1 || !ok2 || low.Cmp(high.Neg()) != 0) {
			return fmt.Errorf("presburger: the parameter %s has no value", params[i])
		}
		if !ok1 || !ok2 {
			return fmt.Errorf("presburger: the set is not bounded in dimension %d", i-np)
		}
	}
	return nil
}

// Merge yields the points of a union, smallest first.
func Merge(cs []*Conj, np int, yield func([]lp.Int) bool) {
	type stream struct {
		next func() ([]lp.Int, bool)
		stop func()
		head []lp.Int
	}
	var open []*stream
	defer func() {
		for _, s := range open {
			s.stop()
		}
	}()
	for _, c := range cs {
		s := &stream{}
		s.next, s.stop = iter.Pull(points(c, np))
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

func compareInts(a, b []lp.Int) int { return lp.Row(a).Compare(lp.Row(b), 0) }

// points lists the points of a conjunction without its first np variables.
func points(c *Conj, np int) iter.Seq[[]lp.Int] {
	return func(yield func([]lp.Int) bool) {
		if t := c.Tableau(nil); !t.Empty {
			s := scan{c, np, make([]lp.Int, c.N), yield}
			s.from(t, 0)
		}
	}
}

// A scan goes through the points of a conjunction, variable by variable.
type scan struct {
	c     *Conj
	np    int      // variables that are not given out
	x     []lp.Int // the values so far
	yield func([]lp.Int) bool
}

// from tries the values of variable i that the rational relaxation allows.
func (s *scan) from(t *lp.Tableau, i int) bool {
	if i == s.c.N {
		if len(s.c.Divs) > 0 && !s.c.At(s.x).HasPoint(nil) {
			return true
		}
		return s.yield(slices.Clone(s.x[s.np:]))
	}
	r := s.c.Row()
	r[1+i] = lp.NewInt(1)
	low, _ := t.Minimum(r)
	high, _ := t.Minimum(r.Negated())
	last := high.Neg().Floor()
	for v := low.Ceil(); v.Cmp(last) <= 0; v = v.Add(lp.NewInt(1)) {
		s.x[i] = v
		r[0] = v.Neg()
		u := t.Clone()
		if !u.AddEq(r) {
			continue
		}
		if !s.from(u, i+1) {
			return false
		}
	}
	return true
}

// At is what a point leaves for the divs to satisfy.
func (c *Conj) At(x []lp.Int) *Conj {
	out := &Conj{N: len(c.Divs)}
	cut := func(r lp.Row) lp.Row {
		s := make(lp.Row, 1+len(c.Divs))
		s[0] = r[0].Add(lp.Dot(r[1:1+c.N], x))
		copy(s[1:], r[1+c.N:])
		return s
	}
	for _, r := range c.Eq {
		out.Eq = append(out.Eq, cut(r))
	}
	for _, r := range c.Ge {
		out.Ge = append(out.Ge, cut(r))
	}
	return out
}
