package stage_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tools/stage"
)

type (
	S      = stage.S
	Int    = stage.Dyn[int]
	Float  = stage.Dyn[float64]
	Memory = stage.Slice[int]
)

// Each program is staged in one run more than it has branches, and computes what it computes on values.
func TestPrograms(t *testing.T) {
	for _, p := range []struct {
		name     string
		fn       func(s *S, x Memory, a Int) Int
		branches int
		has      []string // in the text, so often: "2 arith.addi"
	}{
		{"power of a static base", func(s *S, _ Memory, a Int) Int {
			r, n := stage.Var[int](s, "r", 1), stage.Var[int](s, "n", a)
			for s.While(n.Gt(0)) {
				r.Set(r.Mul(3))
				n.Set(n.Sub(1))
			}
			return r
		}, 1, []string{"1 scf.while", "1 arith.muli"}},
		{"a common tail", func(s *S, x Memory, a Int) Int {
			v := stage.Var[int](s, "v", 0)
			if s.If(a.Gt(3)) {
				v.Set(1)
			} else {
				v.Set(a)
			}
			x.Set(0, v)
			x.Set(1, v.Mul(7))
			return v
		}, 1, []string{"2 memref.store", "1 arith.select"}},
		{"three ways", func(s *S, x Memory, a Int) Int {
			v := stage.Var[int](s, "v", 0)
			switch stage.Switch(s, a, 1, 5) {
			case 0:
				v.Set(10)
			case 1:
				v.Set(20)
			default:
				v.Set(30)
			}
			x.Set(0, v)
			return v.Add(1)
		}, 2, []string{"1 memref.store"}},
		{"nested", func(s *S, x Memory, a Int) Int {
			if s.If(a.Gt(3)) {
				if s.If(a.Gt(6)) {
					x.Set(1, 5)
				} else {
					x.Set(2, 5)
				}
			} else {
				x.Set(3, 5)
			}
			x.Set(0, a)
			return a
		}, 2, []string{"4 memref.store"}},
		{"128 conditionals", func(s *S, x Memory, a Int) Int {
			v := stage.Var[int](s, "v", 0)
			for i := range stage.Range(s, 128) {
				if s.If(a.Xor(i).And(3).Eq(1)) {
					v.Set(v.Add(i))
				}
			}
			return v
		}, 128, nil},
		{"loops in each other", func(s *S, x Memory, a Int) Int {
			v, i := stage.Var[int](s, "v", 0), stage.Var[int](s, "i", 0)
			for s.While(i.Lt(4)) {
				j := stage.Var[int](s, "j", 0)
				for s.While(j.Lt(i)) {
					k := stage.Var[int](s, "k", 0)
					for s.While(k.Lt(j)) {
						v.Set(v.Add(a))
						k.Set(k.Add(1))
					}
					j.Set(j.Add(1))
				}
				i.Set(i.Add(1))
			}
			return v
		}, 3, []string{"3 scf.while"}},
		{"a static loop around dynamic ones", func(s *S, x Memory, a Int) Int {
			v := stage.Var[int](s, "v", 0)
			for k := range stage.Range(s, 3) {
				i := stage.Var[int](s, "i", 0)
				for s.While(i.Lt(a)) {
					v.Set(v.Add(k * 100))
					i.Set(i.Add(1))
				}
			}
			return v
		}, 3, nil},
		{"break and continue", func(s *S, x Memory, a Int) Int {
			v, i := stage.Var[int](s, "v", 0), stage.Var[int](s, "i", 0)
			for s.While(i.Lt(20)) {
				i.Set(i.Add(1))
				if s.If(i.And(1).Eq(0)) {
					continue
				}
				if s.If(i.Gt(a)) {
					break
				}
				v.Set(v.Add(i))
			}
			return v
		}, 3, []string{"1 scf.while"}},
		{"loops without a condition", func(s *S, x Memory, a Int) Int {
			v, i := stage.Var[int](s, "v", 0), stage.Var[int](s, "i", 0)
			for {
				if s.If(i.Gt(a)) {
					break
				}
				j := stage.Var[int](s, "j", 0)
				for {
					j.Set(j.Add(1))
					if s.If(j.Gt(3)) {
						break
					}
					v.Set(v.Add(j))
				}
				i.Set(i.Add(1))
			}
			return v
		}, 2, []string{"2 scf.while"}},
		{"two loops that share a header", func(s *S, x Memory, a Int) Int {
			v, i := stage.Var[int](s, "v", 0), stage.Var[int](s, "i", 0)
		outer:
			for s.While(i.Lt(a)) {
				for {
					i.Set(i.Add(1))
					if s.If(i.And(3).Eq(2)) {
						continue outer
					}
					if s.If(i.Gt(12)) {
						break
					}
					v.Set(v.Add(i))
				}
				v.Set(v.Mul(2))
			}
			return v
		}, 3, nil},
		{"code after an inner break", func(s *S, x Memory, a Int) Int {
			v, i := stage.Var[int](s, "v", 0), stage.Var[int](s, "i", 0)
			for s.While(i.Lt(9)) {
				i.Set(i.Add(1))
				j := stage.Var[int](s, "j", 0)
				for s.While(j.Lt(4)) {
					j.Set(j.Add(1))
					if s.If(j.Mul(i).Eq(a)) {
						break
					}
					v.Set(v.Add(1))
				}
				v.Set(v.Add(j.Mul(100)))
			}
			return v
		}, 3, []string{"2 scf.while"}},
		{"a labelled break", func(s *S, x Memory, a Int) Int {
			v, i := stage.Var[int](s, "v", 0), stage.Var[int](s, "i", 0)
		outer:
			for s.While(i.Lt(9)) {
				i.Set(i.Add(1))
				for s.While(v.Lt(i.Mul(i))) {
					v.Set(v.Add(a).Add(1))
					if s.If(v.Gt(40)) {
						break outer
					}
				}
			}
			return v
		}, 3, nil},
		{"an early return", func(s *S, x Memory, a Int) Int {
			i := stage.Var[int](s, "i", 0)
			for s.While(i.Lt(8)) {
				if s.If(x.At(i).Eq(a)) {
					return i
				}
				i.Set(i.Add(1))
			}
			return i.Add(100)
		}, 2, nil},
		{"goto", func(s *S, x Memory, a Int) Int {
			v := stage.Var[int](s, "v", a)
			if s.If(a.Gt(3)) {
				goto middle
			}
		top:
			v.Set(v.Mul(3))
		middle:
			v.Set(v.Add(1))
			if s.If(v.Lt(50)) {
				goto top
			}
			return v
		}, 2, nil},
		{"xor under conditions", func(s *S, x Memory, a Int) Int {
			f := stage.NewStatic(s, "f", 0)
			for i := range stage.Range(s, 20) {
				if s.If(a.Gt(i)) {
					f.Set(f.Get() ^ 1)
				}
			}
			return stage.Lit(s, f.Get())
		}, 39, nil},
		{"a sum of statics", func(s *S, x Memory, a Int) Int {
			f := stage.NewStatic(s, "f", 0)
			for i := range stage.Range(s, 16) {
				if s.If(a.Gt(i)) {
					f.Set(f.Get() + 1)
				}
			}
			return stage.Lit(s, f.Get())
		}, 136, nil},
		{"variables of paths that meet", func(s *S, x Memory, a Int) Int {
			f := stage.NewStatic(s, "f", 0)
			if s.If(a.Gt(3)) {
				f.Set(1)
			} else {
				f.Set(2)
			}
			z := stage.Var[int](s, "z", f.Get())
			f.Set(0)
			b := stage.Var[int](s, "b", 7)
			return z.Add(b)
		}, 1, nil},
		{"values of paths that meet", func(s *S, x Memory, a Int) Int {
			f := stage.NewStatic(s, "f", 0)
			if s.If(a.Gt(3)) {
				f.Set(1)
			}
			z := a.Add(f.Get()) // another value on each path
			w := z.Mul(3)
			f.Set(0)
			x.Set(0, z)
			if s.If(a.Gt(5)) {
				x.Set(1, w)
			}
			return z.Sub(w)
		}, 3, []string{"2 arith.muli"}},
		{"deferred", func(s *S, x Memory, a Int) Int {
			defer func() { x.Set(3, 9) }()
			if s.If(a.Gt(3)) {
				return a.Mul(2)
			}
			return a
		}, 1, nil},
	} {
		t.Run(p.name, func(t *testing.T) {
			g, stats, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "f", p.fn)
			if err != nil {
				t.Fatal(err)
			}
			out := text.String(g, text.PrintOptions{})
			if stats.Branches != p.branches || stats.Runs != p.branches+1 && stats.Splits == 0 {
				t.Errorf("%d runs for %d branches, want %d\n%s", stats.Runs, stats.Branches, p.branches, out)
			}
			for _, h := range p.has {
				var n int
				var what string
				fmt.Sscan(h, &n, &what)
				if got := strings.Count(out, what); got != n {
					t.Errorf("%d times %s, want %d\n%s", got, what, n, out)
				}
			}
			c, err := stage.CompileOn[func([]int, int) int](t.Context(), engine.Eval, "f", p.fn)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			for a := range 12 {
				s := stage.Direct()
				one, two := []int{3, 1, 4, 1, 5, 9, 2, 6}, []int{3, 1, 4, 1, 5, 9, 2, 6}
				want := p.fn(s, stage.Of(s, one), stage.DirectOf(s, a)).Value()
				if got := c.Call(two, a); got != want || fmt.Sprint(one) != fmt.Sprint(two) {
					t.Errorf("of %d: %d %v, want %d %v\n%s", a, got, two, want, one, out)
				}
			}
		})
	}
}

// Quotients and shifts at their limits are Go's.
func TestQuotients(t *testing.T) {
	p, err := stage.Compile[func(a, b int8) (int8, int8, int8, int8)](t.Context(), "f", func(s *S, a, b stage.Dyn[int8]) (q, r, l, h stage.Dyn[int8]) {
		return a.Div(b), a.Rem(b), a.Shl(b), a.Shr(b)
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, c := range [][2]int8{{-128, -1}, {-128, 1}, {127, -1}, {-7, 2}, {7, -2}, {1, 7}, {-1, 8}, {100, 9}, {-128, 127}} {
		q, r, l, h := p.Call(c[0], c[1])
		shift := uint8(c[1])
		if q != c[0]/c[1] || r != c[0]%c[1] || l != c[0]<<shift || h != c[0]>>shift {
			t.Errorf("%d and %d: %d %d %d %d", c[0], c[1], q, r, l, h)
		}
	}
}

// The time of an exponential number of paths is not exponential.
func TestFast(t *testing.T) {
	start := time.Now()
	if _, stats, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "f", func(s *S, a Int) Int {
		f := stage.NewStatic(s, "f", 0)
		for i := range stage.Range(s, 20) {
			if s.If(a.Gt(i)) {
				f.Set(f.Get() ^ 1)
			}
		}
		return stage.Lit(s, f.Get())
	}); err != nil || stats.Runs > 41 || time.Since(start) > 10*time.Second {
		t.Errorf("%+v in %v: %v", stats, time.Since(start), err)
	}
}
