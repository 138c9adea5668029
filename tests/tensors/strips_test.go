package tensors

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// strip draws a convolution of two dimensions with few kernels to a group, rows shorter than a vector or of several, any steps, pads and dilations.
func strip(r *rand.Rand) convolution {
	x := convolution{groups: 1 + r.Int64N(3)}
	per, channels := 1+r.Int64N(3), 1+r.Int64N(3)/2
	x.image, x.kernel = []int64{1 + r.Int64N(2), channels * x.groups}, []int64{per * x.groups, channels}
	for d := range 2 {
		k, dilation := 1+r.Int64N(4), 1+r.Int64N(3)/2
		x.kernel, x.dilations, x.strides = append(x.kernel, k), append(x.dilations, dilation), append(x.strides, 1+r.Int64N(5)/2)
		x.low, x.high = append(x.low, r.Int64N(4)*r.Int64N(2)), append(x.high, r.Int64N(4)*r.Int64N(2))
		most := []int64{9, 20, []int64{20, 170}[d]}[r.IntN(3)]
		x.image = append(x.image, max(1, dilation*(k-1)+1-x.low[d]-x.high[d])+r.Int64N(most))
	}
	return x
}

var strips = flag.Int("strips", 24, "how many random convolutions in vectors are run")

// Convolutions in vectors of columns, of any width of the machine's vectors, give what the op means, with and without maps behind them: what
// is made of them on the interpreter, which checks each access, and as native code.
func TestStrips(t *testing.T) {
	var list []Program
	for i := range *strips {
		g := &generator{Rand: rand.New(rand.NewPCG(*firstSeed+uint64(i), 41)), n: 6 + i, elem: []string{"f32", "f64", "f32"}[i%3]}
		x := strip(g.Rand)
		list = append(list, g.withMaps(g.convolved(x), g.IntN(3)))
	}
	all, shuffles := meaning(t, list), 0
	for _, vector := range []int{16, 32, 64} {
		machine := *target.Host()
		machine.Vector, machine.Cores, machine.Costs.MinParallel = vector, 2, 100
		g := built.ThroughFor(t, &machine, module(t, list, text.Options{}), "simplify-tensors,lower{to=affine}")
		for _, x := range all {
			if x.want == "trap" {
				t.Errorf("a convolution traps:\n%s", x.Text)
			} else if got := built.Run(t, g, x.Name, x.Args); !x.isSame(got, x.want) {
				t.Errorf("with vectors of %d bytes it gives %s, and the ops mean %s:\n%s%s", vector, got, x.want, x.Text, x.Args)
			}
		}
		shuffles += strings.Count(text.String(g, text.PrintOptions{}), "vector.shuffle")
	}
	if shuffles < 15**strips {
		t.Errorf("all have %d shuffles of vectors", shuffles)
	}
	compare(t, started(t, engine.LLVM), all)
	t.Logf("%d convolutions, %d shuffles of vectors", *strips, shuffles)
}

// A depthwise convolution reads rows of the image as vectors and takes columns of them, without memory of its own for pads and steps.
func TestStripsCopyNothing(t *testing.T) {
	for _, x := range []struct{ channels, image, step, result int }{{384, 14, 2, 7}, {96, 28, 1, 28}, {96, 28, 2, 14}, {96, 112, 2, 56}, {576, 7, 1, 7}} {
		src := fmt.Sprintf(`func.func @f(%%a: memref<1x%[1]dx%[2]dx%[2]dxf32>, %%b: memref<%[1]dx1x3x3xf32>, %%c: memref<1x%[1]dx%[4]dx%[4]dxf32> {llvm.noalias}) {
  %%x = ten.pack %%a : memref<1x%[1]dx%[2]dx%[2]dxf32>
  %%y = ten.pack %%b : memref<%[1]dx1x3x3xf32>
  %%z = ten.conv %%x by %%y low [1, 1] high [1, 1] strides [%[3]d, %[3]d] dilations [1, 1] groups %[1]d : tensor<1x%[1]dx%[2]dx%[2]dxf32>, tensor<%[1]dx1x3x3xf32> -> tensor<1x%[1]dx%[4]dx%[4]dxf32>
  ten.write %%z to %%c : tensor<1x%[1]dx%[4]dx%[4]dxf32>, memref<1x%[1]dx%[4]dx%[4]dxf32>
  return
}
`, x.channels, x.image, x.step, x.result)
		machine := *target.Host()
		machine.Vector = 64
		g := built.ThroughFor(t, &machine, built.Parse(t, src, text.Options{}), "lower{to=affine}")
		lines := strings.Split(text.String(g, text.PrintOptions{}), "\n")
		count := func(words ...string) (n int) {
			for _, line := range lines {
				found := true
				for _, w := range words {
					found = found && strings.Contains(line, w)
				}
				if found {
					n++
				}
			}
			return n
		}
		if n := count("affine.load %arg0") + count("memref.alloc") + count("gather"); n > 0 {
			t.Errorf("%v: %d accesses of the image one by one, or copies of it", x, n)
		}
		if n := count("load %arg0", "vector<"); n == 0 || count("vector.shuffle") == 0 || count("store", "%arg2", "vector<") == 0 {
			t.Errorf("%v: %d vectors of the image are read, %d shuffled, %d stored", x, n, count("vector.shuffle"), count("store", "%arg2", "vector<"))
		}
	}
}
