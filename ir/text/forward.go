package text

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/internal/lex"
)

// In a graph region a value may be used before its definition. A verbatim graph
// keeps that: the use is a stand-in until the definition is met. Graph regions are
// those of modules and of ops that are not registered, and all regions inside of
// them that are not isolated may look out.

// forward is a use that waits for its definition.
type forward struct {
	name  string
	span  diag.Span
	index int // %name#index
	v     ir.Value
	seq   int // how many there were before it in its scope
}

// isGraphRegion reports that the order of the ops of a region of an op says nothing.
func isGraphRegion(op *ir.OpDef) bool {
	return !op.Registered() || op.Name == "builtin.module"
}

// forward makes a stand-in for a name that is not defined yet, if it may be later.
func (p *Parser) forward(name string, u use) (ir.Value, bool) {
	if !p.opts.Verbatim || p.graphs == 0 {
		return 0, false
	}
	p.in.Next()
	f := forward{name: name, v: p.b.Forward(ir.NoType), seq: p.scope.madeForwards}
	p.scope.madeForwards++
	if p.in.Tok.Kind == lex.Hash && p.in.Tok.Start == p.in.Prev && lex.IsDigit(p.in.Src[p.in.Tok.Start+1]) {
		f.index = p.resultIndex(1 << 20)
		p.in.Next()
	}
	u.v, u.end, u.def = f.v, int32(p.in.Prev), u.at
	f.span = p.file.Span(int(u.at), int(u.end))
	if p.scope.forwards == nil {
		p.scope.forwards = map[string][]forward{}
	}
	p.scope.forwards[name] = append(p.scope.forwards[name], f)
	p.uses = append(p.uses, u)
	return f.v, true
}

// defineForwards resolves the uses of a name that were waiting for it, those made
// since the open region began. In one that is no graph region they stay wrong.
func (p *Parser) defineForwards(name string, d def) {
	waiting := p.scope.forwards[name]
	if len(waiting) == 0 || !p.inGraph && !d.wrong() {
		return
	}
	kept := waiting[:0:0]
	for _, f := range waiting {
		switch {
		case f.seq < p.firstForward:
			kept = append(kept, f)
		case !d.wrong():
			p.defineForward(f, d)
		}
	}
	if p.scope.forwards[name] = kept; len(kept) == 0 {
		delete(p.scope.forwards, name)
	}
}

func (p *Parser) defineForward(f forward, d def) {
	v, n := p.scope.value(&d, f.index)
	there := p.file.Span(int(d.at), int(d.at)+len(f.name))
	if f.index < 0 || f.index >= n {
		p.Fail(diag.Errorf(f.span, "'%s' has %d results, numbered from 0", short(f.name), n).WithNote(there, "defined here"))
	}
	g := p.b.Graph()
	if have, used := g.Type(v), g.Type(f.v); used != have {
		p.Fail(diag.Errorf(f.span, "'%s' is used as %s, but its type is %s", short(f.name), p.show(used), p.show(have)).WithNote(there, "defined here"))
	}
	p.b.DefineForward(f.v, v)
}

// typedForwards refuses an op whose text does not tell the type of an operand that
// is defined later.
func (p *Parser) typedForwards(op *Op, args []ir.Value) {
	if len(p.scope.forwards) == 0 {
		return
	}
	g := p.b.Graph()
	for _, a := range args {
		if !g.IsForward(a) || g.Type(a) != ir.NoType {
			continue
		}
		for _, list := range p.scope.forwards {
			for _, f := range list {
				if f.v == a {
					p.Fail(diag.Errorf(f.span, "'%s' is used before its definition, and nothing here tells its type", short(f.name)).
						WithFix("write '%s' in the generic form", op.Def.Name))
				}
			}
		}
	}
}

// dropForwards forgets the uses made since a number of them were: their op was wrong.
func (p *Parser) dropForwards(from int) {
	if p.scope.madeForwards == from {
		return
	}
	for name, list := range p.scope.forwards {
		p.scope.forwards[name] = slices.DeleteFunc(list, func(f forward) bool { return f.seq >= from })
	}
}

// undefinedForwards reports the uses that nothing defined, in their order.
func (p *Parser) undefinedForwards() {
	var left []forward
	for _, list := range p.scope.forwards {
		left = append(left, list...)
	}
	slices.SortFunc(left, func(a, b forward) int { return a.seq - b.seq })
	p.scope.forwards = nil
	for _, f := range left {
		p.report(p.undefined(f.name, f.span))
	}
}
