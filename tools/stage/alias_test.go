package stage_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tools/stage"
	"github.com/irc-lang/irc/tools/stage/stagetest"
)

// twoWrites writes to two slices, and reads the first.
func twoWrites(_ *stage.S, x, y stage.Slice[int]) stage.Dyn[int] {
	x.Set(0, 5)
	y.Set(0, 7)
	return x.At(0).Add(y.At(1).Mul(100))
}

// overlaps are two slices that share memory in some way.
var overlaps = map[string]func(m []int) (x, y []int){
	"the same":        func(m []int) (x, y []int) { return m, m },
	"one inside":      func(m []int) (x, y []int) { return m, m[1:3] },
	"inside, swapped": func(m []int) (x, y []int) { return m[1:3], m },
	"overlapping":     func(m []int) (x, y []int) { return m[:3], m[2:] },
	"swapped":         func(m []int) (x, y []int) { return m[2:], m[:3] },
	"side by side":    func(m []int) (x, y []int) { return m[:2], m[2:] },
	"empty":           func(m []int) (x, y []int) { return m, append(m[:0:0], m[2:4]...) },
}

// Slices that are one memory, or overlap, are so in the program, too: by Call and by Bind.
func TestSharedSlices(t *testing.T) {
	direct, err := stage.Directly[func(x, y []int) int](twoWrites)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []*engine.Kind{engine.Eval, engine.Auto} {
		p, err := stage.CompileOn[func(x, y []int) int](t.Context(), kind, "f", twoWrites)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		for name, of := range overlaps {
			want, got, bound := []int{1, 2, 3, 4, 5}, []int{1, 2, 3, 4, 5}, []int{1, 2, 3, 4, 5}
			right := direct(of(want))
			if n := p.Call(of(got)); n != right || !slices.Equal(got, want) {
				t.Errorf("%s, %s: %d and %v, want %d and %v", p.Engine(), name, n, got, right, want)
			}
			x, y := of(bound)
			b, err := p.Bind(x, y)
			if err != nil {
				t.Fatal(err)
			}
			out, _, err := b.Run()
			if err != nil || int(out[0]) != right {
				t.Errorf("%s, %s, bound: %v, %v, want %d", p.Engine(), name, out, err, right)
			}
			if err := b.Close(); err != nil || !slices.Equal(bound, want) {
				t.Errorf("%s, %s, bound: %v and %v, want %v", p.Engine(), name, bound, err, want)
			}
		}
	}
}

// backward writes the elements of a tensor that was loaded from x to y, the last one first: it sees none of those that it writes.
func backward(s *stage.S, x, y stage.Slice[int]) stage.Dyn[int] {
	t := stage.Load(x, 4)
	for k := range stage.Range(s, 4) {
		y.Set(k, t.At(3-k))
	}
	sum := t.Mul(stage.Load(y, 4))
	sum.Store(y)
	return t.At(0)
}

// A tensor stays what was loaded: when the memory is written to under another name, of an argument of the program or of a function of it, or
// by who called the function that returns it.
func TestLoadedStays(t *testing.T) {
	type pair = struct{ X, Y stage.Slice[int] }
	inner := stage.Func("inner", func(s *stage.S, p pair) stage.Dyn[int] { return backward(s, p.X, p.Y) })
	load := stage.Func("load", func(s *stage.S, x stage.Slice[int]) stage.Tensor[int] { return stage.Load(x, 4) })
	pick := stage.Func("pick", func(s *stage.S, x stage.Slice[int], c stage.Dyn[bool]) stage.Tensor[int] {
		v := stage.VarOf(s, "v", stage.Load(x, 4))
		if s.If(c) {
			v.Set(stage.Load(x, 2, 2).Reshape(4))
		}
		return v.Get()
	})
	for name, fn := range map[string]any{
		"two arguments":      backward,
		"one argument twice": func(s *stage.S, x, y stage.Slice[int]) stage.Dyn[int] { return inner(s, pair{x, x}) },
		"a returned tensor": func(s *stage.S, x, y stage.Slice[int]) stage.Dyn[int] {
			t := load(s, x)
			x.Set(0, y.At(1).Add(9))
			return t.At(0)
		},
		"one of a condition": func(s *stage.S, x, y stage.Slice[int]) stage.Dyn[int] {
			t := pick(s, x, y.At(0).Gt(0))
			x.Set(0, y.At(1).Add(9))
			return t.At(0)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := stagetest.Compile[func(x, y []int) int](t, fn)
			for range 3 { // each shares memory in another way
				if out := p.Same([]int{1, 2, 3, 4}, []int{5, 6, 7, 8}); fmt.Sprint(out) != "[1]" {
					t.Errorf("%v", out)
				}
			}
		})
	}
}

// An Array is a value: what is written to a slice of its memory does not change it.
func TestSharedArray(t *testing.T) {
	fn := stage.Shaped(func(s *stage.S, x stage.Slice[float64], a stage.Tensor[float64]) stage.Dyn[float64] {
		x.Set(0, a.At(1).Mul(10))
		a.Mul(2).Store(x)
		return a.At(0)
	}, stage.Extents{3})
	type f = func([]float64, stage.Array[float64]) float64
	direct, err := stage.Directly[f](fn)
	if err != nil {
		t.Fatal(err)
	}
	p := stagetest.Compile[f](t, fn)
	for name, call := range map[string]f{"directly": direct, p.Engine(): p.Call} {
		m := []float64{1, 2, 3}
		if got := call(m, stage.ArrayOf(m, 3)); got != 1 || !slices.Equal(m, []float64{2, 4, 6}) {
			t.Errorf("%s: %v, and the memory is %v", name, got, m)
		}
	}
	p.Same([]float64{1, 2, 3}, stage.ArrayOf([]float64{4, 5, 6}, 3))
}
