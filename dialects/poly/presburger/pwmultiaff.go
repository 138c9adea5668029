package presburger

import (
	"fmt"
	"iter"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/notation"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/piecewise"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

// A PwMultiAff is a piecewise quasi-affine function to tuples: on each of disjoint
// domains, sets in one space, a tuple of Affs. It is not defined elsewhere. Without a
// tuple it is a function of the parameters alone.
type PwMultiAff struct{ f *piecewise.Function }

func pwMultiAff(f *piecewise.Function, err error) (PwMultiAff, error) { return PwMultiAff{f}, err }

func (f PwMultiAff) fun() *piecewise.Function {
	if f.f == nil {
		return piecewise.None
	}
	return f.f
}

// WithBudget returns the function with another bound on the work of each operation.
func (f PwMultiAff) WithBudget(steps int64) PwMultiAff {
	out := *f.fun()
	out.Budget = lp.Allowance{Steps: steps}
	return PwMultiAff{&out}
}

// Params lists the parameters.
func (f PwMultiAff) Params() []string { return slices.Clone(f.fun().Params) }

// Domain returns where the function is defined.
func (f PwMultiAff) Domain() Set { return Set{f.fun().Domain()} }

// Len is the number of dimensions of its values.
func (f PwMultiAff) Len() int { return f.fun().Out.Len() }

// At returns dimension i of the values.
func (f PwMultiAff) At(i int) PwAff {
	g := f.fun()
	out := g.Like(piecewise.OneDim)
	for _, p := range g.Pieces {
		out.Place(nil, piecewise.Piece{When: p.When, Vals: p.Vals[i : i+1]})
	}
	return PwAff{out}
}

// Pieces lists the domains and what the function is there.
func (f PwMultiAff) Pieces() iter.Seq2[Set, MultiAff] {
	return func(yield func(Set, MultiAff) bool) {
		g := f.fun()
		for _, p := range g.Pieces {
			one := g.Like(g.Out)
			one.Pieces = []piecewise.Piece{p}
			if !yield(Set{one.Domain()}, MultiAff{g.Params, g.In, g.Out, p.Vals}) {
				return
			}
		}
	}
}

// AsMultiAff returns the function if it is one MultiAff on all of its space.
func (f PwMultiAff) AsMultiAff() (m MultiAff, ok bool) {
	g := f.fun()
	if len(g.Pieces) != 1 || len(g.Pieces[0].When) != 1 || len(g.Pieces[0].When[0].Eq)+len(g.Pieces[0].When[0].Ge) > 0 {
		return MultiAff{}, false
	}
	return MultiAff{g.Params, g.In, g.Out, g.Pieces[0].Vals}, true
}

// AsPwAff returns a function to tuples of one dimension as its value alone.
func (f PwMultiAff) AsPwAff() (PwAff, error) {
	if n := f.Len(); n != 1 {
		return PwAff{}, fmt.Errorf("presburger: a PwAff has one value, not %d", n)
	}
	return f.At(0), nil
}

// AsMap returns the relation of points and values. A value that is no integer
// relates to nothing. Of the parameters alone it is an error: see AsSet.
func (f PwMultiAff) AsMap() (Map, error) {
	g := f.fun()
	if g.In == nil {
		return Map{}, fmt.Errorf("presburger: a function of the parameters is a set, not a map")
	}
	return mapOf(lp.Run(g.Budget, func(*lp.Work) *union.Relation { return g.Graph() }))
}

// AsSet returns the values of a function of the parameters as a set.
func (f PwMultiAff) AsSet() (Set, error) {
	g := f.fun()
	if g.In != nil {
		return Set{}, fmt.Errorf("presburger: a function of tuples is a map, not a set")
	}
	return set(lp.Run(g.Budget, func(*lp.Work) *union.Relation { return g.Graph() }))
}

// Add returns f + g, by dimensions, where both are defined.
func (f PwMultiAff) Add(g PwMultiAff) (PwMultiAff, error) {
	return pwMultiAff(piecewise.Combine(f.fun(), g.fun(), piecewise.Quasi.Plus))
}

// Sub returns f - g, by dimensions, where both are defined.
func (f PwMultiAff) Sub(g PwMultiAff) (PwMultiAff, error) {
	return pwMultiAff(piecewise.Combine(f.fun(), g.fun(), piecewise.Quasi.Minus))
}

// UnionAdd returns f + g where both are defined, and the one that is elsewhere.
func (f PwMultiAff) UnionAdd(g PwMultiAff) (PwMultiAff, error) {
	return pwMultiAff(piecewise.UnionWith(f.fun(), g.fun(), piecewise.Quasi.Plus))
}

// Neg returns -f.
func (f PwMultiAff) Neg() PwMultiAff { return f.Scale(Rat{Num: lp.NewInt(-1), Den: lp.NewInt(1)}) }

// Scale returns k f.
func (f PwMultiAff) Scale(k Rat) PwMultiAff {
	return PwMultiAff{f.fun().Mapped(func(q piecewise.Quasi) piecewise.Quasi { return q.Times(k) })}
}

// FlatRangeProduct returns the concatenation of the values of f and g, where both
// are defined.
func (f PwMultiAff) FlatRangeProduct(g PwMultiAff) (PwMultiAff, error) {
	return f.paired(g, &union.Tuple{Dims: append(f.fun().Out.Names(), g.fun().Out.Names()...)})
}

// RangeProduct returns the pair of the values of f and g, where both are defined.
func (f PwMultiAff) RangeProduct(g PwMultiAff) (PwMultiAff, error) {
	return f.paired(g, &union.Tuple{In: f.fun().Out, Out: g.fun().Out})
}

func (f PwMultiAff) paired(g PwMultiAff, out *union.Tuple) (PwMultiAff, error) {
	a, b, err := piecewise.Align(f.fun(), g.fun())
	if err != nil {
		return PwMultiAff{}, err
	}
	return pwMultiAff(lp.Run(a.Budget, func(w *lp.Work) *piecewise.Function {
		h := a.Like(out)
		piecewise.Pairs(a, b, w, func(when []*conj.Conj, x, y []piecewise.Quasi) {
			h.Place(w, piecewise.Piece{When: when, Vals: slices.Concat(x, y)})
		})
		return h
	}))
}

// IntersectDomain restricts the domain to a set.
func (f PwMultiAff) IntersectDomain(s Set) (PwMultiAff, error) {
	return pwMultiAff(f.fun().Restrict(s.rel(), (*piecewise.Function).OnlyOn))
}

// SubtractDomain takes a set away from the domain.
func (f PwMultiAff) SubtractDomain(s Set) (PwMultiAff, error) {
	return pwMultiAff(f.fun().Restrict(s.rel(), (*piecewise.Function).NotOn))
}

// Gist simplifies the domains where s is known to hold; see PwAff.Gist.
func (f PwMultiAff) Gist(s Set) (PwMultiAff, error) {
	return pwMultiAff(f.fun().Restrict(s.rel(), (*piecewise.Function).GistOn))
}

// Coalesce joins domains, also of pieces of which one has the values of the other.
func (f PwMultiAff) Coalesce() (PwMultiAff, error) {
	return pwMultiAff(lp.Run(f.fun().Budget, f.fun().Coalesced))
}

// IsEqual reports the same domain and the same values.
func (f PwMultiAff) IsEqual(g PwMultiAff) (bool, error) { return f.fun().EqualTo(g.fun()) }

// Pullback returns f after g; see PwAff.Pullback.
func (f PwMultiAff) Pullback(g PwMultiAff) (PwMultiAff, error) {
	return pwMultiAff(f.fun().Pullback(g.fun()))
}

// Eval returns the values at a point and values of the parameters; ok is false where
// f is not defined.
func (f PwMultiAff) Eval(x []Int, params map[string]Int) (v []Rat, ok bool, err error) {
	return f.fun().Eval(x, params)
}

// String writes the function in isl's notation.
func (f PwMultiAff) String() string { return notation.Function(f.fun()) }
