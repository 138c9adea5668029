package lowering

import (
	"context"
	"fmt"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/pass"
)

// AllPasses lists the passes that pipelines of Compile are made of: those on programs,
// and those that lower.
func AllPasses() pass.List { return slices.Concat(passes.All(), Passes()) }

// Pipeline is the way down to a target, as -passes takes it: to structured loops, whose
// memory becomes values where it can, and out of which goes what they do not change, as the
// level above knows it and as it is known there; functions into tables and arithmetic, where the target's vectors make more of it
// than its library; to what its backend takes.
func Pipeline(t *target.Target) string {
	const loops = "licm,lower{to=scf},sroa,mem2reg,licm"
	// Without a library: first the functions with rules of their own, then what the others
	// are made of.
	const math = "lower-math,lower{to=math},lower-math"
	switch t.Kind {
	case target.Interpreter:
		return loops
	case target.GPU:
		return "lower{to=nvptx}," + math
	}
	functions := math
	if t.Library != "" {
		functions = "lower-math{quick=true loops=true}"
	}
	return fmt.Sprintf("%s,tabulate{limit=%d},%s,lower{to=llvm}", loops, min(t.TableEntries(), passes.MaxTable), functions)
}

// Compile takes a program down to what the backend of a target takes: the one way
// down. It runs Pipeline; whoever shows what runs runs that with a manager of his own.
// The error of an op that is left over is an *ir.OpError.
func Compile(ctx context.Context, g *ir.Graph, t *target.Target) (*ir.Graph, error) {
	p, err := pass.Parse(Pipeline(t), AllPasses())
	if err != nil {
		return nil, err
	}
	return (&pass.Manager{Target: t}).Run(ctx, g, p)
}
