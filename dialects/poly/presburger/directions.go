package presburger

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/hull"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// Orthogonal returns the integer vectors of length n that are orthogonal to rows: a basis in
// Hermite normal form. Of the orthogonal vectors it is all integer vectors in the span of the rows.
func Orthogonal(rows [][]Int, n int) [][]Int {
	eqs := make([]lp.Row, len(rows))
	for i, r := range rows {
		eqs[i] = append(make(lp.Row, 1, 1+n), r...)
	}
	return lp.Kernel(eqs, n, n)
}

// MeetLattices returns the vectors of length n that are in both of two lattices, as a basis in
// Hermite normal form.
func MeetLattices(a, b [][]Int, n int) [][]Int { return lp.MeetLattices(a, b, n) }

// Spaces of directions, as bases of integer vectors in Hermite normal form. Gautam
// and Rajopadhye, "Simplifying reductions", POPL 2006, look for reuse vectors in the
// share space of what a reduction reads (the kernel of its accesses).

// LinealitySpace returns the directions, over the dimensions alone, in which the
// convex hull of the set goes on both ways without end: a basis of integer vectors, in
// Hermite normal form. Parameters are fixed; conjunctions that have points count as if
// they had some for the same values of the parameters. The set has one space.
func (s Set) LinealitySpace() ([][]Int, error) {
	r := s.rel()
	if len(r.Parts) != 1 {
		return nil, fmt.Errorf("presburger: a lineality space wants a set in one space, not %d", len(r.Parts))
	}
	p, np := r.Parts[0], len(r.Params)
	return lp.Run(r.Budget, func(w *lp.Work) [][]Int {
		var cones []*conj.Conj
		for _, c := range p.Conjs {
			if c.HasPoint(w) {
				cones = append(cones, c.Cone(np))
			}
		}
		if len(cones) == 0 {
			return nil
		}
		return hull.BothWays(cones, p.NumOut(), w)
	})
}

// Kernel returns the integer vectors r, a basis in Hermite normal form, with f(x + r)
// = f(x) for all x. Each floor of f has to move by an integer alike for all x, so
// floors whose changes cancel out otherwise are not seen.
func (f MultiAff) Kernel() [][]Int {
	np, n := len(f.params), f.in.Len()
	var eqs []lp.Row
	k := 0 // floors so far
	for _, q := range f.qs {
		for i, d := range q.Divs { // num = den m
			e := moved(d.Num, np, n, k)
			e = e.Grown(n + k + i + 2 - len(e))
			e[1+n+k+i] = d.Den.Neg()
			eqs = append(eqs, e)
		}
		eqs = append(eqs, moved(q.Num, np, n, k))
		k += len(q.Divs)
	}
	for i, e := range eqs {
		eqs[i] = e.Grown(1 + n + k - len(e))
	}
	return lp.Kernel(eqs, n+k, n)
}

// Kernel returns the vectors r with f(x + r) = f(x) as long as x and x + r are in the
// same piece: those that the pieces have in common.
func (f PwMultiAff) Kernel() [][]Int {
	g := f.fun()
	out := lp.IdentityMatrix(g.In.Len())
	for _, p := range g.Pieces {
		out = lp.MeetLattices(out, MultiAff{g.Params, g.In, g.Out, p.Vals}.Kernel(), g.In.Len())
	}
	return out
}

// Kernel returns the share space of an access relation, a basis in Hermite normal form:
// the integer vectors r with which m relates x + r to the same as x, as long as both are
// in the domain of one conjunction of m. Its directions stay among the
// equations of that domain. Existing variables that m does not define have to move
// alike for all x, so the space may be larger where these are many.
func (m Map) Kernel() ([][]Int, error) {
	r := m.rel()
	if len(r.Parts) == 0 {
		return nil, fmt.Errorf("presburger: the kernel of a map without a space")
	}
	n := r.Parts[0].NumIn()
	for _, p := range r.Parts[1:] {
		if !p.In.Equal(r.Parts[0].In) {
			return nil, fmt.Errorf("presburger: the kernel of a map on several spaces")
		}
	}
	return lp.Run(r.Budget, func(w *lp.Work) [][]Int {
		out := lp.IdentityMatrix(n)
		for _, p := range r.Parts {
			for _, c := range p.Conjs {
				if c.HasPoint(w) {
					out = lp.MeetLattices(out, hull.ShareSpace(c, len(r.Params), n), n)
				}
			}
		}
		return out
	})
}

// moved is what a row over 1, np parameters, n dimensions and floors changes by: a
// row over 1, the n dimensions and the floors from number k on.
func moved(r lp.Row, np, n, k int) lp.Row {
	out := make(lp.Row, 1+n+k)
	copy(out[1:], r[1+np:1+np+n])
	return append(out, r[1+np+n:]...)
}
