package notation

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/piecewise"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

// ParseFunction reads a piecewise quasi-affine function.
func ParseFunction(text string) (*piecewise.Function, error) {
	return read(text, (*parser).function)
}

// function reads [params] -> { disjunct; ... }.
func (p *parser) function() *piecewise.Function {
	if p.peek().is("[") {
		p.i++
		p.paramList()
		p.expect("->", "after the parameters")
	}
	p.expect("{", "to open the function")
	var out *piecewise.Function
	for !p.accept("}") {
		if out != nil {
			p.expect(";", "or \"}\" after a disjunct")
			if p.accept("}") {
				break
			}
		}
		at := p.peek()
		f := p.funDisjunct()
		if out == nil {
			out = f
			continue
		}
		if !out.In.Equal(f.In) || !out.Out.Equal(f.Out) {
			p.fail(at, "the disjuncts of a function are in one space")
		}
		out = out.OnBoth(f, piecewise.Quasi.Plus, p.work).Elsewhere(out, f, p.work)
		p.limit(len(out.Pieces))
	}
	if t := p.peek(); t.kind != tokEnd {
		p.fail(t, "expected nothing after \"}\", not %s", t.describe())
	}
	if out == nil {
		return &piecewise.Function{Params: p.params, Out: piecewise.OneDim}
	}
	return out
}

// funDisjunct reads [domain ->] values : formula.
func (p *parser) funDisjunct() *piecewise.Function {
	p.names = slices.Clone(p.params)
	f := &piecewise.Function{Params: p.params}
	var given []equation
	if p.arrowAhead() {
		f.In = p.tuple(&given)
		p.expect("->", "before the values of a function")
	}
	cs := []*conj.Conj{conj.Universe(len(p.names))}
	for _, g := range given {
		cs = p.meetAll(cs, p.compare(g.at, variable(g.dim), "=", g.value))
	}
	var elems []element
	f.Out = p.values(&elems)
	if p.accept(":") {
		if t := p.peek(); !t.is("}") && !t.is(";") {
			cs = p.meetAll(cs, p.formula())
		}
	}
	cs = conj.Simplified(cs)
	for _, e := range choices(elems) {
		when := conj.CloneAll(cs)
		for _, x := range e.when {
			when = p.meetAll(when, x)
		}
		f.Place(p.work, piecewise.Piece{When: conj.Alive(conj.Simplified(when), p.work), Vals: e.vals})
		p.limit(len(f.Pieces))
	}
	return f
}

// arrowAhead looks for "->" after the tuple that comes next.
func (p *parser) arrowAhead() bool {
	depth := 0
	for _, t := range p.toks[p.i:] {
		switch {
		case t.is("["):
			depth++
		case t.is("]"):
			depth--
		case depth == 0 && t.is("->"):
			return true
		case depth == 0 && (t.is(":") || t.is(";") || t.is("}")):
			return false
		}
	}
	return false
}

// element is one value of a tuple, by pieces.
type element []elementPiece

type elementPiece struct {
	when [][]*conj.Conj // unions, all of which hold
	vals []piecewise.Quasi
}

// choices lists the choices of a piece of each element.
func choices(elems []element) []elementPiece {
	out := []elementPiece{{}}
	for _, e := range elems {
		var next []elementPiece
		for _, a := range out {
			for _, b := range e {
				next = append(next, elementPiece{slices.Concat(a.when, b.when), slices.Concat(a.vals, b.vals)})
			}
		}
		out = next
	}
	return out
}

// values reads name[value, ...] or a wrapped [tuple -> tuple].
func (p *parser) values(elems *[]element) *union.Tuple {
	total := 1
	return p.tupleOf("value", func(t *union.Tuple) {
		if len(t.Dims) == 0 {
			total = 1
		}
		at := p.peek()
		x := p.choices()
		if t.Dims = append(t.Dims, ""); len(t.Dims) > maxVars {
			p.fail(at, "more than %d values", maxVars)
		}
		var e element
		for _, q := range x.pieces {
			v := piecewise.Quasi{N: len(p.names)}
			v.Num, v.Den = rowOf(&v, q.value), q.value.over()
			e = append(e, elementPiece{q.when, []piecewise.Quasi{v.Normal()}})
		}
		*elems = append(*elems, e)
		total *= max(len(e), 1)
		p.limit(total)
	})
}

// rowOf writes a sum that the parser read as a row.
func rowOf(q *piecewise.Quasi, a affine) lp.Row {
	out := make(lp.Row, q.Width())
	out[0] = a.con
	for i, x := range a.coef {
		out[1+i] = out[1+i].Add(x)
	}
	for _, f := range a.floors {
		r := q.Floor(rowOf(q, f.num), f.den)
		out = q.Wide(out)
		out.Combine(lp.NewInt(1), f.times, q.Wide(r))
	}
	return q.Wide(out)
}
