package simplify

import (
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
)

// An outline is what the domain and the body of a reduction have, whichever plan is looked for.
type outline struct {
	shape *shape
	share [][]p.Int // vectors along which the body has one value
	fibre [][]p.Int // vectors between instances of one answer
	moves []*move   // those that leave less to do
	moved bool      // moves is there
}

func (s *search) outlineOf(r *reduction) *outline {
	key := r.key()
	if o, ok := s.shapes[key]; ok {
		return o
	}
	o := &outline{}
	bounded := s.isBounded(r)
	o.shape = shapeOf(r.domain, !bounded)
	n := r.dims()
	o.share = unwind.Must(r.body.share(n))
	o.fibre = p.Orthogonal(slices.Concat(r.to.linear(), o.shape.flat), n)
	s.shapes[key] = o
	return o
}

// vectors are those along which something may be reused.
func (s *search) vectors(r *reduction, o *outline) [][]p.Int {
	n := r.dims()
	lattice := p.MeetLattices(o.share, o.shape.moves, n)
	if s.options.Vector == nil {
		return directions(lattice, o.shape.facets)
	}
	return slices.DeleteFunc(slices.Clone(s.options.Vector), func(v []p.Int) bool {
		return len(v) != n || !within(p.HermiteNormalForm([][]p.Int{v}), lattice, n)
	})
}

// inner is the space of the largest answers, of the reduction or of an inner one that it can be
// decomposed into, from which nothing has to be subtracted where they move by a vector: the facets that it
// leaves do not vary there. It is empty if there are none that move.
func (o *outline) inner(v []p.Int) [][]p.Int {
	left := lists.Filter(o.shape.facets, func(f []p.Int) bool { return dot(f, v).Sign() < 0 })
	n := len(v)
	space := p.MeetLattices(o.fibre, p.Orthogonal(left, n), n)
	if len(space) == 0 || within(p.HermiteNormalForm([][]p.Int{v}), space, n) {
		return nil
	}
	return space
}

// enables reports that a part of the domain has a vector to reuse along that the whole has not.
func (t *trial) enables(part *reduction, o *outline) bool {
	return slices.ContainsFunc(t.vectors(part, o), func(v []p.Int) bool {
		space := o.inner(v)
		return len(space) > 0 && !within(space, t.outline.inner(v), len(v))
	})
}

// gaining lists what vectors of reuse make of a reduction where that leaves less to do.
func (s *search) gaining(r *reduction) []*move {
	o := s.outlineOf(r)
	if o.moved {
		return o.moves
	}
	whole := unwind.Must(s.sizeOf(r.domain))
	bounded := s.isBounded(r)
	for _, v := range s.vectors(r, o) {
		if isZero(times(r.to.linear(), v)) {
			continue
		}
		m := unwind.Must(r.along(v))
		if m == nil {
			continue
		}
		left := s.sizeOfAll(slices.Concat(m.added, m.removed))
		if c := s.order.compare(left.cost, whole.cost); c < 0 || c == 0 && bounded && 2*left.points < whole.points {
			o.moves = append(o.moves, m)
		}
	}
	o.moved = true
	return o.moves
}
