package scheduler

import (
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// A statement is one space of the domain.
type statement struct {
	tuple p.Tuple
	dims  int
	alone bool
	// fixed are the coefficients of the dimensions in the equations that hold in all of
	// the domain.
	fixed matrix
	// found are those of the rows of the schedule so far.
	found matrix
}

// A row is an affine function of the instances of a statement: a constant, coefficients
// of the parameters, and of the dimensions.
type row = []p.Int

// matrix has a row for each vector.
type matrix [][]p.Int

// free is a basis of the vectors that are orthogonal to all rows of the schedule so far:
// another row tells instances apart that these do not if its product with one of them is
// not 0 (Bondhugula and others, 2008, 3.4).
func (s *statement) free() matrix {
	return orthogonal(append(slices.Clip(s.fixed), s.found...), s.dims)
}

// orthogonal is a basis of the vectors of n entries that are orthogonal to all of m.
func orthogonal(m matrix, n int) matrix {
	if len(m) == 0 {
		out := make(matrix, n)
		for i := range out {
			out[i] = make([]p.Int, n)
			out[i][i] = p.NewInt(1)
		}
		return out
	}
	d, _, v := p.SmithNormalForm(m)
	var out matrix
	for j := len(d); j < n; j++ {
		column := make([]p.Int, n)
		for i := range column {
			column[i] = v[i][j]
		}
		out = append(out, column)
	}
	return p.HermiteNormalForm(out)
}

// product is the scalar product.
func product(a, b []p.Int) p.Int {
	var sum p.Int
	for i, x := range a {
		if x.Sign() != 0 && b[i].Sign() != 0 {
			sum = sum.Add(x.Mul(b[i]))
		}
	}
	return sum
}

// independent reports that c is not orthogonal to all of free.
func independent(c []p.Int, free matrix) bool {
	return slices.ContainsFunc(free, func(f []p.Int) bool { return product(c, f).Sign() != 0 })
}

// statements reads the domain.
func statements(domain p.Set) (_ []*statement, err error) {
	defer unwind.To(&err)
	np := len(domain.Params())
	var out []*statement
	for _, d := range domain.Sets() {
		if unwind.Must(d.IsEmpty()) {
			continue
		}
		s := &statement{tuple: d.Tuple(), dims: d.Tuple().Len()}
		hull := unwind.Must(d.AffineHull())
		for _, b := range hull.Basics() {
			for _, e := range b.Eq {
				if c := e[1+np : 1+np+s.dims]; slices.ContainsFunc(c, func(x p.Int) bool { return x.Sign() != 0 }) {
					s.fixed = append(s.fixed, c)
				}
			}
		}
		out = append(out, s)
	}
	return out, nil
}
