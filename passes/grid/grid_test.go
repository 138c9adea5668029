package grid_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/device/simt"
	"github.com/irc-lang/irc/dialects/device/transfers"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/pass"
)

var programs = flag.Uint64("programs", 9, "how many random products are run")

// A product is an einsum of a program that is made at random.
type product struct {
	spec, elem string
	extents    map[byte]int64
	open       bool
}

func (p product) typeOf(term string) string {
	var b strings.Builder
	for i := range len(term) {
		if p.open {
			b.WriteString("?x")
		} else {
			fmt.Fprintf(&b, "%dx", p.extents[term[i]])
		}
	}
	return "tensor<" + b.String() + p.elem + ">"
}

// text has the result of the product, and that of another one with it, which stays on the device in between.
func (p product) text() string {
	in, out, _ := strings.Cut(p.spec, "->")
	a, b, _ := strings.Cut(in, ",")
	A, B, C := p.typeOf(a), p.typeOf(b), p.typeOf(out)
	return fmt.Sprintf(`func.func @main(%%a: %s, %%b: %s) -> (%s, %s) {
  %%c = ten.einsum "%s" %%a, %%b : %s, %s -> %s
  %%d = ten.einsum "%s,%s->%s" %%c, %%b : %s, %s -> %s
  return %%c, %%d : %s, %s
}`, A, B, C, A, p.spec, A, B, C, out, b, a, C, B, A, C, A)
}

// tensorOf makes a tensor of small whole numbers, of which all sums are exact.
func (p product) tensorOf(c *ir.Context, t ir.Type, term string, rnd *rand.Rand) ir.Val {
	var shape []int64
	n := int64(1)
	for i := range len(term) {
		shape = append(shape, p.extents[term[i]])
		n *= p.extents[term[i]]
	}
	elems := make(ir.Vector, n)
	for i := range elems {
		elems[i] = ir.FloatVal(float64(rnd.IntN(7)-3), c.Info(t).Elem)
	}
	return c.TensorVal(t, shape, elems)
}

func parse(t *testing.T, src string) *ir.Graph {
	t.Helper()
	g, errs := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("x.mlir", src), text.Options{})
	if err := errs.Err(); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return g
}

func toDevice(t *testing.T, g *ir.Graph) *ir.Graph {
	t.Helper()
	p, err := pass.Parse("tensor-to-device", passes.All())
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

// Kernels of products give what the ops mean; their threads do not race, and what moves is what must.
func TestProducts(t *testing.T) {
	specs := []string{"ik,kj->ij", "ki,kj->ij", "ik,jk->ij", "ki,jk->ij", "ik,kj->ji", "bik,bkj->bij", "kbi,bjk->bij", "ibk,kjb->ibj"}
	for seed := range *programs {
		rnd := rand.New(rand.NewPCG(seed, 7))
		p := product{spec: specs[int(seed)%len(specs)], elem: []string{"f32", "f64"}[seed/3%2], open: seed%5 == 3, extents: map[byte]int64{'b': 1 + rnd.Int64N(2)}}
		for _, x := range []byte("ijk") {
			p.extents[x] = []int64{1 + rnd.Int64N(20), 4 * (1 + rnd.Int64N(9)), 64}[rnd.IntN(3)]
		}
		if seed%4 == 2 { // by tensor cores
			p.elem, p.open = []string{"f16", "bf16"}[seed/4%2], false
			for _, x := range []byte("ijk") {
				p.extents[x] = 8 * (1 + rnd.Int64N(9))
			}
		}
		if seed%32 == 8 {
			p.extents['k'] = 0
			p.open = true
		}
		g := parse(t, p.text())
		low := toDevice(t, g)
		in, _, _ := strings.Cut(p.spec, "->")
		a, b, _ := strings.Cut(in, ",")
		parts, _ := run.Interpret(g, interp.Options{})
		types, _, _ := parts.Signature("main")
		args := []ir.Val{p.tensorOf(g.Ctx, types[0], a, rnd), p.tensorOf(g.Ctx, types[1], b, rnd)}
		want, err := call(t, g, interp.Options{}, args)
		if err != nil {
			t.Fatal(err)
		}
		kernels, moves := simt.New(), transfers.New()
		for _, o := range []interp.Options{{Watch: kernels, Wrap: kernels.Wrap}, {Watch: moves, Wrap: moves.Wrap}} {
			got, err := call(t, low, o, args)
			if err != nil || strings.ReplaceAll(got, "-0.0", "0.0") != strings.ReplaceAll(want, "-0.0", "0.0") {
				t.Fatalf("seed %d: %v\n%s\ngot  %s\nwant %s", seed, err, p.text(), got, want)
			}
		}
		if n := moves.Counts(); n.Launches != 2 || n.In.Needless+n.Out.Needless > 0 {
			t.Errorf("seed %d: %s\n%s", seed, n, p.text())
		}
	}
}

// What is no product stays, and remarks say why.
func TestLeft(t *testing.T) {
	for _, c := range []struct{ op, says string }{
		{`ten.einsum "ij,j->i" %a, %v : tensor<4x4xf32>, tensor<4xf32> -> tensor<4xf32>`, "it wants an index of rows"},
		{`ten.einsum "ii,ij->ij" %a, %a : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>`, "takes a diagonal"},
		{`ten.einsum "ij->j" %a : tensor<4x4xf32> -> tensor<4xf32>`, "is no sum along the last dimension"},
		{`ten.softmax %a along 0 : tensor<4x4xf32>`, "is not along the last dimension"},
		{`ten.relu %v above 0.0 : f64 : tensor<4xf32>`, "a ten.map stays on the host: it has no kernel"},
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
	p := product{spec: "ik,kj->ij", elem: "f32", open: true, extents: map[byte]int64{'i': 3, 'j': 3, 'k': 4}}
	low := toDevice(t, parse(t, p.text()))
	parts, _ := run.Interpret(low, interp.Options{})
	types, _, _ := parts.Signature("main")
	rnd := rand.New(rand.NewPCG(1, 1))
	a := p.tensorOf(low.Ctx, types[0], "ik", rnd)
	p.extents['k'] = 5
	if _, err := call(t, low, interp.Options{}, []ir.Val{a, p.tensorOf(low.Ctx, types[1], "kj", rnd)}); err == nil || !strings.Contains(err.Error(), "different extents") {
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
	low := toDevice(t, g)
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
