package passes

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/digraph"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// Inline puts the bodies of functions in the place of their calls.
type Inline struct {
	Threshold int `opt:"threshold" doc:"most ops of a function that is inlined; a private function with one call always is; -1 is no limit, -2 asks the target"`
	Percent   int `opt:"inlining-threshold" doc:"mlir-opt's: most ops of such a function, in percent of those of its caller, in place of threshold; -1 is none"`
}

var inlineInfo = &pass.Info{
	Name: "inline",
	Doc: "Puts the bodies of functions in the place of their calls, callees first, over the strongly connected components of the call graph. " +
		"Recursive calls stay. A call whose result nothing uses is removed if what it calls writes nothing.",
	Why: "Before everything that stops at calls: a call may do anything to memory, its body says what it does.",
	Example: `func.func private @square(%a: f64) -> f64 {
  %x = arith.mulf %a, %a : f64
  return %x : f64
}
func.func @f(%a: f64) -> f64 {
  %x = call @square(%a) : (f64) -> f64
  %y = call @square(%x) : (f64) -> f64
  return %y : f64
}
`,
	Scope: pass.Modules,
	Statistics: []pass.Statistic{
		{Name: "inlined", Doc: "calls replaced by the body"},
		{Name: "recursive", Doc: "calls left because they are recursive"},
		{Name: "too-large", Doc: "calls left because of the threshold, or as too much is inlined already"},
		{Name: "dropped", Doc: "calls removed because nothing uses them"},
	},
	New: func() pass.Pass { return &Inline{Threshold: -2, Percent: -1} },
}

// function is a function with a body in one scope of symbols.
type function struct {
	name      string
	node      ir.Node
	decided   map[ir.Value]decision // of its calls
	body      *ir.Graph             // rewritten once its component is done
	calls     int                   // in the whole scope
	component int
	size      int  // in ops, once that is asked
	pure      bool // writes nothing: a call that nothing uses may go
}

// inliner works on one scope of symbols.
type inliner struct {
	pass   *Inline
	inner  func(g *ir.Graph) error // works on a scope within
	ctx    *pass.Context
	funcs  map[string]*function
	order  []*function
	budget int // how many ops may still be inserted
}

// Run inlines in each scope of symbols, inner ones first.
func (p *Inline) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	if p.Threshold == -2 {
		q := *p
		p, q.Threshold = &q, ctx.Target().Costs.MaxInline
	}
	to := map[*ir.Graph]*ir.Graph{}
	err := p.scope(ctx, g, to)
	if err != nil {
		return nil, err
	}
	return ir.WithChildren(g, to), nil
}

// scope inlines in one scope of symbols, callees before callers, so that a body is final when it is inserted.
// The budget bounds growth: maxCopied ops, and four for each node of the scope.
func (p *Inline) scope(ctx *pass.Context, g *ir.Graph, to map[*ir.Graph]*ir.Graph) error {
	in := &inliner{pass: p, ctx: ctx, funcs: map[string]*function{}, inner: func(g *ir.Graph) error { return p.scope(ctx, g, to) }}
	if err := in.collect(g); err != nil || len(in.order) == 0 {
		return err
	}
	in.budget = maxCopied
	for _, f := range in.order {
		in.budget += 4 * f.body.Len()
	}
	for _, c := range in.components() {
		for _, f := range c {
			in.rewrite(f)
		}
		in.summarize(c)
		if ctx.Err() != nil {
			return nil
		}
	}
	for _, f := range in.order {
		to[f.node.Children()[0]] = f.body
	}
	return nil
}

// collect finds the functions of a scope; what is no function but isolated is a
// scope of its own.
func (in *inliner) collect(g *ir.Graph) (err error) {
	s := ir.ScheduleOf(g)
	for v := range s.All() {
		n := g.NodeOf(v)
		children := g.Children(v)
		if symbols.UnknownScope(s, s.Place(v)) != ir.Root {
			continue // an op that is not known may mean anything by what is in it
		}
		if _, _, ok := symbols.Signature(n); !ok || len(children) != 1 {
			for _, c := range children {
				if err == nil {
					err = in.inner(c)
				}
			}
			continue
		}
		if name := symbols.Of(n); name != "" && isBody(children[0]) {
			f := &function{name: name, node: n, body: children[0]}
			in.funcs[name] = f
			in.order = append(in.order, f)
		}
	}
	return err
}

// isBody reports a function with a body that returns.
func isBody(g *ir.Graph) bool {
	t := g.Term(ir.Root)
	return g.HasBlock(ir.Root) && t != 0 && g.Def(t).Has(ir.ReturnLike)
}

// calls calls f for the calls of known functions in a body.
func (in *inliner) calls(body *ir.Graph, f func(callee *function)) {
	for v := range ir.ScheduleOf(body).All() {
		if c := in.funcs[calleeOf(body.NodeOf(v))]; c != nil {
			f(c)
		}
	}
}

// calleeOf is the name of the function that an op calls, "" if it names none. Terminators and ops that are not
// registered count as no calls.
func calleeOf(n ir.Node) string {
	if !n.Def().Registered() || n.Def().Has(ir.Terminator) {
		return ""
	}
	return symbols.Callee(n)
}

// components lists the strongly connected components of the call graph, callees
// before callers.
func (in *inliner) components() (out [][]*function) {
	at := map[*function]int{}
	for i, f := range in.order {
		at[f] = i
	}
	succs := make([][]int, len(in.order))
	for i, f := range in.order {
		in.calls(f.body, func(callee *function) {
			callee.calls++
			succs[i] = append(succs[i], at[callee])
		})
	}
	for i, c := range digraph.Components(succs) {
		out = append(out, lists.Map(c, func(k int) *function { return in.order[k] }))
		for _, f := range out[i] {
			f.component = i
		}
	}
	return out
}

// rewrite inlines what f calls.
func (in *inliner) rewrite(f *function) {
	rules := ir.Rules{}
	s := ir.ScheduleOf(f.body)
	used := map[ir.Value]bool{}
	for v := range s.All() {
		for _, a := range f.body.Args(v) {
			n, _, _ := f.body.Projection(a)
			used[n] = true
		}
		if in.funcs[calleeOf(f.body.NodeOf(v))] != nil {
			rules[f.body.Def(v)] = func(m *ir.Mirror, n ir.Node) ir.Value { return in.call(m, n, f) }
		}
	}
	if len(rules) == 0 {
		return
	}
	in.decideAll(f, s, used)
	f.body, f.size = ir.Rewrite(f.body.Ctx, s, rules, nil), 0
}

// decision is what happens to a call.
type decision uint8

const (
	// keep leaves a call whose callee says no_inline, or has sizes with names of its own.
	keep decision = iota
	insert
	drop
	// recursive is a call within one strongly connected component.
	recursive
	// tooLarge is a callee above the threshold or the percentage.
	tooLarge
	// noRoom is a callee larger than what remains of the budget.
	noRoom
)

// decide says what happens to a call of f.
func (in *inliner) decide(f, callee *function, used bool) decision {
	if callee.component == f.component {
		return recursive
	}
	// The component of the callee comes before that of f, so summarize has seen it. A call that nothing
	// needs goes whatever the size or the attributes of its callee.
	if callee.pure && !used {
		return drop
	}
	if callee.body.NamesSizes() { // what they stand for is its own
		return keep
	}
	if callee.node.Attr("no_inline") != 0 || callee.node.Attr("noinline") != 0 {
		return keep
	}
	// The only call of a private function does not multiply code: symbol-dce removes the function
	// afterwards.
	once := callee.calls == 1 && symbols.IsPrivate(callee.node)
	size := callee.ops() - 1 // without the return
	if !once && in.pass.tooLarge(size, f) {
		return tooLarge
	}
	if size > in.budget {
		return noRoom
	}
	in.budget -= size
	return insert
}

// ops counts the ops of a function, once.
func (f *function) ops() int {
	if f.size == 0 {
		f.size = ir.ScheduleOf(f.body).NumOps()
	}
	return f.size
}

// tooLarge compares the size of what is called with the limit that is asked for.
func (p *Inline) tooLarge(size int, caller *function) bool {
	if p.Percent >= 0 {
		return size*100 > p.Percent*caller.ops()
	}
	return p.Threshold >= 0 && size > p.Threshold
}

// limit writes the option that decides about sizes, for remarks.
func (p *Inline) limit() string {
	if p.Percent >= 0 {
		return fmt.Sprintf("inlining-threshold=%d", p.Percent)
	}
	return fmt.Sprintf("threshold=%d", p.Threshold)
}

// call is the rule for calls in f. decideAll has seen the ops of f's body only: calls in other graphs stay.
func (in *inliner) call(m *ir.Mirror, n ir.Node, f *function) ir.Value {
	callee := in.funcs[calleeOf(n)]
	if callee == nil || n.Graph() != f.body {
		return 0
	}
	switch f.decided[n.Old()] {
	case drop:
		return m.B.Pack()
	case insert:
		return insertBody(m.B, callee.body, m.All(n.Args()))
	}
	return 0
}

// insertBody makes the body of a callee. What it allocates on the stack is given
// back at its end, as it was when it was called: a scope says so.
func insertBody(b *ir.Builder, body *ir.Graph, args []ir.Value) ir.Value {
	s := ir.ScheduleOf(body)
	allocates := false
	for v := range s.All() {
		allocates = allocates || body.Def(v) == memref.Alloca
	}
	if !allocates {
		return b.Pack(ir.Insert(b, s, ir.Root, nil, nil, args...)...)
	}
	r := b.Region(ir.Once, nil, func([]ir.Value) { b.Op(memref.AllocaScopeReturn, ir.Insert(b, s, ir.Root, nil, nil, args...)...) })
	return b.Pack(b.Results(b.Must(ir.Call{Def: memref.AllocaScope, Regions: []ir.Region{r}}))...)
}

// decideAll decides about the calls of f, counts and explains. It is done once: a
// rule may run several times.
func (in *inliner) decideAll(f *function, s *ir.Schedule, used map[ir.Value]bool) {
	f.decided = map[ir.Value]decision{}
	for v := range s.All() {
		callee := in.funcs[calleeOf(f.body.NodeOf(v))]
		if callee == nil {
			continue
		}
		why, stat := "", ""
		f.decided[v] = in.decide(f, callee, used[v])
		switch f.decided[v] {
		case insert:
			why, stat = "is inlined", "inlined"
		case drop:
			why, stat = "is removed: it writes nothing and nothing uses its result", "dropped"
		case recursive:
			why, stat = "stays: it is recursive", "recursive"
		case tooLarge:
			why, stat = "stays: it is larger than "+in.pass.limit(), "too-large"
		case noRoom:
			why, stat = "stays: so much is inlined already that the module has become several times as large", "too-large"
		default:
			why = "stays: it says no_inline"
		}
		if stat != "" {
			in.ctx.Count(stat, 1)
		}
		in.ctx.Remark("in @%s the call of @%s %s", f.name, callee.name, why)
	}
}

// summarize finds out whether the functions of a component write nothing: what
// they do besides calling each other must be pure. A function that may recurse
// forever counts as writing, and so does one that calls what is not known.
func (in *inliner) summarize(component []*function) {
	if len(component) != 1 {
		return
	}
	f := component[0]
	pure := true
	g := f.body
	for v := range ir.ScheduleOf(g).All() {
		def := g.Def(v)
		// A registered op that has regions and declares no effects does what the ops in them do, which All
		// lists too.
		if !g.HasEffect(v) || def.Has(ir.Terminator) || len(g.Regions(v)) > 0 && def.Registered() && def.Effects == nil {
			continue
		}
		callee := in.funcs[calleeOf(g.NodeOf(v))]
		pure = pure && callee != nil && callee != f && callee.pure
	}
	f.pure = pure
}
