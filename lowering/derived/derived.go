// Package derived makes derivatives of functions at any level. It takes their program down to loops, and has the pass
// differentiate work on these.
package derived

import (
	"context"
	"fmt"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/differentiate"
	"github.com/irc-lang/irc/passes/pass"
)

// Loops takes a program down to loops and single accesses.
const Loops = "poly-schedule,poly-codegen,lower{to=affine},lower-affine,lower{to=scf}"

// Pipeline adds the derivatives of a function, in reverse mode or forward. It is for target.Interp: the vectors of other
// targets have no derivatives.
func Pipeline(function string, forward bool) string {
	mode := "reverse"
	if forward {
		mode = "forward"
	}
	return fmt.Sprintf("%s,differentiate{of=%q mode=%s}", Loops, function, mode)
}

// Equations adds the gradient of a function that is a system of equations, as another one.
func Equations(function string) string { return fmt.Sprintf("differentiate{of=%q}", function) }

// Make is a program with the derivatives of a function, and what they take and give. The error is an *ir.OpError, within
// that of a pass, where an op has none.
func Make(ctx context.Context, g *ir.Graph, function string, forward bool) (*ir.Graph, *differentiate.Interface, error) {
	p, err := pass.Parse(Pipeline(function, forward), lowering.AllPasses())
	if err != nil {
		return nil, nil, err
	}
	if g, err = (&pass.Manager{Target: target.Interp()}).Run(ctx, g, p); err != nil {
		return nil, nil, err
	}
	return g, differentiate.InterfaceOf(g, function, forward), nil
}
