package derivatives

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/polybench"
)

// tapes are how many values the kernels of PolyBench record in each round; those that are not here record none. atax records what the next
// repetition overwrites, once where it reads it: by hand once for each row.
var tapes = map[string]int{"atax": 1}

// Their derivatives in reverse are those forward.
func TestKernels(t *testing.T) {
	t.Parallel()
	for _, k := range polybench.Kernels {
		if slices.ContainsFunc(k.Arrays, func(a polybench.Array) bool { return a.Ints }) {
			continue // of integers
		}
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			back, recorded := kernel(t, k, "lower-affine,licm,differentiate{of=kernel}")
			if recorded != tapes[k.Name] {
				t.Errorf("records %d values in each round, not %d", recorded, tapes[k.Name])
			}
			forth, _ := kernel(t, k, "lower-affine,differentiate{of=kernel mode=forward}")
			sameBothWays(t, back, forth, k, 1)
		})
	}
}

// sameBothWays compares the derivatives of a kernel: the adjoints of the arrays at the beginning along a direction are the tangents at the
// end along the weights.
func sameBothWays(t *testing.T, back, forth *ir.Graph, k *polybench.Kernel, seed uint64) {
	t.Helper()
	weights, direction := rand.NewPCG(seed, 1), rand.NewPCG(seed, 2)
	adjoints := kernelRun(t, back, k, "kernel_grad", rand.New(weights))
	tangents := kernelRun(t, forth, k, "kernel_jvp", rand.New(direction))
	weights, direction = rand.NewPCG(seed, 1), rand.NewPCG(seed, 2)
	w, d := rand.New(weights), rand.New(direction)
	x, y, size := 0.0, 0.0, 1.0
	for i := range adjoints {
		p, q := adjoints[i]*d.Float64(), tangents[i]*w.Float64()
		x, y, size = x+p, y+q, size+math.Abs(p)+math.Abs(q)
	}
	if !(math.Abs(x-y) <= 1e-9*size) {
		t.Errorf("seed %d: in reverse %v, forward %v", seed, x, y)
	}
}

// kernel reads one and runs passes, and says how many values are recorded.
func kernel(t *testing.T, k *polybench.Kernel, pipeline string) (*ir.Graph, int) {
	t.Helper()
	file := filepath.Join("../../examples/affine", k.Name+".mlir")
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return withCount(t, file, string(src), pipeline, "recorded")
}

// withCount runs passes on a text, and gives a count of differentiate, too.
func withCount(t *testing.T, name, src, pipeline, count string) (*ir.Graph, int) {
	t.Helper()
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource(name, src), text.Options{})
	if err := list.Err(); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	p, err := pass.Parse(pipeline, passes.All())
	if err != nil {
		t.Fatal(err)
	}
	m := &pass.Manager{Count: true, Remark: func(string, string) {}}
	out, err := m.Run(t.Context(), g, p)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return out, int(m.Stats("differentiate", count))
}

// kernelRun calls a derivative at small sizes, from random numbers that are the same for all, and gives what the shadows or tangents hold at the end.
func kernelRun(t *testing.T, g *ir.Graph, k *polybench.Kernel, name string, seeds *rand.Rand) (out []float64) {
	t.Helper()
	sizes, r := map[string]int64{}, rand.New(rand.NewPCG(3, 3))
	for i, p := range k.Params {
		sizes[p] = int64(min(k.Small[i], 6))
	}
	var args, more []ir.Val
	var shadows []*interp.Buffer
	used := map[string]bool{}
	for _, a := range k.Arrays {
		var shape []int64
		n := int64(1)
		for _, s := range a.Sizes {
			shape, n, used[s] = append(shape, sizes[s]), n*sizes[s], true
		}
		strides, _, _ := strided.RowMajor(shape)
		held, shadow := make([]float64, n), make([]float64, n)
		for i := range held {
			held[i], shadow[i] = 0.5+r.Float64(), seeds.Float64()
			if len(shape) == 2 && int64(i)%(shape[1]+1) == 0 {
				held[i] += 10 // a matrix that has factors
			}
		}
		buf := interp.Floats(shadow)
		shadows = append(shadows, buf)
		args = append(args, (&interp.MemRef{Buf: interp.Floats(held), Sizes: shape, Strides: strides}).Val())
		more = append(more, (&interp.MemRef{Buf: buf, Sizes: shape, Strides: strides}).Val())
	}
	for _, p := range k.Params {
		if !used[p] {
			args = append(args, ir.IntVal(sizes[p], 64))
		}
	}
	m := machine(t, g)
	if _, err := m.Call(name, append(args, more...)); err != nil {
		t.Fatal(err)
	}
	for _, b := range shadows {
		out = append(out, b.Floats()...)
	}
	return out
}
