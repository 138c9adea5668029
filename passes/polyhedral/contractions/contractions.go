// Package contractions has the pass that makes tiles in registers of loops that say that they are
// contractions. What finds, orders and generates them are the passes of package polyhedral.
package contractions

import (
	"slices"

	"github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/polyhedral"
	"github.com/irc-lang/irc/passes/polyhedral/raise"
)

// Pass makes tiles of marked loops.
type Pass struct{}

// Info is the row of the pass.
var Info = &pass.Info{
	Name: "tile-contractions",
	Doc: "What raise-affine, poly-schedule{alg=pluto}, poly-tile and poly-codegen{parallel=true} make of the loops that are marked `" + affine.ContractionAttr + "`, and of them alone: " +
		"tiles in registers and blocks in caches. Lowering tensors marks the loops of a sum of products of two.",
	Why: "In the lowering pipeline, where loops as they are written keep their order: a contraction may be summed up in any.",
	Example: `func.func @f(%a: tensor<16x16xf64>, %b: tensor<16x16xf64>) -> tensor<16x16xf64> {
  %c = ten.einsum "ik,kj->ij" %a, %b : tensor<16x16xf64>, tensor<16x16xf64> -> tensor<16x16xf64>
  return %c : tensor<16x16xf64>
}
`,
	Pipeline:   "lower{to=affine},tile-contractions",
	Scope:      pass.Modules,
	Statistics: slices.Concat(raise.Info.Statistics, polyhedral.ScheduleInfo.Statistics, polyhedral.TileInfo.Statistics, polyhedral.CodegenInfo.Statistics),
	New:        func() pass.Pass { return &Pass{} },
}

// Run runs the passes, if there is a marked loop.
func (p *Pass) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	if !isMarked(g) {
		return g, nil
	}
	schedule := polyhedral.ScheduleInfo.New().(*polyhedral.Schedule)
	schedule.Alg = "pluto"
	for _, x := range []pass.Pass{&raise.Pass{Only: affine.ContractionAttr}, schedule, &polyhedral.Tile{}, &polyhedral.Codegen{Parallel: true}} {
		var err error
		if g, err = x.Run(ctx, g); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// isMarked reports a graph, or one in it, with a marked loop.
func isMarked(g *ir.Graph) bool {
	for v := ir.Value(1); int(v) < g.Len(); v++ {
		if g.Def(v) == affine.For && g.Attr(v, affine.ContractionAttr) != 0 || slices.ContainsFunc(g.Children(v), isMarked) {
			return true
		}
	}
	return false
}
