package syntax

import (
	"fmt"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/unwind"
)

// A Dialect is one of the two readings of the language, or in a table a set of them.
type Dialect uint8

// The dialects.
const (
	BUGS Dialect = 1 << iota // OpenBUGS; the default
	JAGS                     // JAGS 4.3
	Both = BUGS | JAGS
)

func (d Dialect) String() string {
	switch d {
	case JAGS:
		return "JAGS"
	case Both:
		return "BUGS and JAGS"
	}
	return "BUGS"
}

// other is the dialect that d is not.
func (d Dialect) other() Dialect {
	if d == JAGS {
		return BUGS
	}
	return JAGS
}

// Options of Parse.
type Options struct {
	Dialect Dialect // zero means BUGS
}

// maxOperators bounds the length of one expression, so that every walk over the tree can recurse, and
// maxProgram the bytes of a program.
const (
	maxProgram   = 3 << 20
	maxOperators = 50000
)

// A parser reads tokens. A syntax error inside a statement is reported and ends
// the statement by a panic with bailout, which the statement loop recovers.
type parser struct {
	src       *diag.Source
	toks      []token
	pos       int
	dialect   Dialect
	errs      *Reporter
	depth     int
	operators int           // in the statement being read
	paren     map[Expr]bool // expressions written in parentheses
}

type GiveUp struct{}

// Parse reads a program. The tree holds whatever could be read; it is complete
// if the list's Err is nil. Warnings may come with a complete tree.
func Parse(src *diag.Source, opts Options) (*Program, diag.List) {
	p := &parser{src: src, dialect: opts.Dialect, errs: &Reporter{}, paren: map[Expr]bool{}}
	if p.dialect != JAGS {
		p.dialect = BUGS
	}
	if d := WideText(src); d != nil {
		return &Program{}, diag.List{d}
	}
	if len(src.Text) > maxProgram {
		p.errs.Add(diag.Errorf(src.At(0), "a program of %d bytes is not read: at most %d are", len(src.Text), maxProgram).
			WithFix("put numbers into a data file (-data)"))
		return &Program{}, p.errs.Sorted()
	}
	p.toks = lex(src, p.errs)
	prog := p.program()
	list := p.errs.Sorted()
	if list.Err() != nil {
		if d := asStan(src); d != nil {
			list = diag.List{d}
		}
	}
	return prog, list
}

// ParseExpr reads a single expression, as tests and command lines need it.
func ParseExpr(src *diag.Source, opts Options) (Expr, diag.List) {
	p := &parser{src: src, dialect: opts.Dialect, errs: &Reporter{}, paren: map[Expr]bool{}}
	if p.dialect != JAGS {
		p.dialect = BUGS
	}
	p.toks = lex(src, p.errs)
	var e Expr
	p.guard(func() {
		e = p.expr()
		if p.cur().kind != tEOF {
			p.fail(p.at(), "the expression ends before %s", p.describe())
		}
	})
	return e, p.errs.Sorted()
}

func (p *parser) cur() token { return p.toks[p.pos] }

// peek is the token n places ahead; behind the end it is tEOF.
func (p *parser) peek(n int) token { return p.toks[min(p.pos+n, len(p.toks)-1)] }

func (p *parser) is(k kind) bool { return p.cur().kind == k }

func (p *parser) advance() token {
	t := p.cur()
	if p.pos < len(p.toks)-1 {
		p.pos++
	}
	return t
}

func (p *parser) accept(k kind) bool {
	if p.is(k) {
		p.advance()
		return true
	}
	return false
}

func (p *parser) text(t token) string { return p.src.Text[t.start:t.end] }

func (p *parser) span(t token) diag.Span { return p.src.Span(t.start, t.end) }

// at is the place of the current token.
func (p *parser) at() diag.Span { return p.span(p.cur()) }

// after is the place just behind the last token read, where something is missing.
func (p *parser) after() diag.Span {
	if p.pos == 0 {
		return p.src.At(0)
	}
	return p.src.At(p.toks[p.pos-1].end)
}

// since is the span from an offset to the last token read.
func (p *parser) since(start int) diag.Span {
	end := start
	if p.pos > 0 {
		end = max(end, p.toks[p.pos-1].end)
	}
	return p.src.Span(start, end)
}

// describe names the current token for a message.
func (p *parser) describe() string {
	if p.is(tEOF) {
		return "the end of the text"
	}
	t := p.text(p.cur())
	if len(t) > 40 {
		t = t[:37] + "..."
	}
	return "`" + t + "`"
}

// report adds an error and goes on.
func (p *parser) report(at diag.Span, format string, args ...any) *diag.Diagnostic {
	d := diag.Errorf(at, format, args...)
	p.errs.Add(d)
	return d
}

// fail reports an error and ends the statement.
func (p *parser) fail(at diag.Span, format string, args ...any) {
	p.failWith(diag.Errorf(at, format, args...))
}

func (p *parser) failWith(d *diag.Diagnostic) {
	p.errs.Add(d)
	panic(GiveUp{})
}

// guard runs f and reports whether it came to its end.
func (p *parser) guard(f func()) (ok bool) {
	depth := p.depth
	_, gaveUp := unwind.Catch[GiveUp](f)
	p.depth = depth
	return !gaveUp
}

// enter counts a level of nesting; the caller defers leave.
func (p *parser) enter() {
	p.depth++
	if p.depth > diag.MaxNesting {
		p.fail(p.at(), "nested more than %d levels deep", diag.MaxNesting)
	}
}

func (p *parser) leave() { p.depth-- }

// program reads the blocks of a file.
func (p *parser) program() *Program {
	prog := &Program{}
	var model *token
	for !p.is(tEOF) && !p.errs.Full() {
		t := p.cur()
		word := ""
		if t.kind == tName {
			word = p.blockWord(t)
		}
		switch {
		case p.accept(tSemi):
		case word == "var":
			p.advance()
			if !p.guard(func() { p.varDecls(prog) }) {
				p.skipToBlock()
			}
		case word == "data" && p.peek(1).kind == tLBrace:
			p.advance()
			p.dataBlock(prog, t, model)
		case p.asFunction() || p.asText():
			if model == nil {
				model = &t
			}
			prog.Model = p.unwrapped()
		case word == "model":
			p.advance()
			p.modelBlock(prog, t, model)
			if model == nil {
				model = &t
			}
		case model == nil && p.startsStmt():
			p.report(p.at(), "a program begins with `model`, found %s", p.describe()).
				WithFix("put `model {` before the statements, and `}` behind them")
			prog.Model, model = p.stmts(), &t
		case model == nil && p.is(tLBrace):
			p.report(p.at(), "a block needs a name").WithFix("write `model` before the brace")
			prog.Model, model = p.block(""), &t
		default:
			p.strayAtTop(word, model != nil)
		}
	}
	if model == nil && !p.errs.Full() && p.errs.Errors == 0 {
		p.report(p.at(), "the program has no model").WithFix("put the statements into model { ... }")
	}
	prog.At = p.src.Span(p.toks[0].start, p.cur().end)
	return prog
}

// blockWord is the word at the top of a program; one that is nearly `model` and
// stands before a block is reported and taken as such.
func (p *parser) blockWord(t token) string {
	word := p.text(t)
	before := p.peek(1).kind == tLBrace || p.peek(1).kind == tName && p.peek(2).kind == tLBrace
	if word != "model" && before && diag.Nearest(word, []string{"model", "data", "var"}) == "model" {
		p.report(p.span(t), "a program begins with `model`, found `%s`", word).WithFix("did you mean `model`?")
		return "model"
	}
	return word
}

func (p *parser) modelBlock(prog *Program, word token, before *token) {
	if before != nil {
		p.report(p.span(word), "a program has one model").WithFix("put all statements into one block, in any order").WithNote(p.span(*before), "the first one is here")
	}
	if p.is(tName) && p.peek(1).kind == tLBrace {
		prog.Name = p.text(p.advance())
	}
	body := p.block("model")
	if before == nil {
		prog.Model = body
	}
}

func (p *parser) dataBlock(prog *Program, word token, model *token) {
	if prog.HasData {
		p.report(p.span(word), "a program has at most one data block")
	} else if model != nil {
		p.report(p.span(word), "the data block comes after the model").WithFix("put it before `model`").
			WithNote(p.span(*model), "the model is here")
	}
	body := p.block("data")
	if prog.HasData {
		return
	}
	prog.HasData, prog.Data = true, body
	p.refuseSamples(body)
}

// refuseSamples reports `~` in a data block: values drawn at random are no data.
func (p *parser) refuseSamples(body []Stmt) {
	for _, s := range body {
		switch s := s.(type) {
		case *For:
			p.refuseSamples(s.Body)
		case *Sample:
			p.report(s.Span(), "a data block only computes values; drawing %s at random is not supported", s.LHS.Name).
				WithFix("move the line into the model, or give %s in the data", s.LHS.Name)
		}
	}
}

// strayAtTop reports what is no block, and passes it.
func (p *parser) strayAtTop(word string, haveModel bool) {
	at := p.at()
	switch {
	case p.is(tRBrace):
		p.advance()
		p.report(at, "this `}` closes nothing").WithFix("remove it, or look for a missing `{`")
	case p.is(tLBrace):
		p.report(at, "a block needs a name").WithFix("write `model` before the brace")
		p.advance()
		p.stmts()
		p.accept(tRBrace)
	case word == "list" && p.peek(1).kind == tLParen:
		p.report(at, "data and initial values do not stand in the program").
			WithFix("put the list into a file of its own")
		p.skipToBlock()
	case haveModel:
		p.report(at, "nothing but blocks may stand outside of the model, found %s", p.describe()).
			WithFix("move it before the model's closing brace")
		p.skipToBlock()
	default:
		d := p.report(at, "a program begins with `model`, found %s", p.describe())
		if near := diag.Nearest(word, []string{"model", "data", "var"}); near != "" {
			d.WithFix("did you mean `%s`?", near)
		} else {
			d.WithFix("put the statements into model { ... }")
		}
		p.skipToBlock()
	}
}

// skipToBlock passes tokens up to what may begin a block, at least one.
func (p *parser) skipToBlock() {
	for p.advance(); !p.is(tEOF); p.advance() {
		if w := p.text(p.cur()); w == "model" || w == "{" || w == "data" && p.peek(1).kind == tLBrace {
			return
		}
	}
}

// varDecls reads `x[N], y` after `var`.
func (p *parser) varDecls(prog *Program) {
	for {
		t := p.cur()
		if t.kind != tName {
			p.fail(p.at(), "`var` wants names with dimensions, as in `var x[N], y`, found %s", p.describe())
		}
		p.advance()
		v := &VarDecl{Name: p.text(t)}
		if open := p.cur(); p.accept(tLBrack) {
			for {
				p.operators = 0
				v.Dims = append(v.Dims, p.expr())
				if !p.accept(tComma) {
					break
				}
			}
			p.closing(tRBrack, open)
		}
		v.At = p.since(t.start)
		for _, o := range prog.Vars {
			if o.Name == v.Name {
				p.report(v.At, "%s is declared twice", v.Name).WithFix("remove one of the two").WithNote(o.At, "the first declaration is here")
			}
		}
		prog.Vars = append(prog.Vars, v)
		if !p.accept(tComma) {
			p.accept(tSemi)
			return
		}
	}
}

// closing reads the token that closes what open opened, or says that it is missing.
func (p *parser) closing(k kind, open token) {
	if p.accept(k) {
		return
	}
	want := map[kind]string{tRParen: ")", tRBrack: "]", tRBrace: "}"}[k]
	what := fmt.Sprintf("missing `%s`", want)
	at := p.after()
	switch p.cur().kind {
	case tLParen, tNum, tString, tAssign, tEqual, tRParen, tRBrack, tColonEq, tSemi:
		what = fmt.Sprintf("expected `%s`, found %s", want, p.describe())
		at = p.at()
	}
	d := diag.Errorf(at, "%s", what).WithNote(p.span(open), "to close this")
	switch p.cur().kind {
	case tEqual:
		d.WithFix("write == to compare; parameters of distributions alone have names")
	case tAssign:
		d.WithFix("write `< -` with a space to compare with a negative number")
	case tNum:
		d.WithFix("put an operator or a comma between the two")
	case tLParen:
		d.WithFix("put an operator between the two: for a product write *")
	case tSemi:
		d.WithFix("values are separated by commas")
		p.skipGroup()
	default:
		d.WithFix("add `%s`", want)
	}
	p.failWith(d)
}

// skipGroup passes tokens up to the end of the parentheses or brackets around them.
func (p *parser) skipGroup() {
	for depth := 1; depth > 0 && !p.is(tEOF) && !p.is(tLBrace) && !p.is(tRBrace); p.advance() {
		switch p.cur().kind {
		case tLParen, tLBrack:
			depth++
		case tRParen, tRBrack:
			depth--
		}
	}
}
