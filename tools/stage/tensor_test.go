package stage_test

import (
	"math"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tools/stage"
	"github.com/irc-lang/irc/tools/stage/stagetest"
)

type (
	T64 = stage.Tensor[float64]
	M64 = stage.Slice[float64]
)

// Tensors go through conditions and loops of the program, as variables and as values.
func TestTensorsUnderControl(t *testing.T) {
	powers := func(s *S, x, y M64, n Int, limit Float) Int {
		a := stage.Load(x, 2, 2)
		p, i := stage.VarOf(s, "p", a), stage.Var[int](s, "i", 0)
		for s.While(i.Lt(n)) {
			p.Set(p.Einsum("ij,jk->ik", a))
			i.Set(i.Add(1))
			if s.If(p.At(0, 1).Gt(limit)) {
				break
			}
			x.Set(0, 100) // a stays what it was
		}
		if s.If(n.Lt(0)) {
			p.Set(p.Transpose(1, 0).Mul(limit))
		} else {
			p.Set(p.Add(1).Sub(stage.Full[float64](s, 0.5, 1, 2)))
		}
		p.Store(y)
		return i
	}
	p := stagetest.Compile[func(x, y []float64, n int, limit float64) int](t, powers)
	for _, n := range []int{-1, 0, 1, 2, 3, 9} {
		for _, limit := range []float64{3, 40} {
			p.Same([]float64{1, 2, 3, 4}, make([]float64, 4), n, limit)
		}
	}
	y := make([]float64, 4)
	if i := p.Call([]float64{1, 2, 3, 4}, y, 2, 40); i != 2 || y[0] != 37.5 || y[1] != 54.5 || y[2] != 81.5 || y[3] != 118.5 {
		t.Errorf("%d powers: %v", i, y)
	}
	p.Same([]float64{1, 2, 3}, make([]float64, 4), 1, 1.0) // memory of another size stops it
	p.Same([]float64{1, 2, 3, 4}, make([]float64, 5), 1, 1.0)
}

// Each op computes what tools/tensors has it compute, directly, in the interpreter and natively.
func TestTensorOps(t *testing.T) {
	all := func(s *S, x M64, k stage.Slice[int32], y M64, i stage.Slice[int], at Int) Float {
		a := stage.Load(x, 2, 3)
		e := a.Exp().Add(a.Tanh()).Add(a.Sub(1).Mul(a).Max(0).Sqrt()).Div(a.Mul(a).Add(1.5))
		n := e.LayerNorm(stage.Full[float64](s, 2, 3), stage.Full[float64](s, 1, 3), 1e-5).Gelu().Relu(0.25)
		g := n.Gather(stage.Load(k, 2), 1).Transpose(1, 0)
		image := a.Reshape(1, 1, 2, 3)
		c := image.Conv(stage.Full[float64](s, 0.5, 1, 1, 2, 2), []int{1, 0}, []int{1, 1})
		pooled := c.MaxPool([]int{2, 1}, []int{1, 1}).AveragePool([]int{1, 2}, []int{1, 1}).Reshape(2, 1)
		out := g.Softmax(0).Add(pooled).Sub(a.Greatest(1))
		out.Store(y)
		a.Argmax(1).Store(i)
		return out.At(at, 1).Add(a.Sum(0, 1).At())
	}
	p := stagetest.Compile[func(x []float64, k []int32, y []float64, i []int, at int) float64](t, all)
	p.Relative = 1e-12
	for _, at := range []int{0, 1, 2, -1} {
		p.Same([]float64{1, -2, 0.5, 4, 0.25, -1}, []int32{2, -2}, make([]float64, 4), make([]int, 2), at)
	}
}

// A struct of tensors is a variable as one of Dyns is.
func TestTensorStruct(t *testing.T) {
	type pair struct{ A, B T64 }
	swap := func(s *S, x, y M64, n Int) {
		v := stage.VarOf(s, "v", pair{stage.Load(x, 2), stage.Load(y, 2)})
		i := stage.Var[int](s, "i", 0)
		for s.While(i.Lt(n)) {
			stage.Set(s, v, pair{v.B, v.A.Add(v.B)})
			i.Set(i.Add(1))
		}
		v.A.Store(x)
		v.B.Store(y)
	}
	p := stagetest.Compile[func(x, y []float64, n int)](t, swap)
	p.Same([]float64{0, 1}, []float64{1, 1}, 7)
	x := []float64{0, 1}
	p.Call(x, []float64{1, 1}, 7)
	if x[0] != 13 || x[1] != 21 {
		t.Error(x)
	}
}

// A tensor of memory that a later round of a loop writes to is what the memory was, under other extents, too.
func TestTensorKeepsMemory(t *testing.T) {
	late := func(s *S, x M64, n Int) Float {
		last, v := stage.VarOf(s, "last", stage.Load(x, 4).Reshape(2, 2)), stage.VarOf(s, "v", stage.Load(x, 4).Reshape(2, 2))
		i := stage.Var[int](s, "i", 0)
		for s.While(i.Lt(n)) {
			last.Set(v)
			x.Set(1, stage.To[float64](i))
			v.Set(stage.Load(x, 4).Reshape(2, 2))
			i.Set(i.Add(1))
		}
		return last.At(0, 1)
	}
	p := stagetest.Compile[func(x []float64, n int) float64](t, late)
	for n, want := range []float64{5, 5, 0, 1} {
		if out := p.Same([]float64{5, 5, 5, 5}, n); out[0] != want {
			t.Errorf("%d rounds: %v, want %v", n, out, want)
		}
	}
}

// Softmax of what only its greatest place is asked of is not computed: a prophecy says who reads what, on all paths.
func TestTensorProphecy(t *testing.T) {
	classify := func(asks bool) any {
		return func(s *S, x M64, y M64, c stage.Dyn[bool]) Int {
			scores := stage.Load(x, 2, 3)
			asked := stage.NewProphecy(s, "are shares asked for", stage.Either)
			if asked.Get() {
				scores = scores.Softmax(1)
			}
			if s.If(c) {
				asked.Require(asks)
				scores.Store(y)
			}
			return scores.Argmax(1).At(1)
		}
	}
	for _, asks := range []bool{false, true} {
		p := stagetest.Compile[func(x, y []float64, c bool) int](t, classify(asks))
		if strings.Contains(p.Text(), "ten.softmax") != asks {
			t.Error(p.Text())
		}
		p.Relative = 1e-12
		for _, c := range []bool{false, true} {
			p.Like(func(x, y []float64, c bool) int {
				for i := 0; c && i < 6; i += 3 {
					sum := 1.0
					if asks {
						sum = math.Exp(x[i]) + math.Exp(x[i+1]) + math.Exp(x[i+2])
					}
					for k := i; k < i+3; k++ {
						if y[k] = x[k]; asks {
							y[k] = math.Exp(x[k]) / sum
						}
					}
				}
				return 2
			}, []float64{1, 3, 2, 0, -1, 0.5}, make([]float64, 6), c)
		}
	}
}

// What is wrong with tensors is told with the line of Go.
func TestWrongTensors(t *testing.T) {
	for _, p := range []struct {
		fn         any
		what, says string
	}{
		{func(s *S, x M64) { stage.Load(x, 2, 3).Add(stage.Load(x, 3, 2)) }, "Add: extents 2 and 3 of one dimension", "its operands are 2x3 and 3x2"},
		{func(s *S, x M64) { stage.Load(x, 2, 3).Einsum("ij,jk->ik", stage.Load(x, 2, 3)) }, "runs index j up to 3 in operand #0 and to 2", "2x3 and 2x3"},
		{func(s *S, x M64) { stage.Load(x, 2, 3).Einsum("ij,jk->") }, "Einsum: ", "its operands are 2x3"},
		{func(s *S, x M64) { stage.Load(x, 2, 3).Reshape(4) }, "Reshape: ", "2x3"},
		{func(s *S, x M64) { stage.Load(x, 2, 3).Softmax(2) }, "names dimension 2 of 2", "2x3"},
		{func(s *S, x M64) { stage.Load(x, 2, 3).Argmax(0).Exp() }, "Exp takes floats, and the elements are i64", "operands are 3"},
		{func(s *S, x M64) { stage.Load(x, 2, 3).Add(stage.Load(x, 2, 3).Argmax(0)) }, "stage.Tensor[float64] and stage.Tensor[int]", "both operands have the same elements"},
		{func(s *S, x M64) { stage.Load(x, 2, 3).Add("2") }, "2 of type string is no float64", "stage.To"},
		{func(s *S, x M64) { stage.Load(x, 2, 3).Gather(stage.Load(x, 2), 0) }, "has indices of type f64", "2x3 and 2"},
		{func(s *S, x M64) { stage.Load(x, 2, 3).Gather(1, 0) }, "the places are int", "give it a Tensor of integers"},
		{func(s *S, x M64) { stage.Load(x, 2, 3).At(1) }, "1 indices of a tensor of 2x3", "for each dimension"},
		{func(s *S, x M64) { stage.Load(x, 2, 3).At(1, 3) }, "index 3 of dimension 1", "count from 0"},
		{func(s *S, x M64) { stage.Load(x, 2, -3) }, "an extent of -3", "0 or more"},
		{func(s *S, x M64) { stage.Load(x, 1<<30, 1<<30) }, "a tensor of 1073741824x1073741824 has too many elements", "2^48"},
		{func(s *S, x M64) { stage.Full[float64](s, "a", 2) }, "a of type string is no float64", "stage.To"},
		{func(s *S, x M64) { stage.Load(x, 2).Set(stage.Load(x, 2)) }, "this is a value, not a variable", "stage.VarOf"},
		{func(s *S, x M64) { stage.VarOf(s, "v", stage.Load(x, 2)).Set(stage.Load(x, 1, 2)) }, "a variable of 2 is set to a tensor of 1x2", "Reshape the value"},
		{func(s *S, x M64) { var zero T64; zero.Exp() }, "a Tensor that nothing has made", "stage.Load"},
		{func(s *S, x M64) { var zero T64; stage.Load(x, 2).Add(zero) }, "a Tensor that nothing has made", "stage.Load"},
		{func(s *S, x M64) { stage.Zero[struct{ A T64 }](s) }, "does not say its extents", "stage.Full"},
		{func(s *S, x M64) { stage.Load(x, 2).Add(stage.Load(stage.Of(stage.Direct(), []float64{1, 2}), 2)) }, "of another program, or of a direct run", "the *S"},
		{func(s *S, x M64) {
			a := stage.Load(x, 2)
			if s.If(a.At(0).Gt(0)) {
				a = a.Exp()
			}
			a.Store(x)
		}, "depends on the path", "a is set in the host under a condition of the program"},
		{func(s *S, x M64) {
			a := stage.Load(x, 2)
			for range 3 {
				a = a.Exp()
			}
			a.Store(x)
		}, "a loop of the host is staged as one that never ends", "a Static"},
	} {
		_, _, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "f", p.fn)
		if err == nil || !strings.Contains(err.Error(), p.what) || !strings.Contains(err.Error(), p.says) || !strings.Contains(err.Error(), "tensor_test.go:") {
			t.Errorf("%v\nwant %s, and %s", err, p.what, p.says)
		}
	}
}

// The listing of docs/staging.md.
func smooth(s *stage.S, x stage.Slice[float64], limit stage.Dyn[float64]) stage.Dyn[int] {
	steps := stage.Var[int](s, "steps", 0)
	v := stage.VarOf(s, "v", stage.Load(x, 1, 1, 64))
	kernel := stage.Full[float64](s, 1.0/3, 1, 1, 3)
	for s.While(v.Greatest(0, 1, 2).At().Gt(limit)) {
		for range stage.Range(s, 2) {
			v.Set(v.Conv(kernel, []int{1}, []int{1}))
		}
		steps.Set(steps.Add(1))
	}
	v.Store(x)
	return steps
}

func TestSmooth(t *testing.T) {
	x := make([]float64, 64)
	x[20] = 1
	p := stagetest.Compile[func(x []float64, limit float64) int](t, smooth)
	p.Relative = 1e-12
	if out := p.Same(x, 0.2); out[0] != 3 { // the greatest: 3/9, 19/81, 141/729
		t.Error(out)
	}
}
