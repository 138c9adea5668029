package simplify

import (
	"fmt"
	"maps"
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
)

// compose makes one reduction of one over the answers of others that nothing else reads, by the same
// operator, where a plan for all instances together costs less than the plans for each: then what
// the answers were taken by is not what should be taken first. It is the inverse of decomposition.
func (s *search) compose() error {
	for {
		found := false
		for _, a := range s.program.Arrays {
			x, err := s.composition(a)
			if err != nil {
				return err
			}
			if x == nil {
				continue
			}
			better, err := s.costsLess(x)
			if err != nil {
				return err
			}
			if better {
				s.program, found = x.program(s.program), true
				break
			}
		}
		if !found {
			return nil
		}
	}
}

// A composition is the reductions that take the place of those into an array and of the one over it.
type composition struct {
	array    *Array
	inner    []*Equation
	outer    *Equation
	composed []*Equation
}

// composition finds what reduces the answers of an array to others; nil if there is no one such
// equation, if it reads an answer twice, or if elements depend on each other.
func (s *search) composition(a *Array) (*composition, error) {
	if a.Input || a.Bound || s.when.circles[a] != nil {
		return nil, nil
	}
	x := &composition{array: a}
	for _, e := range s.program.Equations {
		if e.Target == a {
			x.inner = append(x.inner, e)
		}
		reads := false
		e.reads(func(r *Expr) { reads = reads || r.Array == a })
		if !reads {
			continue
		}
		if x.outer != nil || e.Body.Kind != Read || e.Op == Set || len(e.Keys) > 0 || s.when.circles[e.Target] != nil {
			return nil, nil
		}
		x.outer = e
	}
	if x.outer == nil || len(x.inner) == 0 || slices.ContainsFunc(x.inner, func(e *Equation) bool { return e.Op != x.outer.Op || len(e.Keys) > 0 }) {
		return nil, nil
	}
	m, err := x.outer.Body.Map.IntersectDomain(x.outer.Domain)
	if err != nil {
		return nil, err
	}
	back := m.Inverse()
	if once, err := back.IsSingleValued(); err != nil || !once {
		return nil, err
	}
	to, err := x.outer.Write.Compose(back)
	if err != nil {
		return nil, err
	}
	for _, e := range x.inner {
		c, err := s.through(e, to, x.outer)
		if err != nil || c == nil {
			return nil, err
		}
		x.composed = append(x.composed, c)
	}
	return x, nil
}

// through is a reduction whose answers go where a relation leads; nil where that is not affine.
func (s *search) through(e *Equation, to p.Map, outer *Equation) (*Equation, error) {
	write, err := to.Compose(e.Write)
	if err == nil {
		write, err = write.Coalesce()
	}
	if err != nil {
		return nil, err
	}
	domain, err := e.Domain.Intersect(write.Domain())
	if err != nil {
		return nil, err
	}
	if write, err = write.Gist(domain.CrossMap(write.Range().Universe())); err != nil {
		return nil, err
	}
	if _, ok := affineOf(write, s.program.Params); !ok {
		return nil, nil
	}
	origin := e
	if e.Origin != nil {
		origin = e.Origin
	}
	return &Equation{Name: e.Name, Domain: domain, Op: e.Op, Target: outer.Target, Write: write, Body: e.Body, Origin: origin, with: outer.Name}, nil
}

// costsLess compares the plans for the composed reductions with those for the others.
func (s *search) costsLess(x *composition) (bool, error) {
	apart, err := s.planned(append(slices.Clone(x.inner), x.outer))
	if err != nil {
		return false, err
	}
	least, err := s.least(x.composed)
	if err != nil || s.order.compare(least, apart) >= 0 {
		return false, err
	}
	together, err := s.planned(x.composed)
	return err == nil && s.order.compare(together, apart) < 0, err
}

// least bounds what plans for some equations cost from below.
func (s *search) least(list []*Equation) (c cost, err error) {
	for _, e := range list {
		reds, _, err := s.reductions(e)
		if err != nil {
			return nil, err
		}
		for _, r := range reds {
			x, err := s.leastOf(r)
			if err != nil {
				return nil, err
			}
			c = s.order.plus(c, x.cost)
		}
	}
	return c, nil
}

// planned is what the best plans for some equations cost.
func (s *search) planned(list []*Equation) (c cost, err error) {
	for _, e := range list {
		one := *s
		one.target, one.known, one.banned = e.Target, map[string]*plan{}, map[string]bool{}
		maps.Copy(one.banned, s.fixed)
		reds, ok, err := one.reductions(e)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, fmt.Errorf("%s has no affine target", e.Name)
		}
		for _, r := range reds {
			x, err := one.best(r)
			if err != nil {
				return nil, err
			}
			c = s.order.plus(c, x.cost)
		}
	}
	return c, nil
}

// program is one with the composed reductions in the place of the others.
func (x *composition) program(of *Program) *Program {
	out := &Program{Params: of.Params, Context: of.Context}
	out.Arrays = slices.DeleteFunc(slices.Clone(of.Arrays), func(a *Array) bool { return a == x.array })
	for _, e := range of.Equations {
		if i := slices.Index(x.inner, e); i >= 0 {
			out.Equations = append(out.Equations, x.composed[i])
		} else if e != x.outer {
			out.Equations = append(out.Equations, e)
		}
	}
	return out
}
