package simplify

import (
	"fmt"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// A temporary is an array of its own that a reduction accumulates in, whose elements the target then takes (BTmp in
// listings 6 and 7 of Yang, Atkinson and Carbin). What reuses there waits for elements of the temporary, not of the target: so two
// reductions into one array can run in opposite directions, though the array depends on itself.
type temporary struct {
	name     string
	elements p.Set
	waits    p.Map // elements of the circle that its own wait for, and those of the target that wait for its own
}

// temporaryOf is that of a reduction whose target depends on itself; nil where it would be no help, or what it waits for is
// not known: a part of another reduction has an array of its own, or what that has.
func (s *search) temporaryOf(r *reduction) *temporary {
	c := s.when.circles[s.target]
	if c == nil || r.own != nil || r.up != nil {
		return nil
	}
	key := s.target.Name + " " + r.key()
	if t, ok := s.when.temporaries[key]; ok {
		return t
	}
	t := &temporary{name: fmt.Sprintf("__%s_%d", s.target.Name, len(s.when.temporaries))}
	s.when.temporaries[key] = nil
	answers := unwind.Must(r.answers())
	to := rename(r.to.out, t.tuple(r.to.out))
	t.elements = unwind.Must(answers.Apply(to))
	t.waits = unwind.Must(to.Inverse().IntersectDomain(t.elements))
	into := r.into(r.to)
	into.to.out = t.tuple(r.to.out)
	e := &Equation{Domain: r.domain, Write: into.to.graph()}
	known := true
	r.body.reads(func(x *Expr) {
		if c.arrays[x.Array] {
			t.waits = t.waits.Union(unwind.Must(e.waits(x)))
		} else {
			known = known && (x.Array.from == nil || !s.when.touches(s.target, x.Array.from))
		}
	})
	if !known {
		return nil
	}
	t.waits = unwind.Must(t.waits.Coalesce())
	t.elements, t.waits = t.elements.AlignParams(s.program.Params...), t.waits.AlignParams(s.program.Params...)
	s.when.temporaries[key] = t
	return t
}

// tuple is that of an element, like one of the target.
func (t *temporary) tuple(of p.Tuple) p.Tuple { return p.NewTuple(t.name, of.Dims()...) }

// within is the reduction into a temporary.
func (r *reduction) within(t *temporary) *reduction {
	c := *r
	c.own, c.text = t, ""
	return &c
}

// A wait is elements that wait for others because a reduction reuses, and the temporary that it reuses in, if it has one.
type wait struct {
	p.Map
	own *temporary
}

// with is the problem of ordering the elements of a circle that wait for each other, too.
func (c *circle) with(waits ...wait) circle {
	out := *c
	for _, w := range waits {
		out.problem.Validity = out.problem.Validity.Union(w.Map)
		if w.own != nil {
			out.problem.Validity = out.problem.Validity.Union(w.own.waits)
			out.problem.Domain = out.problem.Domain.Union(w.own.elements)
		}
	}
	return out
}
