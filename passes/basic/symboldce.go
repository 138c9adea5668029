package basic

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// SymbolDCE removes symbols that nothing outside of the program names, nor anything that is used in it.
type SymbolDCE struct{}

// DCE is SymbolDCE and a rebuild.
type DCE struct{}

// unusedExample is the example of both passes: @unused goes, and with it what only it calls.
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
	removedStat = pass.Statistic{Name: "symbols-removed", Doc: "symbols that nothing named, of which none is public"}

	// SymbolDCEInfo is the pass symbol-dce.
	SymbolDCEInfo = &pass.Info{
		Name:       "symbol-dce",
		Doc:        "Removes private functions, globals and modules that nothing public reaches by name; of modules inside, those of visibility nested too.",
		Why:        "After inline, which leaves the functions that it inlined everywhere.",
		Example:    unusedExample,
		Scope:      pass.Modules,
		Statistics: []pass.Statistic{removedStat},
		New:        func() pass.Pass { return &SymbolDCE{} },
	}

	// DCEInfo is the pass dce.
	DCEInfo = &pass.Info{
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
		n = Rebuild(g, nil)
	}
	return n, nil
}

// removeUnreachable returns g itself if every symbol stays: callers compare the graphs to see whether it
// rebuilt one.
func removeUnreachable(ctx *pass.Context, g *ir.Graph) *ir.Graph {
	dead := unreachable(g)
	rules := ir.Rules{}
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
		return Rebuild(g, rules)
	}
	for n := range g.All() {
		if dead[n] {
			ctx.Remark("@%s is not public and nothing reaches it", symbols.Of(n))
		}
	}
	ctx.Count(removedStat.Name, len(dead))
	return Rebuild(g, rules)
}
