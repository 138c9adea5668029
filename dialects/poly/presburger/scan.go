package presburger

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

// What code that visits the points of a set asks of one dimension as a function of
// those before it: its stride, and a set around it that has no other floors than those
// of the dimensions before.

// InsertDims puts n dimensions that may have any value before dimension at of a set in
// one space; its tuples lose their name.
func (s Set) InsertDims(at, n int) (Set, error) {
	r := s.rel()
	if len(r.Parts) != 1 {
		return Set{}, fmt.Errorf("presburger: InsertDims wants a set in one space, not %d", len(r.Parts))
	}
	if k := r.Parts[0].Out.Len(); at < 0 || n < 0 || at > k {
		return Set{}, fmt.Errorf("presburger: %d dimensions before dimension %d of %d", n, at, k)
	}
	return Set{r.Each(func(p union.Part) (union.Space, []*conj.Conj) {
		var out []*conj.Conj
		for _, c := range p.Conjs {
			c = c.Clone()
			c.Insert(len(r.Params)+at, n)
			out = append(out, c)
		}
		names := slices.Insert(p.Out.Names(), at, make([]string, n)...)
		return union.Space{Out: &union.Tuple{Dims: names}}, out
	})}, nil
}

// OuterFloors returns a set that holds s, in which each variable that exists is a floor
// of the parameters and of dimensions before dimension i. The others are eliminated over
// the rationals (Fourier and Motzkin), so it may have more points.
func (s Set) OuterFloors(i int) (Set, error) {
	return set(s.rel().EachConj(func(c *conj.Conj, w *lp.Work) *conj.Conj {
		return c.OuterFloors(len(s.rel().Params)+i, w)
	}))
}

// Stride returns the greatest s such that dimension i has the values of one residue class
// modulo s, for given values of the parameters and of the dimensions before it. It looks at
// the points of the conjunctions of the set that it can tell; 0 is one value at most.
// The class is the set of all points with these values: of one equation, or of none where
// s is 1.
func (s Set) Stride(i int) (stride Int, class Set, err error) {
	r := s.rel()
	if len(r.Parts) != 1 {
		return Int{}, Set{}, fmt.Errorf("presburger: Stride wants a set in one space, not %d", len(r.Parts))
	}
	p := r.Parts[0]
	if i < 0 || i >= p.Out.Len() {
		return Int{}, Set{}, fmt.Errorf("presburger: dimension %d of %d", i, p.Out.Len())
	}
	out, err := lp.Run(r.Budget, func(w *lp.Work) conj.Residue {
		var all conj.Residue
		for k, c := range p.Conjs {
			w.Step((1 + len(c.Eq)) * c.Width())
			x := c.Residue(len(r.Params) + i)
			if k == 0 {
				all = x
			} else {
				all = all.Join(x)
			}
			if all.Stride.IsOne() {
				break
			}
		}
		return all
	})
	if err != nil || len(p.Conjs) == 0 || out.Stride.IsOne() {
		return lp.NewInt(1), s.Universe(), err
	}
	class = Set{&union.Relation{Params: r.Params, Budget: r.Budget}}
	class.r.Put(p.Space, out.Class(len(r.Params)+i))
	return out.Stride, class, nil
}

// Floors returns the function as (row / den), a row being a constant and the coefficients
// of the parameters, the dimensions and the divs.
func (a Aff) Floors() (row []Int, den Int, divs []Div) {
	q := a.value()
	w := 1 + q.N + len(q.Divs)
	for _, d := range q.Divs {
		divs = append(divs, Div{d.Num.Grown(w - len(d.Num)), d.Den})
	}
	return q.Num.Grown(w - len(q.Num)), q.Den, divs
}
