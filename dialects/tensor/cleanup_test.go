package tensor_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// The parameters of the functions below, and arguments for them: small whole numbers, so that sums and products are exact
// in any order.
const (
	params = `%a: tensor<6x2xf64>, %b: tensor<2x6xf64>, %v: tensor<6xf64>, %s: f64, %x: tensor<1x2x3x3xf64>, %w: tensor<3x2x2x2xf64>, %p: tensor<3x2x1x1xf64>, %c: tensor<3x1x1xf64>, %o: tensor<?xf64>, %k: tensor<1x2x2x2xf64>`
	given  = `[[[1, 2], [3, -1], [0, 2], [1, 1], [-2, 0], [1, 3]], [[1, 0, 2, -1, 1, 1], [2, 1, 1, 0, -1, 2]], [1, -2, 3, 0, 1, 2], 3,
		[[[[1, 2, 3], [0, -1, 2], [1, 1, 0]], [[2, 0, 1], [1, 1, -1], [3, 0, 2]]]],
		[[[[1, 0], [2, 1]], [[0, 1], [1, -1]]], [[[2, 1], [0, 1]], [[1, 1], [1, 0]]], [[[0, 0], [1, 2]], [[1, 0], [0, 2]]]],
		[[[[2]], [[1]]], [[[-1]], [[3]]], [[[0]], [[1]]]], [[[2]], [[-3]], [[5]]], [1, 2], [[[[1, 0], [2, 1]], [[0, 1], [1, -1]]]]]`
)

// rewritten lists bodies that give %r, what stands in what becomes of them, in this order, and how many ten ops that is.
var rewritten = []struct {
	why, body, result, has string
	ops                    int
}{
	{"the product with the vector comes first", `%q = ten.einsum "ij,jk->ik" %a, %b : tensor<6x2xf64>, tensor<2x6xf64> -> tensor<6x6xf64>
%r = ten.einsum "ij,j->i" %q, %v : tensor<6x6xf64>, tensor<6xf64> -> tensor<6xf64>`, "tensor<6xf64>", `-> tensor<2xf64>|-> tensor<6xf64>`, 2},
	{"but not where the product of the matrices is used elsewhere too", `%q = ten.einsum "ij,jk->ik" %a, %b : tensor<6x2xf64>, tensor<2x6xf64> -> tensor<6x6xf64>
%y = ten.einsum "ij,j->i" %q, %v : tensor<6x6xf64>, tensor<6xf64> -> tensor<6xf64>
%z = ten.einsum "ij->i" %q : tensor<6x6xf64> -> tensor<6xf64>
%r = arith.addf %y, %z : tensor<6xf64>`, "tensor<6xf64>", `-> tensor<6x6xf64>`, 3},
	{"a scale of the large matrix is one of the vector", `%q = ten.map (%e = %a : tensor<6x2xf64>) -> tensor<6x2xf64> {
  %0 = arith.mulf %e, %s fastmath<reassoc> : f64
  ten.yield %0 : f64
}
%u = ten.einsum "i,ij->j" %v, %q : tensor<6xf64>, tensor<6x2xf64> -> tensor<2xf64>
%r = ten.einsum "j,ji->i" %u, %b : tensor<2xf64>, tensor<2x6xf64> -> tensor<6xf64>`, "tensor<6xf64>", `ten.fill|-> tensor<2xf64>|",i->i"|-> tensor<6xf64>`, 4},
	{"but not without a licence", `%q = ten.map (%e = %a : tensor<6x2xf64>) -> tensor<6x2xf64> {
  %0 = arith.mulf %e, %s : f64
  ten.yield %0 : f64
}
%r = ten.einsum "i,ij->j" %v, %q : tensor<6xf64>, tensor<6x2xf64> -> tensor<2xf64>`, "tensor<2xf64>", `ten.map`, 3},
	{"rows that are scaled after a product are scaled before it, where that is less", `%q = ten.einsum "ji,ik->jk" %b, %a : tensor<2x6xf64>, tensor<6x2xf64> -> tensor<2x2xf64>
%u = ten.einsum "ij,jk->ik" %a, %q : tensor<6x2xf64>, tensor<2x2xf64> -> tensor<6x2xf64>
%d = ten.slice %v[%c0] by [1] : tensor<6xf64> -> tensor<2xf64>
%r = ten.map (%e = %u : tensor<6x2xf64>, %f = %d : tensor<2xf64>) -> tensor<6x2xf64> {
  %0 = arith.mulf %e, %f fastmath<reassoc> : f64
  ten.yield %0 : f64
}`, "tensor<6x2xf64>", `-> tensor<2x2xf64>|ten.slice|-> tensor<2x2xf64>|-> tensor<6x2xf64>`, 4},
	{"transposes meet through a map", `%0 = ten.transpose %a [1, 0] : tensor<6x2xf64>
%1 = ten.relu %0 above 0.0 : f64 : tensor<2x6xf64>
%r = ten.transpose %1 [1, 0] : tensor<2x6xf64>`, "tensor<6x2xf64>", `ten.map`, 2},
	{"kernels of one place are a matrix", `%r = ten.conv %x by %p low [0, 0] high [0, 0] strides [1, 1] dilations [1, 1] groups 1 : tensor<1x2x3x3xf64>, tensor<3x2x1x1xf64> -> tensor<1x3x3x3xf64>`,
		"tensor<1x3x3x3xf64>", `ten.reshape|ten.einsum|ten.reshape`, 3},
	{"but not between pads", `%r = ten.conv %x by %p low [0, 1] high [0, 0] strides [1, 1] dilations [1, 1] groups 1 : tensor<1x2x3x3xf64>, tensor<3x2x1x1xf64> -> tensor<1x3x3x4xf64>`,
		"tensor<1x3x3x4xf64>", `ten.conv`, 1},
	{"maps of maps", `%q = ten.map (%e = %a : tensor<6x2xf64>) -> tensor<6x2xf64> {
  %0 = arith.addf %e, %s : f64
  ten.yield %0 : f64
}
%y = ten.relu %q above 1.0 : f64 : tensor<6x2xf64>
%r = ten.map (%e = %y : tensor<6x2xf64>, %f = %a : tensor<6x2xf64>, %g = %y : tensor<6x2xf64>) -> tensor<6x2xf64> {
  %0 = arith.subf %e, %f : f64
  %1 = arith.mulf %0, %g : f64
  ten.yield %1 : f64
}`, "tensor<6x2xf64>", `ten.map|arith.addf|arith.select|arith.subf|arith.mulf`, 2},
	{"but not one that is stretched", `%q = ten.map (%e = %v : tensor<6xf64>) -> tensor<6xf64> {
  %0 = arith.addf %e, %s : f64
  ten.yield %0 : f64
}
%r = ten.map (%e = %b : tensor<2x6xf64>, %f = %q : tensor<6xf64>) -> tensor<2x6xf64> {
  %0 = arith.addf %e, %f : f64
  ten.yield %0 : f64
}`, "tensor<2x6xf64>", `ten.map|ten.map`, 4},
	{"channels that are scaled are kernels that are", conv("fastmath<reassoc>", `%f = %c : tensor<3x1x1xf64>`, `%f`), "tensor<1x3x2x2xf64>", `ten.reshape|ten.map|arith.mulf|ten.conv|ten.map|arith.addf`, 6},
	{"by a number too", conv("fastmath<reassoc>", `%f = %c : tensor<3x1x1xf64>`, `%s`), "tensor<1x3x2x2xf64>", `ten.fill|ten.map|arith.mulf|ten.conv|ten.map|arith.addf`, 6},
	{"but not without a licence", conv("", `%f = %c : tensor<3x1x1xf64>`, `%f`), "tensor<1x3x2x2xf64>", `ten.conv|ten.map|arith.mulf|arith.addf`, 3},
	{"nor where the scale stretches a single channel", `%y = ten.conv %x by %k low [0, 0] high [0, 0] strides [1, 1] dilations [1, 1] groups 1 : tensor<1x2x3x3xf64>, tensor<1x2x2x2xf64> -> tensor<1x1x2x2xf64>
%r = ten.map (%e = %y : tensor<1x1x2x2xf64>, %f = %c : tensor<3x1x1xf64>) -> tensor<1x3x2x2xf64> {
  %0 = arith.mulf %e, %f fastmath<reassoc> : f64
  ten.yield %0 : f64
}`, "tensor<1x3x2x2xf64>", `ten.conv|ten.map|arith.mulf`, 3},
}

// conv is a convolution, a product of it, and a sum.
func conv(flags, operand, by string) string {
	return fmt.Sprintf(`%%y = ten.conv %%x by %%w low [0, 0] high [0, 0] strides [1, 1] dilations [1, 1] groups 1 : tensor<1x2x3x3xf64>, tensor<3x2x2x2xf64> -> tensor<1x3x2x2xf64>
%%r = ten.map (%%e = %%y : tensor<1x3x2x2xf64>, %s) -> tensor<1x3x2x2xf64> {
  %%0 = arith.mulf %%e, %s %s : f64
  %%1 = arith.addf %%0, %%f : f64
  ten.yield %%1 : f64
}`, operand, by, flags)
}

// simplified has the rules that see users applied until nothing changes.
func simplified(t *testing.T, g *ir.Graph) *ir.Graph {
	t.Helper()
	for before := ""; before != print(g, true); {
		before = print(g, true)
		if g = ir.Rewrite(g.Ctx, ir.ScheduleOf(g), g.Ctx.Cleanups(), nil); ir.Verify(g) != nil {
			t.Fatal(ir.Verify(g), before)
		}
	}
	return g
}

// A rule fires where it should, and what is left gives what was written.
func TestRewritten(t *testing.T) {
	for _, x := range rewritten {
		src := "func.func @f(" + params + ") -> " + x.result + " {\n%c0 = arith.constant 0 : index\n" + x.body + "\nreturn %r : " + x.result + "\n}\n"
		want, err := built.Interpret(built.Parse(t, src, text.Options{Verbatim: true}), "f", given, interp.Options{})
		if err != nil {
			t.Fatal(x.why, err)
		}
		g := simplified(t, built.Parse(t, src, text.Options{}))
		if got, err := built.Interpret(g, "f", given, interp.Options{}); err != nil || got != want {
			t.Errorf("%s: gives %s, %v, not %s", x.why, got, err, want)
		}
		left := print(g, false)
		rest := left
		for _, part := range strings.Split(x.has, "|") {
			_, after, ok := strings.Cut(rest, part)
			if rest = after; !ok {
				t.Errorf("%s: %q is not where it should be in\n%s", x.why, part, left)
			}
		}
		if n := strings.Count(left, "ten."); n != x.ops {
			t.Errorf("%s: %d ten ops are left, not %d:\n%s", x.why, n, x.ops, left)
		}
	}
}

// Products of random matrices, written in a random order, cost what the best order of all of them does.
func TestChains(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 1))
	for range 100 {
		n := 3 + r.IntN(4)
		extents := make([]int64, n+1)
		for i := range extents {
			extents[i] = 1 + r.Int64N(40)
		}
		var in, lines []string
		var shapes [][]int64
		matrix := func(i, j int) string { return fmt.Sprintf("tensor<%dx%dxi64>", extents[i], extents[j]) }
		terms := ""
		for i := range n {
			in = append(in, fmt.Sprintf("%%m%d: %s", i, matrix(i, i+1)))
			shapes = append(shapes, []int64{extents[i], extents[i+1]})
			terms += fmt.Sprintf("%c%c,", 'a'+i, 'b'+i)
		}
		var product func(i, j int) string // of matrices i to j-1
		product = func(i, j int) string {
			if j == i+1 {
				return fmt.Sprintf("%%m%d", i)
			}
			k := i + 1 + r.IntN(j-i-1)
			x, y := product(i, k), product(k, j)
			name := fmt.Sprintf("%%p%d_%d", i, j)
			lines = append(lines, fmt.Sprintf(`%s = ten.einsum "ij,jk->ik" %s, %s : %s, %s -> %s`, name, x, y, matrix(i, k), matrix(k, j), matrix(i, j)))
			return name
		}
		last := product(0, n)
		src := fmt.Sprintf("func.func @f(%s) -> %s {\n%s\nreturn %s : %s\n}\n", strings.Join(in, ", "), matrix(0, n), strings.Join(lines, "\n"), last, matrix(0, n))
		g := simplified(t, built.Parse(t, src, text.Options{}))
		whole, err := tensor.ParseSpec(strings.TrimSuffix(terms, ",")+fmt.Sprintf("->a%c", 'a'+n), shapes...)
		if err != nil {
			t.Fatal(err)
		}
		cost := 0.0
		eachFunction(g, func(g *ir.Graph, v ir.Value) {
			if g.Def(v) == tensor.Einsum {
				cost += tensor.SpecOf(g, v).Path().Cost
			}
		})
		if want := whole.Path().Cost; cost > want*(1+1e-9) {
			t.Errorf("costs %v, and the best order %v:\n%s%s", cost, want, src, print(g, false))
		}
	}
}

// eachFunction calls f for each op of the functions of a file.
func eachFunction(g *ir.Graph, f func(g *ir.Graph, v ir.Value)) {
	for v := range ir.ScheduleOf(g).All() {
		f(g, v)
		for _, c := range g.Children(v) {
			eachFunction(c, f)
		}
	}
}
