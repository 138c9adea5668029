package presburger

import (
	"iter"
	"maps"
	"slices"
)

// A Polynomial is one of a Count: a sum of products of its parameters and of floors of affine
// functions of them, with rational coefficients. Its values are integers where it is used.
type Polynomial struct {
	at *atoms
	p  poly
}

// A Monomial is a coefficient and what it multiplies.
type Monomial struct {
	Coefficient Rat
	Factors     []Power
}

// A Power is an atom of a Polynomial, by its number, and an exponent.
type Power struct{ Atom, Exponent int }

// Params are the first atoms.
func (p Polynomial) Params() []string { return p.at.params }

// Floors are the other atoms: floor(Num / Den), Num being over 1 and the atoms before.
func (p Polynomial) Floors() (out []Div) {
	for _, d := range p.at.floors {
		out = append(out, Div{slices.Clone(d.num), d.den})
	}
	return out
}

// Monomials lists what is added up.
func (p Polynomial) Monomials() (out []Monomial) {
	for _, m := range slices.Sorted(maps.Keys(p.p)) {
		t := Monomial{Coefficient: p.p[m]}
		for _, f := range decode(m) {
			t.Factors = append(t.Factors, Power{f.atom, f.exp})
		}
		out = append(out, t)
	}
	return out
}

// String writes the polynomial in the names of its parameters.
func (p Polynomial) String() string { return p.p.text(p.at) }

// Pieces lists the disjoint domains, conditions on parameters, and what the count is there.
func (c *Count) Pieces() iter.Seq2[Set, Polynomial] {
	return func(yield func(Set, Polynomial) bool) {
		for _, p := range c.pieces {
			r := &relation{params: c.at.params, parts: []part{{conjs: p.domain}}, budget: c.budget}
			if !yield(Set{r}, Polynomial{c.at, p.value}) {
				return
			}
		}
	}
}
