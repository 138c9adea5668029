package buffers

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// scope is the functions of a module, inside of another one perhaps.
type scope struct {
	outer *scope
	funcs map[string]*function
}

// function is one that may be called, and what callers need to know of it.
type function struct {
	in     *scope
	node   ir.Node // the op that has the body
	body   *ir.Graph
	all    bool
	asked  bool
	lends  []bool      // by operand: it neither keeps, frees nor returns it
	gives  []*ir.OpDef // by result: what frees it, if it is new and the caller's
	result *analysis
}

// newScope finds the functions of a module; each is called for all of them and those of
// modules inside.
func newScope(g *ir.Graph, outer *scope, all bool, each func(*function)) *scope {
	sc := &scope{outer: outer, funcs: map[string]*function{}}
	var found []*function
	ir.ScheduleOf(g).Walk(func(v ir.Value) {
		n := g.NodeOf(v)
		for _, c := range g.Children(v) {
			f := &function{in: sc, node: n, body: c, all: all}
			if name := pass.SymbolOf(n); name != "" {
				sc.funcs[name] = f
			}
			found = append(found, f)
		}
	})
	for _, f := range found {
		each(f)
		if !f.body.IsLeaf() {
			newScope(f.body, sc, all, each)
		}
	}
	return sc
}

func (sc *scope) find(name string) *function {
	for ; sc != nil; sc = sc.outer {
		if f := sc.funcs[name]; f != nil {
			return f
		}
	}
	return nil
}

// analyze works out what a function owns, callees first. One that is asked for while that
// goes on calls itself, and nothing is known of it.
func (f *function) analyze() *analysis {
	if f.asked || !f.body.HasBlock(ir.Root) {
		return f.result
	}
	f.asked = true
	a := analyze(f.body, f.in, f.all)
	a.fn = f.node
	f.lends = make([]bool, len(f.body.Params(ir.Root)))
	for i, p := range f.body.Params(ir.Root) {
		o, ok := a.own[key{p, 0}]
		f.lends[i] = ok && a.owners[o].kept == ""
	}
	f.gives = a.gives
	f.result = a
	return a
}

// call: a function that is known borrows what it does not keep, and what it returns and has
// allocated is the caller's.
func (a *analysis) call(v ir.Value, call ir.CallLike) {
	var f *function
	if call.Callee != "" && len(call.Operands) == len(a.g.Args(v)) {
		f = a.scope.find(call.Callee)
	}
	known := f != nil && f.analyze() != nil && len(f.lends) == len(call.Operands) && len(f.gives) == a.g.Results(v)
	for i, x := range call.Operands {
		if !known || !f.lends[i] {
			a.keep("@"+call.Callee+" may keep it", a.of(x)...)
		}
	}
	if !known {
		return
	}
	for i, free := range f.gives {
		if free != nil {
			a.receive(key{v, i}, a.here(), handed{from: borrowed, flag: yes, free: free})
		}
	}
}
