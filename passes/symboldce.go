package passes

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// SymbolDCE removes private symbols that nothing names.
type SymbolDCE struct{}

// DCE is SymbolDCE and a rebuild.
type DCE struct{}

const unusedExample = `func.func private @used(%a: i32) -> i32 {
  return %a : i32
}
func.func private @unused(%a: i32) -> i32 {
  %x = func.call @unusedtoo(%a) : (i32) -> i32
  return %x : i32
}
func.func private @unusedtoo(%a: i32) -> i32 {
  return %a : i32
}
func.func @f(%a: i32) -> i32 {
  %dead = arith.muli %a, %a : i32
  %x = call @used(%a) : (i32) -> i32
  return %x : i32
}
`

var (
	removedStat   = pass.Statistic{Name: "symbols-removed", Doc: "private symbols that nothing named"}
	symbolDCEInfo = &pass.Info{
		Name:       "symbol-dce",
		Doc:        "Removes private functions and globals that no public one reaches by name.",
		Why:        "After inline, which leaves the functions that it inlined everywhere.",
		Example:    unusedExample,
		Scope:      pass.Modules,
		Statistics: []pass.Statistic{removedStat},
		New:        func() pass.Pass { return &SymbolDCE{} },
	}
	dceInfo = &pass.Info{
		Name: "dce",
		Doc: "Removes dead code. Dead ops are gone by construction: only what is needed is scheduled; dead stores are dropped as the store that hides them is built. " +
			"What is left to do is to remove private functions and globals that nothing reaches, and to rebuild.",
		Why:        "After inline and symbol-dce's other users; before whatever is costly for each op.",
		Example:    unusedExample,
		Scope:      pass.Modules,
		Statistics: []pass.Statistic{removedStat},
		New:        func() pass.Pass { return &DCE{} },
	}
)

// Run removes what is unreachable.
func (*SymbolDCE) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return removeUnreachable(ctx, g), nil
}

// Run removes what is unreachable and rebuilds.
func (*DCE) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	n := removeUnreachable(ctx, g)
	ctx.Remark("dead ops are never scheduled; construction had dropped them")
	if n == g {
		n = rebuild(g, nil)
	}
	return n, nil
}

func removeUnreachable(ctx *pass.Context, g *ir.Graph) *ir.Graph {
	dead := map[ir.Node]bool{}
	rules := ir.Rules{}
	findUnreachable(g, dead)
	if len(dead) == 0 {
		return g
	}
	for n := range dead {
		rules[n.Def()] = func(m *ir.Mirror, n ir.Node) ir.Value {
			if dead[n] {
				return m.B.Pack()
			}
			return 0
		}
	}
	if !ctx.Reports() {
		return rebuild(g, rules)
	}
	everyOp(g, func(s *ir.Schedule, v ir.Value) {
		if n := s.Graph().NodeOf(v); dead[n] {
			ctx.Remark("@%s is private and nothing reaches it", pass.SymbolOf(n))
		}
	})
	ctx.Count(removedStat.Name, len(dead))
	return rebuild(g, rules)
}

// findUnreachable looks at the symbols of a graph and of the graphs in it. A
// symbol is reached from what is no private symbol, or from a reached one.
func findUnreachable(g *ir.Graph, dead map[ir.Node]bool) {
	s := ir.ScheduleOf(g)
	private := map[string]ir.Node{}
	names := map[string]map[string]bool{} // of a private symbol: what it names
	reached := map[string]bool{}
	s.Walk(func(v ir.Value) {
		n := g.NodeOf(v)
		name := pass.SymbolOf(n)
		into := reached
		if name != "" && pass.IsPrivate(n) && pass.UnknownScope(s, s.Place(v)) == ir.Root {
			private[name] = n
			into = map[string]bool{}
			names[name] = into
		}
		named(n, into)
		for _, c := range g.Children(v) {
			findUnreachable(c, dead)
		}
	})
	var todo []string
	for r := range reached {
		todo = append(todo, r)
	}
	live := map[string]bool{}
	for len(todo) > 0 {
		r := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if live[r] {
			continue
		}
		live[r] = true
		for x := range names[r] {
			todo = append(todo, x)
		}
	}
	for name, n := range private {
		if !live[name] {
			dead[n] = true
		}
	}
}

// named adds the symbols that an op and all graphs in it name.
func named(n ir.Node, into map[string]bool) {
	pass.NamesIn(n.Graph().Ctx, n.Attrs(), into)
	for _, c := range n.Graph().Children(n.Old()) {
		everyOp(c, func(s *ir.Schedule, v ir.Value) { pass.NamesIn(s.Graph().Ctx, s.Graph().AttrsOf(v), into) })
	}
}
