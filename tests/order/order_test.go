// Package order checks why each pass stands where it does in the lowering pipeline to a target: moved to before the pass that it
// comes after, it fails or leaves a slower program.
package order

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/built"
)

// A cost is something of which a program that was taken down should have little.
type cost struct {
	name string
	of   func(n counts) int64
}

// counts are how often ops ran, and the functions that there are.
type counts struct {
	ops       map[*ir.OpDef]int64
	functions int64
}

var (
	ops      = cost{"ops that run", func(n counts) int64 { return n.all() }}
	memory   = cost{"allocations that run", func(n counts) int64 { return n.ops[memref.Alloc] }}
	serial   = cost{"ops outside of parallel loops", func(n counts) int64 { return 1 - min(n.ops[scf.Parallel], 1) }}
	everyRun = cost{"functions without a part that runs ahead", func(n counts) int64 { return -n.functions }}
)

func (n counts) all() (sum int64) {
	for _, k := range n.ops {
		sum += k
	}
	return sum
}

// reasons are programs, the examples of passes, that a step's After (lowering.Steps) is for.
var reasons = []struct {
	pass, after string
	example     string // of this pass
	worse       *cost  // nil: it does not come down at all
}{
	{"tile-contractions", "lower{to=affine}", "tile-contractions", &ops},
	{"poly-codegen{parallel=true}", "poly-schedule", "poly-codegen", nil},
	{"poly-codegen", "poly-schedule", "poly-codegen", nil},
	{"lower{to=scf}", "fuse", "fuse", &ops},
	{"unroll{inner=true}", "lower{to=scf}", "simplify-tensors", &ops},
	{"mem2reg", "sroa", "sroa", &ops},
	{"specialize-data", "factor-sums", "factor-sums", &everyRun},
	{"parallelize", "split-sums", "split-sums", &ops},
	{"vectorize{beyond-llvm=true}", "parallelize", "poly-tile", &serial},
	{"plan-buffers", "promote-buffers-to-stack", "plan-buffers", &memory},
	{"free-buffers", "promote-buffers-to-stack", "outline-equal-loops", &memory},
}

// Every step that comes after another has a program here, and each program is for such a step.
func TestReasons(t *testing.T) {
	said := map[[2]string]bool{}
	for _, s := range lowering.Steps {
		if s.After != "" {
			said[[2]string{s.Pass, s.After}] = true
		}
	}
	for _, r := range reasons {
		if !said[[2]string{r.pass, r.after}] {
			t.Errorf("%s is not said to come after %s", r.pass, r.after)
		}
		delete(said, [2]string{r.pass, r.after})
	}
	for x := range said {
		t.Errorf("no program shows that %s has to come after %s", x[0], x[1])
	}
}

func TestOrder(t *testing.T) {
	for _, r := range reasons {
		t.Run(r.pass+" after "+r.after, func(t *testing.T) {
			t.Parallel()
			on := target.Host()
			steps := stepsOf(on)
			if !slices.Contains(steps, r.pass) {
				on = target.Interp()
				steps = stepsOf(on)
			}
			src := lowering.AllPasses().Find(r.example).Example
			right, err := run(t, src, steps, on)
			if err != nil {
				t.Fatal(err)
			}
			wrong, err := run(t, src, moved(t, steps, r.pass, r.after), on)
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

// stepsOf are the passes of the lowering pipeline to a target, without its end.
func stepsOf(on *target.Target) (out []string) {
	for _, s := range lowering.Steps {
		if s.RunsFor(on) {
			out = append(out, strings.Replace(s.Pass, "%d", "4096", 1))
		}
	}
	return out
}

// moved has the last step of a pass directly before the last one above that it comes after.
func moved(t *testing.T, steps []string, name, after string) []string {
	from := len(steps) - 1
	for from >= 0 && steps[from] != name {
		from--
	}
	to := from - 1
	for to >= 0 && steps[to] != after {
		to--
	}
	if to < 0 {
		t.Fatalf("%s does not come after %s in %v", name, after, steps)
	}
	return slices.Insert(slices.Delete(slices.Clone(steps), from, from+1), to, name)
}

// run takes a program down and runs its function f, if that has still the parameters that it was written with.
func run(t *testing.T, src string, steps []string, on *target.Target) (counts, error) {
	g := ir.Settle(built.Parse(t, src, text.Options{}))
	args := arguments(t, g)
	p, err := pass.Parse(strings.Join(steps, ","), lowering.AllPasses())
	if err != nil {
		t.Fatal(err)
	}
	g, err = (&pass.Manager{Target: on, VerifyEach: true}).Run(context.Background(), g, p)
	if err != nil {
		return counts{}, err
	}
	n := counts{ops: map[*ir.OpDef]int64{}}
	for x := range g.All() {
		if _, _, function := pass.Signature(x); function {
			n.functions++
		}
	}
	if _, err := built.Interpret(g, "f", args, interp.Options{Count: n.ops}); err != nil && !strings.HasPrefix(err.Error(), "arguments: ") {
		t.Fatal(err)
	}
	return n, nil
}

// arguments fills the parameters of f.
func arguments(t *testing.T, g *ir.Graph) string {
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.Resolve("f")
	if err != nil {
		t.Fatal(err)
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
	return string(js)
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
