package differentiate

import (
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// prepare is what a function does, in ops that have derivatives. Calls are the bodies of what they call, at any depth. Memory on
// the stack is memory of the function's own, since its shadow and what the way back reads of it live as long.
//
// Parallel loops run in order, those that reduce nothing on the way back only. What cannot be written so is left, for an error that names it.
type prepare struct {
	functions   map[string]ir.Node
	isRecursive map[string]bool
	back        bool
}

// newPrepare finds the functions of a module, and those that call themselves.
func newPrepare(module *ir.Graph, back bool) *prepare {
	p := &prepare{functions: map[string]ir.Node{}, isRecursive: map[string]bool{}, back: back}
	for n := range module.All() {
		if c := n.Children(); symbols.Of(n) != "" && len(c) == 1 && c[0].HasBlock(ir.Root) {
			p.functions[symbols.Of(n)] = n
		}
	}
	callees := map[string][]string{}
	for name, f := range p.functions {
		for n := range f.Children()[0].All() {
			if to := symbols.Callee(n); to != "" {
				callees[name] = append(callees[name], to)
			}
		}
	}
	for name := range p.functions {
		seen := map[string]bool{}
		for todo := callees[name]; len(todo) > 0; todo = todo[1:] {
			if to := todo[0]; !seen[to] {
				seen[to] = true
				todo = append(todo, callees[to]...)
			}
		}
		p.isRecursive[name] = seen[name] && !p.functions[name].Children()[0].NamesSizes()
	}
	return p
}

// prepared is the body of a function as it is differentiated.
func (p *prepare) prepared(f ir.Node) *ir.Graph {
	s := ir.ScheduleOf(f.Children()[0])
	g := ir.Rewrite(f.Graph().Ctx, s, p.plain(s), nil)
	s = ir.ScheduleOf(g)
	rules := ordered(s, p.back)
	if p.back {
		keepMemory(s, rules)
	}
	return ir.Rewrite(g.Ctx, s, rules, nil)
}

// keepMemory adds rules for memory that is allocated here and given back: the way back may need it once more, so it is given back after
// its last use. Where one of several is given back, or is taken over, all stays as it is.
func keepMemory(s *ir.Schedule, rules ir.Rules) {
	g, freed := s.Graph(), map[ir.Value]bool{}
	for v := range s.All() {
		n := g.NodeOf(v)
		if a, ok := ir.As[ir.Allocation](n); ok && a.From != 0 {
			return
		}
		if n.Def() != memref.Dealloc {
			continue
		}
		memory := uncast(n.Arg(0))
		if home, _, isParam := g.Param(memory.Old()); isParam && home == ir.Root {
			continue // that of who calls
		}
		if memory.Def() != memref.Alloc {
			return
		}
		freed[memory.Old()] = true
	}
	rules[memref.Alloc] = func(m *ir.Mirror, n ir.Node) ir.Value {
		if !freed[n.Old()] {
			return 0
		}
		return m.CopyWith(n, m.B.Ctx().WithDiscardable(n.Attrs(), memref.OwnedAttr, m.B.Ctx().UnitAttr()))
	}
	rules[memref.Dealloc] = func(m *ir.Mirror, n ir.Node) ir.Value {
		if !freed[uncast(n.Arg(0)).Old()] {
			return 0
		}
		return m.B.Pack()
	}
}

// uncast is memory of which there are casts.
func uncast(n ir.Node) ir.Node {
	for n.Def() == memref.Cast {
		n = n.Arg(0)
	}
	return n
}

// plain are the rules for calls and memory on the stack.
func (p *prepare) plain(s *ir.Schedule) ir.Rules {
	rules := ir.Rules{
		memref.Alloca:      p.alloca,
		memref.AllocaScope: func(m *ir.Mirror, n ir.Node) ir.Value { return m.B.Pack(m.Body(n.Region(0))...) },
		scf.ExecuteRegion:  func(m *ir.Mirror, n ir.Node) ir.Value { return m.B.Pack(m.Body(n.Region(0))...) },
	}
	for v := range s.All() {
		if symbols.Callee(s.Graph().NodeOf(v)) != "" {
			rules[s.Graph().Def(v)] = p.call
		}
	}
	return rules
}

// ordered are the rules for parallel loops; forward those that reduce nothing stay.
func ordered(s *ir.Schedule, back bool) ir.Rules {
	rules := ir.Rules{}
	for v := range s.All() {
		if l, ok := ir.As[ir.LoopLike](s.Graph().NodeOf(v)); ok && l.Parallel {
			rules[s.Graph().Def(v)] = func(m *ir.Mirror, n ir.Node) ir.Value {
				if !back && n.Graph().Results(n.Old()) == 0 {
					return 0
				}
				return inOrder(m, n)
			}
		}
	}
	return rules
}

// call is the body of what is called, unless it is not known or calls itself, in one step or in several.
func (p *prepare) call(m *ir.Mirror, n ir.Node) ir.Value {
	name := symbols.Callee(n)
	f, ok := p.functions[name]
	if !ok || p.isRecursive[name] || f.Children()[0].NamesSizes() {
		return 0
	}
	s := ir.ScheduleOf(f.Children()[0])
	return m.B.Pack(ir.Insert(m.B, s, ir.Root, nil, p.plain(s), m.All(n.Args())...)...)
}

// alloca is memory that lives as long as somebody reads it.
func (p *prepare) alloca(m *ir.Mirror, n ir.Node) ir.Value {
	a, _ := ir.As[ir.Allocation](n)
	sizes := make([]ir.Value, len(a.Sizes))
	for i, x := range a.Sizes {
		sizes[i] = m.Of(n.Graph().NodeOf(x))
	}
	return memref.BuildOwned(m.B, n.Type(), 0, sizes...)
}

// inOrder is a nest of loops for a parallel one over a box. What it reduces is carried, in the order of the points.
func inOrder(m *ir.Mirror, n ir.Node) ir.Value {
	l, _ := ir.As[ir.LoopLike](n)
	body, b := n.Region(0), m.B
	if !l.Parallel || len(l.Lower) != len(l.Indices) || len(l.Inits) != n.Graph().Results(n.Old()) || len(l.Inits) > 0 && n.Def() != scf.Parallel {
		return 0
	}
	term, _ := body.Term()
	now := func(x ir.Bound) ir.Value {
		if x.Value == 0 {
			return b.Index(x.Const)
		}
		return m.Of(n.Graph().NodeOf(x.Value))
	}
	var nest func(at, carried []ir.Value) []ir.Value
	nest = func(at, carried []ir.Value) []ir.Value {
		d := len(at)
		if d < len(l.Indices) {
			return b.Results(scf.BuildFor(b, now(l.Lower[d]), now(l.Upper[d]), now(l.Step[d]), carried, func(i ir.Value, carried []ir.Value) []ir.Value {
				return nest(append(at[:d:d], i), carried)
			}))
		}
		var next []ir.Value
		for k, y := range m.Body(body, at...) {
			next = append(next, m.Body(term.Region(k), carried[k], y)...)
		}
		return next
	}
	return b.Pack(nest(nil, m.All(n.Args()[n.NumArgs()-len(l.Inits):]))...)
}
