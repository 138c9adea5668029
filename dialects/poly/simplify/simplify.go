package simplify

import (
	"fmt"
	"maps"
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
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
func Simplify(program *Program, o Options) (_ *Program, _ []Report, err error) {
	defer unwind.To(&err)
	when := newOrdering(program)
	base := &search{program: program, options: o, order: o.order(program.Params), sizes: map[string]size{}, bounds: map[string]bound{}, shapes: map[string]*outline{}, negate: map[*Expr]*Expr{}, chosen: map[*Expr]chosen{}, when: when}
	base.some = typical(program)
	if !o.Reuse && o.Only == "" {
		base.compose()
	}
	m := newMaker(base.program)
	list := producersFirst(base.program)
	if o.Exact {
		base.fixed = base.directions(list)
	}
	var reports []Report
	for i, e := range list {
		m.rest = list[i:]
		r := m.one(*base, e)
		if r.Changed || len(r.Refused) > 0 {
			reports = append(reports, r)
		}
	}
	return m.program, reports, nil
}

// directions finds for each circle those that are not to be taken.
func (s *search) directions(list []*Equation) map[string]bool {
	banned, done := map[string]bool{}, map[*circle]bool{}
	for _, e := range list {
		c := s.when.circles[e.Target]
		if c == nil || done[c] || c.tree == nil {
			continue
		}
		done[c] = true
		out := s.exact(c, list)
		maps.Copy(banned, out)
	}
	return banned
}

// one simplifies an equation, and forwards what is then a copy.
func (m *maker) one(s search, e *Equation) (r Report) {
	s.target, s.known, s.banned = e.Target, map[string]*plan{}, map[string]bool{}
	maps.Copy(s.banned, s.fixed)
	reds, ok := unwind.Must2(s.reductions(e))
	alone := !slices.ContainsFunc(slices.Concat(m.program.Equations, m.rest[1:]), func(o *Equation) bool { return o.Target == e.Target })
	var plans []*plan
	if ok && (s.options.Only == "" || e.Name == s.options.Only) {
		plans = s.plans(reds)
		for _, x := range plans {
			if x.how != asItIs {
				continue
			}
			s.reasons(x.red)
		}
		r = s.report(e, plans)
	}
	m.rest = m.rest[1:]
	if !r.Changed {
		m.program.Equations = append(m.program.Equations, e)
		return r
	}
	m.origin, m.target = e, e.Target
	if e.Origin != nil {
		m.origin = e.Origin
	}
	for _, x := range plans {
		m.emit(x, sink{e.Target, alone && len(plans) == 1})
	}
	m.forward(e.Target)
	return r
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
	defer unwind.To(&err)
	if e.Op == Set || len(e.Keys) > 0 {
		return nil, false, nil
	}
	to, ok := affineOf(e.Write, s.program.Params)
	if !ok {
		return nil, false, nil
	}
	d := unwind.Must(e.Domain.IntersectParams(s.program.Context))
	ds := unwind.Must(conjunctions(d))
	for _, d := range ds {
		out = append(out, newReduction(e.Op, d, to, e.Body))
	}
	return out, true, nil
}

// plans finds the best plans for the reductions of one equation whose reuse has an order together.
func (s *search) plans(reds []*reduction) []*plan {
	for {
		var plans []*plan
		var waits []wait
		for _, r := range reds {
			x := s.best(r)
			plans = append(plans, x)
			s.collect(x, &waits)
		}
		if s.when.commit(s.target, waits) {
			return plans
		}
		// Each can be ordered, but not all together: the last of them is given up.
		last := waits[len(waits)-1].Map.String()
		if s.banned[last] {
			panic(unwind.Failed(fmt.Errorf("the reuse of %s has no order", s.target.Name)))
		}
		s.banned[last] = true
		clear(s.known)
	}
}

// collect lists the reuse of a plan that makes elements wait for each other.
func (s *search) collect(x *plan, waits *[]wait) {
	if x.how == reuse && s.when.touches(s.target, x.red.body) {
		w := x.red.waits(x.move)
		if none, err := w.IsEmpty(); err != nil {
			panic(unwind.Failed(err))
		} else if !none {
			*waits = append(*waits, wait{w, x.red.own})
		}
	}
	for _, c := range x.children {
		s.collect(c, waits)
	}
}
