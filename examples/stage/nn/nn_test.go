package nn

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tools/stage"
	"github.com/irc-lang/irc/tools/stage/stagetest"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	m.Run()
}

// plain is what the layers are on values.
type plain struct{ in, weights, out []float32 }

func (p *plain) conv() {
	for i := range len(p.in) - len(p.weights) + 1 {
		sum := float32(0)
		for k, w := range p.weights {
			sum += p.in[i+k] * w
		}
		p.out[i] = sum
	}
}

func (p *plain) relu(threshold float32) {
	for i, x := range p.out[:len(p.in)-len(p.weights)+1] {
		if !(x > threshold) {
			p.out[i] = 0
		}
	}
}

func TestFusion(t *testing.T) {
	const size = 3
	conv := func(n *Net, in, weights, out Tensor) stage.Dyn[int] {
		n.Conv(out, in, weights, size)
		return in.Len().Sub(size - 1)
	}
	for _, c := range []struct {
		name     string
		net      func(n *Net, c stage.Dyn[bool], in, weights, out Tensor)
		plain    func(p *plain, c bool)
		loops    int // that are left
		restarts int
	}{
		{"a relu follows", func(n *Net, c stage.Dyn[bool], in, weights, out Tensor) {
			n.Relu(out, conv(n, in, weights, out), 1.5)
		}, func(p *plain, c bool) { p.conv(); p.relu(1.5) }, 1, 1},
		{"nothing follows", func(n *Net, c stage.Dyn[bool], in, weights, out Tensor) {
			conv(n, in, weights, out)
		}, func(p *plain, c bool) { p.conv() }, 1, 1},
		{"the same on both paths", func(n *Net, c stage.Dyn[bool], in, weights, out Tensor) {
			if size := conv(n, in, weights, out); n.If(c) {
				n.Relu(out, size, 1.5)
			} else {
				n.Relu(out, size, 1.5)
			}
		}, func(p *plain, c bool) { p.conv(); p.relu(1.5) }, 1, 1},
		{"other thresholds", func(n *Net, c stage.Dyn[bool], in, weights, out Tensor) {
			if size := conv(n, in, weights, out); n.If(c) {
				n.Relu(out, size, 1.5)
			} else {
				n.Relu(out, size, 2.5)
			}
		}, func(p *plain, c bool) {
			p.conv()
			if c {
				p.relu(1.5)
			} else {
				p.relu(2.5)
			}
		}, 3, 2},
		{"on one path", func(n *Net, c stage.Dyn[bool], in, weights, out Tensor) {
			if size := conv(n, in, weights, out); n.If(c) {
				n.Relu(out, size, 1.5)
			}
		}, func(p *plain, c bool) {
			p.conv()
			if c {
				p.relu(1.5)
			}
		}, 2, 2},
		{"something comes between", func(n *Net, c stage.Dyn[bool], in, weights, out Tensor) {
			size := conv(n, in, weights, out)
			n.Scale(out, size, 1)
			n.Relu(out, size, 1.5)
		}, func(p *plain, c bool) { p.conv(); p.relu(1.5) }, 3, 1},
		{"two convolutions, the second is followed by one", func(n *Net, c stage.Dyn[bool], in, weights, out Tensor) {
			if size := conv(n, in, weights, out); n.If(c) {
				n.Relu(out, size, 1.5)
			}
			n.Relu(out, conv(n, in, weights, out), 0.5)
		}, func(p *plain, c bool) { p.conv(); p.relu(0.5) }, 3, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := stagetest.Compile[func(c bool, in, weights, out []float32)](t, Network(c.net))
			if got := strings.Count(p.Text(), "scf.while"); got != c.loops || p.Stats.Restarts > c.restarts {
				t.Errorf("%d loops after %d restarts, want %d and %d\n%s", got, p.Stats.Restarts, c.loops, c.restarts, p.Text())
			}
			for _, cond := range []bool{false, true} {
				in, weights := []float32{1, -2, 3, 4, 0, 1, 1, 5, -3, 2}, []float32{0.5, 1, -0.25}
				p.Like(func(cond bool, in, weights, out []float32) { c.plain(&plain{in, weights, out}, cond) }, cond, in, weights, make([]float32, 8))
			}
		})
	}
}

var update = flag.Bool("update", false, "write testdata")

// The program of the paper's Figure 10 as IR, in testdata/network.mlir: the relu is in the loop of the convolution.
func TestFigure(t *testing.T) {
	g, _, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "network", Network(func(n *Net, _ stage.Dyn[bool], in, weights, out Tensor) {
		n.Conv(out, in, weights, 9)
		n.Relu(out, in.Len().Sub(8), 1.35)
	}))
	if err != nil {
		t.Fatal(err)
	}
	got := text.String(g, text.PrintOptions{})
	const file = "testdata/network.mlir"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || got != string(want) || strings.Count(got, "scf.while") != 1 {
		t.Errorf("%v: the program is\n%s\n(-update writes it)", err, got)
	}
}
