package sdr

import (
	"os/exec"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/equations"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tests/built"
)

func TestBenchmarks(t *testing.T) {
	for _, b := range Benchmarks {
		t.Run(b.Eq, func(t *testing.T) {
			peer := b.compile(t)
			if b.Small != nil {
				t.Run("interpreted", func(t *testing.T) { b.interpreted(t, peer) })
			}
			t.Run("native", func(t *testing.T) { b.native(t, peer) })
		})
	}
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
func (b Benchmark) interpreted(t *testing.T, peer *Peer) {
	d := b.data(t, peer, "naive", b.Small)
	c := built.Context()
	g, in := b.read(t, c)
	simplified := built.Through(t, g, "simplify-reductions")
	for _, way := range []struct {
		of       *ir.Graph
		pipeline string
	}{
		{g, ""}, {g, "poly-schedule"}, {g, "poly-schedule{alg=feautrier}"}, {g, "poly-schedule{alg=pluto fuse=max}"},
		{simplified, ""}, {simplified, "poly-schedule,poly-contract"}, {g, raised + ",simplify-reductions"},
	} {
		args := b.arguments(t, c, in, b.Small, d)
		built.Invoke(t, built.Through(t, way.of, way.pipeline), in.Name, args)
		if err := b.Compare(c, in, args, d); err != nil {
			t.Errorf("after %q, simplified before: %v: %v", way.pipeline, way.of == simplified, err)
		}
	}
}
