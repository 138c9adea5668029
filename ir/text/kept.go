package text

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text/internal/literal"
)

// keptTexts prints names of ops, and what ops carry, in the generic form. Large files say the same over and over.
type keptTexts struct {
	ctx   *ir.Context
	lit   *literal.Writer
	names []string // of ops, in quotes, by number
	saids []said   // text of what ops carry, by its number
}

// maxKept is how many texts of attributes, and of names of ops, are kept: those
// that come first are those that come again.
const maxKept = 1 << 15

// opName prints the name of an op in quotes.
func (p *keptTexts) opName(op ir.Op, def *ir.OpDef) {
	if int(op) >= maxKept {
		p.lit.Quoted(def.Name)
		return
	}
	for int(op) >= len(p.names) {
		p.names = append(p.names, "")
	}
	if p.names[op] == "" {
		start := len(p.lit.Buf)
		p.lit.Quoted(def.Name)
		p.names[op] = string(p.lit.Buf[start:])
		return
	}
	p.lit.Str(p.names[op])
}

// said is the text of all that an op carries, in the generic form.
type said struct {
	props, attrs string
	made         bool
}

// properties prints ` <{...}>` of what an op carries.
func (p *keptTexts) properties(a ir.Attr) {
	if a < maxKept {
		p.lit.Str(p.said(a).props)
	} else if e, ok := p.ctx.Lone(a); ok {
		p.lit.Str(" <{")
		p.lit.Entry(e)
		p.lit.Str("}>")
	} else if list := p.ctx.AttrInfo(a).Dict; len(list) > 0 {
		p.lit.Str(" <{")
		p.lit.Entries(list)
		p.lit.Str("}>")
	}
}

// discardable prints ` {...}` of what an op carries.
func (p *keptTexts) discardable(a ir.Attr) {
	if a < maxKept {
		p.lit.Str(p.said(a).attrs)
	} else if _, ok := p.ctx.Lone(a); ok {
		return
	} else if list := p.ctx.AttrInfo(a).Attrs; len(list) > 0 {
		p.lit.Str(" {")
		p.lit.Entries(list)
		p.lit.Byte('}')
	}
}

// said returns what is kept of an attribute, made the first time.
func (p *keptTexts) said(a ir.Attr) *said {
	for int(a) >= len(p.saids) {
		p.saids = append(p.saids, said{})
	}
	if s := &p.saids[a]; s.made || a == 0 {
		return s
	}
	start, info := len(p.lit.Buf), p.ctx.AttrInfo(a)
	if len(info.Dict) > 0 {
		p.lit.Str(" <{")
		p.lit.Entries(info.Dict)
		p.lit.Str("}>")
	}
	middle := len(p.lit.Buf)
	if len(info.Attrs) > 0 {
		p.lit.Str(" {")
		p.lit.Entries(info.Attrs)
		p.lit.Byte('}')
	}
	p.saids[a] = said{string(p.lit.Buf[start:middle]), string(p.lit.Buf[middle:]), true}
	p.lit.Buf = p.lit.Buf[:start]
	return &p.saids[a]
}
