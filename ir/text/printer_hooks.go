package text

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// Ctx returns the context of what is printed.
func (p *Printer) Ctx() *ir.Context { return p.ctx }

// Graph returns the graph whose op is printed.
func (p *Printer) Graph() *ir.Graph { return p.f.g }

// Generic reports that everything is printed in the generic form.
func (p *Printer) Generic() bool { return p.opts.Generic }

// Prop returns an attribute of an op by name, or 0.
func (p *Printer) Prop(v ir.Value, name string) ir.Attr { return p.f.g.Attr(v, name) }

// Group returns the operands of an op that have the given name in OpDef.Args.
func (p *Printer) Group(v ir.Value, name string) []ir.Value {
	return Group(p.f.g, v, name)
}

// Body lists the ops of region i of an op, as scheduled.
func (p *Printer) Body(v ir.Value, i int) []ir.Value {
	if kids := p.f.g.Children(v); len(kids) > 0 {
		return p.child(kids[i]).s.Body(ir.Root)
	}
	return p.f.s.Body(p.f.g.Regions(v)[i])
}

// Region prints region i of an op with a leading space.
func (p *Printer) Region(v ir.Value, i int, style RegionStyle) {
	p.byte(' ')
	p.region(v, i, style)
}

// Params lists the parameters of region i of an op; of an isolated op they are
// values of the child graph.
func (p *Printer) Params(v ir.Value, i int) []ir.Value {
	if kids := p.f.g.Children(v); len(kids) > 0 {
		return kids[i].Params(ir.Root)
	}
	return p.f.g.Params(p.f.g.Regions(v)[i])
}

// ParamName prints the name of parameter j of region i of an op.
func (p *Printer) ParamName(v ir.Value, i, j int) {
	outer := p.f
	r := p.enterRegion(v, i)
	p.Value(p.f.g.Params(r)[j])
	p.f = outer
}

// HasBody reports whether region i of an op has a block.
func (p *Printer) HasBody(v ir.Value, i int) bool {
	if kids := p.f.g.Children(v); len(kids) > 0 {
		return kids[i].HasBlock(ir.Root)
	}
	return p.f.g.HasBlock(p.f.g.Regions(v)[i])
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
	a := p.f.g.AttrsOf(v)
	if a == 0 {
		return
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
		list = attrs
	} else {
		list = sorted(append(list, attrs...))
	}
	if len(list) == 0 {
		return
	}
	p.Str(keyword, " {")
	p.entries(list)
	p.byte('}')
}

func contains(list []string, s string) bool {
	return slices.Contains(list, s)
}

func (p *Printer) isDefault(v ir.Value, e ir.NamedAttr) bool {
	f := p.forms.of(p.f.g.Def(v))
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
	p.byte('(')
	for i, t := range in {
		if i > 0 {
			p.Str(", ")
		}
		if body {
			p.ParamName(v, 0, i)
			p.Str(": ")
		}
		p.Type(t)
		p.dictAt(argAttrs, i)
	}
	p.byte(')')
	if len(out) == 0 {
		return
	}
	p.Str(" -> ")
	if len(out) == 1 && p.emptyAt(resAttrs, 0) && p.ctx.Info(out[0]).Kind != ir.KindFunction {
		p.Type(out[0])
		return
	}
	p.byte('(')
	for i, t := range out {
		if i > 0 {
			p.Str(", ")
		}
		p.Type(t)
		p.dictAt(resAttrs, i)
	}
	p.byte(')')
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
		p.Str(" {")
		p.entries(d)
		p.byte('}')
	}
}

// Newline goes to the next line, indented like the op.
func (p *Printer) Newline() { p.newline() }

// TypeString returns the text of a type; of an op's results, in parentheses if
// they are not exactly one.
func TypeString(c *ir.Context, t ir.Type) string {
	p := newTextPrinter(c)
	p.Type(t)
	return string(p.buf)
}

// Type prints a type.
func (p *Printer) Type(t ir.Type) {
	if int(t) < len(p.types) && p.types[t] != "" {
		p.Str(p.types[t])
		return
	}
	start := len(p.buf)
	p.typ(p.ctx.Info(t), t)
	if p.types != nil {
		for int(t) >= len(p.types) {
			p.types = append(p.types, "")
		}
		p.types[t] = string(p.buf[start:])
	}
}

func (p *Printer) typ(info *ir.TypeInfo, t ir.Type) {
	switch info.Kind {
	case ir.KindMulti:
		p.byte('(')
		p.Types(info.Types)
		p.byte(')')
	case ir.KindNone:
		p.Str("none")
	case ir.KindIndex:
		p.Str("index")
	case ir.KindInteger:
		p.Str([...]string{"i", "si", "ui"}[info.Sign])
		p.Int(int64(info.Width))
	case ir.KindFloat:
		p.Str(info.Text)
	case ir.KindComplex:
		p.Str("complex<")
		p.Type(info.Elem)
		p.byte('>')
	case ir.KindTuple:
		p.Str("tuple<")
		p.Types(info.Types)
		p.byte('>')
	case ir.KindFunction:
		p.FunctionType(info.Types[:info.NumIn], info.Types[info.NumIn:])
	case ir.KindVector, ir.KindTensor, ir.KindMemRef:
		p.shaped(info)
	case ir.KindOpaque:
		p.byte('!')
		p.Str(info.Text)
		if info.Def != nil {
			p.defined(info.Def, info.Params)
		}
	default:
		p.Str("<invalid type>")
	}
}

func (p *Printer) shaped(info *ir.TypeInfo) {
	p.Str([...]string{"vector<", "tensor<", "memref<"}[info.Kind-ir.KindVector])
	if info.Unranked {
		p.Str("*x")
	}
	for i, n := range info.Shape {
		scales := info.Scalable != nil && info.Scalable[i]
		if scales {
			p.byte('[')
		}
		p.extent(n)
		if scales {
			p.byte(']')
		}
		p.byte('x')
	}
	p.Type(info.Elem)
	if info.Layout != 0 {
		p.Str(", ")
		p.Attr(info.Layout)
	}
	if info.Space != 0 {
		p.Str(", ")
		p.elided(info.Space)
	}
	p.byte('>')
}

func (p *Printer) extent(n int64) {
	if n == ir.Dynamic {
		p.byte('?')
	} else {
		p.Int(n)
	}
}

// Types prints types separated by commas.
func (p *Printer) Types(ts []ir.Type) {
	for i, t := range ts {
		if i > 0 {
			p.Str(", ")
		}
		p.Type(t)
	}
}

// FunctionType prints `(t, ...) -> t`.
func (p *Printer) FunctionType(in, out []ir.Type) {
	p.byte('(')
	p.Types(in)
	p.Str(") -> ")
	p.results(out)
}

// results prints what follows an arrow.
func (p *Printer) results(out []ir.Type) {
	if len(out) == 1 && p.ctx.Info(out[0]).Kind != ir.KindFunction {
		p.Type(out[0])
		return
	}
	p.byte('(')
	p.Types(out)
	p.byte(')')
}

// ArrowTypes prints ` -> t`, or nothing for none.
func (p *Printer) ArrowTypes(out []ir.Type) {
	if len(out) > 0 {
		p.Str(" -> ")
		p.results(out)
	}
}

// Subscripted prints what Parser.Subscripted reads: memory and its subscripts.
func (p *Printer) Subscripted(vs []ir.Value) {
	p.Value(vs[0])
	p.Str("[")
	p.Values(vs[1:])
	p.Str("]")
}
