package presburger

import (
	"fmt"
	"iter"
	"slices"
)

// A PwMultiAff is a piecewise quasi-affine function to tuples: on each of disjoint
// domains, sets in one space, a tuple of Affs. It is not defined elsewhere. Without a
// tuple it is a function of the parameters alone.
type PwMultiAff struct{ f *function }

func pwMultiAff(f *function, err error) (PwMultiAff, error) { return PwMultiAff{f}, err }

func (f PwMultiAff) fun() *function {
	if f.f == nil {
		return noFunction
	}
	return f.f
}

// WithBudget returns the function with another bound on the work of each operation.
func (f PwMultiAff) WithBudget(steps int64) PwMultiAff {
	out := *f.fun()
	out.budget = allowance{steps: steps}
	return PwMultiAff{&out}
}

// Params lists the parameters.
func (f PwMultiAff) Params() []string { return slices.Clone(f.fun().params) }

// Domain returns where the function is defined.
func (f PwMultiAff) Domain() Set { return Set{f.fun().domain()} }

// Len is the number of dimensions of its values.
func (f PwMultiAff) Len() int { return f.fun().out.len() }

// At returns dimension i of the values.
func (f PwMultiAff) At(i int) PwAff {
	g := f.fun()
	out := g.like(oneDim)
	for _, p := range g.pieces {
		out.place(nil, funPiece{p.when, p.vals[i : i+1]})
	}
	return PwAff{out}
}

// Pieces lists the domains and what the function is there.
func (f PwMultiAff) Pieces() iter.Seq2[Set, MultiAff] {
	return func(yield func(Set, MultiAff) bool) {
		g := f.fun()
		for _, p := range g.pieces {
			one := g.like(g.out)
			one.pieces = []funPiece{p}
			if !yield(Set{one.domain()}, MultiAff{g.params, g.in, g.out, p.vals}) {
				return
			}
		}
	}
}

// AsMultiAff returns the function if it is one MultiAff on all of its space.
func (f PwMultiAff) AsMultiAff() (m MultiAff, ok bool) {
	g := f.fun()
	if len(g.pieces) != 1 || len(g.pieces[0].when) != 1 || len(g.pieces[0].when[0].eq)+len(g.pieces[0].when[0].ge) > 0 {
		return MultiAff{}, false
	}
	return MultiAff{g.params, g.in, g.out, g.pieces[0].vals}, true
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
	if g.in == nil {
		return Map{}, fmt.Errorf("presburger: a function of the parameters is a set, not a map")
	}
	return mapOf(run(g.budget, func(*work) *relation { return g.graph() }))
}

// AsSet returns the values of a function of the parameters as a set.
func (f PwMultiAff) AsSet() (Set, error) {
	g := f.fun()
	if g.in != nil {
		return Set{}, fmt.Errorf("presburger: a function of tuples is a map, not a set")
	}
	return set(run(g.budget, func(*work) *relation { return g.graph() }))
}

// Add returns f + g, by dimensions, where both are defined.
func (f PwMultiAff) Add(g PwMultiAff) (PwMultiAff, error) {
	return pwMultiAff(combine(f.fun(), g.fun(), quasi.plus))
}

// Sub returns f - g, by dimensions, where both are defined.
func (f PwMultiAff) Sub(g PwMultiAff) (PwMultiAff, error) {
	return pwMultiAff(combine(f.fun(), g.fun(), quasi.minus))
}

// UnionAdd returns f + g where both are defined, and the one that is elsewhere.
func (f PwMultiAff) UnionAdd(g PwMultiAff) (PwMultiAff, error) {
	return pwMultiAff(unionWith(f.fun(), g.fun(), quasi.plus))
}

// Neg returns -f.
func (f PwMultiAff) Neg() PwMultiAff { return f.Scale(Rat{Int{v: -1}, Int{v: 1}}) }

// Scale returns k f.
func (f PwMultiAff) Scale(k Rat) PwMultiAff {
	return PwMultiAff{f.fun().mapped(func(q quasi) quasi { return q.times(k) })}
}

// FlatRangeProduct returns the concatenation of the values of f and g, where both
// are defined.
func (f PwMultiAff) FlatRangeProduct(g PwMultiAff) (PwMultiAff, error) {
	return f.paired(g, &tuple{dims: append(f.fun().out.names(), g.fun().out.names()...)})
}

// RangeProduct returns the pair of the values of f and g, where both are defined.
func (f PwMultiAff) RangeProduct(g PwMultiAff) (PwMultiAff, error) {
	return f.paired(g, &tuple{in: f.fun().out, out: g.fun().out})
}

func (f PwMultiAff) paired(g PwMultiAff, out *tuple) (PwMultiAff, error) {
	a, b, err := alignFunctions(f.fun(), g.fun())
	if err != nil {
		return PwMultiAff{}, err
	}
	return pwMultiAff(run(a.budget, func(w *work) *function {
		h := a.like(out)
		pairs(a, b, w, func(when []*conj, x, y []quasi) { h.place(w, funPiece{when, slices.Concat(x, y)}) })
		return h
	}))
}

// IntersectDomain restricts the domain to a set.
func (f PwMultiAff) IntersectDomain(s Set) (PwMultiAff, error) {
	return pwMultiAff(f.fun().restrict(s.rel(), (*function).onlyOn))
}

// SubtractDomain takes a set away from the domain.
func (f PwMultiAff) SubtractDomain(s Set) (PwMultiAff, error) {
	return pwMultiAff(f.fun().restrict(s.rel(), (*function).notOn))
}

// Gist simplifies the domains where s is known to hold; see PwAff.Gist.
func (f PwMultiAff) Gist(s Set) (PwMultiAff, error) {
	return pwMultiAff(f.fun().restrict(s.rel(), (*function).gistOn))
}

// Coalesce joins domains, also of pieces of which one has the values of the other.
func (f PwMultiAff) Coalesce() (PwMultiAff, error) {
	return pwMultiAff(run(f.fun().budget, f.fun().coalesced))
}

// IsEqual reports the same domain and the same values.
func (f PwMultiAff) IsEqual(g PwMultiAff) (bool, error) { return f.fun().equalTo(g.fun()) }

// Pullback returns f after g; see PwAff.Pullback.
func (f PwMultiAff) Pullback(g PwMultiAff) (PwMultiAff, error) {
	return pwMultiAff(f.fun().pullback(g.fun()))
}

// Eval returns the values at a point and values of the parameters; ok is false where
// f is not defined.
func (f PwMultiAff) Eval(x []Int, params map[string]Int) (v []Rat, ok bool, err error) {
	return f.fun().eval(x, params)
}

func (f *function) eval(x []Int, params map[string]Int) (v []Rat, ok bool, err error) {
	if len(x) != f.in.len() {
		return nil, false, fmt.Errorf("presburger: a point of %d dimensions, not %d", f.in.len(), len(x))
	}
	all := make([]Int, 0, f.vars())
	for _, p := range f.params {
		k, ok := params[p]
		if !ok {
			return nil, false, fmt.Errorf("presburger: no value for the parameter %s", p)
		}
		all = append(all, k)
	}
	all = append(all, x...)
	ok, err = run(f.budget, func(w *work) bool {
		for _, p := range f.pieces {
			for _, c := range p.when {
				if !c.at(all).hasPoint(w) {
					continue
				}
				for _, q := range p.vals {
					v = append(v, q.eval(all))
				}
				return true
			}
		}
		return false
	})
	return v, ok, err
}

// String writes the function in isl's notation.
func (f PwMultiAff) String() string { return f.fun().String() }
