package syntax

// asFunction reports a model in an R function, as R2OpenBUGS and R2jags take it: the brace
// of its body is then the current token.
func (p *parser) asFunction() bool {
	n := 0 // of the tokens before `function`
	if p.is(tName) && (p.peek(1).kind == tAssign || p.peek(1).kind == tEqual) {
		n = 2
	}
	if t := p.peek(n); t.kind != tName || p.text(t) != "function" || p.peek(n+1).kind != tLParen {
		return false
	}
	at := p.span(p.peek(n))
	for p.pos += n + 2; !p.is(tEOF) && !p.is(tLBrace); p.advance() {
	}
	p.report(at, "this is a function of R, and a program begins with `model`").WithFix("write model { ... }, and no more, in the file")
	return true
}

// asText reports R code with a model in it: what is in the quotes or parentheses is not read.
func (p *parser) asText() bool {
	t, next, third := p.cur(), p.peek(1).kind, p.peek(2)
	given := next == tAssign || next == tEqual
	switch {
	case t.kind != tName:
		return false
	case given && third.kind == tString, next == tLParen && p.peek(2).kind == tString:
	case given && third.kind == tName && p.peek(3).kind == tLParen && (p.peek(4).kind == tLBrace || p.peek(4).kind == tString):
	default:
		return false
	}
	p.report(p.span(t), "this is R code, and a program begins with `model`").WithFix("write model { ... }, and no more, in the file")
	p.errs.cut = true
	p.pos = len(p.toks) - 1
	return true
}

// unwrapped reads the body of a model whose head was reported.
func (p *parser) unwrapped() []Stmt {
	if p.is(tLBrace) {
		return p.block("model")
	}
	return nil
}
