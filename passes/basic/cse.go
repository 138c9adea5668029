package basic

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// CSE shares equal ops.
type CSE struct{}

// CSEInfo is the pass cse.
var CSEInfo = &pass.Info{
	Name: "cse",
	Doc: "Shares equal ops. Construction does that: a node that is built again is found again, loops that are equal up to the names of their parameters included. " +
		"The pass rebuilds the graph once, so that what other passes made equal is found too. " +
		"It finds nothing in what was just read: the example has equal ops once its calls are inlined.",
	Why:      "After passes that copy code: inline, unroll.",
	Pipeline: "inline,cse",
	Example: `func.func private @product(%a: i32, %b: i32) -> i32 {
  %x = arith.muli %a, %b : i32
  return %x : i32
}

func.func @f(%a: i32, %b: i32) -> i32 {
  %x = call @product(%a, %b) : (i32, i32) -> i32
  %y = call @product(%b, %a) : (i32, i32) -> i32
  %z = arith.addi %x, %y : i32
  return %z : i32
}
`,
	Statistics: []pass.Statistic{{Name: "shared", Doc: "ops that the rebuild found to be others"}},
	New:        func() pass.Pass { return &CSE{} },
}

// Run rebuilds the graph once.
func (*CSE) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	n := Rebuild(g, nil)
	if !ctx.Reports() {
		return n, nil
	}
	shared := max(0, g.NumOps()-n.NumOps())
	ctx.Count("shared", shared)
	ctx.Remark("ops are shared as they are built; the rebuild found %d more", shared)
	return n, nil
}
