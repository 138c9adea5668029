package lowering

import (
	"context"
	"fmt"
	"slices"
	"strings"

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

// Pipeline is the way down to a target, as -passes takes it: tensors are rewritten, and become memory, and for a processor contractions of them tiles; equations get an order and become loops; data-parallel loops into one
// another; to structured loops, whose sums are added up in the order of memory, of which short ones in long ones disappear so that the long ones become vectors, whose memory becomes values where it can and is given back
// where it ends, and out of which goes what they do not change, as the level above knows it
// and as it is known there; sums are split by what their terms depend on, factors leave those over data, and what is the same in every call of a
// function is computed ahead; powers of what a loop does not change are exponentials in a version of it; loops of very few rounds that run once become straight code; loops whose iterations are independent are shared by the cores of a processor, and made so
// for one core too, so that a sum is the same on any number of them; those of which LLVM makes no vectors become vectors; functions into tables, vectors and arithmetic,
// where the target's vectors make more of it than its library; to what its backend takes;
// and at the end what takes the program over, LLVM with a level of optimisation, or the
// interpreter. Of what runs once it is what must be done. A target's own takes its place as it is.
func Pipeline(t *target.Target, level int) string {
	if t.Pipeline != "" {
		return t.Pipeline
	}
	const (
		order   = "poly-schedule,poly-contract,poly-codegen"
		toLoops = ",fuse,licm,lower{to=scf}"
		values  = ",sroa,mem2reg,licm,split-sums,factor-sums,specialize-data"
		down    = toLoops + values
		free    = ",reuse-buffers,free-buffers"
		loops   = "simplify-tensors,lower{to=affine}," + order + down + free
		shared  = "simplify-tensors,lower{to=affine},outline-equal-loops,tile-contractions," + order + "{parallel=true}" + toLoops + ",mem2reg,loop-interchange{sums=true},unroll{inner=true}" + values + ",version-powers,unroll{short=true},parallelize,vectorize{beyond-llvm=true},reuse-buffers,promote-buffers-to-stack,plan-buffers,free-buffers"
	)
	// Without a library: first the functions with rules of their own, then what the others
	// are made of.
	const math = "lower-math,lower{to=math},lower-math"
	if t.Once {
		return "simplify-tensors,lower{to=affine}," + order + ",lower{to=scf careful=true}," + end(t, level)
	}
	switch t.Kind {
	case target.Interpreter:
		return loops + "," + end(t, level)
	case target.Compiler:
		return loops + ",lower{to=math}," + end(t, level)
	case target.GPU:
		return fmt.Sprintf("lower{to=nvptx},%s,%s", math, end(t, level))
	}
	functions := math
	if t.Library != "" {
		functions = "superword,lower-math{quick=true loops=true}"
	}
	return fmt.Sprintf("%s,tabulate{limit=%d},%s,lower{to=llvm},version-bounds,loop-hints,%s", shared, min(t.TableEntries(), passes.MaxTable), functions, end(t, level))
}

// end is what takes a program over that is lowered for a target.
func end(t *target.Target, level int) string {
	switch t.Kind {
	case target.Interpreter:
		return "interpret"
	case target.Compiler:
		return t.Name
	}
	return fmt.Sprintf("llvm{level=%d}", level)
}

// Down is what is left of the way down to a target after a pipeline: nothing if that ends
// as ways down do, in llvm, c, go or interpret. It is an error if it ends as another target's, and
// one of parsing if the target's own pipeline is none of the passes given.
func Down(after *pass.Pipeline, t *target.Target, level int, list pass.List) (*pass.Pipeline, error) {
	last := after.Last()
	if last == nil {
		return whole(t, level, list)
	}
	wanted, _, _ := strings.Cut(end(t, level), "{")
	if name := lastName(last); name != wanted {
		return nil, fmt.Errorf("the pipeline ends in %s, which is no end of the way down to %s", name, t.Name)
	}
	return &pass.Pipeline{}, nil
}

// whole is the way down to a target: Pipeline, with an end if the target's own has none.
func whole(t *target.Target, level int, list pass.List) (*pass.Pipeline, error) {
	p, err := pass.Parse(Pipeline(t, level), list)
	switch {
	case t.Pipeline == "":
		return p, err
	case err == nil && p.Last() != nil:
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

// Compile takes a program down to what the backend of a target takes: the one way
// down. It runs Pipeline; whoever shows what runs runs that with a manager of his own.
// The error of an op that is left over is an *ir.OpError.
func Compile(ctx context.Context, g *ir.Graph, t *target.Target) (*ir.Graph, error) {
	p, err := whole(t, MostOptimised, AllPasses())
	if err != nil {
		return nil, err
	}
	return (&pass.Manager{Target: t}).Run(ctx, g, p)
}
