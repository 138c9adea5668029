package text

import (
	"strings"
	"sync"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/param"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/literal"
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
	f, wrong := formOfShape(s)
	if wrong != nil {
		f.misdefined("its format is %q: %s", f.Format, wrong.msg)
	}
	got, _ := definedForms.LoadOrStore(s, f)
	return got.(*form)
}

// formOfShape makes the form of a definition, or says what is wrong with it.
func formOfShape(s *ir.Shape) (*form, *formatError) {
	f := &form{def: &ir.OpDef{Name: s.Name}, compiledFormat: new(compiledFormat)}
	f.Form = Form{Format: Notation(s), Attrs: map[string]AttrForm{}}
	for _, p := range s.Params {
		f.Attrs[p.Name] = paramForm(p)
	}
	elems, wrong := f.compile()
	for _, e := range elementsIn(elems) {
		switch {
		case wrong != nil:
		case e.kind != eLiteral && e.kind != eAttr && e.kind != eGroup:
			wrong = &formatError{s.Name, f.Format, "types and attributes have literals, $parameters and groups only", e.at}
		}
	}
	return f, wrong
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
	case param.Type:
		f := typeAttr()
		f.begins = func(p *Parser) bool {
			return p.in.Tok.Kind == lex.Bang || p.in.Tok.Kind == '(' || p.in.Tok.Kind == lex.Ident
		}
		return f
	case param.Types:
		return listForm(q.Open, func(p *Parser) ir.Attr { return p.ctx.TypeAttr(p.lit.Types.Type()) }, func(p *Printer, a ir.Attr) { p.lit.Type(p.ctx.TypeOf(a)) })
	case param.Fields:
		return listForm(q.Open, parseField, printField)
	case param.Int:
		f := Number(ir.I64)
		f.Parse = func(p *Parser) ir.Attr { return p.ctx.IntAttr(p.in.Integer(), ir.I64) }
		return f
	case param.Ints:
		if q.Open {
			return openInts()
		}
		return IntList()
	case param.Float:
		return Number(ir.F64)
	case param.String:
		return AttrForm{begins: func(p *Parser) bool { return p.in.Tok.Kind == lex.String },
			Parse: func(p *Parser) ir.Attr { return p.ctx.StringAttr(p.in.String()) },
			Print: func(p *Printer, a ir.Attr) { p.lit.Quoted(p.ctx.AttrInfo(a).Str) }}
	case param.Word:
		return Enum(q.Words...)
	case param.Size:
		return AttrForm{begins: func(p *Parser) bool { return p.in.Tok.Kind == lex.Int || p.in.Tok.Kind == lex.Ident || p.in.Peek("?") }, Parse: parseSize, Print: printSize}
	case param.Sizes:
		return listForm(q.Open, parseSize, printSize)
	}
	return AttrForm{Parse: (*Parser).Attr, Print: (*Printer).Attr}
}

// openInts is a list of integers without brackets, which has at least one.
func openInts() AttrForm {
	return AttrForm{begins: func(p *Parser) bool { return p.in.Tok.Kind == lex.Int || p.in.Tok.Kind == '-' },
		Parse: func(p *Parser) ir.Attr {
			list := []int64{p.in.Integer()}
			for p.in.Optional(",") {
				list = append(list, p.in.Integer())
			}
			return p.ctx.DenseArray(ir.I64, list...)
		}, Print: func(p *Printer, a ir.Attr) {
			for i, n := range p.ctx.Ints(a) {
				p.lit.Comma(i)
				p.lit.Int(n)
			}
		}}
}

func bracket(p *Parser) bool { return p.in.Tok.Kind == '[' }

// listForm is `[x, ...]`, or `x, ...` if it is open.
func listForm(open bool, parse func(*Parser) ir.Attr, print func(*Printer, ir.Attr)) AttrForm {
	f := AttrForm{Parse: func(p *Parser) ir.Attr {
		list := []ir.Attr{parse(p)}
		for p.in.Optional(",") {
			list = append(list, parse(p))
		}
		return p.ctx.ArrayAttr(list...)
	}, Print: func(p *Printer, a ir.Attr) {
		for i, x := range p.ctx.AttrInfo(a).List {
			p.lit.Comma(i)
			print(p, x)
		}
	}}
	if open {
		return f
	}
	return AttrForm{begins: bracket, Parse: func(p *Parser) ir.Attr {
		var list []ir.Attr
		p.in.List("[", "]", func() { list = append(list, parse(p)) })
		return p.ctx.ArrayAttr(list...)
	}, Print: func(p *Printer, a ir.Attr) {
		p.lit.Byte('[')
		f.Print(p, a)
		p.lit.Byte(']')
	}}
}

// parseField reads `name: type`; a name that is no word stands in quotes.
func parseField(p *Parser) ir.Attr {
	var name string
	if p.in.Tok.Kind == lex.String {
		name = p.in.String()
	} else {
		name = p.in.Keyword()
	}
	return p.ctx.ArrayAttr(p.ctx.StringAttr(name), p.ctx.TypeAttr(p.lit.Types.ColonType()))
}

func printField(p *Printer, a ir.Attr) {
	pair := p.ctx.AttrInfo(a).List
	p.lit.FieldName(p.ctx.AttrInfo(pair[0]).Str)
	p.lit.Str(": ")
	p.lit.Type(p.ctx.TypeOf(pair[1]))
}

// parseSize reads 4, ? or a name.
func parseSize(p *Parser) ir.Attr {
	at := p.in.Tok.Start
	switch {
	case p.in.Optional("?"):
		return p.ctx.SizeAttr(ir.AnySize)
	case p.in.Tok.Kind == lex.Ident && strings.IndexByte(p.in.Text(), '.') < 0 && strings.IndexByte(p.in.Text(), '$') < 0:
		return p.ctx.SizeAttr(ir.NamedSize(p.in.Keyword()))
	case p.in.Tok.Kind != lex.Int && p.in.Tok.Kind != '-':
		p.in.Errorf(at, "expected a size: a number, a name or '?', found %s", p.in.Found())
	}
	n := p.in.Integer()
	if n < 0 {
		p.in.Errorf(at, "a size is not negative")
	}
	return p.ctx.SizeAttr(ir.Known(n))
}

func printSize(p *Printer, a ir.Attr) {
	switch s := p.ctx.SizeOf(a); {
	case s.Name != "":
		p.lit.Str(s.Name)
	default:
		p.lit.Extent(s.N)
	}
}

// parameters reads what follows the name of a definition.
func (p *Parser) parameters(s *ir.Shape, nested bool) (params []ir.Attr) {
	p.in.Enter()
	f := formOf(s)
	if len(f.elems) == 0 && p.in.Tok.Kind == '<' && p.in.Tok.Start == p.in.Prev {
		p.in.Fail(diag.Errorf(p.in.Here(), "'%s' has no parameters", s.Name).WithFix("leave <...> out"))
	}
	op := &Op{Def: f.def, ctx: p.ctx}
	(&formatState{f: f, p: p, op: op}).list(f.elems)
	if nested {
		p.in.Expect(">")
	}
	for _, x := range s.Params {
		params = append(params, op.Prop(x.Name))
	}
	p.in.Leave()
	return params
}

// DefinedForm is an attribute of a definition of which the op writes the parameters
// alone, without the name: `<1.0, 2.0>` for #cplx.number<1.0, 2.0>.
func DefinedForm(def ir.Defined) AttrForm {
	return AttrForm{
		Parse: func(p *Parser) ir.Attr {
			if p.in.Tok.Kind == lex.Hash {
				return p.lit.Attrs.Attr()
			}
			s, at := def.Shape(), p.in.Tok.Start
			a, err := p.ctx.DefinedAttr(s, p.parameters(s, false))
			p.lit.Defs.Refuse(at, "attribute '#", s, err)
			return a
		},
		Print: func(p *Printer, a ir.Attr) {
			if info := p.ctx.AttrInfo(a); info.Kind == ir.AttrDefined && info.Str == def.Shape().Name {
				p.defined(def.Shape(), info.List)
				return
			}
			p.lit.Attr(a)
		},
	}
}

// notation is that of types and attributes that dialects define, for package literal: their formats.
type notation struct{ p *Parser }

func (n notation) Read(s *ir.Shape, nested bool) []ir.Attr { return n.p.parameters(s, nested) }

func (notation) Write(w *literal.Writer, s *ir.Shape, params []ir.Attr) {
	newPrinter(w).defined(s, params)
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
