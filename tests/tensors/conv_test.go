package tensors

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tests/built"
)

// A convolution is an image, kernels and attributes.
type convolution struct {
	image, kernel []int64
	low, high     []int64
	strides       []int64
	groups        int64
	open          bool    // the extents of the image
	dilations     []int64 // ones, if there are none
}

// depthwise draws a convolution with one or two kernels to a group, of any steps, pads and dilations.
func depthwise(r *rand.Rand) convolution {
	dims := 1 + r.IntN(3)
	x := convolution{groups: 1 + r.Int64N(3)}
	per := 1 + r.Int64N(2)
	x.image, x.kernel = []int64{1 + r.Int64N(2), x.groups}, []int64{per * x.groups, 1}
	for range dims {
		k, step, dilation, low, high := 1+r.Int64N(3), 1+r.Int64N(3), 1+r.Int64N(2), r.Int64N(3), r.Int64N(3)
		x.kernel, x.strides, x.dilations, x.low, x.high = append(x.kernel, k), append(x.strides, step), append(x.dilations, dilation), append(x.low, low), append(x.high, high)
		x.image = append(x.image, dilation*(k-1)+1+r.Int64N([]int64{40, 12, 6}[dims-1]))
	}
	x.open = r.IntN(4) == 0
	return x
}

// convolutions are images, kernels and attributes by which a convolution becomes each kind of loops that there is: a product as it is, of what is
// under the kernel for all rows, for some rows and for some channels at a time, written out with pads and without, one product for each row.
var convolutions = []convolution{
	{image: []int64{2, 6, 5, 7}, kernel: []int64{4, 6, 1, 1}, low: []int64{0, 0}, high: []int64{0, 0}, strides: []int64{1, 1}, groups: 1},
	{image: []int64{2, 8, 5, 7}, kernel: []int64{8, 4, 1, 1}, low: []int64{0, 0}, high: []int64{0, 0}, strides: []int64{1, 1}, groups: 2, open: true},
	{image: []int64{2, 8, 9, 7}, kernel: []int64{10, 4, 3, 2}, low: []int64{1, 0}, high: []int64{2, 1}, strides: []int64{2, 1}, groups: 2},
	{image: []int64{1, 3, 21}, kernel: []int64{5, 3, 4}, low: []int64{2}, high: []int64{1}, strides: []int64{3}, groups: 1},
	{image: []int64{1, 4, 4, 5, 6}, kernel: []int64{5, 4, 2, 2, 3}, low: []int64{0, 1, 0}, high: []int64{1, 0, 0}, strides: []int64{1, 1, 2}, groups: 1},
	{image: []int64{1, 8, 66, 66}, kernel: []int64{4, 8, 3, 3}, low: []int64{0, 1}, high: []int64{0, 0}, strides: []int64{1, 1}, groups: 1},
	{image: []int64{1, 300, 10, 10}, kernel: []int64{4, 300, 3, 3}, low: []int64{1, 1}, high: []int64{1, 1}, strides: []int64{1, 1}, groups: 1},
	{image: []int64{2, 3, 9, 8}, kernel: []int64{3, 1, 3, 3}, low: []int64{1, 1}, high: []int64{0, 2}, strides: []int64{2, 1}, groups: 3},
	{image: []int64{2, 3, 9, 8}, kernel: []int64{6, 1, 2, 3}, low: []int64{0, 0}, high: []int64{0, 0}, strides: []int64{1, 2}, groups: 3, open: true},
	{image: []int64{1, 5, 9, 8}, kernel: []int64{6, 5, 3, 3}, low: []int64{1, 0}, high: []int64{0, 2}, strides: []int64{1, 1}, groups: 1, open: true},
}

// Convolutions of all kinds, written to memory, give what the op means, in any type of elements.
func TestConvolutions(t *testing.T) {
	var list []Program
	cases := slices.Clone(convolutions)
	for r := rand.New(rand.NewPCG(18, 2)); len(cases) < len(convolutions)+30; {
		cases = append(cases, depthwise(r))
	}
	for i, x := range cases {
		if x.dilations == nil {
			x.dilations = slices.Repeat([]int64{1}, len(x.low))
		}
		g := &generator{Rand: rand.New(rand.NewPCG(uint64(i), 18)), elem: []string{"f32", "f64", "f32"}[i%3]}
		known := make([]bool, len(x.image))
		for d := range known {
			known[d] = !x.open
		}
		image, kernel, out := val{shape: x.image, known: known}, val{shape: x.kernel, known: []bool{true, true, true, true, true}}, val{shape: []int64{x.image[0], x.kernel[0]}, known: known}
		for d := range x.low {
			out.shape = append(out.shape, (x.image[2+d]+x.low[d]+x.high[d]-x.dilations[d]*(x.kernel[2+d]-1)-1)/x.strides[d]+1)
		}
		known[1] = true
		words := func(list []int64) string { return strings.ReplaceAll(fmt.Sprint(list), " ", ", ") }
		p := Program{Name: fmt.Sprintf("f%d", i), Args: fmt.Sprintf("[%s, %s, %s]", g.data(x.image), g.data(x.kernel), g.data(out.shape))}
		memory := func(v val) string { return strings.Replace(g.typ(v), "tensor", "memref", 1) }
		p.Text = fmt.Sprintf(`func.func @f%d(%%x: %s, %%w: %s, %%m: %s {llvm.noalias}) -> %s {
  %%y = ten.conv %%x by %%w low %s high %s strides %s dilations %s groups %d : %[2]s, %[3]s -> %[5]s
  ten.write %%y to %%m : %[5]s, %[4]s
  %%z = ten.pack %%m : %[4]s
  %%one = arith.constant 1.0 : %[11]s
  %%r = ten.map (%%e = %%z : %[5]s) -> %[5]s {
    %%s = arith.addf %%e, %%one : %[11]s
    ten.yield %%s : %[11]s
  }
  return %%r : %[5]s
}
`, i, g.typ(image), g.typ(kernel), memory(out), g.typ(out), words(x.low), words(x.high), words(x.strides), words(x.dilations), x.groups, g.elem)
		list = append(list, p)
	}
	all := meaning(t, list)
	for _, x := range all {
		if x.want == "trap" {
			t.Errorf("a convolution traps:\n%s", x.Text)
		}
	}
	compare(t, started(t, engine.Eval), all)
	if !built.Soaking() { // depthwise ones take longest to compile
		all = all[:len(convolutions)+10]
	}
	compare(t, started(t, engine.LLVM), all)
	t.Logf("%d convolutions, %d natively", len(cases), len(all))
}
