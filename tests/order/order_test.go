// Package order checks why each pass stands where it does in the lowering pipeline to a target: moved to before the pass that it
// comes after, it fails or leaves a larger or slower program.
package order

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/lowering/steps"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/fixpoint"
	"github.com/irc-lang/irc/passes/pass/symbols"
	"github.com/irc-lang/irc/tests/built"
)

// A cost is something of which a program that was taken down should have little.
type cost struct {
	name string
	of   func(n counts) int64
}

// counts are how often ops ran, the functions that there are, and what the program is made of.
type counts struct {
	ops       map[*ir.OpDef]int64
	functions int64
	size      int64   // ops of the program
	estimate  float64 // of the ops that run, by the target's model
	hints     int64   // loops that loop-hints marked
}

var (
	ops       = cost{"ops that run", func(n counts) int64 { return n.all() }}
	size      = cost{"ops of the program", func(n counts) int64 { return n.size }}
	estimate  = cost{"ops that run by the target's model", func(n counts) int64 { return int64(n.estimate) }}
	memory    = cost{"allocations that run", func(n counts) int64 { return n.ops[memref.Alloc] }}
	logarithm = cost{"logarithms of numbers that run", func(n counts) int64 { return n.ops[math.Log] }}
	serial    = cost{"ops outside of parallel loops", func(n counts) int64 { return 1 - min(n.ops[scf.Parallel], 1) }}
	everyRun  = cost{"functions without a part that runs ahead", func(n counts) int64 { return -n.functions }}
	unmarked  = cost{"loops without a hint", func(n counts) int64 { return -n.hints }}
)

func (n counts) all() (sum int64) {
	for _, k := range n.ops {
		sum += k
	}
	return sum
}

// reasons are programs that a step's After (steps.All) is for. A program is the example of a pass,
// a file of examples/, or a row of programs.
var reasons = []struct {
	pass, after string
	program     string
	worse       *cost  // nil: it does not come down at all
	on          string // the way; "" is the first that has the pass of processor and interpreter
}{
	{pass: "outline-equal-loops", after: "lower{to=affine}", program: "three products", worse: &size},
	{pass: "tile-contractions", after: "lower{to=affine}", program: "tile-contractions", worse: &ops},
	{pass: "poly-contract", after: "poly-schedule", program: "reductions/convolved_sum.eq", worse: &size},
	{pass: "poly-codegen{parallel=true}", after: "poly-schedule", program: "poly-codegen"},
	{pass: "poly-codegen", after: "poly-schedule", program: "poly-codegen"},
	{pass: "lower{to=scf}", after: "fuse", program: "fuse", worse: &ops},
	{pass: "lower{to=scf careful=true}", after: "poly-codegen", program: "poly-codegen", on: "interpreter, one run"},
	{pass: "loop-interchange{sums=true}", after: "poly-codegen{parallel=true}", program: "reductions/row_products.eq", worse: &size},
	{pass: "unroll{inner=true}", after: "lower{to=scf}", program: "simplify-tensors", worse: &ops},
	{pass: "sroa", after: "lower{to=scf}", program: "loop/histogram.mlir", worse: &size},
	{pass: "mem2reg", after: "sroa", program: "sroa", worse: &ops},
	{pass: "split-sums", after: "loop-interchange{sums=true}", program: "eq/lda_lw.eq", worse: &estimate},
	{pass: "factor-sums", after: "split-sums", program: "sum of two kinds", worse: &size},
	{pass: "specialize-data", after: "factor-sums", program: "factor-sums", worse: &everyRun},
	{pass: "version-powers", after: "lower{to=scf}", program: "powers", worse: &estimate, on: "without `library`"},
	{pass: "unroll{short=true}", after: "lower{to=scf}", program: "short sum", worse: &ops},
	{pass: "parallelize", after: "split-sums", program: "split-sums", worse: &ops},
	{pass: "vectorize{beyond-llvm=true}", after: "parallelize", program: "poly-tile", worse: &serial},
	{pass: "reuse-buffers", after: "lower{to=scf}", program: "loop/kmeans.mlir", worse: &size},
	{pass: "promote-buffers-to-stack", after: "reuse-buffers", program: "linalg/convnet.mlir", worse: &size},
	{pass: "plan-buffers", after: "promote-buffers-to-stack", program: "plan-buffers", worse: &memory},
	{pass: "free-buffers", after: "promote-buffers-to-stack", program: "outline-equal-loops", worse: &memory},
	{pass: "tabulate{limit=%d}", after: "lower{to=scf}", program: "table", worse: &ops},
	{pass: "superword", after: "unroll{short=true}", program: "short sum", worse: &logarithm},
	{pass: "lower-math{quick=true loops=true}", after: "tabulate{limit=%d}", program: "tabulate", worse: &ops},
	{pass: "lower-math", after: "tabulate{limit=%d}", program: "tabulate", worse: &ops, on: "nor roundings"},
	{pass: "lower-math", after: "tabulate{limit=%d}", program: "tabulate", worse: &ops, on: "without `library`"},
	{pass: "lower-math{roundings=true}", after: "tabulate{limit=%d}", program: "tabulate", worse: &ops, on: "nor roundings"},
	{pass: "lower{to=math}", after: "lower-math", program: "logit", worse: &ops, on: "without `library`"},
	{pass: "lower{to=llvm}", after: "lower-math{quick=true loops=true}", program: "softplus", worse: &ops},
	{pass: "version-bounds", after: "reuse-buffers", program: "reuse-buffers", worse: &ops},
	{pass: "loop-hints", after: "lower-math{quick=true loops=true}", program: "softplus", worse: &unmarked},
}

// Every step that comes after another has a program here, and each program is for such a step.
func TestReasons(t *testing.T) {
	said, shown := map[[2]string]bool{}, map[[2]string]bool{}
	for i, s := range steps.All {
		if (s.After == "") == (s.None == "") {
			t.Errorf("row %d, %s: says either what it comes after, or why after none", i, s.Pass)
		}
		if s.After != "" {
			said[[2]string{s.Pass, s.After}] = true
		}
	}
	for _, r := range reasons {
		if !said[[2]string{r.pass, r.after}] {
			t.Errorf("%s is not said to come after %s", r.pass, r.after)
		}
		shown[[2]string{r.pass, r.after}] = true
	}
	for x := range said {
		if !shown[x] {
			t.Errorf("no program shows that %s has to come after %s", x[0], x[1])
		}
	}
}

func TestOrder(t *testing.T) {
	for _, r := range reasons {
		t.Run(r.pass+" after "+r.after, func(t *testing.T) {
			t.Parallel()
			on := targetOf(r.pass, r.on)
			steps := stepsOf(on)
			right, err := run(t, r.program, steps, on)
			if err != nil {
				t.Fatal(err)
			}
			from := row(steps, r.pass, len(steps))
			to := row(steps, r.after, from)
			if from < 0 || to < 0 {
				t.Fatalf("%s does not come after %s in %v", r.pass, r.after, steps)
			}
			wrong, err := run(t, r.program, moved(steps, from, to), on)
			switch {
			case r.worse == nil && err == nil:
				t.Errorf("the program comes down with %s before %s, too", r.pass, r.after)
			case r.worse != nil && err != nil:
				t.Error(err)
			case r.worse != nil && r.worse.of(wrong) <= r.worse.of(right):
				t.Errorf("%s: %d in order, and %d with %s before %s: want more", r.worse.name, r.worse.of(right), r.worse.of(wrong), r.pass, r.after)
			}
		})
	}
}

// A step that is said to come after none leaves the same program when it stands before all steps above. The programs
// are every example of a pass, the rows of programs and some files of examples/.
func TestNone(t *testing.T) {
	for _, way := range steps.Kinds {
		on := targetOf("", way.Name)
		steps, none := stepsOf(on), noneOf(on)
		for _, program := range everyProgram() {
			g := read(t, program)
			before := []*ir.Graph{g}
			for _, s := range steps {
				n, err := through(on, before[len(before)-1], []string{s}, nil)
				if err != nil { // a program for another target
					before = nil
					break
				}
				before = append(before, n)
			}
			if before == nil {
				continue
			}
			for i, s := range steps {
				if none[i] && i > 0 && !same(on, before, steps, i) {
					t.Errorf("%s: %s comes first on the way to %s, and another program is left", program, s, way.Name)
				}
			}
		}
	}
}

// same says whether a step may come first: with the programs before each step.
func same(on *target.Target, before []*ir.Graph, steps []string, i int) bool {
	first, err := through(on, before[0], steps[i:i+1], nil)
	if err != nil {
		return false
	}
	if fixpoint.Fingerprint(first) == fixpoint.Fingerprint(before[0]) && fixpoint.Fingerprint(before[i]) == fixpoint.Fingerprint(before[i+1]) {
		return true // it does nothing at either place
	}
	last, err := through(on, first, slices.Delete(slices.Clone(steps), i, i+1), nil)
	return err == nil && text.String(last, text.PrintOptions{}) == text.String(before[len(steps)], text.PrintOptions{})
}

// targetOf is a target on a way (steps.Kinds), or a processor, or the interpreter where that lacks the pass. The
// processor is the same on every machine: what is worth it depends on its vectors and caches.
func targetOf(name, way string) *target.Target {
	host := *target.Host()
	host.Triple, host.CPU, host.Features = "x86_64-pc-linux-gnu", "", nil
	host.Vector, host.Cores, host.Caches = 64, 8, []int64{32 << 10, 1 << 20, 32 << 20}
	on := &host
	without := func(triple string) *target.Target {
		out := *on
		out.Library = ""
		if triple != "" {
			out.Triple, out.Features = triple, nil
		}
		return &out
	}
	gpu, _ := target.Named("nvptx64", "")
	switch way {
	case "":
		if row(stepsOf(on), name, len(steps.All)) < 0 {
			return target.Interp()
		}
	case "without `library`":
		return without("")
	case "nor roundings":
		return without("armv6-none-eabi")
	case "interpreter":
		return target.Interp()
	case "interpreter, one run":
		once := *target.Interp()
		once.Once = true
		return &once
	case "`-emit=c`, `-emit=go`":
		return target.C()
	case "`-emit=c{freestanding=true}`":
		return target.FreestandingC()
	case "GPU":
		return gpu
	}
	return on
}

// stepsOf are the passes of the lowering pipeline to a target, without its end.
func stepsOf(on *target.Target) (out []string) {
	for _, s := range steps.All {
		if s.RunsFor(on) {
			out = append(out, s.Pass)
		}
	}
	return out
}

// noneOf are the indices of stepsOf that come after none.
func noneOf(on *target.Target) map[int]bool {
	out, i := map[int]bool{}, 0
	for _, s := range steps.All {
		if s.RunsFor(on) {
			out[i] = s.None != ""
			i++
		}
	}
	return out
}

// row is the last step of a pass before an index, or -1.
func row(steps []string, name string, before int) int {
	for i := min(before, len(steps)) - 1; i >= 0; i-- {
		if steps[i] == name {
			return i
		}
	}
	return -1
}

// moved has a step before another one above it.
func moved(steps []string, from, to int) []string {
	return slices.Insert(slices.Delete(slices.Clone(steps), from, from+1), to, steps[from])
}

// through runs steps on a program, which is checked after each.
func through(on *target.Target, g *ir.Graph, steps []string, m *pass.Manager) (*ir.Graph, error) {
	p, err := pass.Parse(strings.ReplaceAll(strings.Join(steps, ","), "%d", "4096"), lowering.AllPasses())
	if err != nil {
		return nil, err
	}
	if m == nil {
		m = &pass.Manager{}
	}
	m.Target, m.VerifyEach = on, true
	return m.Run(context.Background(), g, p)
}

// run takes a program down and runs its function f, if it has one that has still the parameters that it was written with.
func run(t *testing.T, program string, steps []string, on *target.Target) (counts, error) {
	g := read(t, program)
	args, runs := arguments(t, g)
	m := &pass.Manager{Count: true}
	g, err := through(on, g, steps, m)
	if err != nil {
		return counts{}, err
	}
	n := counts{ops: map[*ir.OpDef]int64{}, hints: int64(m.Stats("loop-hints", "hints"))}
	for x := range g.All() {
		if _, _, function := symbols.Signature(x); function {
			n.functions++
		}
	}
	n.weigh(g, on)
	if !runs {
		return n, nil
	}
	if _, err := built.Interpret(g, "f", args, interp.Options{Count: n.ops}); err != nil && !strings.HasPrefix(err.Error(), "arguments: ") {
		t.Fatal(err)
	}
	return n, nil
}

// weigh counts the ops of a program, and how often they run as the target's model has it.
func (n *counts) weigh(g *ir.Graph, on *target.Target) {
	s := ir.NewSchedule(g, on.Schedule())
	for v := range s.All() {
		n.size++
		n.estimate += s.Freq(s.Place(v))
		for _, k := range g.Children(v) {
			n.weigh(k, on)
		}
	}
}

// arguments fills the parameters of f, if there is a function of that name.
func arguments(t *testing.T, g *ir.Graph) (args string, ok bool) {
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.Resolve("f")
	if err != nil {
		return "", false
	}
	var out []any
	for _, p := range f.Params {
		info := g.Ctx.Info(p)
		out = append(out, filled(g.Ctx, p, info.Shape))
	}
	js, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(js), true
}

// filled is an array of a shape, of which open extents are 24, or a number.
func filled(c *ir.Context, typ ir.Type, shape []int64) any {
	if len(shape) > 0 {
		n := shape[0]
		if n == ir.Dynamic {
			n = 24
		}
		out := make([]any, n)
		for i := range out {
			out[i] = filled(c, typ, shape[1:])
		}
		return out
	}
	if e := c.Info(typ).Elem; e != 0 {
		typ = e
	}
	switch {
	case c.IsFloat(typ):
		return 0.75
	case c.Info(typ).Width == 1:
		return true
	}
	return 24
}
