package basic

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
)

// Verify checks the graph.
type Verify struct{}

// VerifyInfo is the pass verify.
var VerifyInfo = &pass.Info{
	Name:     "verify",
	Doc:      "Checks the invariants of the graph, and that calls name functions of the right type. It is what runs after each pass unless -verify-each=false is given.",
	Why:      "Anywhere; useful with -verify-each=false, and with -verbatim.",
	Verbatim: true,
	Example: `func.func private @g(i32) -> i32
func.func @f(%a: i32) -> i32 {
  %x = call @g(%a) : (i32) -> i32
  return %x : i32
}
`,
	New: func() pass.Pass { return &Verify{} },
}

// Run checks and returns the same graph.
func (*Verify) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	if err := ir.Verify(g); err != nil {
		return nil, err
	}
	ctx.Remark("every invariant holds")
	return g, nil
}
