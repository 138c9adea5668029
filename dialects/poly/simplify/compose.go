package simplify

import (
	"fmt"
	"maps"
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// compose makes one reduction of one over the answers of others that nothing else reads, by the same
// operator, where a plan for all instances together costs less than the plans for each: then what
// the answers were taken by is not what should be taken first. It is the inverse of decomposition.
func (s *search) compose() {
	for {
		found := false
		for _, a := range s.program.Arrays {
			x := s.composition(a)
			if x == nil {
				continue
			}
			if s.costsLess(x) {
				s.program, found = x.program(s.program), true
				break
			}
		}
		if !found {
			return
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
func (s *search) composition(a *Array) *composition {
	if a.Input || a.Bound || s.when.circles[a] != nil {
		return nil
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
			return nil
		}
		x.outer = e
	}
	if x.outer == nil || len(x.inner) == 0 || slices.ContainsFunc(x.inner, func(e *Equation) bool { return e.Op != x.outer.Op || len(e.Keys) > 0 }) {
		return nil
	}
	m := unwind.Must(x.outer.Body.Map.IntersectDomain(x.outer.Domain))
	back := m.Inverse()
	if !unwind.Must(back.IsSingleValued()) {
		return nil
	}
	to := unwind.Must(x.outer.Write.Compose(back))
	for _, e := range x.inner {
		c := s.through(e, to, x.outer)
		if c == nil {
			return nil
		}
		x.composed = append(x.composed, c)
	}
	return x
}

// through is a reduction whose answers go where a relation leads; nil where that is not affine.
func (s *search) through(e *Equation, to p.Map, outer *Equation) *Equation {
	write := unwind.Must(to.Compose(e.Write))
	write = unwind.Must(write.Coalesce())
	domain := unwind.Must(e.Domain.Intersect(write.Domain()))
	write = unwind.Must(write.Gist(domain.CrossMap(write.Range().Universe())))
	if _, ok := affineOf(write, s.program.Params); !ok {
		return nil
	}
	origin := e
	if e.Origin != nil {
		origin = e.Origin
	}
	return &Equation{Name: e.Name, Domain: domain, Op: e.Op, Target: outer.Target, Write: write, Body: e.Body, Origin: origin, with: outer.Name}
}

// costsLess compares the plans for the composed reductions with those for the others.
func (s *search) costsLess(x *composition) bool {
	apart := unwind.Must(s.planned(append(slices.Clone(x.inner), x.outer)))
	if s.order.compare(unwind.Must(s.least(x.composed)), apart) >= 0 {
		return false
	}
	return s.order.compare(unwind.Must(s.planned(x.composed)), apart) < 0
}

// least bounds what plans for some equations cost from below.
func (s *search) least(list []*Equation) (c cost, err error) {
	defer unwind.To(&err)
	for _, e := range list {
		reds, _ := unwind.Must2(s.reductions(e))
		for _, r := range reds {
			x := s.leastOf(r)
			c = s.order.plus(c, x.cost)
		}
	}
	return c, nil
}

// planned is what the best plans for some equations cost.
func (s *search) planned(list []*Equation) (c cost, err error) {
	defer unwind.To(&err)
	for _, e := range list {
		one := *s
		one.target, one.known, one.banned = e.Target, map[string]*plan{}, map[string]bool{}
		maps.Copy(one.banned, s.fixed)
		reds, ok := unwind.Must2(one.reductions(e))
		if !ok {
			return nil, fmt.Errorf("%s has no affine target", e.Name)
		}
		for _, r := range reds {
			x := one.best(r)
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
