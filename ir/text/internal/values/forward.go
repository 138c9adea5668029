package values

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/scan"
	"github.com/irc-lang/irc/ir/text/internal/symtab"
)

// In a graph region a value may be used before its definition. A verbatim graph
// keeps that: the use is a stand-in until the definition is met. Graph regions are
// those of modules and of ops that are not registered, and all regions inside of
// them that are not isolated may look out.

// Order is what the region that is open says of uses of values before their definition.
type Order struct {
	InGraph bool // it is a graph region
	Graphs  int  // graph regions that are open in the scope
	First   int  // how many forward uses the scope had when it began
}

// forward makes a stand-in for a name that is not defined yet, if it may be later.
func (p *Names) forward(name string, u Use) (ir.Value, bool) {
	if !p.Verbatim || p.Order.Graphs == 0 {
		return 0, false
	}
	p.in.Next()
	f := symtab.Forward{Name: name, V: p.B.Forward(ir.NoType), Seq: p.Scope.MadeForwards}
	p.Scope.MadeForwards++
	if p.in.Tok.Kind == lex.Hash && p.in.Tok.Start == p.in.Prev && lex.IsDigit(p.in.Src[p.in.Tok.Start+1]) {
		f.Index = p.resultIndex(1 << 20)
		p.in.Next()
	}
	u.v, u.end, u.def = f.V, int32(p.in.Prev), u.at
	f.Span = p.in.File.Span(int(u.at), int(u.end))
	if p.Scope.Forwards == nil {
		p.Scope.Forwards = map[string][]symtab.Forward{}
	}
	p.Scope.Forwards[name] = append(p.Scope.Forwards[name], f)
	p.used(u)
	return f.V, true
}

// defineForwards resolves the uses of a name that were waiting for it, those made
// since the open region began. In one that is no graph region they stay wrong.
func (p *Names) defineForwards(name string, d symtab.Def) {
	waiting := p.Scope.Forwards[name]
	if len(waiting) == 0 || !p.Order.InGraph && !d.Wrong() {
		return
	}
	kept := waiting[:0:0]
	for _, f := range waiting {
		switch {
		case f.Seq < p.Order.First:
			kept = append(kept, f)
		case !d.Wrong():
			p.defineForward(f, d)
		}
	}
	if p.Scope.Forwards[name] = kept; len(kept) == 0 {
		delete(p.Scope.Forwards, name)
	}
}

func (p *Names) defineForward(f symtab.Forward, d symtab.Def) {
	v, n := p.Scope.Value(&d, f.Index)
	there := p.in.File.Span(int(d.At), int(d.At)+len(f.Name))
	if f.Index < 0 || f.Index >= n {
		p.in.Fail(diag.Errorf(f.Span, "'%s' has %d results, numbered from 0", scan.Short(f.Name), n).WithNote(there, "defined here"))
	}
	g := p.B.Graph()
	if have, used := g.Type(v), g.Type(f.V); used != have {
		p.in.Fail(diag.Errorf(f.Span, "'%s' is used as %s, but its type is %s", scan.Short(f.Name), p.defs.Show(used), p.defs.Show(have)).WithNote(there, "defined here"))
	}
	p.B.DefineForward(f.V, v)
	p.in.Index.DefinedAt(f.Span.Start, int(d.At))
}

// TypedForwards refuses an op whose text does not tell the type of an operand that
// is defined later.
func (p *Names) TypedForwards(op string, args []ir.Value) {
	if len(p.Scope.Forwards) == 0 {
		return
	}
	g := p.B.Graph()
	for _, a := range args {
		if !g.IsForward(a) || g.Type(a) != ir.NoType {
			continue
		}
		for _, list := range p.Scope.Forwards {
			for _, f := range list {
				if f.V == a {
					p.in.Fail(diag.Errorf(f.Span, "'%s' is used before its definition, and nothing here tells its type", scan.Short(f.Name)).
						WithFix("write '%s' in the generic form", op))
				}
			}
		}
	}
}

// DropForwards forgets the uses made since a number of them were: their op was wrong.
func (p *Names) DropForwards(from int) {
	if p.Scope.MadeForwards == from {
		return
	}
	for name, list := range p.Scope.Forwards {
		p.Scope.Forwards[name] = slices.DeleteFunc(list, func(f symtab.Forward) bool { return f.Seq >= from })
	}
}

// UndefinedForwards reports the uses that nothing defined, in their order.
func (p *Names) UndefinedForwards() {
	var left []symtab.Forward
	for _, list := range p.Scope.Forwards {
		left = append(left, list...)
	}
	slices.SortFunc(left, func(a, b symtab.Forward) int { return a.Seq - b.Seq })
	p.Scope.Forwards = nil
	for _, f := range left {
		p.in.Report(p.undefined(f.Name, f.Span))
	}
}
