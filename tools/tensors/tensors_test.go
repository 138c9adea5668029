package tensors_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/run/npy"
	"github.com/irc-lang/irc/tools/tensors"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

// array reads one of the files of the example.
func array(t *testing.T, name string) *npy.Array {
	t.Helper()
	file, err := os.ReadFile("../../examples/tensor/" + name + ".npy")
	if err != nil {
		t.Fatal(err)
	}
	a, err := npy.Read(ir.NewContext(dialects.All...), file)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// A network as that of examples/tensor/lines.mlir, with a threshold in the place of its bias, for eight images.
func TestNetwork(t *testing.T) {
	in := []tensors.Type{tensors.Of(ir.F32, 8, 1, 8, 8), tensors.Of(ir.F32, 6, 1, 3, 3), tensors.Of(ir.F32, 6, 4), tensors.Of(ir.F32, 4)}
	p, err := tensors.Compile(t.Context(), in, func(x ...tensors.Tensor) []tensors.Tensor {
		features := x[0].Conv(x[1], []int{1, 1}, []int{1, 1}).Relu(1).MaxPool([]int{2, 2}, []int{2, 2}).AveragePool([]int{4, 4}, []int{1, 1}).Reshape(8, 6)
		scores := features.Einsum("nc,ck->nk", x[2]).Add(x[3])
		return []tensors.Tensor{scores.Argmax(1), scores.Softmax(1).Sum(1)}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	out, err := p.Run(t.Context(), array(t, "lines-images"), array(t, "lines-kernels"), array(t, "lines-layer"), array(t, "lines-bias"))
	if err != nil {
		t.Fatal(err)
	}
	var classes []uint64
	for i := range 8 {
		classes = append(classes, out[0].Bits(i, 8))
	}
	if !slices.Equal(classes, []uint64{0, 1, 2, 3, 0, 1, 2, 3}) || !slices.Equal(out[1].Shape, []int64{8}) {
		t.Error(classes, out[1], p.Text())
	}
	if _, err := p.Run(t.Context(), array(t, "lines-bias")); err == nil {
		t.Error("too few arguments are taken")
	}
	if _, err := p.Run(t.Context(), array(t, "lines-bias"), array(t, "lines-kernels"), array(t, "lines-layer"), array(t, "lines-bias")); err == nil || !strings.Contains(err.Error(), "argument 0 holds tensor<4xf32>") {
		t.Error(err)
	}
}

// Mistakes are errors with their line.
func TestMistakes(t *testing.T) {
	for _, x := range []struct {
		says string
		f    func(a, b tensors.Tensor) tensors.Tensor
	}{
		{"runs index j up to 3 in operand #0 and to 2 in operand #1", func(a, b tensors.Tensor) tensors.Tensor { return a.Einsum("ij,jk->ik", a) }},
		{"extents 2 and 3 of one dimension are neither equal nor 1", func(a, b tensors.Tensor) tensors.Tensor { return a.Add(b) }},
		{"names dimension 4 of 2", func(a, b tensors.Tensor) tensors.Tensor { return a.Softmax(4) }},
		{"takes an image N x C x D", func(a, b tensors.Tensor) tensors.Tensor { return a.Conv(b, nil, nil) }},
		{"Exp takes floats", func(a, b tensors.Tensor) tensors.Tensor { return a.Argmax(0).Exp() }},
		{"has indices of type f32", func(a, b tensors.Tensor) tensors.Tensor { return a.Gather(b, 0) }},
	} {
		_, err := tensors.Compile(t.Context(), []tensors.Type{tensors.Of(ir.F32, 2, 3), tensors.Of(ir.F32, 3, 2)}, func(y ...tensors.Tensor) []tensors.Tensor {
			return []tensors.Tensor{x.f(y[0], y[1])}
		})
		if err == nil || !strings.Contains(err.Error(), x.says) || !strings.Contains(err.Error(), "tensors_test.go:") {
			t.Errorf("%v, want %s", err, x.says)
		}
	}
}
