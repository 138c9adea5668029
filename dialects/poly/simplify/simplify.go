package simplify

import (
	"fmt"
	"maps"
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/lists"
)

// Options say how to simplify.
type Options struct {
	Sizes    map[string]int64 // of parameters: complexities are compared at them, if there are any
	Exact    bool             // directions are chosen for all reductions that depend on each other together; else for one after the other
	Reuse    bool             // nothing is done but to reuse and to keep one of equal answers
	Lossless bool             // floats are not subtracted, and no digits cancel
	Vector   [][]p.Int        // the vectors of reuse that may be taken; all if there are none
	Only     string           // the equation that is simplified; all if empty
	Plans    int              // the most reductions that are looked at for one equation; 0 is 2,000
}

func (o *Options) plans() int {
	if o.Plans > 0 {
		return o.Plans
	}
	return 2000
}

// Simplify returns equations that compute the same as a program's, of less complexity where that
// is found, and says what was done.
func Simplify(program *Program, o Options) (*Program, []Report, error) {
	when, err := newOrdering(program)
	if err != nil {
		return nil, nil, err
	}
	base := &search{program: program, options: o, order: o.order(program.Params), sizes: map[string]size{}, bounds: map[string]bound{}, shapes: map[string]*outline{}, negate: map[*Expr]*Expr{}, chosen: map[*Expr]chosen{}, when: when}
	if base.some, err = typical(program); err != nil {
		return nil, nil, err
	}
	if !o.Reuse && o.Only == "" {
		if err := base.compose(); err != nil {
			return nil, nil, err
		}
	}
	m := newMaker(base.program)
	list := producersFirst(base.program)
	if o.Exact {
		if base.fixed, err = base.directions(list); err != nil {
			return nil, nil, err
		}
	}
	var reports []Report
	for i, e := range list {
		m.rest = list[i:]
		r, err := m.one(*base, e)
		if err != nil {
			return nil, nil, err
		}
		if r.Changed || len(r.Refused) > 0 {
			reports = append(reports, r)
		}
	}
	return m.program, reports, nil
}

// directions finds for each circle those that are not to be taken.
func (s *search) directions(list []*Equation) (map[string]bool, error) {
	banned, done := map[string]bool{}, map[*circle]bool{}
	for _, e := range list {
		c := s.when.circles[e.Target]
		if c == nil || done[c] || c.tree == nil {
			continue
		}
		done[c] = true
		out, err := s.exact(c, list)
		if err != nil {
			return nil, err
		}
		maps.Copy(banned, out)
	}
	return banned, nil
}

// one simplifies an equation, and forwards what is then a copy.
func (m *maker) one(s search, e *Equation) (r Report, err error) {
	s.target, s.known, s.banned = e.Target, map[string]*plan{}, map[string]bool{}
	maps.Copy(s.banned, s.fixed)
	reds, ok, err := s.reductions(e)
	if err != nil {
		return r, err
	}
	alone := !slices.ContainsFunc(slices.Concat(m.program.Equations, m.rest[1:]), func(o *Equation) bool { return o.Target == e.Target })
	var plans []*plan
	if ok && (s.options.Only == "" || e.Name == s.options.Only) {
		if plans, err = s.plans(reds); err != nil {
			return r, err
		}
		for _, x := range plans {
			if x.how != asItIs {
				continue
			}
			if err := s.reasons(x.red); err != nil {
				return r, err
			}
		}
		if r, err = s.report(e, plans); err != nil {
			return r, err
		}
	}
	m.rest = m.rest[1:]
	if !r.Changed {
		m.program.Equations = append(m.program.Equations, e)
		return r, nil
	}
	m.origin, m.target = e, e.Target
	if e.Origin != nil {
		m.origin = e.Origin
	}
	for _, x := range plans {
		if err := m.emit(x, sink{e.Target, alone && len(plans) == 1}); err != nil {
			return r, err
		}
	}
	return r, m.forward(e.Target)
}

// producersFirst has the equations, those of an array before those that read it, as far
// as there is no circle.
func producersFirst(program *Program) []*Equation {
	rank := map[*Array]int{}
	for i, component := range components(program) {
		for _, a := range component {
			rank[a] = i
		}
	}
	out := slices.Clone(program.Equations)
	slices.SortStableFunc(out, func(a, b *Equation) int { return rank[a.Target] - rank[b.Target] })
	return out
}

func (o *Options) order(params []string) order {
	if len(o.Sizes) == 0 {
		return byDegree
	}
	sizes := lists.Map(params, func(name string) float64 { return float64(max(1, o.Sizes[name])) })
	return bySizes(sizes)
}

// reductions are those of an equation, one a conjunction of its domain; ok is false of one that is
// no reduction, or whose target is no affine function of its instances.
func (s *search) reductions(e *Equation) (out []*reduction, ok bool, err error) {
	if e.Op == Set || len(e.Keys) > 0 {
		return nil, false, nil
	}
	to, ok := affineOf(e.Write, s.program.Params)
	if !ok {
		return nil, false, nil
	}
	d, err := e.Domain.IntersectParams(s.program.Context)
	if err != nil {
		return nil, false, err
	}
	ds, err := conjunctions(d)
	if err != nil {
		return nil, false, err
	}
	for _, d := range ds {
		out = append(out, newReduction(e.Op, d, to, e.Body))
	}
	return out, true, nil
}

// plans finds the best plans for the reductions of one equation whose reuse has an order together.
func (s *search) plans(reds []*reduction) ([]*plan, error) {
	for {
		var plans []*plan
		var waits []wait
		for _, r := range reds {
			x, err := s.best(r)
			if err != nil {
				return nil, err
			}
			plans = append(plans, x)
			if err := s.collect(x, &waits); err != nil {
				return nil, err
			}
		}
		ok, err := s.when.commit(s.target, waits)
		if err != nil {
			return nil, err
		}
		if ok {
			return plans, nil
		}
		// Each can be ordered, but not all together: the last of them is given up.
		last := waits[len(waits)-1].Map.String()
		if s.banned[last] {
			return nil, fmt.Errorf("the reuse of %s has no order", s.target.Name)
		}
		s.banned[last] = true
		clear(s.known)
	}
}

// collect lists the reuse of a plan that makes elements wait for each other.
func (s *search) collect(x *plan, waits *[]wait) error {
	if x.how == reuse && s.when.touches(s.target, x.red.body) {
		w, err := x.red.waits(x.move)
		if err != nil {
			return err
		}
		if none, err := w.IsEmpty(); err != nil {
			return err
		} else if !none {
			*waits = append(*waits, wait{w, x.red.own})
		}
	}
	for _, c := range x.children {
		if err := s.collect(c, waits); err != nil {
			return err
		}
	}
	return nil
}
