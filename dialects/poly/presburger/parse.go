package presburger

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir/unwind"
)

// Limits of texts: what goes beyond is an error, so that hostile input ends.
const (
	maxText  = 1 << 20 // bytes
	maxNest  = 200     // brackets
	maxVars  = 1000    // parameters and dimensions of a disjunct
	maxConjs = 10_000  // conjunctions that a formula multiplies out to
	maxRows  = 100_000 // comparisons
	maxWork  = 50_000_000
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
	work   *work

	rows         int  // comparisons so far
	conditionals bool // "?" is in the text
	inTuple      bool // a condition of a dimension is being read: "," ends it
	question     int  // the token "?" whose condition is being read
}

// ParseSet reads a set in isl's notation:
//
//	[N] -> { S[i, j] : 0 <= i < N and exists k : j = 2k; T[] }
func ParseSet(text string) (Set, error) {
	r, isMap, err := parse(text)
	if err != nil {
		return Set{}, err
	}
	if isMap {
		return Set{}, &SyntaxError{text, 0, "this is a map; a set has no \"->\" between tuples"}
	}
	return Set{r}, nil
}

// ParseMap reads a map in isl's notation:
//
//	[N] -> { S[i] -> A[i + 1] : 0 <= i < N }
func ParseMap(text string) (Map, error) {
	r, isMap, err := parse(text)
	if err != nil {
		return Map{}, err
	}
	if !isMap && len(r.parts) > 0 {
		return Map{}, &SyntaxError{text, 0, "this is a set; a map relates two tuples with \"->\""}
	}
	return Map{r}, nil
}

// Parse reads a set or a map; an empty pair of braces is a set.
func Parse(text string) (s Set, m Map, isMap bool, err error) {
	r, isMap, err := parse(text)
	if isMap {
		return Set{}, Map{r}, true, err
	}
	return Set{r}, Map{}, false, err
}

// parse reads either; an empty pair of braces counts as a set.
func parse(text string) (r *relation, isMap bool, err error) {
	r, err = read(text, func(p *parser) *relation {
		var out *relation
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
		out, err = run(allowance{steps: maxWork}, func(w *work) *T {
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
	if p.depth++; p.depth > maxNest {
		p.fail(p.peek(), "nested more than %d deep", maxNest)
	}
}

func (p *parser) leave() { p.depth-- }

// relation reads [params] -> { disjunct; ... }.
func (p *parser) relation() (r *relation, isMap bool) {
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
	r = &relation{params: p.params}
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
		if m := s.in != nil; first {
			isMap = m
		} else if m != isMap {
			p.fail(at, "a disjunct of a set and one of a map cannot be mixed")
		}
		first = false
		r.put(s, cs...)
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
func (p *parser) disjunct() (space, []*conj) {
	p.names = slices.Clone(p.params)
	given := slices.Clone(p.fixed) // dimensions that are expressions
	var s space
	if t := p.peek(); t.is(":") || t.is("}") || t.is(";") {
		// a condition on the parameters
	} else {
		s.out = p.tuple(&given)
		if p.accept("->") {
			s.in, s.out = s.out, p.tuple(&given)
		}
	}
	cs := []*conj{universe(len(p.names))}
	for _, g := range given {
		cs = p.meetAll(cs, p.compare(g.at, variable(g.dim), g.op, g.value))
	}
	if p.accept(":") {
		if t := p.peek(); !t.is("}") && !t.is(";") {
			cs = p.meetAll(cs, p.formula())
		}
	}
	return s, simplified(cs)
}

func simplified(cs []*conj) (out []*conj) {
	for _, c := range cs {
		if !c.simplify().empty {
			out = append(out, c)
		}
	}
	return out
}
