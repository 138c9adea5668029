package text

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text/internal/literal"
)

// Ctx returns the context of what is printed.
func (p *Printer) Ctx() *ir.Context { return p.ctx }

// Graph returns the graph whose op is printed.
func (p *Printer) Graph() *ir.Graph { return p.frames.f.g }

// Prop returns an attribute of an op by name, or 0.
func (p *Printer) Prop(v ir.Value, name string) ir.Attr { return p.frames.f.g.Attr(v, name) }

// Group returns the operands of an op that have the given name in OpDef.Args.
func (p *Printer) Group(v ir.Value, name string) []ir.Value {
	return Group(p.frames.f.g, v, name)
}

// Body lists the ops of region i of an op, as scheduled.
func (p *Printer) Body(v ir.Value, i int) []ir.Value {
	if kids := p.frames.f.g.Children(v); len(kids) > 0 {
		return p.frames.child(kids[i]).s.Body(ir.Root)
	}
	return p.frames.f.s.Body(p.frames.f.g.Regions(v)[i])
}

// Region prints region i of an op with a leading space.
func (p *Printer) Region(v ir.Value, i int, style RegionStyle) {
	p.lit.Byte(' ')
	p.region(v, i, style)
}

// Params lists the parameters of region i of an op; of an isolated op they are
// values of the child graph.
func (p *Printer) Params(v ir.Value, i int) []ir.Value {
	if kids := p.frames.f.g.Children(v); len(kids) > 0 {
		return kids[i].Params(ir.Root)
	}
	return p.frames.f.g.Params(p.frames.f.g.Regions(v)[i])
}

// ParamName prints the name of parameter j of region i of an op.
func (p *Printer) ParamName(v ir.Value, i, j int) {
	outer := p.frames.f
	r := p.frames.enterRegion(v, i)
	p.Value(p.frames.f.g.Params(r)[j])
	p.frames.f = outer
}

// HasBody reports whether region i of an op has a block.
func (p *Printer) HasBody(v ir.Value, i int) bool {
	if kids := p.frames.f.g.Children(v); len(kids) > 0 {
		return kids[i].HasBlock(ir.Root)
	}
	return p.frames.f.g.HasBlock(p.frames.f.g.Regions(v)[i])
}

// AttrDict prints ` {name = value, ...}` of the attributes that are not in
// elide, not written elsewhere by the op's Format and not the default; nothing
// if none is left.
func (p *Printer) AttrDict(v ir.Value, elide ...string) { p.attrDict(v, "", elide) }

// AttrDictWithKeyword prints ` attributes {...}` likewise.
func (p *Printer) AttrDictWithKeyword(v ir.Value, elide ...string) {
	p.attrDict(v, " attributes", elide)
}

func (p *Printer) attrDict(v ir.Value, keyword string, elide []string) {
	list := p.entries(v, elide)
	if len(list) == 0 {
		return
	}
	p.lit.Str(keyword, " {")
	p.lit.Entries(list)
	p.lit.Byte('}')
}

// entries are the attributes of an op that its syntax has not written by then.
func (p *Printer) entries(v ir.Value, elide []string) []ir.NamedAttr {
	a := p.frames.f.g.AttrsOf(v)
	if a == 0 {
		return nil
	}
	info := p.ctx.AttrInfo(a)
	list := make([]ir.NamedAttr, 0, len(info.Dict)+len(info.Attrs))
	for _, e := range info.Dict {
		if !contains(elide, e.Name) && !p.isDefault(v, e) {
			list = append(list, e)
		}
	}
	attrs := info.Attrs
	if slices.ContainsFunc(attrs, func(e ir.NamedAttr) bool { return contains(elide, e.Name) }) {
		attrs = slices.DeleteFunc(slices.Clone(attrs), func(e ir.NamedAttr) bool { return contains(elide, e.Name) })
	}
	if len(list) == 0 {
		return attrs
	}
	return literal.Sorted(append(list, attrs...))
}

func contains(list []string, s string) bool {
	return slices.Contains(list, s)
}

func (p *Printer) isDefault(v ir.Value, e ir.NamedAttr) bool {
	f := p.forms.of(p.frames.f.g.Def(v))
	if f == nil {
		return false
	}
	for _, d := range f.defaults {
		if d.name == e.Name {
			return d.value == e.Value
		}
	}
	return false
}

// Signature prints `(%arg0: t {attrs}, ...) -> (t {attrs})` of a function-like
// op whose region 0 is the body, without names if it has none. argAttrs and
// resAttrs are arrays of dictionaries, or 0.
func (p *Printer) Signature(v ir.Value, in, out []ir.Type, argAttrs, resAttrs ir.Attr) {
	body := p.HasBody(v, 0)
	p.lit.Byte('(')
	for i, t := range in {
		if i > 0 {
			p.lit.Str(", ")
		}
		if body {
			p.ParamName(v, 0, i)
			p.lit.Str(": ")
		}
		p.lit.Type(t)
		p.dictAt(argAttrs, i)
	}
	p.lit.Byte(')')
	if len(out) == 0 {
		return
	}
	p.lit.Str(" -> ")
	if len(out) == 1 && p.emptyAt(resAttrs, 0) && p.ctx.Info(out[0]).Kind != ir.KindFunction {
		p.lit.Type(out[0])
		return
	}
	p.lit.Byte('(')
	for i, t := range out {
		if i > 0 {
			p.lit.Str(", ")
		}
		p.lit.Type(t)
		p.dictAt(resAttrs, i)
	}
	p.lit.Byte(')')
}

func (p *Printer) dictOf(attrs ir.Attr, i int) []ir.NamedAttr {
	if attrs == 0 {
		return nil
	}
	list := p.ctx.AttrInfo(attrs).List
	if i >= len(list) {
		return nil
	}
	return p.ctx.AttrInfo(list[i]).Dict
}

func (p *Printer) emptyAt(attrs ir.Attr, i int) bool { return len(p.dictOf(attrs, i)) == 0 }

func (p *Printer) dictAt(attrs ir.Attr, i int) {
	if d := p.dictOf(attrs, i); len(d) > 0 {
		p.lit.Str(" {")
		p.lit.Entries(d)
		p.lit.Byte('}')
	}
}

// Newline goes to the next line, indented like the op.
func (p *Printer) Newline() { p.newline() }

// TypeString returns the text of a type; of an op's results, in parentheses if
// they are not exactly one.
func TypeString(c *ir.Context, t ir.Type) string {
	w := literal.NewWriter(c, notation{})
	w.Type(t)
	return string(w.Buf)
}

// AttrString returns the text of an attribute.
func AttrString(c *ir.Context, a ir.Attr) string {
	w := literal.NewWriter(c, notation{})
	w.Attr(a)
	return string(w.Buf)
}

// Subscripted prints what Parser.Subscripted reads: memory and its subscripts.
func (p *Printer) Subscripted(vs []ir.Value) {
	p.Value(vs[0])
	p.lit.Str("[")
	p.Values(vs[1:])
	p.lit.Str("]")
}

// Attr prints an attribute with its type.
func (p *Printer) Attr(a ir.Attr) { p.lit.Attr(a) }

// AttrNoType prints an attribute without the type that a number or string has.
func (p *Printer) AttrNoType(a ir.Attr) { p.lit.AttrNoType(a) }

// Quoted prints a string in quotes.
func (p *Printer) Quoted(s string) { p.lit.Quoted(s) }

// Symbol prints @name.
func (p *Printer) Symbol(s string) { p.lit.Symbol(s) }

// Str prints strings as they are.
func (p *Printer) Str(ss ...string) { p.lit.Str(ss...) }

// Int prints a number.
func (p *Printer) Int(n int64) { p.lit.Int(n) }

// Type prints a type.
func (p *Printer) Type(t ir.Type) { p.lit.Type(t) }

// Types prints types separated by commas.
func (p *Printer) Types(ts []ir.Type) { p.lit.Types(ts) }

// FunctionType prints `(t, ...) -> t`.
func (p *Printer) FunctionType(in, out []ir.Type) { p.lit.FunctionType(in, out) }

// ArrowTypes prints ` -> t`, or nothing for none.
func (p *Printer) ArrowTypes(out []ir.Type) { p.lit.ArrowTypes(out) }
