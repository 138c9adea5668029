package buffers

import (
	"slices"

	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// scope is the functions of a module, inside of another one perhaps.
type scope struct {
	outer *scope
	funcs map[string]*function
	todo  []*function // of whose callees more is known than when they were looked at
}

// function is one that may be called, and what callers need to know of it: at first the
// best, of functions that call each other too, until it proves wrong.
type function struct {
	in     *scope
	node   ir.Node // the op that has the body
	body   *ir.Graph
	all    bool // every allocation is owned
	asked  bool
	lends  []bool   // by operand: it neither keeps nor frees it
	gives  []result // what it returns
	users  []*function
	result *analysis
	inner  string // the name of the function that says what is new, if this one cannot
}

// A result of a function is new memory and the caller's in some runs, all or none. In the
// others it may be that of arguments, or of earlier results.
type result struct {
	flag flag
	free *ir.OpDef
	args []int
	with []int
}

// newScope finds the functions of a module; each is called for all of them and those of
// modules inside.
func newScope(g *ir.Graph, outer *scope, all bool, each func(*function)) {
	sc := &scope{outer: outer, funcs: map[string]*function{}}
	var found []*function
	for v := range ir.ScheduleOf(g).All() {
		n := g.NodeOf(v)
		for _, c := range g.Children(v) {
			f := &function{in: sc, node: n, body: c, all: all}
			if name := symbols.Of(n); name != "" {
				sc.funcs[name] = f
			}
			found = append(found, f)
		}
	}
	for _, f := range found {
		f.ask()
	}
	// Facts about functions only get worse (see learn), so the list runs empty.
	for len(sc.todo) > 0 {
		f := sc.todo[0]
		sc.todo = sc.todo[1:]
		f.analyze()
	}
	for _, f := range found {
		each(f)
		if !f.body.IsLeaf() {
			newScope(f.body, sc, all, each)
		}
	}
}

// find looks a name up in a module and in those around it, the innermost first; nil if no function has it.
func (sc *scope) find(name string) *function {
	for ; sc != nil; sc = sc.outer {
		if f := sc.funcs[name]; f != nil {
			return f
		}
	}
	return nil
}

// ask looks at a function for the first time, callees first. It is false for one without a
// body.
func (f *function) ask() bool {
	if !f.body.HasBlock(ir.Root) {
		return false
	}
	if !f.asked {
		// The mark comes before the analysis: a recursive call then finds the best assumption, not itself
		// again.
		f.asked = true
		f.lends = slices.Repeat([]bool{true}, len(f.body.Params(ir.Root)))
		f.gives = make([]result, len(f.body.Yields(ir.Root)))
		f.analyze()
	}
	return true
}

// analyze works out what a function owns. If its callers know too little of it now, they are
// looked at again.
func (f *function) analyze() {
	f.result = analyze(f)
	if !f.learn(f.result) {
		return
	}
	for _, u := range f.users {
		if !slices.Contains(u.in.todo, u) {
			u.in.todo = append(u.in.todo, u)
		}
	}
}

// learn adds what an analysis says of a function: it only gets worse.
func (f *function) learn(a *analysis) (more bool) {
	// Every update is monotone: lends falls, flags and lists grow. So the fixed point exists, whatever the
	// order.
	args := map[int]int{} // by owner
	for i, p := range f.body.Params(ir.Root) {
		o, ok := a.ledger.own[key{p, 0}]
		lends := ok && a.ledger.owners[o].kept == ""
		more = more || f.lends[i] && !lends
		if f.lends[i] = f.lends[i] && lends; ok {
			args[o] = i
		}
	}
	note := func(list *[]int, i int) {
		if !slices.Contains(*list, i) {
			*list, more = append(*list, i), true
		}
	}
	for i, h := range a.gives {
		r := &f.gives[i]
		for _, o := range h.of {
			note(&r.args, args[o])
		}
		for _, j := range h.with {
			note(&r.with, j)
		}
		if h.free == nil && f.declares(i) {
			h.free = memref.Dealloc
		}
		if flag := r.flag | f.newness(i, h); flag != r.flag || r.free == nil && h.free != nil {
			r.flag, r.free, more = flag, h.free, true
		}
	}
	return more
}

// newness is whether a result is new memory. What the program itself says is so; of memory
// that a run chooses nobody knows if it cannot be copied, or the function is none that can
// say it.
func (f *function) newness(i int, h handed) flag {
	switch {
	case f.declares(i):
		return yes
	case h.flag == either && (f.node.Def() != funcs.Func || f.body.Def(f.body.Term(ir.Root)) != funcs.Return || !f.copyable(i)):
		return no
	}
	return h.flag
}

// declares reports a result that the program says is new memory.
func (f *function) declares(i int) bool {
	c := f.body.Ctx
	if a := f.node.Attr(resAttrs); a != 0 && slices.Contains(f.node.Def().Attrs, resAttrs) {
		return c.Get(c.AttrInfo(a).List[i], memref.OwnedAttr) != 0
	}
	return false
}

// extra lists the results of which a run decides whether they are new.
func (f *function) extra() (out []int) {
	for i, r := range f.gives {
		if r.flag == either {
			out = append(out, i)
		}
	}
	return out
}

// call: a function that is known borrows what it does not keep, and what it returns and has
// allocated is the caller's.
func (a *analysis) call(v ir.Value, call ir.CallLike) {
	var f *function
	if call.Callee != "" && len(call.Operands) == len(a.body.g.Args(v)) {
		f = a.f.in.find(call.Callee)
	}
	known := f != nil && f.ask() && len(f.lends) == len(call.Operands) && len(f.gives) == a.body.g.Results(v)
	if known && !slices.Contains(f.users, a.f) {
		f.users = append(f.users, a.f)
	}
	for i, x := range call.Operands {
		if !known || !f.lends[i] {
			a.ledger.keep("@"+call.Callee+" may keep it", a.of(x)...)
		}
	}
	if !known {
		return
	}
	a.plan.calls[v] = f
	for i, r := range f.gives {
		h := handed{from: borrowed, flag: r.flag, free: r.free, with: r.with}
		for _, j := range r.args {
			h.of = append(h.of, a.of(call.Operands[j])...)
		}
		if a.body.g.Def(v) != funcs.Call && (h.flag == either || len(h.with) > 0) {
			h.flag, h.with = yes, nil // it calls the one that copies
		}
		if a.body.g.Ctx.Info(a.body.g.Ctx.Results(a.body.g.Type(v))[i]).Kind == ir.KindMemRef {
			a.receive(v, i, 0, h)
			a.plan.slot(v, key{v, i}, handed{from: borrowed, flag: no})
		}
	}
}
