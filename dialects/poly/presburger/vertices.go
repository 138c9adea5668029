package presburger

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/piecewise"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

// A Vertex of a parametric polyhedron: its coordinates, rational affine functions of
// the parameters, and the integer values of the parameters for which it is one: its
// activity domain.
type Vertex struct {
	Domain Set
	Expr   MultiAff
}

// A Chamber is a set of parameter values for which the same vertices are active;
// Vertices are their indices. Chambers are disjoint.
type Chamber struct {
	Domain   Set
	Vertices []int
}

// Vertices lists the vertices of a set that is one conjunction without floors or variables that exist. The
// set is taken as a polyhedron over the rationals (Loechner and Wilde, "Parameterized polyhedra and their
// vertices", 1997). A set that holds a line has none. Those that are vertices at single values of the
// parameters count, unlike isl's, which wants activity domains of full dimension.
func (s Set) Vertices() ([]Vertex, error) {
	r := s.rel()
	if len(r.Parts) != 1 {
		return nil, fmt.Errorf("presburger: vertices of a set in one space, not %d", len(r.Parts))
	}
	p := r.Parts[0]
	if len(p.Conjs) == 0 {
		return nil, nil
	}
	if len(p.Conjs) > 1 || len(p.Conjs[0].Divs) > 0 {
		return nil, fmt.Errorf("presburger: vertices of one conjunction without floors; this set has %d, some with %d floors or variables that exist",
			len(p.Conjs), len(p.Conjs[0].Divs))
	}
	return lp.Run(r.Budget, func(w *lp.Work) (out []Vertex) {
		c := p.Conjs[0].Irredundant(w)
		if c.Empty {
			return nil
		}
		for _, v := range piecewise.Corners(c, len(r.Params), p.NumOut(), w) {
			dom := &union.Relation{Params: r.Params, Budget: r.Budget}
			dom.Put(union.Space{}, v.Domain)
			out = append(out, Vertex{Set{dom}, MultiAff{params: r.Params, out: p.Out, qs: v.At}})
		}
		return out
	})
}

// Chambers divides the parameter values for which one of some vertices is active by
// the vertices that are.
func Chambers(vs []Vertex) ([]Chamber, error) {
	if len(vs) == 0 {
		return nil, nil
	}
	first := vs[0].Domain.rel()
	return lp.Run(first.Budget, func(w *lp.Work) (out []Chamber) {
		type cell struct {
			where  []*conj.Conj
			active []int
		}
		var cells []cell
		for i, v := range vs {
			dom := v.Domain.rel().Parts[0].Conjs
			rest := dom
			var next []cell
			for _, c := range cells {
				if in := conj.Both(c.where, dom, w); len(in) > 0 {
					next = append(next, cell{in, append(slices.Clone(c.active), i)})
				}
				if left := conj.Without(c.where, dom, w); len(left) > 0 {
					next = append(next, cell{left, c.active})
				}
				rest = conj.Without(rest, c.where, w)
			}
			if len(rest) > 0 {
				next = append(next, cell{rest, []int{i}})
			}
			cells = next
		}
		for _, c := range cells {
			dom := &union.Relation{Params: first.Params, Budget: first.Budget}
			dom.Put(union.Space{}, conj.CoalesceAll(c.where, w)...)
			out = append(out, Chamber{Set{dom}, c.active})
		}
		return out
	})
}
