package derivatives

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

// onTensors are networks of ops that have rules on tensors, beside those of networks that have.
var onTensors = []network{
	{"diagonal", [][]int64{{3, 3}, {3}}, `
  %q = ten.einsum "ii,i->i" %t0, %t1 : tensor<3x3xf64>, tensor<3xf64> -> tensor<3xf64>`, "3"},
	{"alone", [][]int64{{3, 2}, {3, 4}}, `
  %q = ten.einsum "ij,ik->i" %t0, %t1 : tensor<3x2xf64>, tensor<3x4xf64> -> tensor<3xf64>`, "3"},
	{"stretched", [][]int64{{3, 1}, {2, 1, 4}}, `
  %e = ten.einsum "...,...->..." %t0, %t1 : tensor<3x1xf64>, tensor<2x1x4xf64> -> tensor<2x3x4xf64>
  %q = ten.map (%a = %e : tensor<2x3x4xf64>, %b = %t0 : tensor<3x1xf64>) -> tensor<2x3x4xf64> {
    %0 = arith.divf %a, %b : f64
    %1 = math.exp %0 : f64
    %2 = arith.mulf %1, %b : f64
    ten.yield %2 : f64
  }`, "2x3x4"},
	{"three", [][]int64{{2, 3}, {3, 2}, {2, 2}}, `
  %q = ten.einsum "ij,jk,ki->i" %t0, %t1, %t2 : tensor<2x3xf64>, tensor<3x2xf64>, tensor<2x2xf64> -> tensor<2xf64>`, "2"},
	{"moved", [][]int64{{2, 3}, {2, 3}, {1}}, `
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = ten.extract %t2[%c0] : tensor<1xf64>
  %e = ten.extract %t0[%c1, %c0] : tensor<2x3xf64>
  %j = ten.concat %t0, %t1 along 1 : tensor<2x3xf64>, tensor<2x3xf64>
  %p = ten.pad %j with %v low [1, 0] high [0, 2] : tensor<2x6xf64>
  %s = ten.slice %p[%c0, %c1] by [2, 3] : tensor<3x8xf64> -> tensor<2x2xf64>
  %r = ten.reshape %s : tensor<2x2xf64> -> tensor<4xf64>
  %f = ten.fill %e : tensor<4xf64>
  %x = ten.transpose %p [1, 0] : tensor<3x8xf64>
  %l = ten.einsum "ij->j" %x : tensor<8x3xf64> -> tensor<3xf64>
  %k = ten.slice %l[%c1] by [1] : tensor<3xf64> -> tensor<1xf64>
  %q = ten.map (%a = %r : tensor<4xf64>, %b = %f : tensor<4xf64>, %c = %k : tensor<1xf64>) -> tensor<4xf64> {
    %0 = arith.mulf %a, %b : f64
    %2 = arith.mulf %0, %c : f64
    %1 = math.sin %2 : f64
    ten.yield %1 : f64
  }`, "4"},
	{"logsumexp", [][]int64{{2, 3}}, `
  %l = ten.logsumexp %t0 along 1 : tensor<2x3xf64>
  %q = arith.mulf %l, %l : tensor<2xf64>`, "2"},
	{"branch", [][]int64{{2, 2}, {2, 2}}, `
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %e = ten.extract %t0[%c0, %c0] : tensor<2x2xf64>
  %is = arith.cmpf ogt, %e, %zero : f64
  %q = scf.if %is -> (tensor<2x2xf64>) {
    %a = ten.einsum "ij,jk->ik" %t0, %t1 : tensor<2x2xf64>, tensor<2x2xf64> -> tensor<2x2xf64>
    %b = ten.relu %a above 0.0 : f64 : tensor<2x2xf64>
    %c = arith.mulf %b, %a : tensor<2x2xf64>
    scf.yield %c : tensor<2x2xf64>
  } else {
    %a = math.exp %t1 : tensor<2x2xf64>
    scf.yield %a : tensor<2x2xf64>
  }`, "2x2"},
	{"recurrent", [][]int64{{2, 3}, {3, 3}, {3}}, `
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %q = scf.for %t = %c0 to %c4 step %c1 iter_args(%s = %t0) -> (tensor<2x3xf64>) {
    %p = ten.einsum "ij,jk->ik" %s, %t1 : tensor<2x3xf64>, tensor<3x3xf64> -> tensor<2x3xf64>
    %q = ten.map (%u = %p : tensor<2x3xf64>, %v = %t2 : tensor<3xf64>) -> tensor<2x3xf64> {
      %0 = arith.addf %u, %v : f64
      %1 = math.tanh %0 : f64
      ten.yield %1 : f64
    }
    scf.yield %q : tensor<2x3xf64>
  }`, "2x3"},
	{"rounds in rounds", [][]int64{{2, 2}, {2, 2}}, `
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %q = scf.for %t = %c0 to %c3 step %c1 iter_args(%s = %t0) -> (tensor<2x2xf64>) {
    %n = arith.addi %t, %c1 : index
    %r = scf.for %u = %c0 to %n step %c1 iter_args(%v = %s) -> (tensor<2x2xf64>) {
      %p = ten.einsum "ij,jk->ik" %v, %t1 : tensor<2x2xf64>, tensor<2x2xf64> -> tensor<2x2xf64>
      %w = ten.softmax %p along 1 : tensor<2x2xf64>
      scf.yield %w : tensor<2x2xf64>
    }
    %m = arith.mulf %r, %s : tensor<2x2xf64>
    scf.yield %m : tensor<2x2xf64>
  }`, "2x2"},
	{"until", [][]int64{{2, 2}}, `
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.01 : f64
  %q = scf.while (%s = %t0) : (tensor<2x2xf64>) -> tensor<2x2xf64> {
    %e = ten.extract %s[%c0, %c0] : tensor<2x2xf64>
    %a = math.absf %e : f64
    %is = arith.cmpf ogt, %a, %half : f64
    scf.condition(%is) %s : tensor<2x2xf64>
  } do {
  ^bb0(%s: tensor<2x2xf64>):
    %p = arith.mulf %s, %t0 : tensor<2x2xf64>
    %m = ten.map (%u = %p : tensor<2x2xf64>) -> tensor<2x2xf64> {
      %0 = math.sin %u : f64
      %1 = arith.mulf %0, %half : f64
      ten.yield %1 : f64
    }
    scf.yield %m : tensor<2x2xf64>
  }`, "2x2"},
}

// Networks of ops that have rules on tensors have the derivatives that differences say, as tensors and lowered after that; forward they
// are the same.
func TestTensors(t *testing.T) {
	whole := slices.DeleteFunc(slices.Clone(networks), func(n network) bool { return n.name == "convolution" || n.name == "shapes" })
	for _, n := range slices.Concat(whole, onTensors) {
		t.Run(n.name, func(t *testing.T) {
			t.Parallel()
			g := n.program(t)
			d := derivedWhole(t, g)
			if text := text.String(d, text.PrintOptions{}); strings.Contains(n.body, "ten.einsum") && !strings.Contains(text[strings.Index(text, "@f_grad"):], "ten.einsum") {
				t.Errorf("products of the gradient are no products any more:\n%s", text)
			}
			compareNetwork(t, machine(t, d), n.shapes)
			low, err := lowering.Compile(context.Background(), d, target.Interp())
			if err != nil {
				t.Fatal(err)
			}
			compareNetwork(t, machine(t, low), n.shapes)
			compareForward(t, machine(t, d), n.shapes)
			if strings.Contains(n.body, "scf.for") {
				if d, err = through(g, "differentiate{of=f checkpoint=2}"); err != nil {
					t.Fatal(err)
				}
				compareNetwork(t, machine(t, d), n.shapes)
				if low, err = lowering.Compile(context.Background(), d, target.Interp()); err != nil {
					t.Fatal(err)
				}
				compareNetwork(t, machine(t, low), n.shapes)
			}
		})
	}
}

// derivedWhole has the gradient of @f and its tangent, made of tensors.
func derivedWhole(t *testing.T, g *ir.Graph) *ir.Graph {
	t.Helper()
	p, err := pass.Parse("differentiate{of=f},differentiate{of=f mode=forward}", lowering.AllPasses())
	if err != nil {
		t.Fatal(err)
	}
	d, err := (&pass.Manager{VerifyEach: true, Target: target.Interp()}).Run(context.Background(), g, p)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// arrayOf is memory of a shape.
func arrayOf(shape []int64, at func(k int) float64) (ir.Val, []float64) {
	strides, n, _ := strided.RowMajor(shape)
	data := make([]float64, n)
	for k := range data {
		data[k] = at(k)
	}
	buf := interp.Floats(data)
	return (&interp.MemRef{Buf: buf, Sizes: shape, Strides: strides}).Val(), buf.Floats()
}

// compareForward compares the tangent in a direction with the gradient.
func compareForward(t *testing.T, m *interp.Machine, shapes [][]int64) {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 8))
	random := func(int) float64 { return r.Float64()*2 - 1 }
	var args, shadows, tangents []ir.Val
	var slopes, along [][]float64
	for _, s := range shapes {
		x, _ := arrayOf(s, random)
		z, slope := arrayOf(s, func(int) float64 { return 0 })
		d, by := arrayOf(s, random)
		args, shadows, tangents, slopes, along = append(args, x), append(shadows, z), append(tangents, d), append(slopes, slope), append(along, by)
	}
	if _, err := m.Call("f_grad", slices.Concat(args, []ir.Val{ir.F64Val(1)}, shadows)); err != nil {
		t.Fatal(err)
	}
	want := 0.0
	for i, s := range slopes {
		for k, x := range s {
			want += x * along[i][k]
		}
	}
	out, err := m.Call("f_jvp", slices.Concat(args, tangents))
	if err != nil {
		t.Fatal(err)
	}
	if got := out[1].F64(); !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))) {
		t.Errorf("forward %v, in reverse %v", got, want)
	}
}

// What is computed of a value that no arm uses gives it 0, whatever the slopes are, in rules on tensors too: a relu above its results
// stops all that comes from behind.
func TestArmsOfTensors(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name, body string
		shapes     [][]int64
		of         string
		data       [][]float64
	}{
		{"product", `
  %p = arith.mulf %t0, %t1 : tensor<2xf64>
  %q = ten.relu %p above 0.0 : f64 : tensor<2xf64>`, [][]int64{{2}, {2}}, "2", [][]float64{{-1, -2}, {inf, inf}}},
		{"map", `
  %p = ten.map (%u = %t0 : tensor<2xf64>) -> tensor<2xf64> {
    %0 = math.log %u : f64
    ten.yield %0 : f64
  }
  %q = ten.relu %p above 0.0 : f64 : tensor<2xf64>`, [][]int64{{2}}, "2", [][]float64{{0, 0.5}}},
		{"einsum", `
  %p = ten.einsum "ij,jk->ik" %t0, %t1 : tensor<1x2xf64>, tensor<2x1xf64> -> tensor<1x1xf64>
  %q = ten.relu %p above 0.0 : f64 : tensor<1x1xf64>`, [][]int64{{1, 2}, {2, 1}}, "1x1", [][]float64{{inf, 1}, {-1, nan}}},
		{"diagonal", `
  %p = ten.einsum "ii,i,...->i..." %t0, %t1, %t2 : tensor<2x2xf64>, tensor<2xf64>, tensor<1xf64> -> tensor<2x1xf64>
  %q = ten.relu %p above 0.0 : f64 : tensor<2x1xf64>`, [][]int64{{2, 2}, {2}, {1}}, "2x1", [][]float64{{nan, 1, 1, -1}, {1, inf}, {1}}},
		{"softmax", `
  %p = ten.softmax %t0 along 1 : tensor<2x2xf64>
  %q = ten.relu %p above 2.0 : f64 : tensor<2x2xf64>`, [][]int64{{2, 2}}, "2x2", [][]float64{{inf, 1, nan, 2}}},
		{"logsumexp", `
  %p = ten.logsumexp %t0 along 1 : tensor<2x2xf64>
  %q = ten.relu %p above 1.0e+308 : f64 : tensor<2xf64>`, [][]int64{{2, 2}}, "2", [][]float64{{nan, 1, 3, 2}}},
		{"norm", `
  %p = ten.layer_norm %t0 scale %t1 bias %t2 epsilon 1.0e-5 : f64 : tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>
  %q = ten.relu %p above 100.0 : f64 : tensor<2x2xf64>`, [][]int64{{2, 2}, {2}, {2}}, "2x2", [][]float64{{nan, 1, 3, -inf}, {1, 2}, {3, 4}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := derivedWhole(t, network{c.name, c.shapes, c.body, c.of}.program(t))
			var args, shadows []ir.Val
			var slopes [][]float64
			for i, s := range c.shapes {
				x, _ := arrayOf(s, func(k int) float64 { return c.data[i][k] })
				z, slope := arrayOf(s, func(int) float64 { return 0 })
				args, shadows, slopes = append(args, x), append(shadows, z), append(slopes, slope)
			}
			if _, err := machine(t, d).Call("f_grad", slices.Concat(args, []ir.Val{ir.F64Val(1)}, shadows)); err != nil {
				t.Fatal(err)
			}
			for i, s := range slopes {
				if slices.ContainsFunc(s, func(x float64) bool { return x != 0 }) {
					t.Errorf("by argument %d: %v", i, s)
				}
			}
		})
	}
}
