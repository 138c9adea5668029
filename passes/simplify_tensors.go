package passes

import (
	"slices"

	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/fixpoint"
)

// SimplifyTensors rewrites tensors before they are lowered.
type SimplifyTensors struct{}

var simplifyTensorsInfo = &pass.Info{
	Name: "simplify-tensors",
	Doc: "Rewrites tensors while they are tensors, with the rules of the dialect ten that need to see who reads an op, until nothing changes: maps of maps become one, " +
		"products of several tensors are taken in the order that costs least, and scales go where they cost least. `irc dialects ten` lists the rules. canonicalize has them too.",
	Why: "First in the lowering pipeline, so that all rules on tensors have had their chance when tensors become memory and loops. A program without tensors is left as it is.",
	Example: `func.func @f(%a: tensor<100x5xf64>, %b: tensor<5x100xf64>, %v: tensor<100xf64>) -> tensor<100xf64> {
  %p = ten.einsum "ij,jk->ik" %a, %b : tensor<100x5xf64>, tensor<5x100xf64> -> tensor<100x100xf64>
  %y = ten.einsum "ij,j->i" %p, %v : tensor<100x100xf64>, tensor<100xf64> -> tensor<100xf64>
  return %y : tensor<100xf64>
}
`,
	Statistics: []pass.Statistic{{Name: "rounds", Doc: "rebuilds that changed something"}},
	New:        func() pass.Pass { return &SimplifyTensors{} },
}

// Run rebuilds to a fixpoint.
func (p *SimplifyTensors) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	rules, all := ir.Rules{}, g.Ctx.Cleanups()
	for _, c := range tensor.Dialect.Cleanups {
		rules[c.Of] = all[c.Of]
	}
	for n := range g.All() {
		if slices.Contains(tensor.Dialect.Ops, n.Def()) {
			n, rounds, _ := fixpoint.Settle(ctx, g, rules, fixpoint.MostRebuilds)
			ctx.Count("rounds", rounds)
			return n, nil
		}
	}
	return g, nil
}
