package syntax

import (
	"strings"

	"github.com/irc-lang/irc/ir/diag"
)

// parameters reads the parameters of a distribution, of which some may be given by name, as
// in dnorm(0, sd = 2): names take their places, and the others what is left, in order.
// Where the distribution is unknown they stay as they are written. The parenthesis is the
// current token.
func (p *parser) parameters(d *Distribution) []Expr {
	if !p.hasNames() || d == nil {
		return p.args()
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

// hasNames looks for name = value in the parentheses at hand.
func (p *parser) hasNames() bool {
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
			if depth == 1 && p.peek(i-1).kind == tName {
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
