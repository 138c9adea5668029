package lowering

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering/ends"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/pass"
)

// AllPasses lists the passes that pipelines of Compile are made of: those on programs,
// those that lower, and what takes a program over at the end.
func AllPasses() pass.List { return slices.Concat(passes.All(), Passes()) }

// end is what takes a program over that is lowered for a target.
func end(t *target.Target, level int) string {
	switch t.Kind {
	case target.Interpreter:
		return "interpret"
	case target.Compiler:
		if t.Library == "" {
			return t.Name + "{freestanding=true}"
		}
		return t.Name
	}
	return fmt.Sprintf("llvm{level=%d}", level)
}

// Down is what is left of the lowering pipeline to a target after a pipeline: nothing if that ends
// as lowering pipelines do, in llvm, c, go or interpret. It is an error if it ends as another target's, and
// one of parsing if the target's own pipeline is none of the passes given.
func Down(after *pass.Pipeline, t *target.Target, level int, list pass.List) (*pass.Pipeline, error) {
	last := after.End()
	if last == nil {
		return whole(t, level, list)
	}
	wanted, _, _ := strings.Cut(end(t, level), "{")
	name := last.EndName()
	if c, ok := last.(*ends.C); ok && c.Freestanding != (t.Library == "") {
		return nil, fmt.Errorf("the pipeline ends in %s{freestanding=%v}, which is no end of the lowering pipeline to %s", name, c.Freestanding, end(t, level))
	}
	if name != wanted {
		return nil, fmt.Errorf("the pipeline ends in %s, which is no end of the lowering pipeline to %s", name, t.Name)
	}
	return &pass.Pipeline{}, nil
}

// whole is the lowering pipeline to a target: Pipeline, with an end if the target's own has none.
func whole(t *target.Target, level int, list pass.List) (*pass.Pipeline, error) {
	p, err := pass.Parse(Pipeline(t, level), list)
	switch {
	case t.Pipeline == "":
		return p, err
	case err == nil && p.End() != nil:
		_, err = Down(p, t, level, list)
	case err == nil:
		var last *pass.Pipeline
		last, err = pass.Parse(end(t, level), list)
		p = p.Then(last)
	}
	if err != nil {
		return nil, fmt.Errorf("the pipeline of target %s: %w", t.Name, err)
	}
	return p, nil
}

// Compile lowers a program to what the backend of a target takes. It runs Pipeline; whoever
// shows what runs gives that pipeline to a manager of his own. The error of an op that stays
// is an *ir.OpError.
func Compile(ctx context.Context, g *ir.Graph, t *target.Target) (*ir.Graph, error) {
	p, err := whole(t, ends.MostOptimised, AllPasses())
	if err != nil {
		return nil, err
	}
	return (&pass.Manager{Target: t}).Run(ctx, g, p)
}
