package simplify

import (
	"slices"
	"strings"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// A Label says what becomes of the instances at a facet of the domain of a reduction that reuses
// along a vector (Gautam and Rajopadhye, 2006, section 4).
type Label string

// The labels.
const (
	Added      Label = "add"      // the vector leads away from the facet: what is at it is new
	Reused     Label = "reuse"    // the vector lies in it: what is at it is there before, too
	Copied     Label = "copy"     // as Reused, where nothing is added or subtracted on the way
	Subtracted Label = "subtract" // the vector leads to it: what is at it goes
)

// A Boundary says how a facet lies to the space of accumulation, that is the vectors between the
// instances of one answer (Gautam and Rajopadhye, 2006, theorem 6; Narmour, Yuki and Rajopadhye, 2025).
type Boundary string

// The kinds of boundaries.
const (
	Strong  Boundary = "strong boundary" // it holds the space: it bounds answers, and nothing is subtracted at it
	Weak    Boundary = "weak boundary"   // it holds a part of the space: a decomposition can make it a strong one
	Neither Boundary = "non-boundary"    // it crosses the space: it bounds what an answer consists of
)

// A Facet is one of a domain, seen along a vector of reuse.
type Facet struct {
	Where    p.Set // the hyperplane
	Label    Label
	Boundary Boundary

	row    []p.Int // its inequality: constant, parameters, dimensions
	across p.Int   // by which the inequality grows along the vector
}

// String is the equation of the hyperplane.
func (f *Facet) String() string { return conditions(f.Where) }

// Idle reports that nothing comes of a facet: no answer beyond it is asked for.
func (f *Facet) Idle() bool { return f.Label == Subtracted && f.Boundary == Strong }

// facets labels those of the domain of a reduction. What is thick, that is of a constant number of
// points across, has none there, unless the vector goes across.
func (r *reduction) facets(v []p.Int) (out []*Facet, err error) {
	defer unwind.To(&err)
	shape := shapeOf(r.domain, true)
	if !within(p.HermiteNormalForm([][]p.Int{v}), shape.moves, r.dims()) {
		shape = shapeOf(r.domain, false)
	}
	space := p.Orthogonal(slices.Concat(r.to.linear(), shape.flat), r.dims())
	for i, row := range shape.bounds {
		f := &Facet{row: row, across: dot(shape.facets[i], v), Boundary: boundary(shape.facets[i], space)}
		f.Label = []Label{Subtracted, Reused, Added}[f.across.Sign()+1]
		f.Where = p.SetOf(p.Basic{Params: r.domain.Params(), Out: r.domain.Tuple(), Eq: [][]p.Int{row}})
		out = append(out, f)
	}
	return out, nil
}

// boundary is the kind of a facet, by its normal.
func boundary(normal []p.Int, space [][]p.Int) Boundary {
	switch {
	case isZero(times(space, normal)):
		return Strong
	case len(space) > 1: // a hyperplane meets it in all dimensions but one
		return Weak
	}
	return Neither
}

// at finds the facets of a label that a part of the domain lies at: between each and what the
// vector makes of it.
func at(facets []*Facet, l Label, part p.Set) (out []*Facet) {
	for _, f := range facets {
		if f.Label != l {
			continue
		}
		near := negated(f.row)
		near[0] = near[0].Add(f.across.Abs()).Sub(p.NewInt(1))
		if unwind.Must(part.IsSubset(p.SetOf(p.Basic{Params: part.Params(), Out: part.Tuple(), Ge: [][]p.Int{near}}))) {
			out = append(out, f)
		}
	}
	return out
}

// conditions is a set as text, without its parameters and tuple.
func conditions(s p.Set) string {
	_, text, _ := strings.Cut(s.String(), " : ")
	return strings.TrimSuffix(text, " }")
}

// braced is a set as text, without its parameters and what the context says of them.
func braced(s, context p.Set) string {
	known := unwind.Must(s.Universe().IntersectParams(context))
	s = unwind.Must(s.Gist(known))
	text := s.String()
	return text[max(0, strings.Index(text, "{")):]
}
