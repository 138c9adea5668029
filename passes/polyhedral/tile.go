package polyhedral

import (
	"strings"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// Tile makes tiles of what a schedule orders.
type Tile struct{}

// TileInfo is the row of the pass.
var TileInfo = &pass.Info{
	Name: "poly-tile",
	Doc: "Makes tiles of the loops of a schedule. A statement that the schedule orders as one piece and that adds products of two factors, C[i,j] += a(i,k) * b(k,j), becomes a contraction: " +
		"its factors are brought into blocks that stay in the target's caches, and tiles of C are summed up in registers. The order of such a sum is free; the product and the sum of floats " +
		"are rounded once where the product says `contract`.",
	Why: "Between poly-schedule, of which fuse=min leaves contractions alone, and poly-codegen.",
	Example: `func.func @f(%n: index, %a: memref<?x?xf64> {llvm.noalias}, %b: memref<?x?xf64> {llvm.noalias}, %c: memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      affine.for %k = 0 to %n {
        %x = affine.load %a[%i, %k] : memref<?x?xf64>
        %y = affine.load %b[%k, %j] : memref<?x?xf64>
        %z = affine.load %c[%i, %j] : memref<?x?xf64>
        %p = arith.mulf %x, %y fastmath<contract> : f64
        %s = arith.addf %z, %p fastmath<reassoc, contract> : f64
        affine.store %s, %c[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
`,
	Pipeline:   "raise-affine,poly-schedule{alg=pluto fuse=min},poly-tile",
	Statistics: []pass.Statistic{{Name: "contractions", Doc: "statements that became contractions"}},
	New:        func() pass.Pass { return &Tile{} },
}

// Run finds all tiles before anything is rebuilt.
func (p *Tile) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	trees := map[*ir.Graph]map[ir.Value]*schedule.Node{}
	n := 0
	err := systems.EveryGraph(g, func(g *ir.Graph) error {
		trees[g] = map[ir.Value]*schedule.Node{}
		for _, sys := range poly.Systems(g) {
			if sys.Schedule == nil {
				continue
			}
			tree, names, err := markContractions(sys, sys.Schedule)
			if err != nil {
				return systems.Failed(sys, err)
			}
			if len(names) == 0 {
				continue
			}
			if ctx.Reports() {
				ctx.Remark("%s: contractions: %s", ctx.Where(g, sys.Node.Old()), strings.Join(names, ", "))
			}
			n += len(names)
			trees[g][sys.Node.Old()] = tree
		}
		return nil
	})
	if err != nil || n == 0 {
		return g, err
	}
	ctx.Count("contractions", n)
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), ir.Rules{
		poly.SystemOp: func(m *ir.Mirror, n ir.Node) ir.Value {
			tree := trees[n.Graph()][n.Old()]
			if tree == nil {
				return 0
			}
			return m.CopyWith(n, m.B.Ctx().With(n.Attrs(), "schedule", poly.TreeAttr(m.B.Ctx(), tree)))
		},
	}, nil), nil
}
