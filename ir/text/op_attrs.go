package text

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/text/internal/lex"
)

// AttrDict reads `{name = value, ...}` if it is there. Names in OpDef.Attrs are
// properties.
func (p *opReader) AttrDict(op *Op) {
	if p.in.Tok.Kind != '{' {
		return
	}
	op.known, op.dict = nil, ""
	var seen map[string]bool
	p.lit.Attrs.Dict(func(e ir.NamedAttr, at int) {
		p.lit.Attrs.Once(&seen, e.Name, at, op.props, op.attrs)
		p.gen.checkSegments(op, e, at)
		op.add(e)
	})
}

// AliasedDict is AttrDict where an alias of a dictionary may stand in its place.
func (p *opReader) AliasedDict(op *Op) {
	if p.in.Tok.Kind != lex.Hash {
		p.AttrDict(op)
		return
	}
	op.known, op.dict = nil, ""
	at, name := p.in.Tok.Start, p.in.Text()
	info := p.ctx.AttrInfo(p.lit.Attrs.Attr())
	if info.Kind != ir.AttrDict {
		p.in.Errorf(at, "expected a dictionary of attributes, which %s is not", name)
	}
	for _, e := range info.Dict {
		op.add(e)
	}
}

// add adds what an attribute dictionary names.
func (op *Op) add(e ir.NamedAttr) {
	if op.Def.Registered() && inherent(op.Def, e.Name) {
		op.props = append(op.props, e)
	} else {
		op.attrs = append(op.attrs, e)
	}
}

func inherent(d *ir.OpDef, name string) bool {
	return slices.Contains(d.Attrs, name)
}

// AttrDictWithKeyword reads `attributes {...}` if it is there.
func (p *opReader) AttrDictWithKeyword(op *Op) {
	if p.in.Optional("attributes") {
		if p.in.Tok.Kind != '{' {
			p.in.Expect("{")
		}
		p.AttrDict(op)
	}
}

// SetProp sets a property; 0 removes it.
func (op *Op) SetProp(name string, a ir.Attr) { op.props = set(op.props, name, a) }

// SetAttr sets a discardable attribute; 0 removes it.
func (op *Op) SetAttr(name string, a ir.Attr) { op.attrs = set(op.attrs, name, a) }

func set(list []ir.NamedAttr, name string, a ir.Attr) []ir.NamedAttr {
	for i := range list {
		if list[i].Name == name {
			list = append(list[:i], list[i+1:]...)
			break
		}
	}
	if a != 0 {
		list = append(list, ir.NamedAttr{Name: name, Value: a})
	}
	return list
}

// Prop returns a property that was read, or 0.
func (op *Op) Prop(name string) ir.Attr { return named(op.props, name) }

// Attr returns a discardable attribute that was read, or 0.
func (op *Op) Attr(name string) ir.Attr { return named(op.attrs, name) }

func named(list []ir.NamedAttr, name string) ir.Attr {
	for _, e := range list {
		if e.Name == name {
			return e.Value
		}
	}
	return 0
}

// SetTypes sets the result types.
func (op *Op) SetTypes(ts ...ir.Type) { op.Types, op.hasTypes = ts, true }

// Enum is an i64 attribute written as one of words, whose places are its values;
// "" stands for a value that there is not.
func Enum(words ...string) AttrForm { return EnumOf(ir.I64, words...) }

// EnumOf is Enum of another integer type.
func EnumOf(t ir.Type, words ...string) AttrForm {
	return AttrForm{
		begins: func(p *Parser) bool { return slices.Contains(words, p.in.WordHere()) },
		Parse: func(p *Parser) ir.Attr {
			return p.ctx.IntAttr(int64(p.in.Word(words)), t)
		},
		Print: func(p *Printer, a ir.Attr) {
			if n := p.ctx.AttrInfo(a).Int; n >= 0 && n < int64(len(words)) && words[n] != "" {
				p.lit.Str(words[n])
				return
			}
			p.lit.Attr(a)
		},
	}
}

// DialectEnum is a dialect's own attribute #name<word> whose word alone is
// written: of arith.fastmath<fast>, `<fast>`. Of several words (flags) each is
// separated by a comma and sep; words gives their order. Def is the default, ""
// for none.
func DialectEnum(name, def, sep string, words ...string) AttrForm {
	f := AttrForm{
		Parse: func(p *Parser) ir.Attr {
			if p.in.Tok.Kind == lex.Hash {
				return p.lit.Attrs.Attr() // written in full, as #name<word>
			}
			var got []string
			p.in.List("<", ">", func() { got = append(got, words[p.in.Word(words)]) })
			return p.ctx.OpaqueAttr(name + "<" + joinFlags(got, sep, words) + ">")
		},
		Print: func(p *Printer, a ir.Attr) {
			p.lit.Str(strings.TrimPrefix(p.ctx.AttrInfo(a).Str, name))
		},
		begins: func(p *Parser) bool { return p.in.Tok.Kind == '<' || p.in.Tok.Kind == lex.Hash },
		canon: func(c *ir.Context, a ir.Attr) ir.Attr {
			text, ok := strings.CutPrefix(c.AttrInfo(a).Str, name+"<")
			if !ok || c.AttrInfo(a).Kind != ir.AttrOpaque {
				return a
			}
			got := strings.Split(strings.TrimSuffix(text, ">"), ",")
			for i := range got {
				if got[i] = strings.TrimSpace(got[i]); !slices.Contains(words, got[i]) {
					return a
				}
			}
			return c.OpaqueAttr(name + "<" + joinFlags(got, sep, words) + ">")
		},
	}
	if def != "" {
		f.missing = func(c *ir.Context) ir.Attr { return c.OpaqueAttr(name + "<" + def + ">") }
	}
	return f
}

// joinFlags puts words in order, each once.
func joinFlags(got []string, sep string, words []string) string {
	out := lists.Filter(words, func(w string) bool { return slices.Contains(got, w) })
	return strings.Join(out, ","+sep)
}

// Number is an integer or float attribute of a known type, written without it.
func Number(t ir.Type) AttrForm {
	return AttrForm{
		begins: func(p *Parser) bool {
			return p.in.Tok.Kind == lex.Int || p.in.Tok.Kind == '-' || p.in.Tok.Kind == lex.Float
		},
		Parse: func(p *Parser) ir.Attr { return p.lit.Attrs.AttrOf(t) },
		Print: func(p *Printer, a ir.Attr) { p.lit.AttrNoType(a) },
	}
}

// SymbolName is a string attribute written as a symbol: sym_name as @name.
func SymbolName() AttrForm {
	return AttrForm{
		begins: func(p *Parser) bool { return p.in.Tok.Kind == lex.At },
		Parse:  func(p *Parser) ir.Attr { return p.ctx.StringAttr(p.in.Symbol()) },
		Print:  func(p *Printer, a ir.Attr) { p.lit.Symbol(p.ctx.AttrInfo(a).Str) },
	}
}

// UnitFlag is a unit attribute that stands for its group being there.
func UnitFlag() AttrForm { return AttrForm{Unit: true} }

// WithDefault gives an attribute form a default value.
func (f AttrForm) WithDefault(value func(c *ir.Context) ir.Attr) AttrForm {
	f.missing = value
	return f
}

// typeAttr is a type attribute; it is read and printed as a type.
func typeAttr() AttrForm {
	return AttrForm{
		Parse: func(p *Parser) ir.Attr { return p.ctx.TypeAttr(p.lit.Types.Type()) },
		Print: func(p *Printer, a ir.Attr) { p.lit.Type(p.ctx.AttrInfo(a).Type) },
	}
}

// IntList is an attribute array<i64: ...> that is written as a list of numbers.
func IntList() AttrForm {
	return AttrForm{
		begins: bracket,
		Parse: func(p *Parser) ir.Attr {
			var list []int64
			p.in.List("[", "]", func() { list = append(list, p.in.Integer()) })
			return p.ctx.DenseArray(ir.I64, list...)
		},
		Print: func(p *Printer, a ir.Attr) {
			p.lit.Byte('[')
			for i, n := range p.ctx.Ints(a) {
				p.lit.Comma(i)
				p.lit.Int(n)
			}
			p.lit.Byte(']')
		},
	}
}
