package presburger

import (
	"iter"
	"maps"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/count"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

// A Count is the number of points of a set as a function of its parameters: a
// quasi-polynomial, that is a polynomial in the parameters and floors of affine
// functions of them, on each of disjoint domains; 0 elsewhere.
type Count struct{ f *count.PwPolynomial }

func countOf(f *count.PwPolynomial, err error) (*Count, error) {
	if err != nil {
		return nil, err
	}
	return &Count{f}, nil
}

// Card counts the points of a set by its parameters.
func (s Set) Card() (*Count, error) { return countOf(count.Card(s.rel())) }

// Card counts the pairs of a map by its parameters.
func (m Map) Card() (*Count, error) { return countOf(count.Card(m.rel())) }

// At evaluates the count.
func (c *Count) At(params map[string]Int) (Int, error) { return c.f.ValueAt(params) }

// String writes [N] -> { value : domain; ... }, or the number alone where nothing
// depends on parameters.
func (c *Count) String() string { return c.f.String() }

// Pieces lists the disjoint domains, conditions on parameters, and what the count is there.
func (c *Count) Pieces() iter.Seq2[Set, Polynomial] {
	return func(yield func(Set, Polynomial) bool) {
		for _, p := range c.f.Pieces {
			r := &union.Relation{Params: c.f.Atoms.Params, Parts: []union.Part{{Conjs: p.Domain}}, Budget: c.f.Budget}
			if !yield(Set{r}, Polynomial{c.f.Atoms, p.Value}) {
				return
			}
		}
	}
}

// Complexity returns the order of growth of a count.
func (c *Count) Complexity() (Complexity, error) { return SumComplexity(c) }

// SumComplexity returns the order of growth of the sum of counts, which have the same
// parameters.
func SumComplexity(counts ...*Count) (Complexity, error) {
	fs := make([]*count.PwPolynomial, len(counts))
	for i, c := range counts {
		fs[i] = c.f
	}
	return count.SumComplexity(fs)
}

// A Polynomial is one of a Count: a sum of products of its parameters and of floors of affine
// functions of them, with rational coefficients. Its values are integers where it is used.
type Polynomial struct {
	at *count.Atoms
	p  count.Poly
}

// A Monomial is a coefficient and what it multiplies.
type Monomial struct {
	Coefficient Rat
	Factors     []Power
}

// A Power is an atom of a Polynomial, by its number, and an exponent.
type Power struct{ Atom, Exponent int }

// Params are the first atoms.
func (p Polynomial) Params() []string { return p.at.Params }

// Floors are the other atoms: floor(Num / Den), Num being over 1 and the atoms before.
func (p Polynomial) Floors() (out []Div) {
	for _, d := range p.at.Floors {
		out = append(out, Div{slices.Clone(d.Num), d.Den})
	}
	return out
}

// Monomials lists what is added up.
func (p Polynomial) Monomials() (out []Monomial) {
	for _, m := range slices.Sorted(maps.Keys(p.p)) {
		t := Monomial{Coefficient: p.p[m]}
		for _, f := range count.Decode(m) {
			t.Factors = append(t.Factors, Power{f.Atom, f.Exp})
		}
		out = append(out, t)
	}
	return out
}

// String writes the polynomial in the names of its parameters.
func (p Polynomial) String() string { return p.p.Text(p.at) }
