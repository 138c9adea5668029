package text

import "github.com/irc-lang/irc/ir"

// maxExpanded bounds the text that an alias stands for: aliases of aliases can
// double with each line.
const maxExpanded = 1 << 22

// extent is how long the text of an attribute or type is, about, and how deep it
// nests.
type extent struct{ size, depth int }

// sizes remembers extents.
type sizes struct {
	attrs map[ir.Attr]extent
	types map[ir.Type]extent
}

// with adds what stands inside.
func (e extent) with(in extent) extent {
	return extent{min(e.size+in.size, maxExpanded+1), max(e.depth, in.depth+1)}
}

// checkAlias refuses an alias that stands for too much text, or nests too deep.
func (p *Parser) checkAlias(a alias, at int) {
	if p.sizes.attrs == nil {
		p.sizes = sizes{map[ir.Attr]extent{}, map[ir.Type]extent{}}
	}
	switch e := p.attrExtent(a.attr).with(p.typeExtent(a.typ)); {
	case e.size > maxExpanded:
		p.Errorf(at, "this alias stands for more than %d characters", maxExpanded)
	case e.depth > maxDepth:
		p.Errorf(at, "this alias is nested more than %d levels deep", maxDepth)
	}
}

func (p *Parser) attrExtent(a ir.Attr) extent {
	if a == 0 {
		return extent{}
	}
	if e, ok := p.sizes.attrs[a]; ok {
		return e
	}
	info := p.ctx.AttrInfo(a)
	e := extent{1 + len(info.Str), 0}.with(p.typeExtent(info.Type))
	for _, x := range info.List {
		if info.Kind != ir.AttrOther { // of which the text alone is written
			e = e.with(p.attrExtent(x))
		}
	}
	for _, x := range info.Dict {
		e = e.with(p.attrExtent(x.Value))
		e.size += len(x.Name)
	}
	p.sizes.attrs[a] = e
	return e
}

func (p *Parser) typeExtent(t ir.Type) extent {
	if e, ok := p.sizes.types[t]; ok || t == 0 {
		return e
	}
	info := p.ctx.Info(t)
	e := extent{4 + len(info.Text), 0}.with(p.typeExtent(info.Elem)).with(p.attrExtent(info.Layout)).with(p.attrExtent(info.Space))
	for _, x := range info.Types {
		e = e.with(p.typeExtent(x))
	}
	p.sizes.types[t] = e
	return e
}
