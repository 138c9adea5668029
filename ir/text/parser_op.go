package text

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text/internal/lex"
)

// AttrDict reads `{name = value, ...}` if it is there. Names in OpDef.Attrs are
// properties.
func (p *Parser) AttrDict(op *Op) {
	if p.in.Tok.Kind != '{' {
		return
	}
	op.known, op.dict = nil, ""
	var seen map[string]bool
	p.dict(func(e ir.NamedAttr, at int) {
		p.once(&seen, e.Name, at, op.props, op.attrs)
		p.checkSegments(op, e, at)
		op.add(e)
	})
}

// AliasedDict is AttrDict where an alias of a dictionary may stand in its place.
func (p *Parser) AliasedDict(op *Op) {
	if p.in.Tok.Kind != lex.Hash {
		p.AttrDict(op)
		return
	}
	op.known, op.dict = nil, ""
	at, name := p.in.Tok.Start, p.in.Text()
	info := p.ctx.AttrInfo(p.Attr())
	if info.Kind != ir.AttrDict {
		p.Errorf(at, "expected a dictionary of attributes, which %s is not", name)
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
	for _, n := range d.Attrs {
		if n == name {
			return true
		}
	}
	return false
}

// AttrDictWithKeyword reads `attributes {...}` if it is there.
func (p *Parser) AttrDictWithKeyword(op *Op) {
	if p.Optional("attributes") {
		if p.in.Tok.Kind != '{' {
			p.Expect("{")
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
func (op *Op) SetTypes(ts ...ir.Type) { op.Types, op.HasTypes = ts, true }
