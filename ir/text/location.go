package text

import (
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text/internal/lex"
)

// Loc reads loc(...) as an attribute.
func (p *Parser) Loc() ir.Attr {
	p.Expect("loc")
	p.Expect("(")
	a := p.location()
	p.Expect(")")
	return a
}

// trailingLoc reads `loc(...)` after an op or an argument if it is there.
func (p *Parser) trailingLoc() (ir.Loc, bool) {
	at := p.in.Tok.End
	if p.in.Tok.Kind != lex.Ident || p.in.Text() != "loc" || !(at < len(p.in.Src) && p.in.Src[at] == '(') {
		return 0, false
	}
	if name, line, col, n := plainLocation(p.in.Src[at+1:]); n > 0 {
		if p.places == nil {
			p.places = p.ctx.NewPlaces()
		}
		p.in.Reset(at + 1 + n + 1)
		return p.places.At(name, line, col), true
	}
	return ir.LocAttr | ir.Loc(p.Loc()), true
}

// plainLocation reads the location `"file":line:col` that s begins with, if it is
// written as it is printed and a bracket closes it; n is its length, else 0.
func plainLocation(s string) (name string, line, col uint32, n int) {
	i := 1
	if s == "" || s[0] != '"' {
		return
	}
	for i < len(s) && s[i] != '"' {
		if s[i] < ' ' || s[i] >= 0x7F || s[i] == '\\' {
			return
		}
		i++
	}
	name = s[1:min(i, len(s))]
	for range 2 { // the quote, and later the last digit, is at i
		i++
		if i >= len(s) || s[i] != ':' {
			return
		}
		from := i + 1
		for line, col = col, 0; i+1 < len(s) && lex.IsDigit(s[i+1]); i++ {
			col = col*10 + uint32(s[i+1]-'0')
		}
		if digits := i + 1 - from; digits < 1 || digits > 9 || digits > 1 && s[from] == '0' {
			return
		}
	}
	if i++; i < len(s) && s[i] == ')' {
		n = i
	}
	return
}

// location reads one location without its loc( ).
func (p *Parser) location() ir.Attr {
	if p.in.Tok.Kind == lex.Hash {
		return p.locationAlias()
	}
	p.enter()
	var b strings.Builder
	switch {
	case p.in.Tok.Kind == lex.String:
		p.namedLocation(&b)
	case p.Optional("unknown"):
		b.WriteString("unknown")
	case p.Optional("callsite"):
		p.Expect("(")
		b.WriteString("callsite(" + p.locationText())
		p.Expect("at")
		b.WriteString(" at " + p.locationText() + ")")
		p.Expect(")")
	case p.Optional("fused"):
		p.fusedLocation(&b)
	default:
		p.Errorf(p.in.Tok.Start, "expected a location, found %s", p.found())
	}
	p.leave()
	if b.Len() > maxExpanded {
		p.Errorf(p.in.Prev, "with its aliases expanded this location has more than %d characters", maxExpanded)
	}
	return p.ctx.Attr(ir.AttrInfo{Kind: ir.AttrLoc, Str: b.String()})
}

func (p *Parser) locationText() string { return p.ctx.AttrInfo(p.location()).Str }

// locationAlias reads #alias.
func (p *Parser) locationAlias() ir.Attr {
	at, name := p.in.Tok.Start, p.in.Text()
	a := p.dialectAttr(ir.None)
	if p.ctx.AttrInfo(a).Kind != ir.AttrLoc {
		p.Errorf(at, "expected a location, but %s is another attribute", short(name))
	}
	return a
}

// namedLocation reads "file":line:col and "name"(location).
func (p *Parser) namedLocation(b *strings.Builder) {
	pr := newTextPrinter(p.ctx)
	pr.Quoted(p.String())
	b.Write(pr.buf)
	switch {
	case p.Optional(":"):
		line := p.lineNumber()
		p.Expect(":")
		b.WriteString(":" + line + ":" + p.lineNumber())
	case p.Optional("("):
		b.WriteString("(" + p.locationText() + ")")
		p.Expect(")")
	}
}

func (p *Parser) lineNumber() string {
	at := p.in.Tok.Start
	n := p.Integer()
	if n < 0 || n >= 1<<32 {
		p.Errorf(at, "lines and columns are numbers below 2^32")
	}
	return strconv.FormatInt(n, 10)
}

// fusedLocation reads fused<attribute>[location, ...]; the attribute may be missing.
func (p *Parser) fusedLocation(b *strings.Builder) {
	b.WriteString("fused")
	if p.Optional("<") {
		pr := newTextPrinter(p.ctx)
		pr.Attr(p.Attr())
		b.WriteString("<" + string(pr.buf) + ">")
		p.Expect(">")
	}
	b.WriteByte('[')
	first := true
	p.List("[", "]", func() {
		if !first {
			b.WriteString(", ")
		}
		first = false
		b.WriteString(p.locationText())
		if b.Len() > maxExpanded {
			p.Errorf(p.in.Prev, "with its aliases expanded this location has more than %d characters", maxExpanded)
		}
	})
	b.WriteByte(']')
}
