package notation

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
)

// The values of formulas are unions of conjunctions over the names that are in
// scope, not simplified; of one conjunction they are changed in place.

// formula reads a disjunction.
func (p *parser) formula() []*conj.Conj {
	p.enter()
	defer p.leave()
	out := p.conjunction()
	for p.acceptAny(orSigns) {
		out = append(out, p.conjunction()...)
		p.limit(len(out))
	}
	if p.accept("implies") {
		out = append(p.complement(out), p.formula()...)
	}
	return out
}

var (
	andSigns = []string{"and", "&&", "&", "/\\"}
	orSigns  = []string{"or", "||", "|", "\\/"}
)

func (p *parser) acceptAny(signs []string) bool {
	return slices.ContainsFunc(signs, p.accept)
}

// logical are what only formulas have.
func logical(t token) bool {
	return isRelation(t) || t.kind != tokEnd && slices.Contains(formulaWords, t.text)
}

var formulaWords = slices.Concat(andSigns, orSigns, []string{"exists", "not", "!", "true", "false", "True", "False", "implies"})

func (p *parser) limit(n int) {
	if n > maxConjs {
		p.fail(p.peek(), "the formula multiplies out to more than %d conjunctions", maxConjs)
	}
}

func (p *parser) conjunction() []*conj.Conj {
	out := p.literal()
	for p.acceptAny(andSigns) {
		out = p.meetAll(out, p.literal())
	}
	return out
}

// meetAll conjoins two unions.
func (p *parser) meetAll(as, bs []*conj.Conj) []*conj.Conj {
	p.limit(len(as) * len(bs))
	if len(as) == 1 && len(bs) == 1 {
		as[0].Add(bs[0])
		return as
	}
	var out []*conj.Conj
	for _, a := range as {
		for _, b := range bs {
			p.work.Step(len(a.Ge) + len(b.Ge))
			c := a.Clone()
			if c.Add(b); !c.Simplify().Empty {
				out = append(out, c)
			}
		}
	}
	return out
}

// complement is what a union leaves of everything.
func (p *parser) complement(cs []*conj.Conj) []*conj.Conj {
	out := conj.Minus(conj.Universe(len(p.names)), conj.DefinedAll(conj.Simplified(cs), p.work), p.work)
	p.limit(len(out))
	return out
}

func (p *parser) literal() []*conj.Conj {
	p.enter()
	defer p.leave()
	t := p.peek()
	switch {
	case p.accept("not") || p.accept("!"):
		return p.complement(p.literal())
	case p.accept("true") || p.accept("True"):
		return []*conj.Conj{conj.Universe(len(p.names))}
	case p.accept("false") || p.accept("False"):
		return nil
	case p.accept("exists"):
		return p.exists()
	case t.is("(") && p.parenthesized():
		p.i++
		out := p.formula()
		p.expect(")", "to close the formula")
		return out
	}
	return p.comparison()
}

// parenthesized looks ahead: "(" opens a formula if a comparison or a logical word
// comes before it closes, and not a comparison right after, as in (i) < 3.
func (p *parser) parenthesized() bool {
	depth := 0
	for k := p.i; k < len(p.toks); k++ {
		t := p.toks[k]
		switch {
		case t.is("(") || t.is("[") || t.is("{"):
			depth++
		case t.is(")") || t.is("]") || t.is("}"):
			if depth--; depth == 0 {
				return false
			}
		case t.is("?") && depth == 1:
			return false
		case logical(t):
			return !p.ternaryAhead(k, depth)
		}
	}
	return false
}

// ternaryAhead reports "?" before the bracket at depth 1 closes: (c ? x : y).
func (p *parser) ternaryAhead(k, depth int) bool {
	for ; k < len(p.toks) && depth > 0; k++ {
		switch t := p.toks[k]; {
		case t.is("(") || t.is("["):
			depth++
		case t.is(")") || t.is("]"):
			if depth--; depth == 0 {
				return k+1 < len(p.toks) && p.toks[k+1].is("?")
			}
		case t.is("?"):
			return true
		}
	}
	return false
}

// exists reads (a, b = e : formula), or the same without parentheses as far as it goes.
func (p *parser) exists() []*conj.Conj {
	paren := p.accept("(")
	outer := len(p.names)
	var given []equation
	for {
		t := p.next()
		if t.kind != tokName || words[t.text] {
			p.fail(t, "expected the name of a variable that exists, not %s", t.describe())
		}
		p.names = append(p.names, t.text)
		if len(p.names) > maxVars {
			p.fail(t, "more than %d variables", maxVars)
		}
		if p.accept("=") {
			given = append(given, equation{t, len(p.names) - 1, "=", p.expr()})
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(":", "after the variables that exist")
	cs := []*conj.Conj{conj.Universe(len(p.names))}
	for _, g := range given {
		cs = p.meetAll(cs, p.compare(g.at, variable(g.dim), g.op, g.value))
	}
	cs = p.meetAll(cs, p.formula())
	if paren {
		p.expect(")", "to close what exists")
	}
	k := len(p.names) - outer
	p.names = p.names[:outer]
	return conj.ProjectAll(cs, outer, k)
}

func isRelation(t token) bool {
	return t.kind == tokSign && slices.Contains([]string{"<", "<=", ">", ">=", "=", "==", "!=", "<<", "<<=", ">>", ">>="}, t.text)
}

// comparison reads a chain a, b < c <= d: each expression of a list is compared
// with each of the next; << and its like compare lists as words.
func (p *parser) comparison() []*conj.Conj {
	left, at := p.list(), p.peek()
	if at.is("^") {
		p.fail(at, "a power is not affine")
	}
	if !isRelation(at) {
		p.fail(at, "expected a comparison, such as < or =, not %s", at.describe())
	}
	out := []*conj.Conj{conj.Universe(len(p.names))}
	for isRelation(p.peek()) {
		at := p.next()
		right := p.list()
		if p.rows += len(left) * len(right); p.rows > maxRows {
			p.fail(at, "more than %d comparisons", maxRows)
		}
		switch at.text {
		case "<<", "<<=", ">>", ">>=":
			out = p.meetAll(out, p.lex(at, left, right))
		default:
			for _, l := range left {
				for _, r := range right {
					out = p.meetAll(out, p.compare(at, l, at.text, r))
				}
			}
		}
		left = right
	}
	return out
}

// list reads expressions with commas between, in brackets or not.
func (p *parser) list() []*expr {
	if p.peek().is("[") && p.bracketList() {
		p.i++
		out := []*expr{p.expr()}
		for p.accept(",") {
			out = append(out, p.expr())
		}
		p.expect("]", "to close the list")
		return out
	}
	out := []*expr{p.expr()}
	for !p.inTuple && p.accept(",") {
		out = append(out, p.expr())
	}
	return out
}

// bracketList tells [a, b] << ... from [a/b], which is a floor.
func (p *parser) bracketList() bool {
	depth := 0
	for k := p.i; k < len(p.toks); k++ {
		switch t := p.toks[k]; {
		case t.is("["):
			depth++
		case t.is("]"):
			if depth--; depth == 0 {
				after := p.toks[k+1]
				return after.is("<<") || after.is("<<=") || after.is(">>") || after.is(">>=") || p.i > 0 && isLex(p.toks[p.i-1])
			}
		}
	}
	return false
}

func isLex(t token) bool { return t.is("<<") || t.is("<<=") || t.is(">>") || t.is(">>=") }

// lex compares lists lexicographically.
func (p *parser) lex(at token, l, r []*expr) []*conj.Conj {
	if len(l) != len(r) {
		p.fail(at, "lists of %d and %d expressions cannot be compared", len(l), len(r))
	}
	strict, orEqual := "<", at.text == "<<=" || at.text == ">>="
	if at.text[0] == '>' {
		strict = ">"
	}
	var out []*conj.Conj
	equal := []*conj.Conj{conj.Universe(len(p.names))}
	for i := range l {
		out = append(out, p.meetAll(conj.CloneAll(equal), p.compare(at, l[i], strict, r[i]))...)
		equal = p.meetAll(equal, p.compare(at, l[i], "=", r[i]))
	}
	if orEqual {
		out = append(out, equal...)
	}
	return out
}

// compare is l op r, by the pieces of both.
func (p *parser) compare(at token, l *expr, op string, r *expr) []*conj.Conj {
	var out []*conj.Conj
	for _, a := range l.pieces {
		for _, b := range r.pieces {
			for _, sign := range relations[op] {
				c := conj.Universe(len(p.names))
				x, y := place(c, a.value.scaled(b.value.over())), place(c, b.value.scaled(a.value.over()))
				c.Constrain(x, y, sign)
				if len(a.when) == 0 && len(b.when) == 0 {
					out = append(out, c)
					continue
				}
				out = append(out, p.meetAll(p.meetAll([]*conj.Conj{c}, a.condition(len(p.names))), b.condition(len(p.names)))...)
			}
		}
	}
	p.limit(len(out))
	return out
}

// relations splits a comparison into the signs that left - right may have: -2 and 2
// for at most and at least 0.
var relations = map[string][]int{"<": {-1}, "<=": {-2}, ">": {1}, ">=": {2}, "=": {0}, "==": {0}, "!=": {-1, 1}}
