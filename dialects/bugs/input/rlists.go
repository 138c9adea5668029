package input

import (
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// takeList adds the members of a list or data frame under their own names: what R
// writes of `data <- list(N = 3, x = c(1, 2))`.
func (p *rParser) takeList(name string, at diag.Span, v *rValue) {
	for _, a := range v.parts {
		switch {
		case a.name == "" && a.v.not == aList:
			p.failChains(a.at)
		case a.name == "":
			p.fail(a.at, "write list(name = value, ...)", "a member of %s has no name", syntax.Clip(name))
		case a.v.not == aList && !a.v.frame:
			p.fail(a.at, "write its members as values of their own", "%s is a list within a list", syntax.Clip(a.name))
		}
		p.takeValue(a.name, a.at, a.at, a.v)
	}
}

// failChains reports lists without names.
func (p *rParser) failChains(at diag.Span) {
	p.fail(at, "keep one of them; -points takes many points, in JSON or CSV", "the list has lists without names, as for several chains, and one set of values is wanted")
}

// takeValue adds a value under a name.
func (p *rParser) takeValue(name string, at, start diag.Span, v *rValue) {
	switch {
	case v.frame && len(v.parts) > 0:
		p.add(name, at, p.frameOf(name, v))
	case v.not == aList && len(v.parts) > 0:
		p.data.lists = append(p.data.lists, list{name, at, memberNames(v)})
		p.takeList(name, at, v)
	case v.not == aNull:
		p.errs.Add(diag.Warningf(at, "%s is NULL and is left out", syntax.Clip(name)).WithFix("remove the line, or write numbers"))
	case isGenerator(name):
		p.add(name, at, nil)
	case v.not != "":
		p.errs.Add(diag.Errorf(start, "the value of %s is %s where numbers are wanted", syntax.Clip(name), v.not).
			WithFix("write numbers, or remove %s", syntax.Clip(name)))
	default:
		if v.levels != nil {
			p.errs.Add(factorNote(name, at, v.levels))
		}
		p.add(name, at, p.array(v))
	}
}

// assign reads `assign("name", value)`; the parenthesis is current.
func (p *rParser) assign() {
	open := p.at()
	p.next()
	name, at := p.tok, p.at()
	if name.kind != rString {
		p.fail(at, `write assign("name", value)`, "expected a name in quotes, found %s", p.describe())
	}
	p.next()
	if p.tok.kind != ',' {
		p.fail(p.at(), `write assign("name", value)`, "expected a value for %s, found %s", syntax.Clip(name.text), p.describe())
	}
	p.next()
	p.take(name.text, at)
	p.closing(open)
}
