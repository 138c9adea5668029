package sdr

import (
	"math"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/equations"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/built"
)

// A benchmark is a program of equations and its peer in C. Its sizes are the arguments of the
// peer, in this order.
type benchmark struct {
	eq, peer     string
	params       []string
	small, large []int

	// round is how far a float may be off, relatively: 0 where all sums are exact, or where
	// equations and C compute the same in the same order, without logarithms and the like.
	round float64
}

var benchmarks = []benchmark{
	{eq: "gmm", peer: "gmm_gs", params: []string{"N", "K"}, small: []int{17, 3}, large: []int{300, 5}, round: 1e-12},
	{eq: "gmm_mh", peer: "gmm_mh", params: []string{"N", "K"}, small: []int{30, 5}, large: []int{1000, 20}, round: 1e-14},
	{eq: "gmm_lw", peer: "gmm_lw", params: []string{"N", "K"}, small: []int{30, 5}, large: []int{1000, 20}, round: 1e-14},
	{eq: "lda_gs", peer: "lda_gs", params: []string{"W", "K"}, small: []int{17, 3}, large: []int{300, 7}},
	{eq: "lda_mh", peer: "lda_mh", params: []string{"W", "K"}, small: []int{17, 4}, large: []int{500, 7}},
	{eq: "lda_lw", peer: "lda_lw", params: []string{"W", "K"}, small: []int{30, 7}, large: []int{1000, 7}},
	{eq: "dmm_gs", peer: "dmm_gs", params: []string{"W", "K", "D", "A"}, small: []int{20, 3, 5, 4}, large: []int{600, 4, 12, 9}, round: 1e-12},
	{eq: "dmm_mh", peer: "dmm_mh", params: []string{"W", "K", "D", "A"}, small: []int{30, 4, 7, 5}, large: []int{2000, 6, 80, 30}, round: 1e-12},
	{eq: "dmm_lw", peer: "dmm_lw", params: []string{"W", "K", "D", "A"}, small: []int{30, 4, 7, 5}, large: []int{2000, 6, 80, 30}, round: 1e-12},
	{eq: "lbp", peer: "lbp", params: []string{"H", "B", "K", "R", "T"}, small: []int{4, 3, 3, 4, 2}, large: []int{24, 32, 8, 4, 5}},
	{eq: "coxph", peer: "coxph", params: []string{"N", "K", "T"}, small: []int{12, 2, 2}, large: []int{200, 5, 5}, round: 1e-9},
}

func TestBenchmarks(t *testing.T) {
	for _, b := range benchmarks {
		t.Run(b.eq, func(t *testing.T) {
			program := compilePeer(t, b.peer)
			t.Run("interpreted", func(t *testing.T) { b.interpreted(t, program) })
			t.Run("native", func(t *testing.T) { b.native(t, program) })
		})
	}
}

// interpreted: by demand, as the equations stand, and by each way to schedule them.
func (b benchmark) interpreted(t *testing.T, program string) {
	p := runPeer(t, program, b.small)
	c := built.Context()
	g, in := readExample(t, c, b.eq)
	for _, pipeline := range []string{"", "poly-schedule", "poly-schedule{alg=feautrier}", "poly-schedule{alg=pluto fuse=max}"} {
		t.Log("passes:", pipeline)
		args := arguments(t, c, in, b.sizes(b.small), p)
		interpret(t, through(t, g, pipeline), in.Name, args)
		b.compare(t, c, in, args, p)
	}
}

func interpret(t *testing.T, g *ir.Graph, name string, args []ir.Val) {
	t.Helper()
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.Resolve(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Invoke(f, args); err != nil {
		t.Fatal(err)
	}
}

func (b benchmark) sizes(of []int) map[string]int {
	out := map[string]int{}
	for i, name := range b.params {
		out[name] = of[i]
	}
	return out
}

// compare compares the outputs: integers, and floats of exact sums, bit for bit.
func (b benchmark) compare(t *testing.T, c *ir.Context, in equations.Interface, args []ir.Val, p peer) {
	t.Helper()
	varied := false
	for i, a := range in.Arrays {
		if !a.Output {
			continue
		}
		want, got := p[a.Name], output(c, args[len(in.Params)+i])
		round := b.round
		if !c.IsFloat(a.Type) {
			round = 0
		}
		varied = varied || distinct(want) > 2
		for j, x := range want {
			if !(math.Abs(got[j]-x) <= round*math.Max(1, math.Abs(x))) {
				t.Errorf("element %d of %s is %v, in C %v", j, a.Name, got[j], x)
				break
			}
		}
	}
	// A benchmark that computes the same everywhere would not see what is wrong.
	if !varied {
		t.Errorf("the elements of each output are alike")
	}
}

// through puts a program through passes.
func through(t *testing.T, g *ir.Graph, pipeline string) *ir.Graph {
	t.Helper()
	p, err := pass.Parse(pipeline, lowering.AllPasses())
	if err != nil {
		t.Fatal(err)
	}
	out, err := (&pass.Manager{}).Run(t.Context(), g, p)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
