package sdr

import (
	"os/exec"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/equations"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tests/built"
)

func TestBenchmarks(t *testing.T) {
	ran := 0
	defer func() { t.Logf("%d programs in %d schedules", len(Benchmarks), ran) }()
	for i, b := range Benchmarks {
		t.Run(b.Eq, func(t *testing.T) {
			var f *forms
			if b.Small != nil {
				f = b.forms(t, i)
				ran += len(f.schedules)
			}
			if f != nil && f.ofLoops != nil {
				t.Run("loops", f.loops)
			}
			peer := b.compile(t)
			if b.Small != nil {
				t.Run("interpreted", func(t *testing.T) { f.interpreted(t, peer) })
			}
			if b.Eq == "lbp" {
				t.Run("by hand", func(t *testing.T) { f.byHand(t, peer) })
			}
			t.Run("native", func(t *testing.T) { b.native(t, peer) })
		})
	}
}

// The forms of a benchmark that several tests need: they take most of the time.
type forms struct {
	Benchmark
	c                              *ir.Context
	in                             equations.Interface
	written, simplified            *ir.Graph
	ofLoops, ofLoopsThenSimplified *ir.Graph // nil where they are left out
	schedules                      []string  // of what is written
}

// raised makes loops of equations and equations of the loops.
const raised = "poly-schedule,poly-codegen{select},raise-affine,poly-equations"

// schedules are passes that give equations an order.
var schedules = []string{"poly-schedule", "poly-schedule{alg=feautrier}", "poly-schedule{alg=pluto fuse=max}"}

// forms are those of benchmark i. Where make soak does not look at all, one of three becomes equations of loops, and each
// has one of the schedules.
func (b Benchmark) forms(t *testing.T, i int) *forms {
	t.Helper()
	f := &forms{Benchmark: b, c: built.Context()}
	f.written, f.in = b.read(t, f.c)
	f.simplified = built.Through(t, f.written, "simplify-reductions")
	f.schedules = schedules
	if !built.Soaking() {
		f.schedules = schedules[i%3:][:1]
	}
	if i%3 == 1 || built.Soaking() {
		f.ofLoops = built.Through(t, f.written, raised)
		f.ofLoopsThenSimplified = built.Through(t, f.ofLoops, "simplify-reductions")
	}
	return f
}

// compile compiles the peer; without a C compiler the test is skipped. The compiler must not
// contract a product and a sum: the equations do not.
func (b Benchmark) compile(t *testing.T) *Peer {
	t.Helper()
	for _, cc := range []string{"cc", "gcc", "clang-19", "clang"} {
		if _, err := exec.LookPath(cc); err != nil {
			continue
		}
		p, err := b.Compile(t.Context(), "../..", t.TempDir(), cc, "-O1", "-ffp-contract=off")
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	t.Skip("equations beside C: needs a C compiler")
	return nil
}

func (b Benchmark) data(t *testing.T, p *Peer, form string, sizes []int) Data {
	t.Helper()
	d, err := p.Data(t.Context(), form, sizes)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func (b Benchmark) read(t *testing.T, c *ir.Context) (*ir.Graph, equations.Interface) {
	t.Helper()
	g, in, err := b.Read(c, "../..")
	if err != nil {
		t.Fatal(err)
	}
	return g, in
}

func (b Benchmark) arguments(t *testing.T, c *ir.Context, in equations.Interface, sizes []int, d Data) []ir.Val {
	t.Helper()
	args, err := Arguments(c, in, b.Sizes(sizes), d)
	if err != nil {
		t.Fatal(err)
	}
	return args
}

// interpreted: by demand, as the equations stand, and by each way to schedule them.
func (f *forms) interpreted(t *testing.T, peer *Peer) {
	d := f.data(t, peer, "naive", f.Small)
	for _, schedule := range append([]string{""}, f.schedules...) {
		f.check(t, "written", f.written, schedule, d)
	}
	f.check(t, "simplified", f.simplified, "", d)
	f.check(t, "simplified", f.simplified, "poly-schedule,poly-contract", d)
	if f.ofLoopsThenSimplified != nil {
		f.check(t, "made of loops and simplified", f.ofLoopsThenSimplified, "", d)
	}
}

// check runs a form after some passes beside what the peer computes.
func (f *forms) check(t *testing.T, form string, g *ir.Graph, pipeline string, d Data) {
	t.Helper()
	args := f.arguments(t, f.c, f.in, f.Small, d)
	built.Invoke(t, built.Through(t, g, pipeline), f.in.Name, args)
	if err := f.Compare(f.c, f.in, args, d); err != nil {
		t.Errorf("equations as %s, after %q: %v", form, pipeline, err)
	}
}
