package presburger

import (
	"fmt"
	"iter"
	"slices"
)

// A PwAff is a piecewise quasi-affine function: on each of disjoint domains, sets in
// one space, a value that is an Aff. It is not defined elsewhere. Without a tuple it
// is a function of the parameters alone. It does not change; goroutines may share it.
// Functions of different spaces do not combine: that is an error.
type PwAff struct{ f *function }

func pwAff(f *function, err error) (PwAff, error) { return PwAff{f}, err }

func (f PwAff) fun() *function {
	if f.f == nil {
		return &function{out: oneDim}
	}
	return f.f
}

var oneDim = &tuple{dims: []string{""}}

// WithBudget returns the function with another bound on the work of each operation on
// it and on what comes of it; the first operand's counts.
func (f PwAff) WithBudget(steps int64) PwAff {
	out := *f.fun()
	out.budget = allowance{steps: steps}
	return PwAff{&out}
}

// onDomain is a function of one value on a set in one space.
func onDomain(s Set, value func(n int, params []string) (quasi, error)) (PwAff, error) {
	r := s.rel()
	if len(r.parts) != 1 {
		return PwAff{}, fmt.Errorf("presburger: a function wants a domain in one space, not %d", len(r.parts))
	}
	f := &function{params: r.params, in: r.parts[0].out, out: oneDim, budget: r.budget}
	q, err := value(f.vars(), r.params)
	if err != nil {
		return PwAff{}, err
	}
	return pwAff(run(r.budget, func(w *work) *function {
		f.place(w, funPiece{alive(r.parts[0].conjs, w), []quasi{q}})
		return f
	}))
}

// ValOnDomain is a constant function on a set.
func ValOnDomain(s Set, v Rat) (PwAff, error) {
	return onDomain(s, func(n int, _ []string) (quasi, error) { return constantQuasi(n, v), nil })
}

// VarOnDomain is dimension i of the points of a set.
func VarOnDomain(s Set, i int) (PwAff, error) {
	return onDomain(s, func(n int, params []string) (quasi, error) {
		if i < 0 || len(params)+i >= n {
			return quasi{}, fmt.Errorf("presburger: dimension %d of %d", i, n-len(params))
		}
		return variableQuasi(n, len(params)+i), nil
	})
}

// ParamOnDomain is the value of a parameter on a set.
func ParamOnDomain(s Set, name string) (PwAff, error) {
	return onDomain(s, func(n int, params []string) (quasi, error) {
		i := slices.Index(params, name)
		if i < 0 {
			return quasi{}, fmt.Errorf("presburger: the set has no parameter %s", name)
		}
		return variableQuasi(n, i), nil
	})
}

// Params lists the parameters.
func (f PwAff) Params() []string { return slices.Clone(f.fun().params) }

// Domain returns where the function is defined; of the parameters alone it is a set
// of parameters.
func (f PwAff) Domain() Set { return Set{f.fun().domain()} }

// Pieces lists the domains and what the function is there.
func (f PwAff) Pieces() iter.Seq2[Set, Aff] {
	return func(yield func(Set, Aff) bool) {
		g := f.fun()
		for _, p := range g.pieces {
			one := g.like(g.out)
			one.pieces = []funPiece{p}
			if !yield(Set{one.domain()}, Aff{params: g.params, in: g.in, q: p.vals[0]}) {
				return
			}
		}
	}
}

// AsAff returns the function if it is one Aff on all of its space.
func (f PwAff) AsAff() (a Aff, ok bool) {
	g := f.fun()
	if len(g.pieces) != 1 || len(g.pieces[0].when) != 1 || len(g.pieces[0].when[0].eq)+len(g.pieces[0].when[0].ge) > 0 {
		return Aff{}, false
	}
	return Aff{params: g.params, in: g.in, q: g.pieces[0].vals[0]}, true
}

// PwMultiAff returns the function as one to tuples of one dimension.
func (f PwAff) PwMultiAff() PwMultiAff { return PwMultiAff{f.fun()} }

// AsMap returns the graph; see PwMultiAff.AsMap.
func (f PwAff) AsMap() (Map, error) { return f.PwMultiAff().AsMap() }

// Add returns f + g where both are defined.
func (f PwAff) Add(g PwAff) (PwAff, error) { return pwAff(combine(f.fun(), g.fun(), quasi.plus)) }

// Sub returns f - g where both are defined.
func (f PwAff) Sub(g PwAff) (PwAff, error) { return pwAff(combine(f.fun(), g.fun(), quasi.minus)) }

// UnionAdd returns f + g where both are defined, and the one that is elsewhere.
func (f PwAff) UnionAdd(g PwAff) (PwAff, error) {
	return pwAff(unionWith(f.fun(), g.fun(), quasi.plus))
}

// Neg returns -f.
func (f PwAff) Neg() PwAff { return f.Scale(Rat{Int{v: -1}, Int{v: 1}}) }

// Scale returns k f.
func (f PwAff) Scale(k Rat) PwAff {
	return PwAff{f.fun().mapped(func(q quasi) quasi { return q.times(k) })}
}

// Floor returns the largest integer that is at most f, at each point.
func (f PwAff) Floor() PwAff { return PwAff{f.fun().mapped(quasi.rounded)} }

// Ceil returns the smallest integer that is at least f, at each point.
func (f PwAff) Ceil() PwAff { return f.Neg().Floor().Neg() }

// FloorDiv returns floor(f / k); k is not 0.
func (f PwAff) FloorDiv(k Int) PwAff { return f.Scale(rat(Int{v: 1}, k)).Floor() }

// Mod returns f - m floor(f / m); m must be positive, as isl's.
func (f PwAff) Mod(m Int) (PwAff, error) {
	if m.Sign() <= 0 {
		return PwAff{}, fmt.Errorf("presburger: mod wants a positive number, not %s", m)
	}
	return PwAff{f.fun().mapped(func(q quasi) quasi { return q.modulo(m) })}, nil
}

// Mul returns f g, where one of them is constant on each common domain; a product of
// two that are not is an error.
func (f PwAff) Mul(g PwAff) (PwAff, error) {
	affine := true
	out, err := combine(f.fun(), g.fun(), func(a, b quasi) quasi {
		switch {
		case b.isConst():
			return a.times(rat(b.num[0], b.den))
		case a.isConst():
			return b.times(rat(a.num[0], a.den))
		}
		affine = false
		return a
	})
	if err == nil && !affine {
		return PwAff{}, fmt.Errorf("presburger: a product of two functions that are not constant is not affine")
	}
	return pwAff(out, err)
}

// choose takes f's value where f - g has one of the signs, else g's, where both are
// defined.
func (f PwAff) choose(g PwAff, sign int) (*function, error) {
	a, b, err := alignFunctions(f.fun(), g.fun())
	if err != nil {
		return nil, err
	}
	other := -sign / 2
	return run(a.budget, func(w *work) *function {
		out := a.like(a.out)
		pairs(a, b, w, func(when []*conj, x, y []quasi) {
			d := x[0].minus(y[0])
			out.place(w, funPiece{where(when, d, sign, w), x})
			out.place(w, funPiece{where(when, d, other, w), y})
		})
		return out.tidy(w)
	})
}

// Min returns the smaller value, where both are defined.
func (f PwAff) Min(g PwAff) (PwAff, error) { return pwAff(f.choose(g, -2)) }

// Max returns the greater value, where both are defined.
func (f PwAff) Max(g PwAff) (PwAff, error) { return pwAff(f.choose(g, 2)) }

// UnionMin is Min, and the one that is defined where the other is not.
func (f PwAff) UnionMin(g PwAff) (PwAff, error) { return f.unionChoose(g, -2) }

// UnionMax is Max, and the one that is defined where the other is not.
func (f PwAff) UnionMax(g PwAff) (PwAff, error) { return f.unionChoose(g, 2) }

func (f PwAff) unionChoose(g PwAff, sign int) (PwAff, error) {
	out, err := f.choose(g, sign)
	if err != nil {
		return PwAff{}, err
	}
	return pwAff(out.rest(f.fun(), g.fun()))
}

// Cond returns yes where f is not 0 and no where it is, on the points where f and
// the one that is asked for are defined.
func (f PwAff) Cond(yes, no PwAff) (PwAff, error) {
	nonzero, err := f.NonZeroSet()
	if err != nil {
		return PwAff{}, err
	}
	zero, err := f.ZeroSet()
	if err != nil {
		return PwAff{}, err
	}
	a, err := yes.IntersectDomain(nonzero)
	if err != nil {
		return PwAff{}, err
	}
	b, err := no.IntersectDomain(zero)
	if err != nil {
		return PwAff{}, err
	}
	return a.UnionAdd(b) // their domains are disjoint
}

// IntersectDomain restricts the domain to a set.
func (f PwAff) IntersectDomain(s Set) (PwAff, error) {
	return pwAff(f.fun().restrict(s.rel(), (*function).onlyOn))
}

// SubtractDomain takes a set away from the domain.
func (f PwAff) SubtractDomain(s Set) (PwAff, error) {
	return pwAff(f.fun().restrict(s.rel(), (*function).notOn))
}

// Gist simplifies the domains where s is known to hold: the result has the values of
// f on s, and may be defined elsewhere, too.
func (f PwAff) Gist(s Set) (PwAff, error) {
	return pwAff(f.fun().restrict(s.rel(), (*function).gistOn))
}

// Coalesce joins domains, also of pieces of which one has the values of the other.
func (f PwAff) Coalesce() (PwAff, error) {
	return pwAff(run(f.fun().budget, f.fun().coalesced))
}

// IsEqual reports the same domain and the same values.
func (f PwAff) IsEqual(g PwAff) (bool, error) { return f.fun().equalTo(g.fun()) }

// Pullback returns f after g: x has the value f(g(x)), where g(x) is a tuple of
// integers in the domain of f.
func (f PwAff) Pullback(g PwMultiAff) (PwAff, error) { return pwAff(f.fun().pullback(g.fun())) }

// Eval returns the value at a point and values of the parameters; ok is false where
// f is not defined.
func (f PwAff) Eval(x []Int, params map[string]Int) (v Rat, ok bool, err error) {
	vs, ok, err := f.fun().eval(x, params)
	if !ok || err != nil {
		return Rat{Den: Int{v: 1}}, false, err
	}
	return vs[0], true, nil
}

// String writes the function in isl's notation.
func (f PwAff) String() string { return f.fun().String() }
