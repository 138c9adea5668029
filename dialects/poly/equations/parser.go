package equations

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/unwind"
)

type parser struct {
	src   *diag.Source
	toks  []token
	i     int
	list  *diag.List
	depth int
	prog  *program
}

// stop ends what is being read; the parser goes on behind the next ";".
type stop struct{}

// parse reads a program; what is wrong is in the list.
func parse(src *diag.Source, list *diag.List) *program {
	p := &parser{src: src, list: list, prog: &program{src: src}}
	if p.toks = lex(src, list); len(*list) > 0 {
		return p.prog
	}
	p.try(func() { p.program() }, func() {})
	return p.prog
}

func (p *parser) peek() token { return p.toks[p.i] }

func (p *parser) next() token {
	t := p.toks[p.i]
	if t.kind != tokEnd {
		p.i++
	}
	return t
}

func (p *parser) is(text string) bool {
	t := p.peek()
	return t.text == text && t.kind != tokEnd
}

func (p *parser) accept(text string) bool {
	if p.is(text) {
		p.i++
		return true
	}
	return false
}

// fail reports and gives up what is being read.
func (p *parser) fail(at token, fix, format string, args ...any) {
	end := max(at.end, at.start+1)
	if at.kind == tokEnd {
		format += ", and the text ends"
	}
	d := diag.Errorf(p.src.Span(at.start, end), format, args...)
	d.Fix = fix
	*p.list = append(*p.list, d)
	panic(stop{})
}

func (p *parser) expect(text, why string) token {
	if !p.is(text) {
		p.fail(p.peek(), "", "expected %q %s", text, why)
	}
	return p.next()
}

func (p *parser) name(what string) token {
	if t := p.peek(); t.kind != tokName {
		p.fail(t, "", "expected %s", what)
	}
	return p.next()
}

// try runs f; if that gives up, recover finds where to go on.
func (p *parser) try(f, recovery func()) {
	if _, gaveUp := unwind.Catch[stop](f); gaveUp {
		p.depth = 0
		recovery()
	}
}

// skip goes on behind the next ";" outside of braces that open here.
func (p *parser) skip() {
	depth := 0
	for {
		switch t := p.peek(); {
		case t.kind == tokEnd:
			return
		case t.text == "{":
			depth++
		case t.text == "}":
			if depth == 0 {
				return
			}
			depth--
		case t.text == ";" && depth == 0:
			p.next()
			return
		}
		p.next()
	}
}

func (p *parser) program() {
	p.expect("program", "NAME(PARAMETERS) { ... }, which is what a file of equations holds")
	p.prog.name = p.name("the name of the program")
	p.expect("(", "before the parameters; without any, write ()")
	for !p.accept(")") {
		if len(p.prog.params) > 0 {
			p.expect(",", "between parameters")
		}
		p.prog.params = append(p.prog.params, p.name("a parameter"))
	}
	if p.accept(":") {
		from := p.peek().start
		for !p.is("{") && p.peek().kind != tokEnd {
			p.next()
		}
		p.prog.context = span{from, p.toks[p.i-1].end}
	}
	p.expect("{", "before declarations and equations")
	for !p.is("}") && p.peek().kind != tokEnd && len(*p.list) < diag.MaxErrors {
		p.try(p.item, p.skip)
	}
	p.expect("}", "behind the last equation")
	if t := p.peek(); t.kind != tokEnd {
		p.fail(t, "", "expected nothing behind the program")
	}
}

func (p *parser) item() {
	switch t := p.peek(); t.text {
	case "input", "output", "local":
		p.next()
		p.arrays(t.text)
	case "def":
		p.next()
		p.def()
	case "extern":
		p.next()
		p.extern()
	default:
		p.equation()
		return
	}
	p.expect(";", "at the end of the declaration")
}

// arrays reads `w[N], A[N, K] : f64`.
func (p *parser) arrays(role string) {
	first := len(p.prog.arrays)
	for {
		a := &arrayDecl{role: role, name: p.name("the name of an array")}
		if p.accept("[") {
			for !p.accept("]") {
				if len(a.sizes) > 0 {
					p.expect(",", "between sizes")
				}
				a.sizes = append(a.sizes, p.sum())
			}
		}
		p.prog.arrays = append(p.prog.arrays, a)
		if !p.accept(",") {
			break
		}
	}
	p.expect(":", "before the type of the elements, as in \"w[N] : f64\"")
	elem := p.typ()
	for _, a := range p.prog.arrays[first:] {
		a.elem = elem
	}
}

var typeWords = []string{"f64", "f32", "i64", "i32", "i1"}

func (p *parser) typ() token {
	t := p.peek()
	if !slices.Contains(typeWords, t.text) {
		p.fail(t, "", "expected a type: %s", strings.Join(typeWords, ", "))
	}
	return p.next()
}

func (p *parser) def() {
	d := &def{name: p.name("the name of the definition")}
	p.expect("(", "before the parameters")
	for !p.accept(")") {
		if len(d.params) > 0 {
			p.expect(",", "between parameters")
		}
		n := p.name("a parameter")
		p.expect(":", "and a type behind the parameter, as in \"x: f64\"")
		d.params = append(d.params, param{n, p.typ()})
	}
	p.expect("=", "before what the definition stands for")
	d.body = p.expr()
	p.prog.defs = append(p.prog.defs, d)
}

func (p *parser) extern() {
	x := &extern{name: p.name("the name of the function")}
	p.expect("(", "before the types of the arguments")
	for !p.accept(")") {
		if len(x.in) > 0 {
			p.expect(",", "between types")
		}
		x.in = append(x.in, p.typ())
	}
	p.expect("->", "before the type of the result")
	x.out = p.typ()
	p.prog.externs = append(p.prog.externs, x)
}

// assignments are the operators of equations, with the word that the dialect has.
var assignments = map[string]string{"=": "set", "+=": "add", "*=": "mul", "max=": "max", "min=": "min", "and=": "and", "or=": "or"}

func (p *parser) equation() {
	e := &equation{at: span{start: p.peek().start}}
	first := p.name("an equation, a declaration (input, output, local, def, extern) or \"}\"")
	if p.accept(":") {
		e.label = first.text
		first = p.name("the array that the equation defines")
	}
	e.target = p.access(first)
	e.op = p.assignment()
	e.body = p.expr()
	if p.accept(":") {
		p.expect("{", "before the domain, as in \": { [i] : 0 <= i < N }\"")
		e.domain, e.has = p.braces(), true
	}
	e.at.end = p.toks[p.i-1].end
	p.expect(";", "at the end of the equation")
	p.prog.sts = append(p.prog.sts, e)
}

// assignment reads =, +=, *=, max= and the like.
func (p *parser) assignment() token {
	t := p.peek()
	if slices.Contains([]string{"max", "min", "and", "or"}, t.text) && p.i+1 < len(p.toks) && p.toks[p.i+1].text == "=" {
		p.next()
		eq := p.next()
		return token{tokPunct, t.text + "=", t.start, eq.end}
	}
	if t.kind != tokPunct || assignments[t.text] == "" {
		fix := ""
		if t.text == "-" || t.text == "/" {
			fix = "subtract by adding what is negated: A[i] += -x"
		}
		p.fail(t, fix, "expected =, +=, *=, max=, min=, and= or or=")
	}
	return p.next()
}

// braces is what stands up to the brace that closes one that was read.
func (p *parser) braces() span {
	from, depth := p.peek().start, 1
	for {
		t := p.next()
		switch {
		case t.kind == tokEnd:
			p.fail(t, "", "expected \"}\" behind the domain")
		case t.text == "{":
			depth++
		case t.text == "}":
			if depth--; depth == 0 {
				return span{from, t.start}
			}
		}
	}
}

// access reads the indices of an array whose name was read: A[i, j], or A.
func (p *parser) access(name token) *expr {
	e := &expr{kind: accessExpr, op: name.text, at: span{name.start, name.end}}
	if !p.accept("[") {
		return e
	}
	for !p.is("]") {
		if len(e.args) > 0 {
			p.expect(",", "or \"]\" behind an index")
		}
		e.args = append(e.args, p.expr())
	}
	e.at.end = p.next().end
	return e
}
