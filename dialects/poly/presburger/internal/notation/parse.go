package notation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
	"github.com/irc-lang/irc/ir/unwind"
)

// MaxNesting bounds brackets, and what else readers of sets, trees and equations find inside one another.
const MaxNesting = 200

// Limits of texts: what goes beyond is an error, so that hostile input ends.
const (
	maxText  = 1 << 20 // bytes
	maxVars  = 1000    // parameters and dimensions of a disjunct
	maxConjs = 10_000  // conjunctions that a formula multiplies out to
	maxRows  = 100_000 // comparisons
	MaxWork  = 50_000_000
)

// parser reads isl's notation.
type parser struct {
	text   string
	toks   []token
	i      int
	depth  int
	params []string
	fixed  []equation // of parameters
	names  []string   // parameters and dimensions of the disjunct
	work   *lp.Work

	rows         int  // comparisons so far
	conditionals bool // "?" is in the text
	inTuple      bool // a condition of a dimension is being read: "," ends it
	question     int  // the token "?" whose condition is being read
}

// Parse reads either; an empty pair of braces counts as a set.
func Parse(text string) (r *union.Relation, isMap bool, err error) {
	r, err = read(text, func(p *parser) *union.Relation {
		var out *union.Relation
		out, isMap = p.relation()
		return out
	})
	return r, isMap, err
}

// read reads a text within its limits.
func read[T any](text string, f func(p *parser) *T) (out *T, err error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("presburger: a text of %d bytes; at most %d are read", len(text), maxText)
	}
	toks, err := scan(text)
	if err != nil {
		return nil, err
	}
	p := &parser{text: text, toks: toks, conditionals: strings.Contains(text, "?")}
	wrong, failed := unwind.Catch[*SyntaxError](func() {
		out, err = lp.Run(lp.Allowance{Steps: MaxWork}, func(w *lp.Work) *T {
			p.work = w
			return f(p)
		})
	})
	if failed {
		return nil, wrong
	}
	return out, err
}

func (p *parser) fail(at token, format string, args ...any) {
	panic(&SyntaxError{p.text, at.at, fmt.Sprintf(format, args...)})
}

func (p *parser) peek() token { return p.toks[p.i] }

func (p *parser) next() token {
	t := p.toks[p.i]
	if t.kind != tokEnd {
		p.i++
	}
	return t
}

func (t token) is(s string) bool { return (t.kind == tokSign || t.kind == tokName) && t.text == s }

func (p *parser) accept(s string) bool {
	if p.peek().is(s) {
		p.i++
		return true
	}
	return false
}

func (t token) describe() string {
	if t.kind == tokEnd {
		return "the end of the text"
	}
	if len(t.text) > 40 {
		return fmt.Sprintf("%q...", t.text[:40])
	}
	return fmt.Sprintf("%q", t.text)
}

func (p *parser) expect(s, where string) {
	if t := p.peek(); !p.accept(s) {
		p.fail(t, "expected %q %s, not %s", s, where, t.describe())
	}
}

func (p *parser) enter() {
	if p.depth++; p.depth > MaxNesting {
		p.fail(p.peek(), "nested more than %d deep", MaxNesting)
	}
}

func (p *parser) leave() { p.depth-- }

// relation reads [params] -> { disjunct; ... }.
func (p *parser) relation() (r *union.Relation, isMap bool) {
	if p.accept("[") {
		p.paramList()
		p.expect("->", "after the parameters")
	}
	p.expect("{", "to open the set")
	if p.peek().is("Sym") && p.toks[p.i+1].is("=") { // as the Omega calculator declares parameters
		p.i += 2
		p.expect("[", "to open the list of parameters")
		p.paramList()
	}
	r = &union.Relation{Params: p.params}
	first := true
	for !p.accept("}") {
		if !first {
			p.expect(";", "or \"}\" after a disjunct")
			if p.accept("}") {
				break
			}
		}
		at := p.peek()
		s, cs := p.disjunct()
		if m := s.In != nil; first {
			isMap = m
		} else if m != isMap {
			p.fail(at, "a disjunct of a set and one of a map cannot be mixed")
		}
		first = false
		r.Put(s, cs...)
	}
	if t := p.peek(); t.kind != tokEnd {
		p.fail(t, "expected nothing after \"}\", not %s", t.describe())
	}
	return r, isMap
}

func (p *parser) paramList() {
	for !p.accept("]") {
		if len(p.params) > 0 {
			p.expect(",", "or \"]\" after a parameter")
		}
		t := p.next()
		if t.kind != tokName || words[t.text] {
			p.fail(t, "expected the name of a parameter, not %s", t.describe())
		}
		if slices.Contains(p.params, t.text) {
			p.fail(t, "the parameter %s is listed twice", t.text)
		}
		p.params = append(p.params, t.text)
		p.names = slices.Clone(p.params)
		if p.accept("=") {
			p.extent(t, len(p.params)-1, &p.fixed)
		}
	}
}

// disjunct reads tuples and a formula.
func (p *parser) disjunct() (union.Space, []*conj.Conj) {
	p.names = slices.Clone(p.params)
	given := slices.Clone(p.fixed) // dimensions that are expressions
	var s union.Space
	if t := p.peek(); t.is(":") || t.is("}") || t.is(";") {
		// a condition on the parameters
	} else {
		s.Out = p.tuple(&given)
		if p.accept("->") {
			s.In, s.Out = s.Out, p.tuple(&given)
		}
	}
	cs := []*conj.Conj{conj.Universe(len(p.names))}
	for _, g := range given {
		cs = p.meetAll(cs, p.compare(g.at, variable(g.dim), g.op, g.value))
	}
	if p.accept(":") {
		if t := p.peek(); !t.is("}") && !t.is(";") {
			cs = p.meetAll(cs, p.formula())
		}
	}
	return s, conj.Simplified(cs)
}
