package presburger

import (
	"fmt"
	"slices"
)

// An Aff is a quasi-affine function on all tuples of a space, or of the parameters
// alone: a sum of parameters, dimensions, floors of such sums and a constant, with
// rational coefficients.
type Aff struct {
	params []string
	in     *tuple
	q      quasi
}

func (a Aff) value() quasi {
	if a.q.num == nil {
		return constantQuasi(0, Rat{Den: Int{v: 1}})
	}
	return a.q
}

// Params lists the parameters.
func (a Aff) Params() []string { return slices.Clone(a.params) }

// PwAff returns the function with one piece.
func (a Aff) PwAff() PwAff {
	f := &function{params: a.params, in: a.in, out: oneDim}
	f.place(nil, funPiece{[]*conj{universe(f.vars())}, []quasi{a.value()}})
	return PwAff{f}
}

// with applies an operation to functions on the same space.
func (a Aff) with(b Aff, op func(x, y quasi) quasi) (Aff, error) {
	f, err := combine(a.PwAff().f, b.PwAff().f, op)
	if err != nil {
		return Aff{}, err
	}
	return Aff{f.params, f.in, f.pieces[0].vals[0]}, nil
}

// Add returns a + b; functions on different spaces are an error.
func (a Aff) Add(b Aff) (Aff, error) { return a.with(b, quasi.plus) }

// Sub returns a - b.
func (a Aff) Sub(b Aff) (Aff, error) { return a.with(b, quasi.minus) }

// Neg returns -a.
func (a Aff) Neg() Aff { return a.Scale(Rat{Int{v: -1}, Int{v: 1}}) }

// Scale returns k a.
func (a Aff) Scale(k Rat) Aff { return Aff{a.params, a.in, a.value().times(k)} }

// Floor returns the largest integer that is at most a.
func (a Aff) Floor() Aff { return Aff{a.params, a.in, a.value().rounded()} }

// Ceil returns the smallest integer that is at least a.
func (a Aff) Ceil() Aff { return a.Neg().Floor().Neg() }

// Mod returns a - m floor(a / m); m must be positive.
func (a Aff) Mod(m Int) (Aff, error) {
	if m.Sign() <= 0 {
		return Aff{}, fmt.Errorf("presburger: mod wants a positive number, not %s", m)
	}
	return Aff{a.params, a.in, a.value().modulo(m)}, nil
}

// IsEqual reports the same value at every point.
func (a Aff) IsEqual(b Aff) (bool, error) { return a.PwAff().IsEqual(b.PwAff()) }

// IsCst reports that a is constant.
func (a Aff) IsCst() bool { return a.value().isConst() }

// Constant returns the constant term.
func (a Aff) Constant() Rat { q := a.value(); return rat(q.num[0], q.den) }

// Coefficient returns the coefficient of dimension i outside of floors.
func (a Aff) Coefficient(i int) Rat {
	q := a.value()
	return rat(q.num[1+len(a.params)+i], q.den)
}

// ParamCoefficient returns the coefficient of a parameter outside of floors.
func (a Aff) ParamCoefficient(name string) Rat {
	q := a.value()
	if i := slices.Index(a.params, name); i >= 0 {
		return rat(q.num[1+i], q.den)
	}
	return Rat{Den: Int{v: 1}}
}

// HasFloors reports that a floor is part of the function.
func (a Aff) HasFloors() bool { return len(a.value().divs) > 0 }

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
	in, out *tuple
	qs      []quasi
}

// IdentityMultiAff maps each tuple of the space of a set to itself.
func IdentityMultiAff(s Set) (MultiAff, error) {
	r := s.rel()
	if len(r.parts) != 1 || r.parts[0].isParams() {
		return MultiAff{}, fmt.Errorf("presburger: an identity wants tuples of one space")
	}
	t := r.parts[0].out
	m := MultiAff{params: r.params, in: t, out: t}
	for i := range t.len() {
		m.qs = append(m.qs, variableQuasi(len(r.params)+t.len(), len(r.params)+i))
	}
	return m, nil
}

// Len is the number of Affs.
func (m MultiAff) Len() int { return len(m.qs) }

// At returns Aff i.
func (m MultiAff) At(i int) Aff { return Aff{m.params, m.in, m.qs[i]} }

// PwMultiAff returns the function with one piece.
func (m MultiAff) PwMultiAff() PwMultiAff {
	f := &function{params: m.params, in: m.in, out: m.out}
	if m.out == nil {
		f.out = &tuple{}
	}
	f.place(nil, funPiece{[]*conj{universe(f.vars())}, m.qs})
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
