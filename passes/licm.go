package passes

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/fixpoint"
)

// LICM moves ops out of loops.
type LICM struct{}

var licmInfo = &pass.Info{
	Name: "licm",
	Doc: "Moves what does not change out of loops. The schedule does that: an op stands at the least frequent place between its users and what it needs. " +
		"The pass rebuilds the graph, because only a rebuild knows what a loop writes, so that reads of other memory leave it. " +
		"Memory that a round allocates leaves with all that writes it, if none of that depends on the loop: a temporary that is filled the same in each round, a matrix that is factored. " +
		"What may trap goes with it only out of a loop that surely runs.",
	Why: "After inline, which shows what a call writes; before unroll, which copies what is left in the loop.",
	Example: `func.func @f(%out: memref<?xf64>, %x: f64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    %powers = memref.alloca() : memref<4xf64>
    memref.store %x, %powers[%c0] : memref<4xf64>
    scf.for %k = %c1 to %c4 step %c1 {
      %last = arith.subi %k, %c1 : index
      %p = memref.load %powers[%last] : memref<4xf64>
      %q = arith.mulf %p, %x : f64
      memref.store %q, %powers[%k] : memref<4xf64>
    }
    %j = arith.remui %i, %c4 : index
    %y = memref.load %powers[%j] : memref<4xf64>
    memref.store %y, %out[%i] : memref<?xf64>
  }
  return
}
`,
	Statistics: []pass.Statistic{
		{Name: "in-loops-before", Doc: "ops that stood in loops"},
		{Name: "in-loops-after", Doc: "ops that stand in loops"},
		{Name: "memory", Doc: "allocations that left loops with what fills them"},
	},
	New: func() pass.Pass { return &LICM{} },
}

// Run rebuilds until no more ops leave loops.
func (*LICM) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	n, _, _ := fixpoint.Settle(ctx, g, nil, fixpoint.MostRebuilds)
	// An allocation that has left an inner loop may leave the next one, and ops that need it follow it. So
	// both steps alternate until no allocation moves.
	for ctx.Err() == nil {
		next, allocs := hoistMemory(n)
		if allocs == 0 {
			break
		}
		ctx.Count("memory", allocs)
		n, _, _ = fixpoint.Settle(ctx, next, nil, fixpoint.MostRebuilds)
	}
	if !ctx.Reports() {
		return n, nil
	}
	before, after := inLoops(g), inLoops(n)
	ctx.Count("in-loops-before", before)
	ctx.Count("in-loops-after", after)
	ctx.Remark("the schedule had placed ops outside of loops already; %d more left them on the rebuild", max(0, before-after))
	return n, nil
}

// inLoops counts the ops that stand in a region that is a loop or lies in one.
func inLoops(g *ir.Graph) (n int) {
	for in := range g.Nested() {
		s := ir.ScheduleOf(in)
		for v := range s.All() {
			if s.Freq(s.Place(v)) > 1 {
				n++
			}
		}
	}
	return n
}
