package grid_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/device/simt"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/pass"
)

func parse(t *testing.T, src string) *ir.Graph {
	t.Helper()
	g, errs := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("x.mlir", src), text.Options{})
	if err := errs.Err(); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return g
}

func toDevice(t *testing.T, g *ir.Graph, options string) *ir.Graph {
	t.Helper()
	p, err := pass.Parse("tensor-to-device"+options, passes.All())
	if err != nil {
		t.Fatal(err)
	}
	out, err := (&pass.Manager{}).Run(t.Context(), g, p)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func call(t *testing.T, g *ir.Graph, o interp.Options, args []ir.Val) (string, error) {
	t.Helper()
	p, err := run.Interpret(g, o)
	if err != nil {
		t.Fatal(err)
	}
	_, types, err := p.Signature("main")
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := p.Call(t.Context(), "main", args)
	if err != nil {
		return "", err
	}
	var s []string
	for i, v := range out {
		s = append(s, interp.FormatVal(g.Ctx, v, types[i]))
	}
	return strings.Join(s, "\n"), nil
}

// What is no product stays, and remarks say why.
func TestLeft(t *testing.T) {
	for _, c := range []struct{ op, says string }{
		{`ten.einsum "ij,k->ijk" %a, %v : tensor<4x4xf32>, tensor<4xf32> -> tensor<4x4x4xf32>`, "it wants one index of rows"},
		{`ten.einsum "ii,ij->ij" %a, %a : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>`, "takes a diagonal"},
		{`ten.einsum "ij->j" %a : tensor<4x4xf32> -> tensor<4xf32>`, "is no sum along the last dimension"},
		{`ten.softmax %a along 0 : tensor<4x4xf32>`, "is not along the last dimension"},
		{`ten.transpose %a [1, 0] : tensor<4x4xf32>`, "a ten.transpose stays on the host: it has no kernel"},
		{`ten.einsum "ij,ij->ij" %a, %a : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>`, "is not a product of matrices"},
	} {
		result := c.op[max(strings.LastIndex(c.op, "-> ")+3, strings.LastIndex(c.op, " : ")+3):]
		g := parse(t, "func.func @main(%a: tensor<4x4xf32>, %v: tensor<4xf32>) -> "+result+" {\n%r = "+c.op+"\nreturn %r : "+result+"\n}")
		p, err := pass.Parse("tensor-to-device", passes.All())
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		m := &pass.Manager{Remark: func(_, s string) { said = append(said, s) }}
		if _, err := m.Run(t.Context(), g, p); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(said, "\n"), c.says) {
			t.Errorf("%s: %q", c.op, said)
		}
	}
}

// Extents that differ end the program before a kernel runs.
func TestDisagreement(t *testing.T) {
	low := toDevice(t, parse(t, `func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c = ten.einsum "ik,kj->ij" %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}`), "")
	parts, _ := run.Interpret(low, interp.Options{})
	types, _, _ := parts.Signature("main")
	rnd := rand.New(rand.NewPCG(1, 1))
	a, b := tensorOf(low.Ctx, types[0], []int64{3, 4}, rnd), tensorOf(low.Ctx, types[1], []int64{5, 3}, rnd)
	if _, err := call(t, low, interp.Options{}, []ir.Val{a, b}); err == nil || !strings.Contains(err.Error(), "different extents") {
		t.Errorf("it says %v", err)
	}
}

// Ops along rows give what they mean, nearly: their sums are in another order.
func TestRows(t *testing.T) {
	const src = `func.func @main(%x: tensor<3x?x70xf32>, %s: tensor<70xf32>, %b: tensor<70xf32>) -> (tensor<3x?x70xf32>, tensor<3x?x70xf32>, tensor<3x?xf32>, tensor<3x?xf32>, tensor<f32>) {
  %0 = ten.softmax %x along 2 : tensor<3x?x70xf32>
  %1 = ten.layer_norm %x scale %s bias %b epsilon 1.0e-5 : f64 : tensor<3x?x70xf32>, tensor<70xf32>, tensor<70xf32>
  %2 = ten.reduce max %x along [2] : tensor<3x?x70xf32>
  %3 = ten.reduce add %0 along [2] : tensor<3x?x70xf32>
  %4 = ten.reduce mul %s along [0] : tensor<70xf32>
  return %0, %1, %2, %3, %4 : tensor<3x?x70xf32>, tensor<3x?x70xf32>, tensor<3x?xf32>, tensor<3x?xf32>, tensor<f32>
}`
	g := parse(t, src)
	low := toDevice(t, g, "")
	rnd := rand.New(rand.NewPCG(5, 6))
	var args []ir.Val
	plain, err := run.Interpret(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, types, err := plain.Signature("main")
	if err != nil {
		t.Fatal(err)
	}
	for i, shape := range [][]int64{{3, 5, 70}, {70}, {70}} {
		n := int64(1)
		for _, k := range shape {
			n *= k
		}
		elems := make(ir.Vector, n)
		for i := range elems {
			elems[i] = ir.FloatVal(0.5+rnd.Float64(), ir.F32)
		}
		args = append(args, g.Ctx.TensorVal(in[i], shape, elems))
	}
	var results [2][]ir.Val
	kernels := simt.New()
	for i, x := range []struct {
		g *ir.Graph
		o interp.Options
	}{{g, interp.Options{}}, {low, interp.Options{Watch: kernels, Wrap: kernels.Wrap}}} {
		p, err := run.Interpret(x.g, x.o)
		if err != nil {
			t.Fatal(err)
		}
		if results[i], _, err = p.Call(t.Context(), "main", args); err != nil {
			t.Fatal(err)
		}
	}
	if n := kernels.Counts(); n.Launches != 5 {
		t.Errorf("%d launches", n.Launches)
	}
	for i := range results[0] {
		_, want, _ := g.Ctx.TensorOf(types[i], results[0][i])
		_, got, _ := g.Ctx.TensorOf(types[i], results[1][i])
		if len(got) != len(want) || len(got) == 0 {
			t.Fatalf("result %d has %d elements, want %d", i, len(got), len(want))
		}
		for k := range want {
			if x, y := got[k].Float(ir.F32), want[k].Float(ir.F32); !(math.Abs(x-y) <= 2e-5*(1+math.Abs(y))) {
				t.Fatalf("element %d of result %d is %v, want %v", k, i, x, y)
			}
		}
	}
}
