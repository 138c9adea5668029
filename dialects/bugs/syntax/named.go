package syntax

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/ir/diag"
)

// parameters reads the parameters of a distribution, of which some may be given by name, as
// in dnorm(0, sd = 2): names take their places, and the others what is left, in order.
// Where the distribution is unknown they stay as they are written. The parenthesis is the
// current token.
func (p *parser) parameters(d *Distribution) []Expr {
	if !p.hasNames() {
		return p.args()
	}
	if d == nil { // which is told
		p.skipArguments()
		return nil
	}
	open := p.advance()
	places := map[int]Expr{}
	var rest []Expr
	for !p.is(tRParen) {
		if p.is(tName) && p.peek(1).kind == tEqual {
			p.named(d, places)
		} else {
			rest = append(rest, p.expr())
		}
		if !p.accept(tComma) {
			break
		}
	}
	p.closing(tRParen, open)
	var out []Expr
	for i := 0; len(rest) > 0 || len(places) > 0; i++ {
		x, ok := places[i]
		switch {
		case ok:
			delete(places, i)
		case len(rest) > 0:
			x, rest = rest[0], rest[1:]
		default:
			if i < len(d.Args) {
				p.report(p.since(open.start), "parameter %s of %s is missing", d.Args[i], d.Name).WithFix("write %s", d.Signature())
			}
			return out
		}
		out = append(out, x)
	}
	return out
}

// form is the set of parameters that the names at hand are of; nil is that of the law.
func (p *parser) form(d *Distribution) *family.Form {
	if d == nil {
		return nil
	}
	own := map[string]bool{}
	for _, a := range d.Args {
		own[strings.TrimRight(a, "[],.")] = true
	}
	for _, n := range d.Named {
		own[n.Name] = true
	}
	for i := range d.Forms {
		f := &d.Forms[i]
		if p.names(func(name string) bool { return !own[name] && slices.Contains(f.Names, name) }) {
			return f
		}
	}
	return nil
}

// formed reads the parameters of a form, and computes those of its law of them.
func (p *parser) formed(d *Distribution, f *family.Form) []Expr {
	open := p.advance()
	given := map[string]Expr{}
	var rest []Expr
	for !p.is(tRParen) {
		if t := p.cur(); t.kind == tName && p.peek(1).kind == tEqual {
			name := p.text(t)
			p.advance()
			p.advance()
			x := p.expr()
			switch {
			case !slices.Contains(f.Names, name):
				p.report(p.span(t), "%s has no parameter %s beside %s", d.Name, name, strings.Join(f.Names, " and ")).
					WithFix("write %s(%s = ..., %s = ...)", d.Name, f.Names[0], f.Names[1])
			case given[name] != nil:
				p.report(p.span(t), "parameter %s of %s is given twice", name, d.Name).WithFix("leave one of them out")
			}
			given[name] = x
		} else {
			rest = append(rest, p.expr())
		}
		if !p.accept(tComma) {
			break
		}
	}
	p.closing(tRParen, open)
	if f.Note != "" {
		p.errs.Add(diag.Warningf(p.since(open.start), "%s", f.Note))
	}
	for _, name := range f.Names {
		if given[name] == nil && len(rest) > 0 {
			given[name], rest = rest[0], rest[1:]
		}
		if given[name] == nil {
			p.report(p.since(open.start), "parameter %s of %s is missing", name, d.Name).WithFix("write %s = ...", name)
			return nil
		}
	}
	if len(rest) > 0 {
		p.report(rest[0].Span(), "%s of %s wants no more parameters", d.Name, strings.Join(f.Names, " and ")).WithFix("remove it")
	}
	var out []Expr
	for _, text := range f.Params {
		e, list := ParseExpr(diag.NewSource(d.Name, text), Options{})
		if list.Err() != nil {
			panic(list)
		}
		out = append(out, Rewrite(e, func(x Expr) Expr {
			if r, is := x.(*Ref); is {
				return given[r.Name]
			}
			if at, is := x.(interface{ setSpan(diag.Span) }); is {
				at.setSpan(p.since(open.start))
			}
			return nil
		}))
	}
	return out
}

// skipArguments passes what stands in parentheses.
func (p *parser) skipArguments() {
	p.advance()
	p.skipGroup()
}

// hasNames looks for name = value in the parentheses at hand.
func (p *parser) hasNames() bool { return p.names(func(string) bool { return true }) }

// names looks for name = value in the parentheses at hand, of which something holds.
func (p *parser) names(of func(name string) bool) bool {
	depth := 0
	for i := 0; ; i++ {
		switch p.peek(i).kind {
		case tLParen, tLBrack:
			depth++
		case tRParen, tRBrack:
			if depth--; depth == 0 {
				return false
			}
		case tEqual:
			if depth == 1 && p.peek(i-1).kind == tName && of(p.text(p.peek(i-1))) {
				return true
			}
		case tLBrace, tRBrace, tEOF:
			return false
		}
	}
}

// named reads one parameter by name into its place.
func (p *parser) named(d *Distribution, places map[int]Expr) {
	t := p.advance()
	p.advance()
	x := p.expr()
	of, power, names := -1, 1, []string{}
	for i, a := range d.Args {
		a = strings.TrimRight(a, "[],.")
		if names = append(names, a); a == p.text(t) {
			of = i
		}
	}
	for _, n := range d.Named {
		if names = append(names, n.Name); n.Name == p.text(t) {
			of, power = n.Of, n.Power
		}
	}
	for _, f := range d.Forms {
		for _, n := range f.Names {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	switch {
	case of < 0:
		r := p.report(p.span(t), "%s has no parameter %s", d.Name, p.text(t))
		if near := diag.Nearest(p.text(t), names); near != "" {
			r.WithFix("did you mean %s?", near)
		} else {
			r.WithFix("its parameters are %s", strings.Join(names, ", "))
		}
	case places[of] != nil:
		p.report(p.span(t), "parameter %s of %s is given twice", d.Args[of], d.Name).WithFix("leave one of them out")
	default:
		places[of] = raised(x, power)
	}
}

// raised is x to the power 1, -1 or -2, at the place of x.
func raised(x Expr, power int) Expr {
	if power == 1 {
		return x
	}
	num := func(v float64) *Num {
		n := &Num{Value: v}
		n.At = x.Span()
		return n
	}
	if power == -2 {
		sq := &Binary{Op: OpPow, X: x, Y: num(2)}
		sq.At = x.Span()
		x = sq
	}
	out := &Binary{Op: OpDiv, X: num(1), Y: x}
	out.At = x.Span()
	return out
}
