package text

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/symtab"
)

// In a graph region a value may be used before its definition. A verbatim graph
// keeps that: the use is a stand-in until the definition is met. Graph regions are
// those of modules and of ops that are not registered, and all regions inside of
// them that are not isolated may look out.

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
	f := symtab.Forward{Name: name, V: p.b.Forward(ir.NoType), Seq: p.scope.MadeForwards}
	p.scope.MadeForwards++
	if p.in.Tok.Kind == lex.Hash && p.in.Tok.Start == p.in.Prev && lex.IsDigit(p.in.Src[p.in.Tok.Start+1]) {
		f.Index = p.resultIndex(1 << 20)
		p.in.Next()
	}
	u.v, u.end, u.def = f.V, int32(p.in.Prev), u.at
	f.Span = p.file.Span(int(u.at), int(u.end))
	if p.scope.Forwards == nil {
		p.scope.Forwards = map[string][]symtab.Forward{}
	}
	p.scope.Forwards[name] = append(p.scope.Forwards[name], f)
	p.uses = append(p.uses, u)
	return f.V, true
}

// defineForwards resolves the uses of a name that were waiting for it, those made
// since the open region began. In one that is no graph region they stay wrong.
func (p *Parser) defineForwards(name string, d symtab.Def) {
	waiting := p.scope.Forwards[name]
	if len(waiting) == 0 || !p.inGraph && !d.Wrong() {
		return
	}
	kept := waiting[:0:0]
	for _, f := range waiting {
		switch {
		case f.Seq < p.firstForward:
			kept = append(kept, f)
		case !d.Wrong():
			p.defineForward(f, d)
		}
	}
	if p.scope.Forwards[name] = kept; len(kept) == 0 {
		delete(p.scope.Forwards, name)
	}
}

func (p *Parser) defineForward(f symtab.Forward, d symtab.Def) {
	v, n := p.scope.Value(&d, f.Index)
	there := p.file.Span(int(d.At), int(d.At)+len(f.Name))
	if f.Index < 0 || f.Index >= n {
		p.Fail(diag.Errorf(f.Span, "'%s' has %d results, numbered from 0", short(f.Name), n).WithNote(there, "defined here"))
	}
	g := p.b.Graph()
	if have, used := g.Type(v), g.Type(f.V); used != have {
		p.Fail(diag.Errorf(f.Span, "'%s' is used as %s, but its type is %s", short(f.Name), p.show(used), p.show(have)).WithNote(there, "defined here"))
	}
	p.b.DefineForward(f.V, v)
}

// typedForwards refuses an op whose text does not tell the type of an operand that
// is defined later.
func (p *Parser) typedForwards(op *Op, args []ir.Value) {
	if len(p.scope.Forwards) == 0 {
		return
	}
	g := p.b.Graph()
	for _, a := range args {
		if !g.IsForward(a) || g.Type(a) != ir.NoType {
			continue
		}
		for _, list := range p.scope.Forwards {
			for _, f := range list {
				if f.V == a {
					p.Fail(diag.Errorf(f.Span, "'%s' is used before its definition, and nothing here tells its type", short(f.Name)).
						WithFix("write '%s' in the generic form", op.Def.Name))
				}
			}
		}
	}
}

// dropForwards forgets the uses made since a number of them were: their op was wrong.
func (p *Parser) dropForwards(from int) {
	if p.scope.MadeForwards == from {
		return
	}
	for name, list := range p.scope.Forwards {
		p.scope.Forwards[name] = slices.DeleteFunc(list, func(f symtab.Forward) bool { return f.Seq >= from })
	}
}

// undefinedForwards reports the uses that nothing defined, in their order.
func (p *Parser) undefinedForwards() {
	var left []symtab.Forward
	for _, list := range p.scope.Forwards {
		left = append(left, list...)
	}
	slices.SortFunc(left, func(a, b symtab.Forward) int { return a.Seq - b.Seq })
	p.scope.Forwards = nil
	for _, f := range left {
		p.report(p.undefined(f.Name, f.Span))
	}
}

// openScope begins the names of an isolated op.
func (p *Parser) openScope() {
	if n := len(p.scopes); n > 0 {
		p.scope, p.scopes = p.scopes[n-1], p.scopes[:n-1]
	} else {
		p.scope = symtab.NewScope(p.in.Src)
	}
}

// closeScope ends them and goes back to those of the op around it.
func (p *Parser) closeScope(outer *symtab.Scope) {
	p.scope.Clear()
	p.scopes = append(p.scopes, p.scope)
	p.scope = outer
}

// define binds a name, which stands at an offset, to values; none if its op was
// wrong.
func (p *Parser) define(name string, at int, vals ...ir.Value) {
	if p.in.Src[at:min(at+len(name), len(p.in.Src))] != name {
		panic("text: " + short(name) + " does not stand where it is said to be defined")
	}
	d, old := p.scope.Define(name, at, vals)
	if old != nil {
		before := int(old.At)
		p.Fail(diag.Errorf(p.file.Span(at, at+len(name)), "redefinition of value '%s'", short(name)).
			WithNote(p.file.Span(before, before+len(name)), "previously defined here"))
	}
	if len(p.scope.Forwards) > 0 {
		p.defineForwards(name, d)
	}
}
