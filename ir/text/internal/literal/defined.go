package literal

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/scan"
)

// Definitions are the types and attributes that dialects define. A dialect that defines some has no others; of one that is
// not known, or defines none, what is named after it is kept as text.
type Definitions struct {
	in       *scan.Reader
	ctx      *ir.Context
	dialects map[string]bool // that are known
	formats  Formats         // of what they define
}

// definedType reads a type that a dialect defines, if one begins here: `!cplx.number<f64>`
// or, as MLIR reads it too, `!cplx<number<f64>>`.
func (p *Definitions) definedType() (t ir.Type, ok bool) {
	at := p.in.Tok.Start
	s, nested := p.definition(p.ctx.TypeDefNamed, "type")
	if s == nil {
		return 0, false
	}
	defer blames(at)
	t, err := p.ctx.DefinedType(s, p.formats.Read(s, nested))
	p.Refuse(at, "type '!", s, err)
	return t, true
}

// definedAttr reads an attribute that a dialect defines, if one begins here.
func (p *Definitions) definedAttr() (a ir.Attr, ok bool) {
	at := p.in.Tok.Start
	s, nested := p.definition(p.ctx.AttrDefNamed, "attribute")
	if s == nil {
		return 0, false
	}
	defer blames(at)
	a, err := p.ctx.DefinedAttr(s, p.formats.Read(s, nested))
	p.Refuse(at, "attribute '#", s, err)
	return a, true
}

// blames is deferred while a type or an attribute is read: a mistake of its author is told there.
func blames(at int) {
	if r := recover(); r != nil {
		if e, ok := r.(*ir.OpError); ok && e.Author && e.Loc == 0 {
			e.Loc = ir.Loc(at + 1)
		}
		panic(r)
	}
}

// Refuse reports what the dialect has against a type or attribute that ends here.
func (p *Definitions) Refuse(at int, what string, s *ir.Shape, err error) {
	if err != nil {
		p.in.Fail(diag.Errorf(p.in.File.Span(at, p.in.Prev), "%s%s' %v", what, s.Name, err))
	}
}

// AsText is a table of a dialect that defines types or attributes: the names of those that it keeps as text.
type AsText []string

// definition finds the definition of the type or attribute whose name comes next and
// reads the name; nested says that a '>' of its own ends it. It is nil for what no
// dialect defines, of which nothing is read; a dialect that defines some has no others.
func (p *Definitions) definition(named func(string) *ir.Shape, what string) (s *ir.Shape, nested bool) {
	name := p.in.Text()[1:]
	dialect, _, dotted := strings.Cut(name, ".")
	others := p.definitions(dialect, what)
	if len(others) == 0 {
		return nil, false
	}
	sigil, span := p.in.Text()[:1], p.in.Here()
	if !dotted {
		i := lex.SkipSpace(p.in.Src, p.in.Tok.End+1)
		j := i
		for j < len(p.in.Src) && lex.IsIdent(p.in.Src[j]) {
			j++
		}
		name, nested, span = name+"."+p.in.Src[i:j], true, p.in.File.Span(i, j)
	}
	if s = named(name); s == nil && slices.Contains(ir.Table[AsText](p.ctx.Dialect(dialect)), name) {
		return nil, false
	}
	if s == nil {
		p.undefinedName(others, sigil, name, what, span)
	}
	if p.in.Next(); nested { // the '<' behind the dialect, and the name
		p.in.Next()
		p.in.Next()
	}
	return s, nested
}

// definitions lists what types or attributes a dialect defines.
func (p *Definitions) definitions(dialect, what string) []ir.Defined {
	if !p.dialects[dialect] {
		return nil
	}
	switch d := p.ctx.Dialect(dialect); {
	case d == nil:
		return nil
	case what == "type":
		return d.Types
	default:
		return d.Attrs
	}
}

// undefinedName says that a dialect defines others, and which one may be meant.
func (p *Definitions) undefinedName(others []ir.Defined, sigil, name, what string, span diag.Span) {
	dialect, own, _ := strings.Cut(name, ".")
	d := diag.Errorf(span, "dialect '%s' has no %s '%s'", dialect, what, scan.Short(own))
	names := lists.Map(others, func(x ir.Defined) string { return x.Shape().Name })
	if near := diag.Nearest(name, names); len(name) < 100 && near != "" {
		p.in.Fail(d.WithFix("did you mean '%s%s'?", sigil, near))
	}
	p.in.Fail(d.WithFix("it has %s%s", sigil, strings.Join(names, ", "+sigil)))
}

// Formats reads and writes the parameters of types and attributes that dialects define.
type Formats interface {
	// Read reads what follows the name; nested says that a '>' of its own ends it.
	Read(s *ir.Shape, nested bool) []ir.Attr
	// Write prints it; w is at the end of the name.
	Write(w *Writer, s *ir.Shape, params []ir.Attr)
}

// Show returns the text of a type, for messages.
func (p *Definitions) Show(t ir.Type) string {
	w := p.writer()
	w.Type(t)
	return string(w.Buf)
}

// writer is for a text within what is read.
func (p *Definitions) writer() *Writer { return NewWriter(p.ctx, p.formats) }
