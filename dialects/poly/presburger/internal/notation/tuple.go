package notation

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

// equation says that dimension dim has a value, or a bound.
type equation struct {
	at    token
	dim   int
	op    string
	value *expr
}

// tuple reads name[items], name[] or a wrapped [tuple -> tuple].
func (p *parser) tuple(given *[]equation) *union.Tuple {
	return p.tupleOf("dimension", func(t *union.Tuple) {
		t.Dims = append(t.Dims, p.dimension(given))
		if len(p.names) > maxVars {
			p.fail(p.peek(), "more than %d dimensions", maxVars)
		}
	})
}

// tupleOf reads a tuple; item reads one of what stands in it.
func (p *parser) tupleOf(what string, item func(t *union.Tuple)) *union.Tuple {
	p.enter()
	defer p.leave()
	t := &union.Tuple{}
	if k := p.peek(); k.kind == tokName && !words[k.text] {
		t.Name = p.next().text
	}
	p.expect("[", "to open a tuple")
	if p.wrapped() {
		t.In = p.tupleOf(what, item)
		p.expect("->", "between two tuples")
		t.Out = p.tupleOf(what, item)
		p.expect("]", "to close a tuple")
		return t
	}
	for !p.accept("]") {
		if len(t.Dims) > 0 {
			p.expect(",", "or \"]\" after a "+what)
		}
		item(t)
	}
	return t
}

// wrapped looks ahead: a tuple inside starts with a bracket, after a name or not.
func (p *parser) wrapped() bool {
	t := p.peek()
	if t.is("[") {
		return true
	}
	return t.kind == tokName && !words[t.text] && p.toks[p.i+1].is("[")
}

// dimension reads a new name, a name with "= values", values, or *.
func (p *parser) dimension(given *[]equation) string {
	at := p.peek()
	dim := len(p.names)
	after := p.toks[min(p.i+1, len(p.toks)-1)]
	if at.is("*") && (after.is(",") || after.is("]")) {
		p.i++
		p.names = append(p.names, "")
		return ""
	}
	if at.kind == tokName && !words[at.text] && !slices.Contains(p.names, at.text) {
		if after.is(",") || after.is("]") || after.is("=") {
			p.i++
			p.names = append(p.names, at.text)
			if p.accept("=") {
				p.extent(at, dim, given)
			}
			return at.text
		}
		if after.is(":") {
			p.fail(after, "expected \",\" or \"]\" after a dimension, not %s", after.describe())
		}
	}
	p.extent(at, dim, given)
	p.names = append(p.names, "")
	return ""
}

// extent reads what a dimension may be: an expression, choices of expressions, or a
// range lo:hi, of which either bound may be absent.
func (p *parser) extent(at token, dim int, given *[]equation) {
	if !p.peek().is(":") {
		e := p.choices()
		if !p.peek().is(":") {
			*given = append(*given, equation{at, dim, "=", e})
			return
		}
		*given = append(*given, equation{at, dim, ">=", e})
	}
	p.i++ // ":"
	if t := p.peek(); !t.is(",") && !t.is("]") {
		*given = append(*given, equation{at, dim, "<=", p.expr()})
	}
}

// choices reads an expression, or several with the conditions under which they are
// the value: (a - 1 : a > 0; a : a <= 0).
func (p *parser) choices() *expr {
	out := &expr{}
	for {
		e := p.expr()
		if p.peek().is(":") && p.conditionAhead() {
			p.i++
			outer := p.inTuple
			p.inTuple = true
			when := conj.Simplified(p.formula())
			p.inTuple = outer
			e = choice(when, e, nil, &expr{})
		}
		out.pieces = append(out.pieces, e.pieces...)
		p.limit(len(out.pieces))
		if !p.accept(";") {
			return out
		}
	}
}

// conditionAhead tells the condition in (a : a > 0) from the bound in [0 : a].
func (p *parser) conditionAhead() bool {
	depth := 0
	for _, t := range p.toks[p.i+1:] {
		p.work.Step(1)
		switch {
		case logical(t):
			return true
		case t.is("(") || t.is("["):
			depth++
		case t.is(")") || t.is("]"):
			if depth--; depth < 0 {
				return false
			}
		case depth == 0 && (t.is(",") || t.is(";") || t.is("}")):
			return false
		}
	}
	return false
}
