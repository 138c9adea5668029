package grid_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// What is no product stays, and remarks say why.
func TestLeft(t *testing.T) {
	for _, c := range []struct{ op, says string }{
		{`ten.einsum "ij,k->ijk" %a, %v : tensor<4x4xf32>, tensor<4xf32> -> tensor<4x4x4xf32>`, "it wants one index of rows"},
		{`ten.einsum "ii,ij->ij" %a, %a : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>`, "takes a diagonal"},
		{`ten.einsum "ij->j" %a : tensor<4x4xf32> -> tensor<4xf32>`, "is no sum along the last dimension"},
		{`ten.softmax %a along 0 : tensor<4x4xf32>`, "is not along the last dimension"},
		{`ten.transpose %a [1, 0] : tensor<4x4xf32>`, "the ten.transpose at line 2 stays on the host: it has no kernel"},
		{`ten.einsum "ij,ij->ij" %a, %a : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>`, "is not a product of matrices"},
	} {
		result := c.op[max(strings.LastIndex(c.op, "-> ")+3, strings.LastIndex(c.op, " : ")+3):]
		src := "func.func @main(%a: tensor<4x4xf32>, %v: tensor<4xf32>) -> " + result + " {\n%r = " + c.op + "\nreturn %r : " + result + "\n}"
		said := built.Remarks(t, src, parse(t, src), "tensor-to-device")
		if !strings.Contains(strings.Join(said, "\n"), c.says) {
			t.Errorf("%s: %q", c.op, said)
		}
	}
}

// Extents that differ end the program before a kernel runs.
func TestDisagreement(t *testing.T) {
	low := built.Through(t, parse(t, `func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c = ten.einsum "ik,kj->ij" %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}`), "tensor-to-device")
	if _, err := results(low, interp.Options{}, [][]int64{{3, 4}, {5, 3}}, small(1)); err == nil || !strings.Contains(err.Error(), "different extents") {
		t.Errorf("it says %v", err)
	}
}

// Ops along rows give what they mean, nearly: their sums are in another order.
func TestRows(t *testing.T) {
	g := parse(t, `func.func @main(%x: tensor<3x?x70xf32>, %s: tensor<70xf32>, %b: tensor<70xf32>) -> (tensor<3x?x70xf32>, tensor<3x?x70xf32>, tensor<3x?xf32>, tensor<3x?xf32>, tensor<f32>) {
  %0 = ten.softmax %x along 2 : tensor<3x?x70xf32>
  %1 = ten.layer_norm %x scale %s bias %b epsilon 1.0e-5 : f64 : tensor<3x?x70xf32>, tensor<70xf32>, tensor<70xf32>
  %2 = ten.reduce max %x along [2] : tensor<3x?x70xf32>
  %3 = ten.reduce add %0 along [2] : tensor<3x?x70xf32>
  %4 = ten.reduce mul %s along [0] : tensor<70xf32>
  return %0, %1, %2, %3, %4 : tensor<3x?x70xf32>, tensor<3x?x70xf32>, tensor<3x?xf32>, tensor<3x?xf32>, tensor<f32>
}`)
	shapes := [][]int64{{3, 5, 70}, {70}, {70}}
	near := func() func() float64 {
		rnd := rand.New(rand.NewPCG(5, 6))
		return func() float64 { return 0.5 + rnd.Float64() }
	}
	kernels, _ := tensorsOnDevice(t, g, built.Through(t, g, "tensor-to-device"), shapes, near, 2e-5)
	if kernels.Launches != 5 {
		t.Errorf("%d launches", kernels.Launches)
	}
}

// Ops that do the same have one kernel, in each module that has some.
func TestOneKernel(t *testing.T) {
	const f = `func.func @NAME(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c = ten.einsum "ik,kj->ij" %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %d = ten.einsum "ik,kj->ij" %c, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %e = ten.map (%x = %c : tensor<?x?xf32>) -> tensor<?x?xf32> {
    %y = arith.addf %x, %x : f32
    ten.yield %y : f32
  }
  %g = ten.map (%x = %d : tensor<?x?xf32>) -> tensor<?x?xf32> {
    %y = arith.addf %x, %x : f32
    ten.yield %y : f32
  }
  return %e, %g : tensor<?x?xf32>, tensor<?x?xf32>
}
`
	const loops = `func.func @NAME(%x: !loop.array<i64>) -> (!loop.array<i64>, !loop.array<i64>, i64, i64) {
  %n = loop.len %x : !loop.array<i64>
  %c0 = arith.constant 0 : i64
  %a, %b, %s, %t = loop.for %i < %n -> scan(add : i64), scan(add : i64), reduce(add : i64), reduce(add : i64) {
    %v = loop.at %x[%i] : !loop.array<i64>
    %w = arith.muli %v, %v : i64
    %is = arith.cmpi slt, %v, %c0 : i64
    %one = loop.emit %v : i64
    %none = loop.none : !loop.emit<i64>
    %e = arith.select %is, %one, %none : !loop.emit<i64>
    %f = arith.select %is, %none, %one : !loop.emit<i64>
    loop.yield %e, %f, %v, %w : !loop.emit<i64>, !loop.emit<i64>, i64, i64
  }
  return %a, %b, %s, %t : !loop.array<i64>, !loop.array<i64>, i64, i64
}
`
	for _, c := range []struct {
		src, pass string
		kernels   int
	}{
		{f, "tensor-to-device", 3},    // the product alone, with the map in its registers, and the map
		{loops, "loop-to-device", 10}, // rounds, finish; three of a scan, which counts too if an index is one of 64 bits; last, keep
	} {
		once, other := strings.ReplaceAll(c.src, "NAME", "f"), strings.ReplaceAll(c.src, "NAME", "g")
		for _, src := range []string{once, once + other, "module @a {\n" + once + other + "}\nmodule @b {\n" + once + "}"} {
			low := text.String(built.Through(t, parse(t, src), c.pass), text.PrintOptions{})
			built.Parse(t, low, text.Options{})
			modules := max(1, strings.Count(src, "module @"))
			if n := strings.Count(low, "device.kernel"); n != c.kernels*modules {
				t.Errorf("%s: %d kernels in %d modules, not %d each\n%s", c.pass, n, modules, c.kernels, low)
			}
		}
	}
}

// The functions of a module are rebuilt at once, each with transfers of its own.
func TestManyFunctions(t *testing.T) {
	var src strings.Builder
	for i := range 200 {
		fmt.Fprintf(&src, "func.func @f%d(%%a: tensor<8x8xf32>, %%x: !loop.array<f32>) -> (tensor<8x8xf32>, f32) {\n", i)
		src.WriteString(`  %c = ten.einsum "ik,kj->ij" %a, %a : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %n = loop.len %x : !loop.array<f32>
  %s = loop.for %i < %n -> reduce(add reassoc : f32) {
    %v = loop.at %x[%i] : !loop.array<f32>
    loop.yield %v : f32
  }
  return %c, %s : tensor<8x8xf32>, f32
}
`)
	}
	low := text.String(built.Through(t, parse(t, src.String()), "tensor-to-device,loop-to-device"), text.PrintOptions{})
	if n := strings.Count(low, "device.launch"); n < 400 {
		t.Errorf("%d launches", n)
	}
}
