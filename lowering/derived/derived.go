// Package derived makes derivatives of functions at any level. Functions of tensors are differentiated as they are, where all
// their ops have rules, so that products stay products. Of all others it takes the program down to loops, and has the pass
// differentiate work on these.
package derived

import (
	"context"
	"fmt"
	"slices"

	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/differentiate"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// Loops takes a program down to loops and single accesses.
const Loops = "poly-schedule,poly-codegen,lower{to=affine},lower-affine,lower{to=scf}"

// Pipelines add the derivatives of a function of a program, in reverse mode or forward: the first that does not fail. They are
// for target.Interp: the vectors of other targets have no derivatives.
func Pipelines(g *ir.Graph, function string, forward bool) []string {
	mode := "reverse"
	if forward {
		mode = "forward"
	}
	whole := fmt.Sprintf("differentiate{of=%q mode=%s}", function, mode)
	if !hasTensors(g, function) {
		return []string{Loops + "," + whole}
	}
	return []string{whole, Loops + "," + whole}
}

// hasTensors reports a program with tensors of floats, and a function in it whose arguments and results are as many once they are
// memory.
func hasTensors(g *ir.Graph, function string) bool {
	isTensor := func(t ir.Type) bool {
		return g.Ctx.Info(t).Kind == ir.KindTensor && g.Ctx.IsFloat(g.Ctx.Info(t).Elem)
	}
	found, inParts := false, false
	for f := range g.All() {
		if f.Def() == funcs.Func && symbols.Of(f) == function {
			inParts = slices.ContainsFunc(funcs.TypeOf(g.Ctx, f.Attrs()).Types, func(t ir.Type) bool {
				return !isTensor(t) && (g.Ctx.LoweringOf(t) != nil || g.Ctx.LoweringOf(g.Ctx.ElemOrSelf(t)) != nil)
			})
		}
		for _, body := range f.Children() {
			for n := range body.All() {
				found = found || isTensor(n.Type())
			}
		}
	}
	return found && !inParts
}

// Equations adds the gradient of a function that is a system of equations, as another one.
func Equations(function string) string { return fmt.Sprintf("differentiate{of=%q}", function) }

// Make is a program with the derivatives of a function, and what they take and give. The error is an *ir.OpError, within
// that of a pass, where an op has none.
func Make(ctx context.Context, g *ir.Graph, function string, forward bool) (*ir.Graph, *differentiate.Interface, error) {
	var err error
	for _, text := range Pipelines(g, function, forward) {
		var p *pass.Pipeline
		if p, err = pass.Parse(text, lowering.AllPasses()); err != nil {
			break
		}
		var out *ir.Graph
		if out, err = (&pass.Manager{Target: target.Interp()}).Run(ctx, g, p); err == nil {
			return out, differentiate.InterfaceOf(out, function, forward), nil
		}
	}
	return nil, nil, err
}
