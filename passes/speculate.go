package passes

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/basic"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/fixpoint"
)

// Speculate transforms loops optimistically.
type Speculate struct{}

var speculateInfo = &pass.Info{
	Name: "speculate",
	Doc: "Transforms loops under the assumption that nothing changes in them, looks at what the result really writes and carries on, and starts again with that, until it holds. " +
		"So folds of values, of branches and of memory help one another, where each alone would have to expect the worst of the others.",
	Why: "After inline, which shows what a call writes; before licm and unroll, which profit from smaller loops.",
	Example: `func.func @f(%n: index) {
  %x = memref.alloca() : memref<i64>
  %a = arith.constant 7 : i64
  %ten = arith.constant 10 : i64
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  memref.store %a, %x[] : memref<i64>
  scf.for %i = %zero to %n step %one {
    %v = memref.load %x[] : memref<i64>
    %c = arith.cmpi slt, %v, %ten : i64
    scf.if %c {
      special.print %v : i64
    } else {
      %k = arith.index_cast %i : index to i64
      memref.store %k, %x[] : memref<i64>
    }
  }
  return
}
`,
	Statistics: []pass.Statistic{
		{Name: "rounds", Doc: "bodies of loops that were built, those that were thrown away included"},
	},
	New: func() pass.Pass { return &Speculate{} },
}

// Run speculates and cleans up until that changes nothing.
func (*Speculate) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	rules := basic.CleanupRules(g.Ctx)
	seen := map[uint64]bool{}
	// Speculation and cleanup may undo each other's work: a graph that was there before ends the loop.
	for fp := fixpoint.Fingerprint(g); !seen[fp] && ctx.Err() == nil; fp = fixpoint.Fingerprint(g) {
		seen[fp] = true
		n, rounds := ir.Speculate(g)
		ctx.Count("rounds", rounds)
		g, _, _ = fixpoint.Settle(ctx, n, rules, fixpoint.MostRebuilds)
	}
	ctx.Remark("%d optimistic rebuilds of the whole", len(seen))
	return g, nil
}
