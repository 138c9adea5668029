package presburger

import (
	"fmt"
	"slices"
)

// ParsePwMultiAff reads a function to tuples in isl's notation:
//
//	[N] -> { S[i, j] -> T[(i + floor(j/2)), (N)] : i >= 0; S[i, j] -> T[(0), (j)/3] : i < 0 }
//
// Where several disjuncts hold the values add up, as in isl.
func ParsePwMultiAff(text string) (PwMultiAff, error) { return pwMultiAff(parseFunction(text)) }

// ParsePwAff reads a function of one value in isl's notation:
//
//	[N] -> { S[i] -> [(min(i, N) mod 4)] : i >= 0 }
func ParsePwAff(text string) (PwAff, error) {
	f, err := parseFunction(text)
	if err == nil && (f.out.len() != 1 || f.out.name != "") && len(f.pieces) > 0 {
		err = &SyntaxError{text, 0, fmt.Sprintf("a piecewise affine function has one value without a name, not %s", f.out.text())}
	}
	return pwAff(f, err)
}

// ParseAff reads a function of one value that is defined everywhere.
func ParseAff(text string) (Aff, error) {
	f, err := ParsePwAff(text)
	if err != nil {
		return Aff{}, err
	}
	a, ok := f.AsAff()
	if !ok {
		return Aff{}, &SyntaxError{text, 0, "an affine function has one piece without conditions"}
	}
	return a, nil
}

// ParseMultiAff reads a function to tuples that is defined everywhere.
func ParseMultiAff(text string) (MultiAff, error) {
	f, err := ParsePwMultiAff(text)
	if err != nil {
		return MultiAff{}, err
	}
	m, ok := f.AsMultiAff()
	if !ok {
		return MultiAff{}, &SyntaxError{text, 0, "an affine function has one piece without conditions"}
	}
	return m, nil
}

func parseFunction(text string) (*function, error) {
	return read(text, (*parser).function)
}

// function reads [params] -> { disjunct; ... }.
func (p *parser) function() *function {
	if p.peek().is("[") {
		p.i++
		p.paramList()
		p.expect("->", "after the parameters")
	}
	p.expect("{", "to open the function")
	var out *function
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
		if !out.in.equal(f.in) || !out.out.equal(f.out) {
			p.fail(at, "the disjuncts of a function are in one space")
		}
		out = out.onBoth(f, quasi.plus, p.work).elsewhere(out, f, p.work)
		p.limit(len(out.pieces))
	}
	if t := p.peek(); t.kind != tokEnd {
		p.fail(t, "expected nothing after \"}\", not %s", t.describe())
	}
	if out == nil {
		return &function{params: p.params, out: oneDim}
	}
	return out
}

// funDisjunct reads [domain ->] values : formula.
func (p *parser) funDisjunct() *function {
	p.names = slices.Clone(p.params)
	f := &function{params: p.params}
	var given []equation
	if p.arrowAhead() {
		f.in = p.tuple(&given)
		p.expect("->", "before the values of a function")
	}
	cs := []*conj{universe(len(p.names))}
	for _, g := range given {
		cs = p.meetAll(cs, p.compare(g.at, variable(g.dim), "=", g.value))
	}
	var elems []element
	f.out = p.values(&elems)
	if p.accept(":") {
		if t := p.peek(); !t.is("}") && !t.is(";") {
			cs = p.meetAll(cs, p.formula())
		}
	}
	cs = simplified(cs)
	for _, e := range choices(elems) {
		when := cloneAll(cs)
		for _, x := range e.when {
			when = p.meetAll(when, x)
		}
		f.place(p.work, funPiece{alive(simplified(when), p.work), e.vals})
		p.limit(len(f.pieces))
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
	when [][]*conj // unions, all of which hold
	vals []quasi
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
func (p *parser) values(elems *[]element) *tuple {
	total := 1
	return p.tupleOf("value", func(t *tuple) {
		if len(t.dims) == 0 {
			total = 1
		}
		at := p.peek()
		x := p.choices()
		if t.dims = append(t.dims, ""); len(t.dims) > maxVars {
			p.fail(at, "more than %d values", maxVars)
		}
		var e element
		for _, q := range x.pieces {
			v := quasi{n: len(p.names)}
			v.num, v.den = v.affine(q.value), q.value.over()
			e = append(e, elementPiece{q.when, []quasi{v.normal()}})
		}
		*elems = append(*elems, e)
		total *= max(len(e), 1)
		p.limit(total)
	})
}

// affine writes a sum that the parser read as a row.
func (q *quasi) affine(a affine) row {
	out := make(row, q.width())
	out[0] = a.con
	for i, x := range a.coef {
		out[1+i] = out[1+i].Add(x)
	}
	for _, f := range a.floors {
		r := q.floor(q.affine(f.num), f.den)
		out = q.wide(out)
		out.combine(Int{v: 1}, f.times, q.wide(r))
	}
	return q.wide(out)
}
