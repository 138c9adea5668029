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
// those that lower, and what takes a program over at the end.
func AllPasses() pass.List { return slices.Concat(passes.All(), Passes()) }

// MostOptimised is the level at which LLVM compiles unless a pipeline says otherwise.
const MostOptimised = 3

// Pipeline is the way down to a target, as -passes takes it: to structured loops, whose
// memory becomes values where it can, and out of which goes what they do not change, as the
// level above knows it and as it is known there; functions into tables and arithmetic,
// where the target's vectors make more of it than its library; to what its backend takes;
// and at the end what takes the program over, LLVM with a level of optimisation, or the
// interpreter.
func Pipeline(t *target.Target, level int) string {
	const loops = "licm,lower{to=scf},sroa,mem2reg,licm"
	// Without a library: first the functions with rules of their own, then what the others
	// are made of.
	const math = "lower-math,lower{to=math},lower-math"
	switch t.Kind {
	case target.Interpreter:
		return loops + ",interpret"
	case target.GPU:
		return fmt.Sprintf("lower{to=nvptx},%s,llvm{level=%d}", math, level)
	}
	functions := math
	if t.Library != "" {
		functions = "lower-math{quick=true loops=true}"
	}
	return fmt.Sprintf("%s,tabulate{limit=%d},%s,lower{to=llvm},loop-hints,llvm{level=%d}", loops, min(t.TableEntries(), passes.MaxTable), functions, level)
}

// Down is what is left of the way down to a target after a pipeline: nothing if that ends
// as ways down do, in llvm or interpret. It is an error if it ends as another target's.
func Down(after *pass.Pipeline, t *target.Target, level int) (*pass.Pipeline, error) {
	last := after.Last()
	if last == nil {
		return pass.Parse(Pipeline(t, level), AllPasses())
	}
	_, interprets := last.(*Interpret)
	if name := lastName(last); interprets != (t.Kind == target.Interpreter) {
		return nil, fmt.Errorf("the pipeline ends in %s, which is no end of the way down to %s", name, t.Name)
	}
	return &pass.Pipeline{}, nil
}

// Compile takes a program down to what the backend of a target takes: the one way
// down. It runs Pipeline; whoever shows what runs runs that with a manager of his own.
// The error of an op that is left over is an *ir.OpError.
func Compile(ctx context.Context, g *ir.Graph, t *target.Target) (*ir.Graph, error) {
	p, err := pass.Parse(Pipeline(t, MostOptimised), AllPasses())
	if err != nil {
		return nil, err
	}
	return (&pass.Manager{Target: t}).Run(ctx, g, p)
}
