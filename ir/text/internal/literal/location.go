package literal

import (
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/scan"
)

// Places reads locations: of one file, line and column as a place, of which there are many and all are alike; of another kind
// as an attribute.
type Places struct {
	in     *scan.Reader
	ctx    *ir.Context
	places *ir.Places // of the locations that are written; made with the first

	attrs *Attrs       // aliases of locations, and what fused<...> holds
	defs  *Definitions // texts of attributes
}

// Loc reads loc(...) as an attribute.
func (p *Places) Loc() ir.Attr {
	p.in.Expect("loc")
	p.in.Expect("(")
	a := p.location()
	p.in.Expect(")")
	return a
}

// TrailingLoc reads `loc(...)` after an op or an argument if it is there.
func (p *Places) TrailingLoc() (ir.Loc, bool) {
	at := p.in.Tok.End
	if p.in.Tok.Kind != lex.Ident || p.in.Text() != "loc" || !(at < len(p.in.Src) && p.in.Src[at] == '(') {
		return 0, false
	}
	if name, line, col, n := PlainLocation(p.in.Src[at+1:]); n > 0 {
		if p.places == nil {
			p.places = p.ctx.NewPlaces()
		}
		p.in.Reset(at + 1 + n + 1)
		return p.places.At(name, line, col), true
	}
	return ir.LocAttr | ir.Loc(p.Loc()), true
}

// PlainLocation reads the location `"file":line:col` that s begins with, if it is
// written as it is printed and a bracket closes it; n is its length, else 0.
func PlainLocation(s string) (name string, line, col uint32, n int) {
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
func (p *Places) location() ir.Attr {
	if p.in.Tok.Kind == lex.Hash {
		return p.locationAlias()
	}
	p.in.Enter()
	var b strings.Builder
	switch {
	case p.in.Tok.Kind == lex.String:
		p.namedLocation(&b)
	case p.in.Optional("unknown"):
		b.WriteString("unknown")
	case p.in.Optional("callsite"):
		p.in.Expect("(")
		b.WriteString("callsite(" + p.locationText())
		p.in.Expect("at")
		b.WriteString(" at " + p.locationText() + ")")
		p.in.Expect(")")
	case p.in.Optional("fused"):
		p.fusedLocation(&b)
	default:
		p.in.Errorf(p.in.Tok.Start, "expected a location, found %s", p.in.Found())
	}
	p.in.Leave()
	if b.Len() > maxExpanded {
		p.in.Errorf(p.in.Prev, "with its aliases expanded this location has more than %d characters", maxExpanded)
	}
	return p.ctx.Attr(ir.AttrInfo{Kind: ir.AttrLoc, Str: b.String()})
}

// locationText reads a location within another one.
func (p *Places) locationText() string { return p.ctx.AttrInfo(p.location()).Str }

// locationAlias reads #alias.
func (p *Places) locationAlias() ir.Attr {
	at, name := p.in.Tok.Start, p.in.Text()
	a := p.attrs.dialectAttr(ir.None)
	if p.ctx.AttrInfo(a).Kind != ir.AttrLoc {
		p.in.Errorf(at, "expected a location, but %s is another attribute", scan.Short(name))
	}
	return a
}

// namedLocation reads "file":line:col and "name"(location).
func (p *Places) namedLocation(b *strings.Builder) {
	pr := p.defs.writer()
	pr.Quoted(p.in.String())
	b.Write(pr.Buf)
	switch {
	case p.in.Optional(":"):
		line := p.lineNumber()
		p.in.Expect(":")
		b.WriteString(":" + line + ":" + p.lineNumber())
	case p.in.Optional("("):
		b.WriteString("(" + p.locationText() + ")")
		p.in.Expect(")")
	}
}

// lineNumber reads a line or a column, which MLIR keeps in 32 bits.
func (p *Places) lineNumber() string {
	at := p.in.Tok.Start
	n := p.in.Integer()
	if n < 0 || n >= 1<<32 {
		p.in.Errorf(at, "lines and columns are numbers below 2^32")
	}
	return strconv.FormatInt(n, 10)
}

// fusedLocation reads fused<attribute>[location, ...]; the attribute may be missing.
func (p *Places) fusedLocation(b *strings.Builder) {
	b.WriteString("fused")
	if p.in.Optional("<") {
		pr := p.defs.writer()
		pr.Attr(p.attrs.Attr())
		b.WriteString("<" + string(pr.Buf) + ">")
		p.in.Expect(">")
	}
	b.WriteByte('[')
	first := true
	p.in.List("[", "]", func() {
		if !first {
			b.WriteString(", ")
		}
		first = false
		b.WriteString(p.locationText())
		if b.Len() > maxExpanded {
			p.in.Errorf(p.in.Prev, "with its aliases expanded this location has more than %d characters", maxExpanded)
		}
	})
	b.WriteByte(']')
}
