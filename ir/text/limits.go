package text

import "github.com/irc-lang/irc/ir"

// maxExpanded bounds the text that an alias stands for: aliases of aliases can
// double with each line.
const maxExpanded = 1 << 22

// sizes remembers how long the text of attributes and types is, about.
type sizes struct {
	attrs map[ir.Attr]int
	types map[ir.Type]int
}

// checkAlias refuses an alias that stands for too much text.
func (p *Parser) checkAlias(a alias, at int) {
	if p.sizes.attrs == nil {
		p.sizes = sizes{map[ir.Attr]int{}, map[ir.Type]int{}}
	}
	if p.attrSize(a.attr) > maxExpanded || p.typeSize(a.typ) > maxExpanded {
		p.Errorf(at, "this alias stands for more than %d characters", maxExpanded)
	}
}

func (p *Parser) attrSize(a ir.Attr) int {
	if a == 0 {
		return 0
	}
	if n, ok := p.sizes.attrs[a]; ok {
		return n
	}
	info := p.ctx.AttrInfo(a)
	n := 1 + len(info.Str) + p.typeSize(info.Type)
	for _, x := range info.List {
		n = min(n+p.attrSize(x), maxExpanded+1)
	}
	for _, e := range info.Dict {
		n = min(n+len(e.Name)+p.attrSize(e.Value), maxExpanded+1)
	}
	p.sizes.attrs[a] = n
	return n
}

func (p *Parser) typeSize(t ir.Type) int {
	if n, ok := p.sizes.types[t]; ok || t == 0 {
		return n
	}
	info := p.ctx.Info(t)
	n := 4 + len(info.Text) + p.typeSize(info.Elem) + p.attrSize(info.Layout) + p.attrSize(info.Space)
	for _, x := range info.Types {
		n = min(n+p.typeSize(x), maxExpanded+1)
	}
	p.sizes.types[t] = n
	return n
}
