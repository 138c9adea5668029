package syntax

import (
	"math"
	"strconv"

	"github.com/irc-lang/irc/ir/diag"
)

// Binding strengths, loosest first. Those of `:` differ: precRangeBUGS, precRangeJAGS.
const (
	precRangeBUGS = iota + 1
	precOr
	precAnd
	precCompare
	precAdd
	precMul
	precMatMul
	precRangeJAGS
	precUnary
	precPow
	precPrimary
)

// prec is the binding strength of an operator.
func (o Op) prec() int {
	switch {
	case o == OpOr:
		return precOr
	case o == OpAnd:
		return precAnd
	case o <= OpGe:
		return precCompare
	case o <= OpSub:
		return precAdd
	case o <= OpDiv:
		return precMul
	case o == OpMatMul:
		return precMatMul
	case o == OpPow:
		return precPow
	}
	return precUnary
}

func (p *parser) rangePrec() int {
	if p.dialect == JAGS {
		return precRangeJAGS
	}
	return precRangeBUGS
}

// expr reads an expression.
func (p *parser) expr() Expr { return p.binary(precRangeBUGS) }

// binary reads operators that bind at least as tightly as least.
func (p *parser) binary(least int) Expr {
	p.enter()
	defer p.leave()
	start := p.cur().start
	x := p.unary()
	for {
		t := p.cur()
		op, isOp := binaryOp[t.kind]
		prec := op.prec()
		if t.kind == tColon {
			isOp, prec = true, p.rangePrec()
		}
		if t.kind == tModulo {
			isOp, prec = true, precMatMul // as in R
		}
		if !isOp || prec < least {
			return x
		}
		if p.operators++; p.operators > maxOperators {
			p.fail(p.at(), "more than %d operators in one statement", maxOperators)
		}
		p.advance()
		y := p.binary(prec + 1)
		at := p.since(start)
		if t.kind == tColon {
			r := &Range{From: x, To: y}
			r.At = at
			p.warnRangeBUGS(r)
			x = r
			continue
		}
		if t.kind == tModulo {
			c := &Call{Name: "modulo", NameAt: p.span(t), Args: []Expr{x, y}}
			c.At = at
			x = c
			continue
		}
		b := &Binary{Op: op, X: x, Y: y}
		b.At = at
		p.checkBinary(b, t)
		x = b
	}
}

// checkBinary reports what has two readings, or none.
func (p *parser) checkBinary(b *Binary, op token) {
	p.warnRangeJAGS(b)
	if b.Op.prec() != precCompare {
		return
	}
	switch x := b.X.(type) {
	case *Binary:
		if x.Op.prec() == precCompare && !p.paren[x] {
			p.report(p.span(op), "comparisons do not chain").
				WithFix("write a < b && b < c, or put one of them in parentheses")
		}
	case *Unary:
		if x.Op == OpNot && !p.paren[x] {
			p.errs.Add(diag.Warningf(b.At, "`!` applies to %s alone", exprString(x.X)).
				WithFix("write !(%s) for the other reading", exprString(&Binary{Op: b.Op, X: x.X, Y: b.Y})))
		}
	}
}

// warnRangeBUGS warns where JAGS would read an operand of `:` differently.
func (p *parser) warnRangeBUGS(r *Range) {
	if p.dialect == JAGS {
		return
	}
	loose := func(e Expr) bool {
		b, ok := e.(*Binary)
		return ok && !p.paren[e] && b.Op.prec() < precRangeJAGS
	}
	if loose(r.From) || loose(r.To) {
		p.warnRange(r)
	}
}

// warnRangeJAGS warns where BUGS would give a larger operand to a `:`.
func (p *parser) warnRangeJAGS(b *Binary) {
	if p.dialect != JAGS || b.Op == OpPow {
		return
	}
	tight := func(e Expr) bool {
		_, ok := e.(*Range)
		return ok && !p.paren[e]
	}
	if tight(b.X) || tight(b.Y) {
		p.warnRange(b)
	}
}

func (p *parser) warnRange(e Expr) {
	how := "loosest of all"
	if p.dialect == JAGS {
		how = "tighter than + - * /"
	}
	p.errs.Add(diag.Warningf(e.Span(), "`:` binds %s in %s and is read otherwise in %s", how, p.dialect, p.dialect.other()).
		WithFix("write %s", exprString(e)))
}

// unary reads `-x`, `!x` and powers.
func (p *parser) unary() Expr {
	t := p.cur()
	op := OpNeg
	switch t.kind {
	case tNot:
		op = OpNot
	case tMinus:
	default:
		return p.power()
	}
	p.enter()
	defer p.leave()
	p.advance()
	u := &Unary{Op: op, X: p.unary()}
	u.At = p.since(t.start)
	return u
}

// power reads `x ^ y`; the exponent may have a sign and associates to the right.
func (p *parser) power() Expr {
	start := p.cur().start
	x := p.primary()
	if !p.is(tPow) {
		return x
	}
	p.enter()
	defer p.leave()
	p.advance()
	b := &Binary{Op: OpPow, X: x, Y: p.unary()}
	b.At = p.since(start)
	return b
}

// primary reads a number, a name, a call or an expression in parentheses.
func (p *parser) primary() Expr {
	t := p.cur()
	switch t.kind {
	case tNum:
		p.advance()
		return p.number(t)
	case tName:
		if p.peek(1).kind == tLParen {
			c := p.call()
			p.noIndexBehind(p.text(t) + "(...)")
			return c
		}
		return p.ref()
	case tLParen:
		p.advance()
		if p.is(tRParen) {
			p.fail(p.at(), "empty parentheses are no value")
		}
		e := p.expr()
		p.closing(tRParen, t)
		p.noIndexBehind("(...)")
		e.setSpan(p.since(t.start))
		p.paren[e] = true
		return e
	}
	p.noOperand(t)
	return nil
}

// noIndexBehind reports an index of what has no name.
func (p *parser) noIndexBehind(what string) {
	if p.is(tLBrack) {
		p.failWith(diag.Errorf(p.at(), "an index stands behind a name, not behind a value that has none").
			WithFix("let a node be the whole, as in v[1:n] <- %s, and write v[i]", what))
	}
}

// noOperand says why no expression can begin here, and ends the statement.
func (p *parser) noOperand(t token) {
	d := diag.Errorf(p.at(), "expected a value, found %s", p.describe())
	switch t.kind {
	case tEOF, tRBrace:
		d = diag.Errorf(p.after(), "the expression is not complete").WithFix("write the operand that is missing, or remove the operator")
	case tPlus:
		d.WithFix("remove the `+`: there is no sign plus")
	case tComma:
		d = diag.Errorf(p.at(), "stray comma").WithFix("remove it, or write the missing value")
	case tRParen, tRBrack:
		if p.pos > 0 && p.toks[p.pos-1].kind == tComma {
			d = diag.Errorf(p.span(p.toks[p.pos-1]), "stray comma").WithFix("remove it, or write the missing value")
		}
	case tString:
		d = diag.Errorf(p.at(), "there are no strings").WithFix("write the name without quotes")
	case tAssign:
		d.WithFix("write `< -` with a space to compare with a negative number")
	case tGt:
		if p.pos > 0 && p.toks[p.pos-1].kind == tMinus {
			d.WithFix("the name that is defined stands on the left: write name <- value")
		}
	case tTilde:
		d.WithFix("`~` stands only after the left side of a statement")
	}
	p.failWith(d)
}

func (p *parser) number(t token) Expr {
	v, err := strconv.ParseFloat(p.text(t), 64)
	if err != nil || math.IsInf(v, 0) {
		p.report(p.span(t), "the number is too large; the largest is about 1.8e308")
		v = math.MaxFloat64
	}
	n := &Num{Value: v}
	n.At = p.span(t)
	return n
}

// ref reads a name and its indices.
func (p *parser) ref() *Ref {
	t := p.advance()
	r := &Ref{Name: p.text(t), NameAt: p.span(t)}
	if open := p.cur(); p.accept(tLBrack) {
		for {
			if p.is(tComma) || p.is(tRBrack) {
				a := &All{}
				a.At = p.at()
				r.Indices = append(r.Indices, a)
			} else {
				r.Indices = append(r.Indices, p.expr())
			}
			if !p.accept(tComma) {
				break
			}
		}
		p.closing(tRBrack, open)
		if p.is(tLBrack) {
			p.failWith(diag.Errorf(p.at(), "a second pair of brackets").
				WithFix("indices of one element stand in one pair of brackets: %s[i, j]", r.Name))
		}
	}
	r.At = p.since(t.start)
	return r
}

// call reads a function and its arguments.
func (p *parser) call() Expr {
	t := p.advance()
	c := &Call{Name: p.text(t), NameAt: p.span(t)}
	apart := p.cur().start > t.end
	c.Args = p.args()
	c.At = p.since(t.start)
	p.checkFunction(c, apart || p.isNumber(c.Name))
	return c
}

// args reads `(a, b)`; the parenthesis is the current token.
func (p *parser) args() []Expr {
	open := p.advance()
	var args []Expr
	if p.accept(tRParen) {
		return nil
	}
	for {
		args = append(args, p.expr())
		if !p.accept(tComma) {
			break
		}
	}
	p.closing(tRParen, open)
	return args
}
