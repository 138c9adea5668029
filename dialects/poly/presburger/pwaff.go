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

// The points where two functions, both defined there, compare.

// LeSet returns where f <= g.
func (f PwAff) LeSet(g PwAff) (Set, error) { return f.compare(g, -2) }

// LtSet returns where f < g.
func (f PwAff) LtSet(g PwAff) (Set, error) { return f.compare(g, -1) }

// GeSet returns where f >= g.
func (f PwAff) GeSet(g PwAff) (Set, error) { return f.compare(g, 2) }

// GtSet returns where f > g.
func (f PwAff) GtSet(g PwAff) (Set, error) { return f.compare(g, 1) }

// EqSet returns where f = g.
func (f PwAff) EqSet(g PwAff) (Set, error) { return f.compare(g, 0) }

// NeSet returns where f and g differ.
func (f PwAff) NeSet(g PwAff) (Set, error) { return f.compare(g, 1, -1) }

func (f PwAff) compare(g PwAff, signs ...int) (Set, error) {
	d, err := f.Sub(g)
	if err != nil {
		return Set{}, err
	}
	return d.signed(signs...)
}

// ZeroSet returns where f = 0.
func (f PwAff) ZeroSet() (Set, error) { return f.signed(0) }

// NonZeroSet returns where f is not 0.
func (f PwAff) NonZeroSet() (Set, error) { return f.signed(1, -1) }

// PosSet returns where f > 0.
func (f PwAff) PosSet() (Set, error) { return f.signed(1) }

// NonNegSet returns where f >= 0.
func (f PwAff) NonNegSet() (Set, error) { return f.signed(2) }

// signed is where the value has one of the signs; see where.
func (f PwAff) signed(signs ...int) (Set, error) {
	g := f.fun()
	return set(lp.Run(g.Budget, func(w *lp.Work) *union.Relation {
		out := &union.Relation{Params: g.Params, Budget: g.Budget}
		out.Put(g.DomainSpace())
		for _, p := range g.Pieces {
			for _, s := range signs {
				for _, c := range piecewise.Where(p.When, p.Vals[0], s, w) {
					out.Put(g.DomainSpace(), c.Irredundant(w))
				}
			}
		}
		return out
	}))
}

// A PwAff is a piecewise quasi-affine function: on each of disjoint domains, sets in
// one space, a value that is an Aff. It is not defined elsewhere. Without a tuple it
// is a function of the parameters alone. It does not change; goroutines may share it.
// Functions of different spaces do not combine: that is an error.
type PwAff struct{ f *piecewise.Function }

func pwAff(f *piecewise.Function, err error) (PwAff, error) { return PwAff{f}, err }

func (f PwAff) fun() *piecewise.Function {
	if f.f == nil {
		return &piecewise.Function{Out: piecewise.OneDim}
	}
	return f.f
}

// WithBudget returns the function with another bound on the work of each operation on
// it and on what comes of it; the first operand's counts.
func (f PwAff) WithBudget(steps int64) PwAff {
	out := *f.fun()
	out.Budget = lp.Allowance{Steps: steps}
	return PwAff{&out}
}

// onDomain is a function of one value on a set in one space.
func onDomain(s Set, value func(n int, params []string) (piecewise.Quasi, error)) (PwAff, error) {
	r := s.rel()
	if len(r.Parts) != 1 {
		return PwAff{}, fmt.Errorf("presburger: a function wants a domain in one space, not %d", len(r.Parts))
	}
	f := &piecewise.Function{Params: r.Params, In: r.Parts[0].Out, Out: piecewise.OneDim, Budget: r.Budget}
	q, err := value(f.Vars(), r.Params)
	if err != nil {
		return PwAff{}, err
	}
	return pwAff(lp.Run(r.Budget, func(w *lp.Work) *piecewise.Function {
		f.Place(w, piecewise.Piece{When: conj.Alive(r.Parts[0].Conjs, w), Vals: []piecewise.Quasi{q}})
		return f
	}))
}

// ValOnDomain is a constant function on a set.
func ValOnDomain(s Set, v Rat) (PwAff, error) {
	return onDomain(s, func(n int, _ []string) (piecewise.Quasi, error) { return piecewise.Constant(n, v), nil })
}

// VarOnDomain is dimension i of the points of a set.
func VarOnDomain(s Set, i int) (PwAff, error) {
	return onDomain(s, func(n int, params []string) (piecewise.Quasi, error) {
		if i < 0 || len(params)+i >= n {
			return piecewise.Quasi{}, fmt.Errorf("presburger: dimension %d of %d", i, n-len(params))
		}
		return piecewise.Variable(n, len(params)+i), nil
	})
}

// ParamOnDomain is the value of a parameter on a set.
func ParamOnDomain(s Set, name string) (PwAff, error) {
	return onDomain(s, func(n int, params []string) (piecewise.Quasi, error) {
		i := slices.Index(params, name)
		if i < 0 {
			return piecewise.Quasi{}, fmt.Errorf("presburger: the set has no parameter %s", name)
		}
		return piecewise.Variable(n, i), nil
	})
}

// Params lists the parameters.
func (f PwAff) Params() []string { return slices.Clone(f.fun().Params) }

// Domain returns where the function is defined; of the parameters alone it is a set
// of parameters.
func (f PwAff) Domain() Set { return Set{f.fun().Domain()} }

// Pieces lists the domains and what the function is there.
func (f PwAff) Pieces() iter.Seq2[Set, Aff] {
	return func(yield func(Set, Aff) bool) {
		g := f.fun()
		for _, p := range g.Pieces {
			one := g.Like(g.Out)
			one.Pieces = []piecewise.Piece{p}
			if !yield(Set{one.Domain()}, Aff{params: g.Params, in: g.In, q: p.Vals[0]}) {
				return
			}
		}
	}
}

// AsAff returns the function if it is one Aff on all of its space.
func (f PwAff) AsAff() (a Aff, ok bool) {
	g := f.fun()
	if len(g.Pieces) != 1 || len(g.Pieces[0].When) != 1 || len(g.Pieces[0].When[0].Eq)+len(g.Pieces[0].When[0].Ge) > 0 {
		return Aff{}, false
	}
	return Aff{params: g.Params, in: g.In, q: g.Pieces[0].Vals[0]}, true
}

// PwMultiAff returns the function as one to tuples of one dimension.
func (f PwAff) PwMultiAff() PwMultiAff { return PwMultiAff{f.fun()} }

// AsMap returns the graph; see PwMultiAff.AsMap.
func (f PwAff) AsMap() (Map, error) { return f.PwMultiAff().AsMap() }

// Add returns f + g where both are defined.
func (f PwAff) Add(g PwAff) (PwAff, error) {
	return pwAff(piecewise.Combine(f.fun(), g.fun(), piecewise.Quasi.Plus))
}

// Sub returns f - g where both are defined.
func (f PwAff) Sub(g PwAff) (PwAff, error) {
	return pwAff(piecewise.Combine(f.fun(), g.fun(), piecewise.Quasi.Minus))
}

// UnionAdd returns f + g where both are defined, and the one that is elsewhere.
func (f PwAff) UnionAdd(g PwAff) (PwAff, error) {
	return pwAff(piecewise.UnionWith(f.fun(), g.fun(), piecewise.Quasi.Plus))
}

// Neg returns -f.
func (f PwAff) Neg() PwAff { return f.Scale(Rat{Num: lp.NewInt(-1), Den: lp.NewInt(1)}) }

// Scale returns k f.
func (f PwAff) Scale(k Rat) PwAff {
	return PwAff{f.fun().Mapped(func(q piecewise.Quasi) piecewise.Quasi { return q.Times(k) })}
}

// Floor returns the largest integer that is at most f, at each point.
func (f PwAff) Floor() PwAff { return PwAff{f.fun().Mapped(piecewise.Quasi.Rounded)} }

// Ceil returns the smallest integer that is at least f, at each point.
func (f PwAff) Ceil() PwAff { return f.Neg().Floor().Neg() }

// FloorDiv returns floor(f / k); k is not 0.
func (f PwAff) FloorDiv(k Int) PwAff { return f.Scale(lp.NewRat(lp.NewInt(1), k)).Floor() }

// Mod returns f - m floor(f / m); m must be positive, as isl's.
func (f PwAff) Mod(m Int) (PwAff, error) {
	if m.Sign() <= 0 {
		return PwAff{}, fmt.Errorf("presburger: mod wants a positive number, not %s", m)
	}
	return PwAff{f.fun().Mapped(func(q piecewise.Quasi) piecewise.Quasi { return q.Modulo(m) })}, nil
}

// Mul returns f g, where one of them is constant on each common domain; a product of
// two that are not is an error.
func (f PwAff) Mul(g PwAff) (PwAff, error) {
	affine := true
	out, err := piecewise.Combine(f.fun(), g.fun(), func(a, b piecewise.Quasi) piecewise.Quasi {
		switch {
		case b.IsConst():
			return a.Times(lp.NewRat(b.Num[0], b.Den))
		case a.IsConst():
			return b.Times(lp.NewRat(a.Num[0], a.Den))
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
func (f PwAff) choose(g PwAff, sign int) (*piecewise.Function, error) {
	a, b, err := piecewise.Align(f.fun(), g.fun())
	if err != nil {
		return nil, err
	}
	other := -sign / 2
	return lp.Run(a.Budget, func(w *lp.Work) *piecewise.Function {
		out := a.Like(a.Out)
		piecewise.Pairs(a, b, w, func(when []*conj.Conj, x, y []piecewise.Quasi) {
			d := x[0].Minus(y[0])
			out.Place(w, piecewise.Piece{When: piecewise.Where(when, d, sign, w), Vals: x})
			out.Place(w, piecewise.Piece{When: piecewise.Where(when, d, other, w), Vals: y})
		})
		return out.Tidy(w)
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
	return pwAff(out.Rest(f.fun(), g.fun()))
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
	return pwAff(f.fun().Restrict(s.rel(), (*piecewise.Function).OnlyOn))
}

// SubtractDomain takes a set away from the domain.
func (f PwAff) SubtractDomain(s Set) (PwAff, error) {
	return pwAff(f.fun().Restrict(s.rel(), (*piecewise.Function).NotOn))
}

// Gist simplifies the domains where s is known to hold: the result has the values of
// f on s, and may be defined elsewhere, too.
func (f PwAff) Gist(s Set) (PwAff, error) {
	return pwAff(f.fun().Restrict(s.rel(), (*piecewise.Function).GistOn))
}

// Coalesce joins domains, also of pieces of which one has the values of the other.
func (f PwAff) Coalesce() (PwAff, error) {
	return pwAff(lp.Run(f.fun().Budget, f.fun().Coalesced))
}

// IsEqual reports the same domain and the same values.
func (f PwAff) IsEqual(g PwAff) (bool, error) { return f.fun().EqualTo(g.fun()) }

// Pullback returns f after g: x has the value f(g(x)), where g(x) is a tuple of
// integers in the domain of f.
func (f PwAff) Pullback(g PwMultiAff) (PwAff, error) { return pwAff(f.fun().Pullback(g.fun())) }

// Eval returns the value at a point and values of the parameters; ok is false where
// f is not defined.
func (f PwAff) Eval(x []Int, params map[string]Int) (v Rat, ok bool, err error) {
	vs, ok, err := f.fun().Eval(x, params)
	if !ok || err != nil {
		return Rat{Den: lp.NewInt(1)}, false, err
	}
	return vs[0], true, nil
}

// String writes the function in isl's notation.
func (f PwAff) String() string { return notation.Function(f.fun()) }
