package depend

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// An Access is an access relation of one statement to one array, prepared for a
// Tester: its instances and the elements that they access.
type Access struct {
	tester    *Tester
	array     presburger.Tuple
	dims, sub int // of the statement, of the array
	pieces    []piece
}

// piece is a conjunction of an access. Its rows are: constant, parameters, dimensions
// of the statement, subscripts, divs.
type piece struct {
	width, divs int
	eq, ge      []int64
	exact       presburger.Basic
	big         bool // no int64 rows
}

// Access prepares the access of the instances of a domain, in one space, by a map
// from it to one array, such as { S[i, j] -> A[i + 1, j] }. Only instances that are in
// both the domain and the map's count. Parameters must be among those of the tester.
func (t *Tester) Access(domain presburger.Set, access presburger.Map) (*Access, error) {
	m, err := access.IntersectDomain(domain)
	if err != nil {
		return nil, err
	}
	if n := len(m.Maps()); n > 1 {
		return nil, fmt.Errorf("depend: an access has one statement and one array, not %d pairs", n)
	}
	m = m.AlignParams(t.params...)
	if extra := m.Params()[len(t.params):]; len(extra) > 0 {
		return nil, fmt.Errorf("depend: parameter %s of an access is none of the tester's", extra[0])
	}
	in, out := access.Tuples()
	a := &Access{tester: t, array: out, dims: in.Len(), sub: out.Len()}
	for _, b := range m.Basics() {
		a.pieces = append(a.pieces, newPiece(b))
	}
	return a, nil
}

// newPiece takes the rows of a conjunction over.
func newPiece(b presburger.Basic) piece {
	p := piece{divs: len(b.Divs), exact: b}
	p.width = 1 + len(b.Params) + b.In.Len() + b.Out.Len() + len(b.Divs)
	var ok1, ok2 bool
	p.eq, ok1 = small(b.Eq)
	p.ge, ok2 = small(b.Ge)
	p.big = !ok1 || !ok2
	return p
}

// small copies rows whose entries are within the limit.
func small(rows [][]presburger.Int) (out []int64, ok bool) {
	for _, r := range rows {
		for _, x := range r {
			v, fits := x.Int64()
			if !fits || v > limit || v < -limit {
				return nil, false
			}
			out = append(out, v)
		}
	}
	return out, true
}

// A Tester decides dependences between accesses over the same parameters. Its methods
// other than Access reuse its memory: one goroutine at a time may use it.
type Tester struct {
	// Budget bounds the work where the quick tests do not decide; 0 is
	// presburger.DefaultBudget.
	Budget int64
	// Total, if there is one, bounds the work of all questions together.
	Total *presburger.Budget

	params  []string
	context [][]presburger.Int // inequalities over the parameters
	small   []int64
	levels  []*system // by loop: with the signs of the loops before it
	elim    eliminator
	ask     question
	vectors []Vector

	// Exact counts the questions that the quick tests left to presburger.
	Exact int
}

// NewTester returns a tester for accesses over parameters.
func NewTester(params ...string) *Tester { return &Tester{params: slices.Clone(params)} }

// Assume restricts the parameters to a set without dimensions, in one conjunction and
// without variables that exist, such as [N] -> { : N >= 1 }.
func (t *Tester) Assume(context presburger.Set) error {
	s := context.AlignParams(t.params...)
	bs := s.Basics()
	if len(bs) != 1 || len(bs[0].Divs) > 0 || bs[0].Out.Len() > 0 || len(s.Params()) > len(t.params) {
		return fmt.Errorf("depend: Assume wants one conjunction over the parameters %q alone", t.params)
	}
	rows := bs[0].Ge
	for _, e := range bs[0].Eq {
		neg := make([]presburger.Int, len(e))
		for i := range e {
			neg[i] = e[i].Neg()
		}
		rows = append(rows, e, neg)
	}
	flat, ok := small(rows)
	if !ok {
		return fmt.Errorf("depend: Assume wants coefficients of 31 bits")
	}
	t.context, t.small = rows, flat
	return nil
}
