package syntax

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/ir/diag"
)

// Links are the functions that may stand around the left side of `<-`.
var Links = []string{"log", "logit", "probit", "cloglog"}

// isLink says whether a name is a link.
func isLink(name string) bool {
	return slices.Contains(Links, name)
}

// block reads `{ statements }`.
func (p *parser) block(of string) []Stmt {
	open := p.cur()
	if !p.accept(tLBrace) {
		p.report(p.after(), "missing `{` after %s", of).WithFix("the statements stand between { and }")
		if !p.is(tName) {
			return nil
		}
		open = p.toks[p.pos-1]
	}
	body := p.stmts()
	if !p.accept(tRBrace) && !p.errs.Full() && !p.errs.cut {
		p.report(p.at(), "missing `}` at the end of the text").WithFix("close the block").
			WithNote(p.span(open), "the block begins here")
	}
	return body
}

// stmts reads statements up to the brace that closes the block, which stays.
func (p *parser) stmts() []Stmt {
	var body []Stmt
	for !p.is(tEOF) && !p.is(tRBrace) && !p.errs.Full() {
		if p.accept(tSemi) {
			continue
		}
		start := p.pos
		var s Stmt
		if p.guard(func() { s = p.stmt() }) {
			body = append(body, s)
			continue
		}
		if p.pos == start && !p.is(tLBrace) {
			p.advance()
		}
		p.sync()
	}
	return body
}

// sync passes tokens up to what looks like the start of a statement. Blocks on
// the way are read, so that their errors are seen and their braces match.
func (p *parser) sync() {
	for ; !p.is(tEOF) && !p.is(tRBrace) && !p.is(tSemi) && !p.errs.Full(); p.advance() {
		if p.is(tLBrace) {
			p.skipBlock()
			return
		}
		if p.startsStmt() {
			return
		}
	}
}

// skipBlock reads a block whose head was wrong.
func (p *parser) skipBlock() {
	p.depth++
	defer p.leave()
	p.advance()
	if p.depth > diag.MaxNesting {
		p.pos = len(p.toks) - 1 // the depth has been reported
		return
	}
	p.stmts()
	p.accept(tRBrace)
}

// maxLookahead bounds the tokens looked at to tell a statement's start.
const maxLookahead = 200

// startsStmt says whether the tokens here look like `for (`, `name[..] <-` or
// `name(..) <-`, with any of `<-`, `=`, `~`.
func (p *parser) startsStmt() bool {
	if !p.is(tName) {
		return false
	}
	if p.cur().first && p.pos > 0 && endsOperand(p.toks[p.pos-1].kind) {
		return true // no expression goes on with a name
	}
	switch p.peek(1).kind {
	case tAssign, tTilde, tColonEq, tEqual:
		return true
	case tLParen:
		if p.text(p.cur()) == "for" {
			return true
		}
	case tLBrack:
	default:
		return p.cur().first && p.peek(1).kind == tName // a missing `~` or `<-`
	}
	depth := 0
	for n := 1; n < maxLookahead; n++ {
		switch p.peek(n).kind {
		case tLParen, tLBrack:
			depth++
		case tRParen, tRBrack:
			depth--
			if depth == 0 {
				k := p.peek(n + 1).kind
				return k == tAssign || k == tTilde || k == tEqual || k == tColonEq
			}
		case tLBrace, tRBrace, tEOF, tSemi:
			return false
		}
	}
	return false
}

// stmt reads one statement.
func (p *parser) stmt() Stmt {
	p.enter()
	defer p.leave()
	p.operators = 0
	t := p.cur()
	if t.kind != tName {
		d := diag.Errorf(p.at(), "a statement begins with a name or `for`, found %s", p.describe())
		switch t.kind {
		case tRParen, tRBrack:
			d = diag.Errorf(p.at(), "this %s closes nothing", p.describe()).WithFix("remove it, or look for a missing opening one")
		case tComma:
			d = diag.Errorf(p.at(), "stray comma").WithFix("statements are separated by line ends or `;`")
		case tLBrace:
			d.WithFix("blocks belong to `model`, `data` and `for` only")
		default:
			d.WithFix("write name <- value, or name ~ distribution")
		}
		p.failWith(d)
	}
	if p.text(t) == "for" && p.peek(1).kind != tAssign && p.peek(1).kind != tTilde {
		return p.forStmt()
	}
	s := p.relation()
	p.endOfStmt()
	return s
}

// forStmt reads a loop. A head that is wrong in a way that is clear is read on.
func (p *parser) forStmt() Stmt {
	word := p.advance()
	open := p.cur()
	paren := p.accept(tLParen)
	if !paren {
		p.report(p.after(), "missing `(` after `for`").WithFix("write for (i in 1:N) { ... }")
	}
	f := &For{}
	v := p.cur()
	if v.kind != tName {
		p.failWith(diag.Errorf(p.at(), "`for` wants a variable, found %s", p.describe()).WithFix("write for (i in 1:N) { ... }"))
	}
	p.advance()
	f.Var, f.VarAt = p.text(v), p.span(v)
	switch {
	case p.is(tName) && p.text(p.cur()) == "in":
		p.advance()
	case p.is(tEqual) || p.is(tAssign) || p.is(tTilde) || p.is(tColonEq):
		p.report(p.at(), "expected `in`, found %s", p.describe()).WithFix("write for (%s in ...)", f.Var)
		p.advance()
	default:
		p.failWith(diag.Errorf(p.at(), "expected `in`, found %s", p.describe()).WithFix("write for (%s in 1:N)", f.Var))
	}
	f.Over = p.expr()
	if paren {
		if p.is(tLBrace) {
			p.report(p.after(), "missing `)`").WithNote(p.span(open), "to close this")
		} else {
			p.closing(tRParen, open)
		}
	} else {
		p.accept(tRParen)
	}
	if p.is(tLBrace) {
		f.Body = p.block("for")
	} else {
		p.report(p.after(), "missing `{` after the head of the loop").WithFix("a loop's body stands between { and }, even a single statement")
		f.Body = []Stmt{p.stmt()}
	}
	f.At = p.since(word.start)
	return f
}

// relation reads `lhs <- expr` or `lhs ~ dist(..)`.
func (p *parser) relation() Stmt {
	start := p.cur()
	var link *token
	var lhs *Ref
	if p.peek(1).kind == tLParen {
		link = &start
		lhs = p.linked()
	} else {
		lhs = p.ref()
	}
	op := p.cur()
	switch op.kind {
	case tAssign, tEqual:
		p.advance()
	case tTilde:
		p.advance()
		if link != nil {
			p.report(p.span(*link), "a link cannot stand before `~`").
				WithFix("write %s ~ ..., or model the transformed value by a node of its own", lhs.Name)
		}
		return p.sample(lhs, start.start)
	case tColonEq, tEq:
		p.report(p.span(op), "%s does not define a node", p.describe()).WithFix("write <-")
		p.advance()
	default:
		p.noRelation(lhs, start)
	}
	a := &Assign{LHS: lhs}
	if link != nil {
		a.Link = p.text(*link)
	}
	if p.is(tTilde) {
		p.fail(p.at(), "`<-` and `~` together; write one of them")
	}
	a.RHS = p.expr()
	a.At = p.since(start.start)
	return a
}

// linked reads `link(ref)` on the left side.
func (p *parser) linked() *Ref {
	t := p.advance()
	name := p.text(t)
	open := p.advance()
	if !isLink(name) {
		p.unknownLink(t, name)
	}
	if !p.is(tName) {
		p.fail(p.at(), "a link wants a variable, found %s", p.describe())
	}
	r := p.ref()
	p.closing(tRParen, open)
	return r
}

func (p *parser) unknownLink(t token, name string) {
	d := diag.Errorf(p.span(t), "%s cannot stand on the left: the links are %s", name, strings.Join(Links, ", "))
	inverse := map[string]string{"exp": "log", "ilogit": "logit", "logistic": "logit", "expit": "logit", "phi": "probit", "icloglog": "cloglog"}
	switch {
	case isBound(name) && t.start > 0:
		d = diag.Errorf(p.span(t), "bounds stand after a distribution").WithFix("a logical node has none: write max(lower, x) or min(upper, x)")
	case name == "if" || name == "while" || name == "function":
		d = diag.Errorf(p.span(t), "BUGS has no `%s`: relations are stated, not executed", name).
			WithFix("choose between values with ifelse(condition, a, b) or step(x)")
	case inverse[name] != "":
		d.WithFix("%s(x) <- e is the same as x <- %s(e)", name, inverse[name])
	case LookupDistribution(name) != nil:
		d = diag.Errorf(p.span(t), "the distribution %s cannot stand on the left", name).
			WithFix("write the variable first: x ~ %s(...)", name)
	case diag.Nearest(name, Links) != "":
		d.WithFix("did you mean %s?", diag.Nearest(name, Links))
	case LookupFunction(name) == nil:
		d.WithFix("for an element of an array write %s[...]", name)
	default:
		d.WithFix("write the variable alone on the left, and what it equals on the right")
	}
	p.failWith(d)
}

// noRelation says what is missing behind the left side.
func (p *parser) noRelation(lhs *Ref, start token) {
	op := p.cur()
	want := "expected `<-` or `~` after %s, found %s"
	name := p.text(start)
	d := diag.Errorf(p.at(), want, name, p.describe())
	prev := p.toks[max(p.pos-2, 0)]
	switch {
	case op.kind == tName && LookupDistribution(p.text(op)) != nil && p.peek(1).kind == tLParen:
		d = diag.Errorf(p.after(), "missing `~` before %s", p.text(op)).WithFix("write %s ~ %s(...)", name, p.text(op))
	case op.kind == tName && isBound(p.text(op)) && p.peek(1).kind == tLParen:
		d = diag.Errorf(p.span(op), "bounds stand after the distribution").WithFix("write %s ~ dnorm(mean, precision) %s(lower, upper)", name, p.text(op))
		p.pos += 2
		p.skipGroup()
	case op.kind == tLt && p.peek(1).kind == tMinus:
		d.WithFix("write `<-` without a space")
	case op.kind == tMinus && p.peek(1).kind == tGt:
		d.WithFix("the name that is defined stands on the left: write name <- value")
	case op.kind == tLBrace:
		d = diag.Errorf(p.span(start), "%s is no block here", name).WithFix("blocks belong to `model`, `data` and `for` only")
	case len(lhs.Indices) == 0 && p.pos >= 2 && prev.kind == tNum && prev.end == start.start:
		d = diag.Errorf(p.src.Span(prev.start, start.end), "malformed number `%s%s`", p.text(prev), name).
			WithFix("write %s alone", p.text(prev))
	case len(lhs.Indices) == 0 && p.pos >= 2 && !start.first && endsOperand(prev.kind):
		d = diag.Errorf(p.span(start), "missing operator before %s", name).
			WithFix("write the operator (* is never left out), or begin a new line with a whole statement")
	}
	p.failWith(d)
}

// isBound says whether a word before a parenthesis begins bounds.
func isBound(word string) bool { return word == "T" || word == "C" || word == "I" }

// endsOperand says whether an expression may end with a token.
func endsOperand(k kind) bool {
	return k == tName || k == tNum || k == tRParen || k == tRBrack
}

// sample reads the distribution and its bounds; `~` has been read.
func (p *parser) sample(lhs *Ref, start int) Stmt {
	s := &Sample{LHS: lhs}
	t := p.cur()
	if t.kind != tName || p.peek(1).kind != tLParen {
		d := diag.Errorf(p.at(), "`~` wants a distribution with its arguments, found %s", p.describe())
		if t.kind == tName && LookupDistribution(p.text(t)) != nil {
			d = diag.Errorf(p.src.At(t.end), "missing `(` after %s", p.text(t)).
				WithFix("write %s", LookupDistribution(p.text(t)).Signature())
		} else {
			d.WithFix("write x ~ dnorm(mean, precision), or x <- value for a logical node")
		}
		p.failWith(d)
	}
	if p.text(t) == "T" && p.peek(2).kind == tName && p.peek(3).kind == tLParen { // NIMBLE's T(distribution, lower, upper)
		p.truncation(s)
		s.At = p.since(start)
		return s
	}
	p.distribution(s)
	if p.is(tName) && p.peek(1).kind == tLParen {
		if w := p.text(p.cur()); isBound(w) {
			s.Bound = p.bounds(w[0])
		}
	}
	s.At = p.since(start)
	return s
}

// distribution reads a distribution with its parameters.
func (p *parser) distribution(s *Sample) {
	t := p.advance()
	s.Dist, s.DistAt = p.text(t), p.span(t)
	before, d := p.errs.Errors, LookupDistribution(s.Dist)
	if f := p.form(d); f != nil {
		if s.Args = p.formed(d, f); f.Inverse {
			s.Dist = prob.OfInverse(d.Law).Name
		}
	} else {
		s.Args = p.parameters(d)
	}
	if p.errs.Errors == before {
		p.checkDistribution(s)
	}
}

// truncation reads `T(distribution, lower, upper)`, as NIMBLE has it; what is left out is no bound.
func (p *parser) truncation(s *Sample) {
	word := p.advance()
	open := p.advance()
	p.distribution(s)
	b := &Bounds{Kind: 'T'}
	if p.accept(tComma) && !p.is(tComma) && !p.is(tRParen) {
		b.Lower = p.expr()
	}
	if p.accept(tComma) && !p.is(tRParen) {
		b.Upper = p.expr()
	}
	p.closing(tRParen, open)
	b.At = p.since(word.start)
	s.Bound = b
}

// bounds reads `T(lower, upper)`; either side may be empty.
func (p *parser) bounds(kind byte) *Bounds {
	word := p.advance()
	open := p.advance()
	b := &Bounds{Kind: kind}
	if !p.is(tComma) && !p.is(tRParen) {
		b.Lower = p.expr()
	}
	if p.is(tRParen) {
		p.failWith(diag.Errorf(p.at(), "bounds have two sides, either may be empty").
			WithFix("write %c(lower, ), %c(, upper) or %c(lower, upper)", kind, kind, kind))
	}
	if !p.accept(tComma) {
		p.closing(tRParen, open)
	}
	if !p.is(tRParen) {
		b.Upper = p.expr()
	}
	if p.is(tComma) {
		p.failWith(diag.Errorf(p.at(), "bounds have two sides, lower and upper").WithFix("write %c(lower, upper)", kind))
	}
	p.closing(tRParen, open)
	b.At = p.since(word.start)
	return b
}

// endOfStmt checks that what follows may begin another statement.
func (p *parser) endOfStmt() {
	t := p.cur()
	switch t.kind {
	case tEOF, tRBrace, tSemi, tName:
		return
	}
	d := diag.Errorf(p.at(), "the statement ends before %s", p.describe())
	switch t.kind {
	case tRParen, tRBrack:
		d = diag.Errorf(p.at(), "this %s closes nothing", p.describe()).WithFix("remove it, or look for a missing opening one")
		p.errs.Add(d)
		for p.is(tRParen) || p.is(tRBrack) {
			p.advance()
		}
		return
	case tComma:
		d = diag.Errorf(p.at(), "stray comma").WithFix("statements are separated by line ends or `;`")
	case tLParen, tNum:
		d = diag.Errorf(p.at(), "missing operator before %s", p.describe()).WithFix("multiplication is written with *")
	case tLBrack:
		d.WithFix("indices of one element stand in one pair of brackets: x[i, j]")
	case tTilde, tAssign, tEqual:
		d = diag.Errorf(p.at(), "a second %s in one statement", p.describe()).WithFix("write two statements")
	case tGt:
		d.WithFix("the name that is defined stands on the left: write name <- value")
	case tPlus, tMinus, tStar, tSlash, tPow, tMatMul, tModulo:
		d.WithFix("a distribution is no number: give what it draws a name, x ~ ..., and compute with x")
	}
	p.failWith(d)
}
