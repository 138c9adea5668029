package simplify

import (
	"fmt"
	"slices"
	"strings"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// reasons says why a reduction stays as it is: of each vector that was asked for; else of those along which only an
// operator without an inverse is in the way.
func (s *search) reasons(r *reduction) {
	o := s.outlineOf(r)
	asked := s.options.Vector
	if asked == nil && r.op.HasInverse() {
		return
	}
	list := asked
	if asked == nil {
		list = s.vectors(r, o)
	}
	for _, v := range list {
		why, inverse, err := s.reason(r, o, v)
		if err != nil {
			panic(unwind.Failed(err))
		}
		if why == "" || asked == nil && !inverse {
			continue
		}
		note := fmt.Sprintf("%s along %s: %s", s.target.Name, vectorText(v), why)
		if !slices.Contains(s.refused, note) {
			s.refused = append(s.refused, note)
		}
		if asked == nil {
			return // the others are like it
		}
	}
}

// reason is why nothing is reused along a vector; inverse says that the operator would need one.
func (s *search) reason(r *reduction, o *outline, v []p.Int) (why string, inverse bool, err error) {
	n := r.dims()
	if len(v) != n {
		return fmt.Sprintf("an instance has %d coordinates", n), false, nil
	}
	line := p.HermiteNormalForm([][]p.Int{v})
	switch {
	case isZero(v):
		return "it leads nowhere", false, nil
	case !within(line, o.share, n):
		return "the body has not one value along it", false, nil
	case isZero(times(r.to.linear(), v)):
		return "it stays within an answer", false, nil
	case !within(line, o.shape.moves, n):
		return "it leaves the domain", false, nil
	}
	adding := *r
	adding.op = Add
	m, err := adding.along(v)
	switch {
	case err != nil:
		return "", false, err
	case m == nil:
		return "no two answers have an instance in common", false, nil
	case r.op.HasInverse() || len(m.removed) == 0:
		return "", false, nil
	}
	facets, err := r.facets(v)
	if err != nil {
		return "", false, err
	}
	var gone []string
	for _, f := range facets {
		if f.Label == Subtracted && !f.Idle() {
			gone = append(gone, fmt.Sprintf("%s (a %s)", f, f.Boundary))
		}
	}
	return fmt.Sprintf("%s has no inverse, and what is at %s would have to be taken away", r.op, strings.Join(gone, " and at ")), true, nil
}
