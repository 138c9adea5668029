package buffers

import (
	"slices"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// Free gives back what allocations take.
type Free struct {
	All bool `opt:"all" doc:"every allocation that the program does not free itself, marked or not"`
}

// FreeInfo is the row of the pass.
var FreeInfo = &pass.Info{
	Name: "free-buffers",
	Doc: "Gives each allocation back after the last use of it, its views and all that may be it, if it is marked as owned by nobody (" + memref.OwnedAttr + "). " +
		"Ownership moves to the results of conditionals and loops, and to the caller of a function that returns it. It moves to what loops carry, which an iteration gives back that replaces it; " +
		"functions of the module borrow what they do not keep, and say what they return. Where a run decides whether there is something to give back, a truth value says so; " +
		"whose memory it is that one of several hands on, addresses say. " +
		"Memory is left alone that the program frees, stores or passes to what is not known. " +
		"Results of public functions that are new memory in every run, of marked allocations or not, are marked too: who calls from outside frees them. " +
		"Where they would be new in some runs only, they are copied in the others.",
	Why: "After mem2reg, which makes values of small memory, and before lower{to=llvm}: what may be the memory of an allocation is seen at structured loops.",
	Example: `func.func @f(%x: memref<?xf64>, %n: index, %rounds: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc(%n) {` + memref.OwnedAttr + `} : memref<?xf64>
  memref.copy %x, %first : memref<?xf64> to memref<?xf64>
  %last = scf.for %k = %c0 to %rounds step %c1 iter_args(%a = %first) -> (memref<?xf64>) {
    %b = memref.alloc(%n) {` + memref.OwnedAttr + `} : memref<?xf64>
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %a[%i] : memref<?xf64>
      %w = arith.addf %v, %v : f64
      memref.store %w, %b[%i] : memref<?xf64>
    }
    scf.yield %b : memref<?xf64>
  }
  %r = memref.load %last[%c0] : memref<?xf64>
  return %r : f64
}
`,
	Scope: pass.Modules,
	Statistics: []pass.Statistic{
		{Name: "owned", Doc: "allocations that are given back or returned"},
		{Name: "kept", Doc: "values with memory that somebody else keeps or frees"},
		{Name: "frees", Doc: "places at which memory is given back"},
		{Name: "results", Doc: "functions with results that are marked as new"},
		{Name: "mixed", Doc: "functions with results that are new in some runs only, and say so"},
		{Name: "flags", Doc: "truth values that say whether there is something to give back"},
	},
	New: func() pass.Pass { return &Free{} },
}

// Run frees what it can, and says which results are new.
func (p *Free) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	allocs := allocations(g)
	if len(allocs) == 0 {
		return g, nil
	}
	rules, mixed := ir.Rules{}, map[*ir.Graph]*function{}
	if slices.ContainsFunc(allocs, func(n ir.Node) bool { return p.All || n.Attr(memref.OwnedAttr) != 0 }) {
		p.free(ctx, g, rules, mixed)
	}
	marked := newResults(g)
	functions := func(m *ir.Mirror, n ir.Node) ir.Value { return rebuildFunction(m, n, mixed, marked) }
	for _, x := range marked {
		rules[x.node.Def()] = functions
	}
	for _, f := range mixed {
		rules[f.node.Def()] = functions
	}
	n := len(marked)
	for g, f := range mixed {
		if _, both := marked[g]; !both && f.inner != "" && !symbols.IsPrivate(f.node) {
			n++
		}
	}
	ctx.Count("results", n)
	if len(rules) == 0 {
		return g, nil
	}
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), rules, nil), nil
}

// free makes the rules that free what it can, and finds the functions that return more than
// they did for that.
func (p *Free) free(ctx *pass.Context, g *ir.Graph, rules ir.Rules, mixed map[*ir.Graph]*function) {
	found, order := map[*ir.Graph]*analysis{}, []*analysis{}
	newScope(g, nil, p.All, func(f *function) {
		if f.result != nil && found[f.body] == nil {
			found[f.body] = f.result
			order = append(order, f.result)
		}
	})
	nameInner(g, order)
	releases := map[*ir.Graph]*release{}
	for _, a := range order {
		releases[a.body.g] = &release{a.f, a.body, a.ledger, a.plan}
		if a.report(ctx); a.f.inner != "" || len(a.f.extra()) > 0 {
			mixed[a.body.g] = a.f
		}
		a.plan.ops(func(v ir.Value) {
			rules[a.body.g.Def(v)] = func(m *ir.Mirror, n ir.Node) ir.Value {
				if r := releases[n.Graph()]; r != nil {
					return r.rebuild(m, n)
				}
				return 0
			}
		})
	}
}

// rebuildFunction makes a function that returns more, or of which more is said.
func rebuildFunction(m *ir.Mirror, n ir.Node, mixed map[*ir.Graph]*function, marked map[*ir.Graph]marks) ir.Value {
	for _, c := range n.Children() {
		if f := mixed[c]; f != nil {
			return f.rebuild(m, n)
		}
		if x, ok := marked[c]; ok {
			return m.CopyWith(n, x.attr)
		}
	}
	return 0
}

// allocations lists what gives memory, in a graph and those in it.
func allocations(g *ir.Graph) (out []ir.Node) {
	if g.IsVerbatim() {
		return nil
	}
	defs := ir.Implementers[ir.Allocation](g.Ctx)
	for n := range g.All() {
		if slices.Contains(defs, n.Def()) {
			out = append(out, n)
		}
	}
	return out
}

// report counts and explains.
func (a *analysis) report(ctx *pass.Context) {
	if !ctx.Reports() {
		return
	}
	ctx.Count("frees", a.plan.numFrees())
	for i, h := range a.gives {
		if h.flag&yes != 0 && a.f.gives[i].flag&yes == 0 {
			ctx.Count("kept", 1)
			ctx.Remark("%swhat is returned as result %d is not given back: whether that is new memory depends on the run, and it cannot be copied", a.where(), i)
		}
	}
	if len(a.f.extra()) > 0 {
		ctx.Count("mixed", 1)
	}
	for o := range a.ledger.owners {
		x := &a.ledger.owners[o]
		if _, same := a.plan.same[x.at]; x.flag == either && !same {
			ctx.Count("flags", 1)
		}
		_, allocates := ir.As[ir.Allocation](a.body.g.NodeOf(x.at.node))
		switch {
		case x.kept != "" && x.flag&yes != 0:
			ctx.Count("kept", 1)
			ctx.Remark("%s is not given back: %s", a.describe(ctx, x.at), x.kept)
		case allocates && x.kept == "":
			ctx.Count("owned", 1)
		}
	}
}

// where says of what function the next is said.
func (a *analysis) where() string { return "in @" + symbols.Of(a.f.node) + " " }

// describe says what an owner is, and where it is written.
func (a *analysis) describe(ctx *pass.Context, k key) string {
	return a.name(k) + " at " + ctx.Where(a.body.g, a.body.written(k))
}

// written is the op that an owner comes from: of what a loop carries, the loop.
func (b *body) written(k key) ir.Value {
	if r, _, ok := b.g.Param(k.node); ok {
		return b.g.Owner(r)
	}
	return k.node
}

// name says for remarks what makes the memory of an owner: a loop, an allocation or another op.
func (a *analysis) name(k key) string {
	g := a.body.g
	if r, _, ok := g.Param(k.node); ok {
		return a.where() + "what " + g.Def(g.Owner(r)).Name + " carries"
	}
	if _, ok := ir.As[ir.Allocation](g.NodeOf(k.node)); ok {
		return a.where() + "an allocation of " + text.TypeString(g.Ctx, g.Type(k.node))
	}
	return a.where() + "what " + g.Def(k.node).Name + " gives"
}
