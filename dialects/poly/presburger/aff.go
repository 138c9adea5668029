package presburger

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/piecewise"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

// An Aff is a quasi-affine function on all tuples of a space, or of the parameters
// alone: a sum of parameters, dimensions, floors of such sums and a constant, with
// rational coefficients.
type Aff struct {
	params []string
	in     *union.Tuple
	q      piecewise.Quasi
}

func (a Aff) value() piecewise.Quasi {
	if a.q.Num == nil {
		return piecewise.Constant(0, Rat{Den: lp.NewInt(1)})
	}
	return a.q
}

// Params lists the parameters.
func (a Aff) Params() []string { return slices.Clone(a.params) }

// PwAff returns the function with one piece.
func (a Aff) PwAff() PwAff {
	f := &piecewise.Function{Params: a.params, In: a.in, Out: piecewise.OneDim}
	f.Place(nil, piecewise.Piece{When: []*conj.Conj{conj.Universe(f.Vars())}, Vals: []piecewise.Quasi{a.value()}})
	return PwAff{f}
}

// with applies an operation to functions on the same space.
func (a Aff) with(b Aff, op func(x, y piecewise.Quasi) piecewise.Quasi) (Aff, error) {
	f, err := piecewise.Combine(a.PwAff().f, b.PwAff().f, op)
	if err != nil {
		return Aff{}, err
	}
	return Aff{f.Params, f.In, f.Pieces[0].Vals[0]}, nil
}

// Add returns a + b; functions on different spaces are an error.
func (a Aff) Add(b Aff) (Aff, error) { return a.with(b, piecewise.Quasi.Plus) }

// Sub returns a - b.
func (a Aff) Sub(b Aff) (Aff, error) { return a.with(b, piecewise.Quasi.Minus) }

// Neg returns -a.
func (a Aff) Neg() Aff { return a.Scale(Rat{Num: lp.NewInt(-1), Den: lp.NewInt(1)}) }

// Scale returns k a.
func (a Aff) Scale(k Rat) Aff { return Aff{a.params, a.in, a.value().Times(k)} }

// Floor returns the largest integer that is at most a.
func (a Aff) Floor() Aff { return Aff{a.params, a.in, a.value().Rounded()} }

// Ceil returns the smallest integer that is at least a.
func (a Aff) Ceil() Aff { return a.Neg().Floor().Neg() }

// Mod returns a - m floor(a / m); m must be positive.
func (a Aff) Mod(m Int) (Aff, error) {
	if m.Sign() <= 0 {
		return Aff{}, fmt.Errorf("presburger: mod wants a positive number, not %s", m)
	}
	return Aff{a.params, a.in, a.value().Modulo(m)}, nil
}

// IsEqual reports the same value at every point.
func (a Aff) IsEqual(b Aff) (bool, error) { return a.PwAff().IsEqual(b.PwAff()) }

// IsCst reports that a is constant.
func (a Aff) IsCst() bool { return a.value().IsConst() }

// Constant returns the constant term.
func (a Aff) Constant() Rat { q := a.value(); return lp.NewRat(q.Num[0], q.Den) }

// Coefficient returns the coefficient of dimension i outside of floors.
func (a Aff) Coefficient(i int) Rat {
	q := a.value()
	return lp.NewRat(q.Num[1+len(a.params)+i], q.Den)
}

// ParamCoefficient returns the coefficient of a parameter outside of floors.
func (a Aff) ParamCoefficient(name string) Rat {
	q := a.value()
	if i := slices.Index(a.params, name); i >= 0 {
		return lp.NewRat(q.Num[1+i], q.Den)
	}
	return Rat{Den: lp.NewInt(1)}
}

// HasFloors reports that a floor is part of the function.
func (a Aff) HasFloors() bool { return len(a.value().Divs) > 0 }

// Eval returns the value at a point and values of the parameters.
func (a Aff) Eval(x []Int, params map[string]Int) (Rat, error) {
	v, _, err := a.PwAff().Eval(x, params)
	return v, err
}

// String writes the function in isl's notation.
func (a Aff) String() string { return a.PwAff().String() }

// A MultiAff is a tuple of Affs on one space: a function to tuples.
type MultiAff struct {
	params  []string
	in, out *union.Tuple
	qs      []piecewise.Quasi
}

// IdentityMultiAff maps each tuple of the space of a set to itself.
func IdentityMultiAff(s Set) (MultiAff, error) {
	r := s.rel()
	if len(r.Parts) != 1 || r.Parts[0].IsParams() {
		return MultiAff{}, fmt.Errorf("presburger: an identity wants tuples of one space")
	}
	t := r.Parts[0].Out
	m := MultiAff{params: r.Params, in: t, out: t}
	for i := range t.Len() {
		m.qs = append(m.qs, piecewise.Variable(len(r.Params)+t.Len(), len(r.Params)+i))
	}
	return m, nil
}

// Len is the number of Affs.
func (m MultiAff) Len() int { return len(m.qs) }

// At returns Aff i.
func (m MultiAff) At(i int) Aff { return Aff{m.params, m.in, m.qs[i]} }

// PwMultiAff returns the function with one piece.
func (m MultiAff) PwMultiAff() PwMultiAff {
	f := &piecewise.Function{Params: m.params, In: m.in, Out: m.out}
	if m.out == nil {
		f.Out = &union.Tuple{}
	}
	f.Place(nil, piecewise.Piece{When: []*conj.Conj{conj.Universe(f.Vars())}, Vals: m.qs})
	return PwMultiAff{f}
}

// Pullback returns m after n.
func (m MultiAff) Pullback(n MultiAff) (MultiAff, error) {
	f, err := m.PwMultiAff().Pullback(n.PwMultiAff())
	if err != nil {
		return MultiAff{}, err
	}
	out, ok := f.AsMultiAff()
	if !ok {
		return MultiAff{}, fmt.Errorf("presburger: a value that is no integer has no value under m")
	}
	return out, nil
}

// AsMap returns the graph; see PwMultiAff.AsMap.
func (m MultiAff) AsMap() (Map, error) { return m.PwMultiAff().AsMap() }

// String writes the function in isl's notation.
func (m MultiAff) String() string { return m.PwMultiAff().String() }

// AffOf returns row / den as a function on the tuples of a set in one space, whose
// parameters it has: a row is a constant and the coefficients of these, the dimensions and
// the divs, which are floors.
func AffOf(s Set, num []Int, den Int, divs []Div) (Aff, error) {
	r := s.rel()
	if len(r.Parts) != 1 {
		return Aff{}, fmt.Errorf("presburger: a function wants a domain in one space, not %d", len(r.Parts))
	}
	t := r.Parts[0].Out
	n := len(r.Params) + t.Len()
	if len(num) != 1+n+len(divs) || den.Sign() <= 0 {
		return Aff{}, fmt.Errorf("presburger: a row of %d entries over %d variables and %d divs", len(num), n, len(divs))
	}
	var ds []conj.Div
	for _, d := range divs {
		ds = append(ds, conj.Div{Num: d.Num, Den: d.Den})
	}
	q := piecewise.Quasi{N: n, Den: den}
	q.Num = q.Adopt(num, ds)
	return Aff{params: r.Params, in: t, q: q.Normal()}, nil
}
