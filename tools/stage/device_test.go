package stage_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/device/transfers"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	engines "github.com/irc-lang/irc/ir/stage"
	"github.com/irc-lang/irc/tools/stage"
)

type Ints = stage.Slice[int]

// What kernels compute is what they compute directly, and what they read was moved to them.
func TestKernels(t *testing.T) {
	each := func(s *S, name string, n Int, f func(i Int)) {
		stage.Launch(s, name, n.Add(3).Div(4), 4, func(t stage.Thread) {
			if i := t.Block.Mul(4).Add(t.ID); s.If(i.Lt(n)) {
				f(i)
			}
		})
	}
	square := stage.Func("square", func(s *S, x Int) Int { return x.Mul(x) })
	for _, p := range []struct {
		name    string
		fn      func(s *S, x Ints, a Int)
		kernels int
		in, out int64 // elements
	}{
		{"a variable of the host", func(s *S, x Ints, a Int) {
			d, by := stage.MakeOnDevice[int](s, 8), stage.Var[int](s, "by", 3)
			if s.If(a.Gt(4)) {
				by.Set(a)
			}
			stage.Copy(d, x, 0, 8)
			each(s, "scale", x.Len(), func(i Int) { d.Set(i, d.At(i).Mul(by)) })
			stage.Copy(x, d, 0, 8)
		}, 1, 8, 8},
		{"variables and loops of a kernel", func(s *S, x Ints, a Int) {
			d := stage.MakeOnDevice[int](s, 8)
			stage.Copy(d, x, 0, 8)
			each(s, "pow", stage.Lit(s, 8), func(i Int) {
				v, k := stage.Var[int](s, "v", 1), stage.Var[int](s, "k", 0)
				for s.While(k.Le(i)) {
					if s.If(v.Gt(1000)) {
						break
					}
					v.Set(v.Mul(d.At(i)))
					k.Set(k.Add(1))
				}
				d.Set(i, v)
			})
			stage.Copy(x, d, 0, 8)
		}, 1, 8, 8},
		{"one after the other, in a loop, a part moves back", func(s *S, x Ints, a Int) {
			d, e, k := stage.MakeOnDevice[int](s, 8), stage.MakeOnDevice[int](s, 8), stage.Var[int](s, "k", 0)
			stage.Copy(d, x, 0, 8)
			for s.While(k.Lt(2)) {
				each(s, "to", stage.Lit(s, 8), func(i Int) { e.Set(i, d.At(i).Add(k)) })
				each(s, "back", stage.Lit(s, 8), func(i Int) { d.Set(i, e.At(i).Sub(1)) })
				k.Set(k.Add(1))
			}
			stage.Copy(x, d, 3, 4)
		}, 2, 8, 4},
		{"on one path", func(s *S, x Ints, a Int) {
			if s.If(a.Ge(0)) {
				d := stage.MakeOnDevice[int](s, x.Len())
				each(s, "fill", d.Len(), func(i Int) { d.Set(i, square(s, i).Add(a)) })
				stage.Copy(x, d, 0, 8)
			}
		}, 1, 0, 8},
		{"unrolled", func(s *S, x Ints, a Int) {
			d := stage.MakeOnDevice[int](s, 8)
			stage.Copy(d, x, 0, 8)
			for k := range stage.Range(s, 3) {
				each(s, "add", stage.Lit(s, 8), func(i Int) { d.Set(i, d.At(i).Mul(k+2)) })
			}
			stage.Copy(x, d, 0, 8)
		}, 3, 8, 8},
	} {
		t.Run(p.name, func(t *testing.T) {
			c, err := stage.CompileOn[func([]int, int)](t.Context(), engine.Eval, "f", p.fn)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if got := strings.Count(c.Text(), "device.kernel"); got != p.kernels {
				t.Errorf("%d kernels, want %d\n%s", got, p.kernels, c.Text())
			}
			g, _, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "f", p.fn)
			if err != nil {
				t.Fatal(err)
			}
			for a := range 8 {
				s := stage.Direct()
				want, got := []int{3, 1, 4, 1, 5, 9, 2, 6}, []int{3, 1, 4, 1, 5, 9, 2, 6}
				p.fn(s, stage.Of(s, want), stage.DirectOf(s, a))
				if c.Call(got, a); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("of %d: %v, want %v\n%s", a, got, want, c.Text())
				}
				n := moved(t, g, want, a)
				if n.In.Bytes != 8*p.in || n.Out.Bytes != 8*p.out || n.In.Needless+n.Out.Needless > 0 {
					t.Errorf("of %d: %v", a, n)
				}
			}
		})
	}
}

// moved runs a program on a device that has memory of its own.
func moved(t *testing.T, g *ir.Graph, x []int, a int) transfers.Counts {
	t.Helper()
	c := transfers.New()
	m, err := interp.New(g, interp.Options{Watch: c, Wrap: c.Wrap})
	if err != nil {
		t.Fatal(err)
	}
	b := interp.NewBuffer(g.Ctx, ir.I64, len(x), false)
	b.Static = true
	if _, err := m.Call("f", []ir.Val{{Ref: &interp.MemRef{Buf: b, Sizes: []int64{int64(len(x))}, Strides: []int64{1}}}, {Bits: uint64(a)}}); err != nil {
		t.Fatal(err)
	}
	return c.Counts()
}

// What a kernel cannot do is told, with the line and what to write instead.
func TestWrongKernels(t *testing.T) {
	for _, p := range []struct {
		name       string
		fn         func(s *S, x, d Ints, a Int, v Int)
		what, says string
	}{
		{"the host's memory", func(s *S, x, d Ints, a, v Int) {
			stage.Launch(s, "k", 1, 4, func(t stage.Thread) { d.Set(t.ID, x.At(t.ID)) })
		}, "a kernel uses memory of the host", "stage.MakeOnDevice"},
		{"the device's memory", func(s *S, x, d Ints, a, v Int) { x.Set(0, d.At(0)) }, "the host uses memory of the device", "stage.Copy"},
		{"a variable of the host", func(s *S, x, d Ints, a, v Int) {
			stage.Launch(s, "k", 1, 4, func(t stage.Thread) { v.Set(v.Add(t.ID)) })
		}, "a kernel sets a variable of the host", "write to memory of the device"},
		{"a kernel in a kernel", func(s *S, x, d Ints, a, v Int) {
			stage.Launch(s, "k", 1, 4, func(t stage.Thread) { stage.Launch(s, "l", 1, 4, func(stage.Thread) {}) })
		}, "a kernel launches another one", "after the kernel"},
		{"a kernel that allocates", func(s *S, x, d Ints, a, v Int) {
			stage.Launch(s, "k", 1, 4, func(t stage.Thread) { stage.Make[int](s, 3).Set(t.ID, 1) })
		}, "a kernel neither allocates nor copies", "before the kernel"},
		{"a kernel that copies", func(s *S, x, d Ints, a, v Int) {
			stage.Launch(s, "k", 1, 4, func(t stage.Thread) { stage.Copy(d, x, 0, 8) })
		}, "a kernel neither allocates nor copies", "before the kernel"},
		{"a static of a condition", func(s *S, x, d Ints, a, v Int) {
			n := stage.NewStatic(s, "n", 0)
			stage.Launch(s, "k", 1, 4, func(t stage.Thread) {
				if s.If(t.ID.Lt(2)) {
					n.Set(1)
				}
			})
			x.Set(0, n.Get())
		}, "what a Static holds after the kernel depends on a condition in it", "ask a prophecy"},
		{"paths that meet", func(s *S, x, d Ints, a, v Int) {
			n := stage.NewStatic(s, "n", 0)
			if s.If(a.Lt(2)) {
				n.Set(1)
			}
			stage.Launch(s, "k", 1, 4, func(t stage.Thread) {
				d.Set(t.ID, n.Get())
				n.Done()
				d.Set(0, 7)
			})
		}, "paths of the host meet in the kernel", "end the lives of Statics"},
		{"a kernel without an end", func(s *S, x, d Ints, a, v Int) {
			stage.Launch(s, "k", 1, 4, func(t stage.Thread) {
				for {
					if s.If(d.At(0).Lt(2)) {
						d.Set(0, 1)
					}
				}
			})
		}, "the kernel does not end", "must have an end"},
		{"the device's memory for a function", func(s *S, x, d Ints, a, v Int) {
			f := stage.Func("f", func(s *S, x Ints) Int { return x.At(0) })
			x.Set(0, f(s, d))
		}, "memory of the device is given to a function", "capture it"},
	} {
		t.Run(p.name, func(t *testing.T) {
			_, _, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "f", func(s *S, x Ints, a Int) {
				p.fn(s, x, stage.MakeOnDevice[int](s, 8), a, stage.Var[int](s, "v", 0))
			}, engines.Options{Nodes: 20_000, Runs: 5000})
			if err == nil || !strings.Contains(err.Error(), p.what) || !strings.Contains(err.Error(), p.says) || !strings.Contains(err.Error(), "device_test.go:") {
				t.Errorf("it says %v\nwant %s; %s", err, p.what, p.says)
			}
		})
	}
}
