package stage_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tools/stage"
	"github.com/irc-lang/irc/tools/stage/stagetest"
)

type (
	T32  = stage.Tensor[float32]
	TInt = stage.Tensor[int]
	A32  = stage.Array[float32]
	A64  = stage.Array[float64]
	AInt = stage.Array[int]
)

// filled is an Array of small numbers.
func filled[T stage.Element](seed int, shape ...int) stage.Array[T] {
	n := 1
	for _, k := range shape {
		n *= k
	}
	a := stage.ArrayOf(make([]T, n), shape...)
	for i := range a.Data {
		a.Data[i] = T((i*7+seed*5)%11 - 5)
	}
	return a
}

// layer takes and gives tensors, with an open extent and known ones.
func layer(s *S, x, w, b T32) T32 { return x.Einsum("ni,io->no", w).Add(b).Relu(0) }

var shapedLayer = stage.Shaped(layer, stage.Extents{"n", 3}, stage.Extents{3, 2}, stage.Extents{2})

// What is given is not changed, and what comes back has its extents.
func TestTensorParameters(t *testing.T) {
	p := stagetest.Compile[func(x, w, b A32) A32](t, shapedLayer)
	w, b := filled[float32](2, 3, 2), filled[float32](3, 2)
	for _, n := range []int{0, 1, 2, 5} {
		x := filled[float32](1, n, 3)
		y := p.Same(x, w, b)[0].(A32)
		if !slices.Equal(y.Shape, []int{n, 2}) {
			t.Error(y.Shape)
		}
		for i, got := range y.Data {
			want := b.Data[i%2]
			for k := range 3 {
				want += x.Data[i/2*3+k] * w.Data[k*2+i%2]
			}
			if got != max(want, 0) {
				t.Errorf("%d rows: element %d is %v, want %v", n, i, got, max(want, 0))
			}
		}
	}
}

// The same program, written as text, is the same.
func TestTensorsAsText(t *testing.T) {
	const program = `module {
  func.func @main(%arg0: tensor<?x3xf32>, %arg1: tensor<3x2xf32>, %arg2: tensor<2xf32>) -> tensor<?x2xf32> {
    %0 = ten.einsum "ij,jk->ik" %arg0, %arg1 : tensor<?x3xf32>, tensor<3x2xf32> -> tensor<?x2xf32>
    %1 = ten.map (%x = %0 : tensor<?x2xf32>, %y = %arg2 : tensor<2xf32>) -> tensor<?x2xf32> {
      %3 = arith.addf %x, %y : f32
      ten.yield %3 : f32
    }
    %2 = ten.relu %1 above 0.0 : f64 : tensor<?x2xf32>
    return %2 : tensor<?x2xf32>
  }
}
`
	want, errs := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("net.mlir", program), text.Options{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	g, _, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "main", shapedLayer)
	if err != nil || text.String(g, text.PrintOptions{}) != text.String(want, text.PrintOptions{}) {
		t.Errorf("%v\n%s\nwant\n%s", err, text.String(g, text.PrintOptions{}), text.String(want, text.PrintOptions{}))
	}
}

// That extents of one name are equal is part of the program, also where another one calls it.
func TestNamedExtents(t *testing.T) {
	c := ir.NewContext(dialects.All...)
	g, _, err := stage.Module(t.Context(), c, "f", stage.Shaped(func(s *S, x, y T64) Int { return x.Dim(1).Add(y.Dim(0)) }, stage.Extents{2, "n"}, stage.Extents{"n"}))
	if err != nil {
		t.Fatal(err)
	}
	p, err := run.Interpret(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, _, err := p.Signature("f")
	if err != nil {
		t.Fatal(err)
	}
	for n := range int64(4) {
		x, y := c.TensorVal(in[0], []int64{2, 3}, make(ir.Vector, 6)), c.TensorVal(in[1], []int64{n}, make(ir.Vector, n))
		out, _, err := p.Call(t.Context(), "f", []ir.Val{x, y})
		if n == 3 && (err != nil || out[0].Bits != 6) || n != 3 && (err == nil || !strings.Contains(err.Error(), "y in dimension 0 has another extent n than x in dimension 1")) {
			t.Error(n, out, err)
		}
	}
}

// of runs a function of tensors of one type of elements.
func of[T stage.Element](t *testing.T) {
	t.Helper()
	f := func(s *S, x, y stage.Tensor[T], k stage.Dyn[T]) (stage.Tensor[T], stage.Dyn[T], stage.Tensor[int]) {
		z := x.Mul(y).Sum(0).Mul(k).Sub(stage.Full[T](s, 3, y.Dim(1)))
		return z, x.Max(k).Sum(0, 1).At(), x.Argmax(1)
	}
	p := stagetest.Compile[func(x, y stage.Array[T], k T) (stage.Array[T], T, AInt)](t, stage.Shaped(f, stage.Extents{"n", -1}, stage.Extents{"n", -1}))
	for _, n := range []int{1, 3} {
		p.Same(filled[T](n, n, 4), filled[T](7, n, 4), T(2))
		p.Same(filled[T](n, 2, n), filled[T](7, 2, n), T(100))
	}
}

func TestTensorsOfEachElement(t *testing.T) {
	of[int](t)
	of[int8](t)
	of[int16](t)
	of[int32](t)
	of[int64](t)
	of[float32](t)
	of[float64](t)
}

// Open extents of memory, of numbers, and of other tensors.
func TestOpenExtents(t *testing.T) {
	f := func(s *S, x M64, y T64, n Int) (T64, Float) {
		a := stage.Load(x, n, y.Dim(1))
		v := stage.VarOf(s, "v", a.Add(y))
		i := stage.Var[int](s, "i", 0)
		for s.While(i.Lt(n)) {
			if s.If(i.Rem(2).Eq(0)) {
				v.Set(v.Mul(2).Reshape(n, y.Dim(1)))
			} else {
				v.Set(v.Sub(a))
			}
			i.Set(i.Add(1))
		}
		v.Store(x)
		w := v.Transpose(1, 0).Reshape(y.Dim(1).Mul(n), 1)
		return w.Add(stage.Full[float64](s, y.At(0, n.Sub(1)), n.Mul(y.Dim(1)), 1)), v.At(n.Sub(1), 0)
	}
	p := stagetest.Compile[func(x []float64, y A64, n int) (A64, float64)](t, stage.Shaped(f, stage.Extents{-1, -1}))
	for _, n := range []int{1, 2, 3, 5} {
		p.Same(filled[float64](1, n*6).Data, filled[float64](2, n, 6), n)
	}
	p.Same(filled[float64](1, 6).Data, filled[float64](2, 2, 3), 3)     // extents that differ
	p.Same(filled[float64](1, 7).Data, filled[float64](2, 2, 3), 2)     // memory of another size
	p.Same(filled[float64](1, 6).Data, filled[float64](2, 2, 3), -2)    // no extent
	p.Same(filled[float64](1, 12).Data, filled[float64](2, 4, 3), 4)    // an index outside
	p.Same(filled[float64](1, 0).Data, filled[float64](2, 0, 3), 0)     // nothing
	p.Same(filled[float64](1, 0).Data, filled[float64](2, 2, 0), 2)     // nothing
	p.Same(filled[float64](1, 0).Data, filled[float64](2, 2, 0), 1<<62) // too much
}

// A tensor that is given comes back as another array, under several names, too.
func TestTensorsComeBack(t *testing.T) {
	f := func(s *S, x T64, n Int) (T64, T64, T64) {
		v := stage.VarOf(s, "v", x)
		if s.If(n.Gt(0)) {
			v.Set(x.Mul(2))
		}
		return x, v, x
	}
	p := stagetest.Compile[func(x A64, n int) (A64, A64, A64)](t, stage.Shaped(f, stage.Extents{2, -1}))
	for n := range 2 {
		x := filled[float64](1, 2, 3)
		p.Same(x, n)
		a, _, c := p.Call(x, n)
		a.Data[0], c.Data[1] = 100, 100
		if x.Data[0] == 100 || x.Data[1] == 100 || a.Data[1] == 100 {
			t.Error("what comes back is what was given")
		}
	}
}

// Structs and arrays of tensors are parameters and results.
func TestStructsOfTensors(t *testing.T) {
	type part struct {
		W T64
		B [2]TInt
	}
	type plain struct {
		W A64
		B [2]AInt
	}
	f := func(s *S, p part, k Int) (part, Int) {
		p.W = p.W.Sub(1)
		p.B[0], p.B[1] = p.B[1], p.B[0].Mul(k)
		return p, p.B[0].Dim(0).Add(p.B[1].Sum(0).At())
	}
	p := stagetest.Compile[func(p plain, k int) (plain, int)](t, stage.Shaped(f, stage.Extents{2, -1}, stage.Extents{-1}, stage.Extents{3}))
	p.Same(plain{filled[float64](1, 2, 2), [2]AInt{filled[int](2, 5), filled[int](3, 3)}}, 7)
}

// Functions of the program take tensors of whatever extents they are called with, and give some.
func TestFunctionsOfTensors(t *testing.T) {
	gram := stage.Func("gram", func(s *S, twice bool, x T64) T64 {
		x = x.Einsum("ij,kj->ik", x)
		if twice {
			x = x.Add(x)
		}
		return x
	})
	var power func(s *S, x T64, n Int) (Int, T64)
	power = stage.Func("power", func(s *S, x T64, n Int) (Int, T64) {
		if s.If(n.Le(0)) {
			return n, stage.Full[float64](s, 1, x.Dim(0), x.Dim(1))
		}
		k, y := power(s, x, n.Sub(1))
		return k.Add(1), y.Mul(x)
	})
	f := func(s *S, x, y T64, n Int) (Int, T64, T64) {
		k, z := power(s, gram(s, true, x), n)
		return k, z, gram(s, false, y).Add(gram(s, true, y))
	}
	p := stagetest.Compile[func(x, y A64, n int) (int, A64, A64)](t, stage.Shaped(f, stage.Extents{-1, 2}, stage.Extents{3, 2}))
	for n := range 4 {
		p.Same(filled[float64](1, n, 2), filled[float64](4, 3, 2), n)
	}
	if n := strings.Count(p.Text(), "func.func"); n != 5 {
		t.Errorf("%d functions\n%s", n, p.Text())
	}
}

// Memory stays bound, tensors among it.
func TestBindTensors(t *testing.T) {
	f := func(s *S, x T64, out M64) Float {
		x.Mul(2).Store(out)
		return x.Sum(0).At()
	}
	p, err := stage.Compile[func(x A64, out []float64) float64](t.Context(), "f", stage.Shaped(f, stage.Extents{-1}))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	out := make([]float64, 2)
	b, err := p.Bind(stage.ArrayOf([]float64{3, 4}, 2), out)
	if err != nil {
		t.Fatal(err)
	}
	sum, _, err := b.Run()
	if err != nil || math.Float64frombits(sum[0]) != 7 || b.Close() != nil || out[1] != 8 {
		t.Error(sum, err, out)
	}
}

// What a program is given has to fit, and it is told where that is said; what stops it is told with the line of Go.
func TestWrongArrays(t *testing.T) {
	f := func(s *S, images, labels T64, net struct{ W T64 }) T64 {
		v := images.Einsum("ni,io->no", net.W)
		return v.Reshape(images.Dim(0), 2).Sub(labels)
	}
	shaped := stage.Shaped(f, stage.Extents{"n", 3}, stage.Extents{"n", 2}, stage.Extents{3, -1})
	type F = func(images, labels A64, net struct{ W A64 }) (A64, error)
	direct, err := stage.Directly[F](shaped)
	if err != nil {
		t.Fatal(err)
	}
	calls := []F{direct}
	for _, k := range []*engine.Kind{engine.Eval, engine.Auto} {
		p, err := stage.CompileOn[F](t.Context(), k, "f", shaped)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		calls = append(calls, p.Call)
	}
	zeros := func(shape ...int) A64 { return filled[float64](0, shape...) }
	for i, c := range []struct {
		x, y, w A64
		says    string
	}{
		{zeros(4, 3), zeros(5, 2), zeros(3, 2), "labels has extent 5 in dimension 0, and n is 4 by dimension 0 of images\n\twhat it takes is said here: labels (n, 2)"},
		{zeros(4, 2), zeros(4, 2), zeros(3, 2), "images has extent 2 in dimension 1, and 3 is wanted"},
		{zeros(4, 4), zeros(4, 2), zeros(3, 2), "images has extent 4 in dimension 1, and 3 is wanted"},
		{zeros(4, 3), zeros(4), zeros(3, 2), "labels has 1 dimensions, 4, and 2 are wanted"},
		{zeros(4, 3), zeros(4, 2), zeros(2, 2), "net.W has extent 2 in dimension 0, and 3 is wanted\n\twhat it takes is said here: net.W (3, any)"},
		{stage.ArrayOf(make([]float64, 11), 4, 3), zeros(4, 2), zeros(3, 2), "images has 11 elements, and its extents are 4x3"},
		{stage.ArrayOf[float64](nil, -4, 3), zeros(4, 2), zeros(3, 2), "images has extent -4 in dimension 0"},
		{stage.ArrayOf[float64](nil, 1<<62, 3), zeros(4, 2), zeros(3, 2), "images has 0 elements"},
	} {
		for _, call := range calls {
			_, err := call(c.x, c.y, struct{ W A64 }{c.w})
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "shaped_test.go:") {
				t.Errorf("%d: %v, want %s", i, err, c.says)
			}
		}
	}
	for i, call := range calls {
		_, err := call(zeros(4, 3), zeros(4, 2), struct{ W A64 }{zeros(3, 3)})
		if err == nil || i > 0 && (!strings.HasPrefix(err.Error(), "shaped_test.go:") || !strings.Contains(err.Error(), "a reshape to another number of elements")) {
			t.Error(err)
		}
	}
}

// Tensors that are given and returned, and are no program.
func TestWrongShaped(t *testing.T) {
	id := func(s *S, x T64) T64 { return x }
	two := []stage.Extents{{2, 3}, {"n", 3}}
	var again func(s *S, x T64, n Int) T64
	again = stage.Func("again", func(s *S, x T64, n Int) T64 {
		y := again(s, x, n.Sub(1))
		if s.If(n.Gt(0)) {
			return y
		}
		return x
	})
	var grows func(s *S, x T64) T64
	grows = stage.Func("grows", func(s *S, x T64) T64 {
		y := stage.Full[float64](s, 1, x.Shape()[0]+1)
		if s.If(y.At(0).Gt(0)) {
			return y
		}
		return grows(s, y)
	})
	deep := stage.Func("deep", func(s *S, x T64) T64 { return x.Add(x.Reshape(7)) })
	for _, p := range []struct {
		fn         any
		what, says string
	}{
		{id, "0 Extents are given for 1 Tensors: x", "stage.Shaped(f,"},
		{stage.Shaped(id), "0 Extents are given for 1 Tensors: x", "say those of each"},
		{stage.Shaped(id, two...), "2 Extents are given for 1 Tensors: x", "say those of each"},
		{stage.Shaped(func(s *S, n Int) Int { return n }, two...), "2 Extents are given for no Tensor", "say those of each"},
		{stage.Shaped(id, stage.Extents{2.5}), "extent 0 of x is 2.5", "-1 for an open one"},
		{stage.Shaped(id, stage.Extents{3, -2}), "extent 1 of x is -2", "-1 for an open one"},
		{stage.Shaped(id, stage.Extents{3, ""}), "extent 1 of x is \"\"", "-1 for an open one"},
		{stage.Shaped(id, stage.Extents{1 << 30, 1 << 30, -1}), "x has too many elements: 1073741824x1073741824x?", "2^48"},
		{stage.Shaped(func(s *S, x, y T64) T64 {
			if s.If(x.At(0, 0).Gt(0)) {
				return x
			}
			return y
		}, two...), "a tensor of ?x3 is returned, and on another way one of 2x3", "Reshape makes an extent open"},
		{stage.Shaped(func(s *S, x, y T64) T64 {
			v := stage.VarOf(s, "v", x)
			if s.If(x.At(0, 0).Gt(0)) {
				v.Set(y)
			}
			return v
		}, two...), "a variable of 2x3 is set to a tensor of ?x3", "Reshape makes an extent open"},
		{stage.Shaped(func(s *S, x, y T64) T64 { return x.Add(y.Transpose(1, 0)) }, two...), "Add: extents 2 and 3 of one dimension", "its operands are 2x3 and 3x?"},
		{stage.Shaped(func(s *S, x, y T64) Int { return y.Dim(2) }, two...), "dimension 2 of a tensor of ?x3", "count from 0"},
		{stage.Shaped(func(s *S, x, y T64) T64 { return x.Reshape("n", 3) }, two...), "an extent is n of type string", "give an int or a Dyn[int]"},
		{stage.Shaped(func(s *S, x, y T64) T64 { return x.Reshape(y.At(0, 0)) }, two...), "an extent is", "stage.To"},
		{stage.Shaped(func(s *S, x, y T64) T64 { return again(s, x, x.Dim(0)) }, two...), "what again gives is not known yet where it calls itself", "ask first for the case that ends the recursion"},
		{stage.Shaped(func(s *S, x, y T64) T64 { return grows(s, x) }, two...), "grows calls itself with other extents each time", "leave them open"},
		{stage.Shaped(func(s *S, x, y T64) T64 { return deep(s, x) }, two...), "Reshape: ", "operands are 2x3"},
	} {
		_, _, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "f", p.fn)
		if err == nil || !strings.Contains(err.Error(), p.what) || !strings.Contains(err.Error(), p.says) || !strings.HasPrefix(err.Error(), "shaped_test.go:") {
			t.Errorf("%v\nwant %s, and %s", err, p.what, p.says)
		}
	}
	for says, err := range map[string]error{
		"parameter 1 is []float64, and the staged function has stage.Tensor[float64]": errOf(stage.Compile[func([]float64) A64](t.Context(), "f", stage.Shaped(id, two[0]))),
		"result 1 is stage.Array[float32], and the staged function has":               errOf(stage.Compile[func(A64) A32](t.Context(), "f", stage.Shaped(id, two[0]))),
		"is no function that begins with a *stage.S":                                  errOf(stage.Compile[func(A64) A32](t.Context(), "f", stage.Shaped(stage.Shaped(id, two[0]), two[0]))),
	} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
	p, err := stage.CompileOn[func(A64) A64](t.Context(), engine.Eval, "f", stage.Shaped(id, two[0]))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if _, err := p.Bind(filled[float64](1, 2, 3)); err == nil || !strings.Contains(err.Error(), "a Bound has the bits of numbers: use Call") {
		t.Error(err)
	}
	func() {
		defer func() {
			if what := fmt.Sprint(recover()); !strings.Contains(what, "parameter 1 of the extern f is stage.Tensor[float64]: it takes Dyns") {
				t.Error(what)
			}
		}()
		stage.Extern[func(*S, T64) Float]("f", nil)
	}()
}

func errOf[T any](_ T, err error) error { return err }

// The listing of docs/staging.md.
func predict(s *stage.S, x, w, b stage.Tensor[float32]) stage.Tensor[float32] {
	return x.Einsum("ni,io->no", w).Add(b).Softmax(1)
}

func TestPredict(t *testing.T) {
	ctx := t.Context()
	f := stage.Shaped(predict, stage.Extents{"n", 784}, stage.Extents{784, 10}, stage.Extents{10})
	p, err := stage.Compile[func(x, w, b stage.Array[float32]) (stage.Array[float32], error)](ctx, "predict", f)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	x, w, b := filled[float32](1, 2, 784), filled[float32](2, 784, 10), filled[float32](3, 10)
	for k := range 784 {
		for c := range 10 {
			w.Data[k*10+c] /= 784
		}
	}
	y, err := p.Call(x, w, b)
	if err != nil || !slices.Equal(y.Shape, []int{2, 10}) {
		t.Fatal(y, err)
	}
	for n := range 2 {
		scores, sum := [10]float64{}, 0.0
		for c := range scores {
			scores[c] = float64(b.Data[c])
			for k := range 784 {
				scores[c] += float64(x.Data[n*784+k]) * float64(w.Data[k*10+c])
			}
			sum += math.Exp(scores[c])
		}
		for c, z := range scores {
			if got, want := float64(y.Data[n*10+c]), math.Exp(z)/sum; math.Abs(got-want) > 1e-5 {
				t.Errorf("row %d, class %d: %v, want %v", n, c, got, want)
			}
		}
	}
}
