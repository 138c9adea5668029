package basic

import (
	"fmt"
	"math"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/fixpoint"
)

// Canonicalize rebuilds until nothing changes.
type Canonicalize struct {
	MaxIterations   int  `opt:"max-iterations" doc:"rounds after which it gives up; -1 is no limit"`
	TestConvergence bool `opt:"test-convergence" doc:"to give up is an error, else what there is by then is left"`
}

// CanonicalizeInfo is the pass canonicalize.
var CanonicalizeInfo = &pass.Info{
	Name: "canonicalize",
	Doc: "Rebuilds the graph with all normalising rules, and with the dialects' rules that need to see the users of an op, until nothing changes. " +
		"Reading already folds; a rebuild finds what later knowledge allows, such as loads that leave a loop whose writes are known by then.",
	Why: "First and between passes: the others look for ops in normal form.",
	Example: `func.func @f(%a: i32, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a, %t = %a) -> (i32, i32) {
    %u = arith.muli %s, %a : i32
    %v = arith.addi %t, %a : i32
    scf.yield %u, %v : i32, i32
  }
  return %x#1 : i32
}
`,
	Statistics: []pass.Statistic{{Name: "rounds", Doc: "rebuilds that changed something"}},
	New:        func() pass.Pass { return &Canonicalize{MaxIterations: 100, TestConvergence: true} },
}

// Check refuses a limit that allows no round.
func (p *Canonicalize) Check() error {
	if p.MaxIterations < 1 && p.MaxIterations != -1 {
		return fmt.Errorf("max-iterations=%d allows no round", p.MaxIterations)
	}
	return nil
}

// Run rebuilds to a fixpoint.
func (p *Canonicalize) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	limit := p.MaxIterations
	if limit < 0 {
		limit = math.MaxInt
	}
	n, rounds, ok := fixpoint.Settle(ctx, g, CleanupRules(g.Ctx), limit)
	ctx.Count("rounds", rounds)
	if !ok && p.TestConvergence {
		return nil, fmt.Errorf("has not settled after max-iterations=%d rounds", p.MaxIterations)
	}
	if rounds == 0 {
		ctx.Remark("nothing changed: construction had folded everything already")
	} else {
		ctx.Remark("settled after %d rebuilds", rounds)
	}
	return n, nil
}
