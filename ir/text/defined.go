package text

import (
	"slices"
	"strings"
	"sync"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/text/internal/lex"
)

// Types and attributes that dialects define (ir.TypeDef, ir.AttrDef) are read and
// printed by their Format, as ops are: a parameter is to it what an attribute is to
// the format of an op.

// definedForms are the forms of definitions, made when first asked for.
var definedForms sync.Map // *ir.Shape -> *form

func formOf(s *ir.Shape) *form {
	if f, ok := definedForms.Load(s); ok {
		return f.(*form)
	}
	f := &form{def: &ir.OpDef{Name: s.Name}, compiledFormat: new(compiledFormat)}
	f.Form = Form{Format: Notation(s), Attrs: map[string]AttrForm{}}
	for _, p := range s.Params {
		f.Attrs[p.Name] = paramForm(p)
	}
	for _, e := range elementsIn(f.compiled()) {
		switch {
		case e.kind != eLiteral && e.kind != eAttr && e.kind != eGroup:
			panic("text: format of " + s.Name + ": types and attributes have literals, $parameters and groups only")
		case e.kind == eAttr && f.Attrs[e.text].Parse == nil:
			panic("text: format of " + s.Name + ": no parameter is named $" + e.text)
		}
	}
	got, _ := definedForms.LoadOrStore(s, f)
	return got.(*form)
}

// Notation is the format of a definition: `<$a, $b>` if it gives none.
func Notation(s *ir.Shape) string {
	if s.Format != "" || len(s.Params) == 0 {
		return s.Format
	}
	names := make([]string, len(s.Params))
	for i, p := range s.Params {
		names[i] = "$" + p.Name
	}
	return "`<` " + strings.Join(names, " `,` ") + " `>`"
}

// elementsIn lists elements with those of groups.
func elementsIn(elems []element) (out []element) {
	for _, e := range elems {
		out = append(out, e)
		out = append(append(out, elementsIn(e.body)...), elementsIn(e.orElse)...)
	}
	return out
}

// paramForm is how a parameter is written.
func paramForm(q ir.ParamInfo) AttrForm {
	switch q.Kind {
	case ir.ParamType:
		f := TypeAttr()
		f.Begins = func(p *Parser) bool {
			return p.in.Tok.Kind == lex.Bang || p.in.Tok.Kind == '(' || p.in.Tok.Kind == lex.Ident
		}
		return f
	case ir.ParamTypes:
		return listForm(q.Open, func(p *Parser) ir.Attr { return p.ctx.TypeAttr(p.Type()) }, func(p *Printer, a ir.Attr) { p.Type(p.ctx.TypeOf(a)) })
	case ir.ParamFields:
		return listForm(q.Open, parseField, printField)
	case ir.ParamInt:
		f := Number(ir.I64)
		f.Parse = func(p *Parser) ir.Attr { return p.ctx.IntAttr(p.Integer(), ir.I64) }
		return f
	case ir.ParamInts:
		return IntList()
	case ir.ParamFloat:
		return Number(ir.F64)
	case ir.ParamString:
		return AttrForm{Begins: func(p *Parser) bool { return p.in.Tok.Kind == lex.String },
			Parse: func(p *Parser) ir.Attr { return p.ctx.StringAttr(p.String()) },
			Print: func(p *Printer, a ir.Attr) { p.Quoted(p.ctx.AttrInfo(a).Str) }}
	case ir.ParamWord:
		return Enum(q.Words...)
	case ir.ParamSize:
		return AttrForm{Begins: func(p *Parser) bool { return p.in.Tok.Kind == lex.Int || p.in.Tok.Kind == lex.Ident || p.Peek("?") }, Parse: parseSize, Print: printSize}
	case ir.ParamSizes:
		return listForm(q.Open, parseSize, printSize)
	}
	return AttrForm{Parse: (*Parser).Attr, Print: (*Printer).Attr}
}

func bracket(p *Parser) bool { return p.in.Tok.Kind == '[' }

// listForm is `[x, ...]`, or `x, ...` if it is open.
func listForm(open bool, parse func(*Parser) ir.Attr, print func(*Printer, ir.Attr)) AttrForm {
	f := AttrForm{Parse: func(p *Parser) ir.Attr {
		list := []ir.Attr{parse(p)}
		for p.Optional(",") {
			list = append(list, parse(p))
		}
		return p.ctx.ArrayAttr(list...)
	}, Print: func(p *Printer, a ir.Attr) {
		for i, x := range p.ctx.AttrInfo(a).List {
			p.comma(i)
			print(p, x)
		}
	}}
	if open {
		return f
	}
	return AttrForm{Begins: bracket, Parse: func(p *Parser) ir.Attr {
		var list []ir.Attr
		p.List("[", "]", func() { list = append(list, parse(p)) })
		return p.ctx.ArrayAttr(list...)
	}, Print: func(p *Printer, a ir.Attr) {
		p.byte('[')
		f.Print(p, a)
		p.byte(']')
	}}
}

// parseField reads `name: type`; a name that is no word stands in quotes.
func parseField(p *Parser) ir.Attr {
	var name string
	if p.in.Tok.Kind == lex.String {
		name = p.String()
	} else {
		name = p.Keyword()
	}
	return p.ctx.ArrayAttr(p.ctx.StringAttr(name), p.ctx.TypeAttr(p.ColonType()))
}

func printField(p *Printer, a ir.Attr) {
	pair := p.ctx.AttrInfo(a).List
	p.FieldName(p.ctx.AttrInfo(pair[0]).Str)
	p.Str(": ")
	p.Type(p.ctx.TypeOf(pair[1]))
}

// FieldName prints a name: a word as it is, another in quotes.
func (p *Printer) FieldName(name string) {
	if isWord(name) {
		p.Str(name)
		return
	}
	p.Quoted(name)
}

// isWord reports what the lexer reads as one word: letters, digits and underscores.
func isWord(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

func (p *Printer) comma(i int) {
	if i > 0 {
		p.Str(", ")
	}
}

// parseSize reads 4, ? or a name.
func parseSize(p *Parser) ir.Attr {
	at := p.in.Tok.Start
	switch {
	case p.Optional("?"):
		return p.ctx.SizeAttr(ir.AnySize)
	case p.in.Tok.Kind == lex.Ident && strings.IndexByte(p.in.Text(), '.') < 0 && strings.IndexByte(p.in.Text(), '$') < 0:
		return p.ctx.SizeAttr(ir.NamedSize(p.Keyword()))
	case p.in.Tok.Kind != lex.Int && p.in.Tok.Kind != '-':
		p.Errorf(at, "expected a size: a number, a name or '?', found %s", p.found())
	}
	n := p.Integer()
	if n < 0 {
		p.Errorf(at, "a size is not negative")
	}
	return p.ctx.SizeAttr(ir.Known(n))
}

func printSize(p *Printer, a ir.Attr) {
	switch s := p.ctx.SizeOf(a); {
	case s.Name != "":
		p.Str(s.Name)
	default:
		p.extent(s.N)
	}
}

// definedType reads a type that a dialect defines, if one begins here: `!cplx.number<f64>`
// or, as MLIR reads it too, `!cplx<number<f64>>`.
func (p *Parser) definedType() (t ir.Type, ok bool) {
	at := p.in.Tok.Start
	s, nested := p.definition(p.ctx.TypeDefNamed, "type")
	if s == nil {
		return 0, false
	}
	t, err := p.ctx.DefinedType(s, p.parameters(s, nested))
	p.refuse(at, "type '!", s, err)
	return t, true
}

// definedAttr reads an attribute that a dialect defines, if one begins here.
func (p *Parser) definedAttr() (a ir.Attr, ok bool) {
	at := p.in.Tok.Start
	s, nested := p.definition(p.ctx.AttrDefNamed, "attribute")
	if s == nil {
		return 0, false
	}
	a, err := p.ctx.DefinedAttr(s, p.parameters(s, nested))
	p.refuse(at, "attribute '#", s, err)
	return a, true
}

// refuse reports what the dialect has against a type or attribute that ends here.
func (p *Parser) refuse(at int, what string, s *ir.Shape, err error) {
	if err != nil {
		p.Fail(diag.Errorf(p.file.Span(at, p.in.Prev), "%s%s' %v", what, s.Name, err))
	}
}

// AsText is a table of a dialect that defines types or attributes: the names of those that it keeps as text.
type AsText []string

// definition finds the definition of the type or attribute whose name comes next and
// reads the name; nested says that a '>' of its own ends it. It is nil for what no
// dialect defines, of which nothing is read; a dialect that defines some has no others.
func (p *Parser) definition(named func(string) *ir.Shape, what string) (s *ir.Shape, nested bool) {
	name := p.in.Text()[1:]
	dialect, _, dotted := strings.Cut(name, ".")
	others := p.definitions(dialect, what)
	if len(others) == 0 {
		return nil, false
	}
	sigil, span := p.in.Text()[:1], p.here()
	if !dotted {
		i := lex.SkipSpace(p.in.Src, p.in.Tok.End+1)
		j := i
		for j < len(p.in.Src) && lex.IsIdent(p.in.Src[j]) {
			j++
		}
		name, nested, span = name+"."+p.in.Src[i:j], true, p.file.Span(i, j)
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
func (p *Parser) definitions(dialect, what string) []ir.Defined {
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

func (p *Parser) undefinedName(others []ir.Defined, sigil, name, what string, span diag.Span) {
	dialect, own, _ := strings.Cut(name, ".")
	d := diag.Errorf(span, "dialect '%s' has no %s '%s'", dialect, what, short(own))
	names := lists.Map(others, func(x ir.Defined) string { return x.Shape().Name })
	if near := diag.Nearest(name, names); len(name) < 100 && near != "" {
		p.Fail(d.WithFix("did you mean '%s%s'?", sigil, near))
	}
	p.Fail(d.WithFix("it has %s%s", sigil, strings.Join(names, ", "+sigil)))
}

// parameters reads what follows the name of a definition.
func (p *Parser) parameters(s *ir.Shape, nested bool) (params []ir.Attr) {
	p.enter()
	f := formOf(s)
	if len(f.elems) == 0 && p.in.Tok.Kind == '<' && p.in.Tok.Start == p.in.Prev {
		p.Fail(diag.Errorf(p.here(), "'%s' has no parameters", s.Name).WithFix("leave <...> out"))
	}
	op := &Op{Def: f.def, ctx: p.ctx}
	(&formatState{f: f, p: p, op: op}).list(f.elems)
	if nested {
		p.Expect(">")
	}
	for _, x := range s.Params {
		params = append(params, op.Prop(x.Name))
	}
	p.leave()
	return params
}

// DefinedForm is an attribute of a definition of which the op writes the parameters
// alone, without the name: `<1.0, 2.0>` for #cplx.number<1.0, 2.0>.
func DefinedForm(def ir.Defined) AttrForm {
	return AttrForm{
		Parse: func(p *Parser) ir.Attr {
			if p.in.Tok.Kind == lex.Hash {
				return p.Attr()
			}
			s, at := def.Shape(), p.in.Tok.Start
			a, err := p.ctx.DefinedAttr(s, p.parameters(s, false))
			p.refuse(at, "attribute '#", s, err)
			return a
		},
		Print: func(p *Printer, a ir.Attr) {
			if info := p.ctx.AttrInfo(a); info.Kind == ir.AttrDefined && info.Str == def.Shape().Name {
				p.defined(def.Shape(), info.List)
				return
			}
			p.Attr(a)
		},
	}
}

// defined prints the parameters of a type or attribute.
func (p *Printer) defined(s *ir.Shape, params []ir.Attr) {
	f := formOf(s)
	values := make(map[string]ir.Attr, len(params))
	for i, x := range s.Params {
		values[x.Name] = params[i]
	}
	(&formatPrinter{Printer: p, f: f, params: values, punct: true}).list(f.elems)
}
