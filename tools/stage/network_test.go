package stage_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/tools/stage"
	"github.com/irc-lang/irc/tools/stage/stagetest"
)

// lines is the network of examples/tensor/lines.mlir.
func lines(s *S, x, k, w, b T32) TInt {
	y := x.Conv(k, []int{1, 1}, []int{1, 1}).Sub(1).Relu(0).MaxPool([]int{2, 2}, []int{2, 2}).AveragePool([]int{4, 4}, []int{1, 1})
	return y.Reshape(x.Dim(0), 6).Einsum("nc,ck->nk", w).Add(b).Argmax(1)
}

// ofFile reads an array of the examples.
func ofFile(t *testing.T, name string) A32 {
	file, err := os.ReadFile("../../examples/tensor/lines-" + name + ".npy")
	if err != nil {
		t.Fatal(err)
	}
	a, err := stage.ReadArray[float32](file)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// A convolutional network of weights from files, with any number of images, gives what its text gives, and becomes as much code.
func TestLines(t *testing.T) {
	fn := stage.Shaped(lines, stage.Extents{-1, 1, 8, 8}, stage.Extents{6, 1, 3, 3}, stage.Extents{6, 4}, stage.Extents{4})
	p := stagetest.Compile[func(x, k, w, b A32) AInt](t, fn)
	x, k, w, b := ofFile(t, "images"), ofFile(t, "kernels"), ofFile(t, "layer"), ofFile(t, "bias")
	for _, n := range []int{8, 3, 0} {
		y := p.Same(stage.ArrayOf(x.Data[:n*64], n, 1, 8, 8), k, w, b)[0].(AInt)
		if !slices.Equal(y.Data, []int{0, 1, 2, 3, 0, 1, 2, 3}[:n]) {
			t.Error(y)
		}
	}
	file, err := os.ReadFile("../../examples/tensor/lines.mlir")
	if err != nil {
		t.Fatal(err)
	}
	written, errs := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("lines.mlir", string(file)), text.Options{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	staged, _, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "main", fn)
	if err != nil {
		t.Fatal(err)
	}
	code := func(g *ir.Graph) string {
		e, _, err := engine.Eval.Start(t.Context(), engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		if g, err = lowering.Compile(t.Context(), g, e.Target()); err != nil {
			t.Fatal(err)
		}
		return text.String(g, text.PrintOptions{})
	}
	if a, b := code(staged), code(written); a != b {
		t.Errorf("%s\nthe text becomes\n%s", a, b)
	}
}

// A file of other elements is refused.
func TestReadArray(t *testing.T) {
	file, err := os.ReadFile("../../examples/tensor/lines-bias.npy")
	if err != nil {
		t.Fatal(err)
	}
	for says, file := range map[string][]byte{"elements of type f32, and those of stage.Array[int] are i64": file, "the file is no .npy file": file[1:]} {
		if _, err := stage.ReadArray[int](file); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
}

// A prophecy decides which extents a result has: those of the first way to the end do not stay.
func TestProphecyOfExtents(t *testing.T) {
	f := func(s *S, x T64, n Int) T64 {
		flat := stage.NewProphecy(s, "is it flat", stage.Either)
		if flat.Get() {
			x = x.Reshape(6)
		} else {
			x = x.Mul(2)
		}
		if s.If(n.Gt(0)) {
			return x
		}
		flat.Require(true)
		return x.Add(1)
	}
	p := stagetest.Compile[func(x A64, n int) A64](t, stage.Shaped(f, stage.Extents{2, 3}))
	x := filled[float64](3, 2, 3)
	for n := range 2 {
		p.Like(func(x A64, n int) A64 {
			data := slices.Clone(x.Data)
			for i := range data {
				data[i] += float64(1 - n)
			}
			return stage.ArrayOf(data, 6)
		}, stage.ArrayOf(x.Data, 2, 3), n)
	}
}
