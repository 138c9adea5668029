package simplify

import (
	"fmt"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// A counted is instances that stand for all of their answers, with how many there are.
type counted struct {
	where p.Set
	count p.Polynomial
}

// counts has, for the first instance of each answer, how many the answer has: one polynomial on
// each of disjoint domains.
func (r *reduction) counts(first p.Set) (out []counted) {
	params, n := r.to.params, r.dims()
	names := append([]string(nil), params...)
	for i := range n {
		names = append(names, Coordinate(i))
	}
	np := len(params)
	wide := func(row []p.Int, width int) []p.Int { // of parameters and tuple: coordinates become parameters between
		out := make([]p.Int, 1+np+n+width)
		copy(out, row[:1+np])
		copy(out[1+np+n:], row[1+np:])
		return out
	}
	var all []p.Basic
	for _, b := range r.domain.AlignParams(params...).Basics() {
		c := p.Basic{Params: names, Out: b.Out}
		for _, d := range b.Divs {
			c.Divs = append(c.Divs, p.Div{Num: wide(d.Num, n+len(b.Divs)), Den: d.Den})
		}
		for _, e := range b.Eq {
			c.Eq = append(c.Eq, wide(e, n+len(b.Divs)))
		}
		for _, g := range b.Ge {
			c.Ge = append(c.Ge, wide(g, n+len(b.Divs)))
		}
		for _, f := range r.to.linear() {
			e := make([]p.Int, 1+np+n+n+len(b.Divs))
			copy(e[1+np:], f)
			copy(e[1+np+n:], negated(f))
			c.Eq = append(c.Eq, e)
		}
		all = append(all, c)
	}
	total := unwind.Must(p.SetOf(all...).WithBudget(r.domain.Budget()).Card())
	for domain, poly := range total.Pieces() {
		at := asTuples(domain, params, r.domain.Tuple())
		at = unwind.Must(at.Intersect(first))
		cs := unwind.Must(conjunctions(at))
		for _, c := range cs {
			out = append(out, counted{c, poly})
		}
	}
	return out
}

// Coordinate is the name that a coordinate has in a count.
func Coordinate(i int) string { return fmt.Sprintf("'x%d", i) }

// asTuples makes the last parameters the dimensions of a tuple.
func asTuples(s p.Set, params []string, t p.Tuple) p.Set {
	var out []p.Basic
	for _, b := range s.Basics() {
		c := p.Basic{Params: params, Out: t, Eq: b.Eq, Ge: b.Ge, Divs: b.Divs}
		out = append(out, c)
	}
	if len(out) == 0 {
		return s
	}
	return p.SetOf(out...)
}
