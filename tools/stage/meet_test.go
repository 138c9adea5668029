package stage_test

import (
	"fmt"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tools/stage"
)

// What the host holds differs where paths meet, and shows only on some way from there.
func TestMeetings(t *testing.T) {
	on := func(s *S, a Int) *stage.Static[int] {
		f := stage.NewStatic(s, "f", 1)
		if s.If(a.Gt(3)) {
			f.Set(2)
		}
		return f
	}
	for name, fn := range map[string]func(s *S, x Memory, a, b Int) Int{
		"a value that the first way uses": func(s *S, x Memory, a, b Int) Int {
			f := on(s, a)
			v := a.Add(f.Get())
			f.Done()
			if s.If(b.Gt(3)) {
				x.Set(1, v)
			} else {
				x.Set(1, 100)
			}
			return b
		},
		"a value that the second way uses": func(s *S, x Memory, a, b Int) Int {
			f := on(s, a)
			v := a.Add(f.Get())
			f.Done()
			if s.If(b.Gt(3)) {
				x.Set(1, 100)
			} else {
				x.Set(1, v)
			}
			return b
		},
		"a value that a way uses which is hard to find": func(s *S, x Memory, a, b Int) Int {
			f := on(s, a)
			v := a.Add(f.Get())
			f.Done()
			for k := range stage.Range(s, 12) {
				if s.If(b.Gt(12 - k)) {
					return b
				}
			}
			return v
		},
		"variables": func(s *S, x Memory, a, b Int) Int {
			f := on(s, a)
			v, w := stage.Var[int](s, "v", f.Get()), stage.Var[int](s, "w", a)
			f.Done()
			if s.If(b.Gt(3)) {
				v.Set(v.Add(5))
			} else {
				w.Set(w.Add(7))
			}
			if s.If(b.Gt(5)) {
				return v
			}
			return w
		},
		"variables of a round": func(s *S, x Memory, a, b Int) Int {
			i := stage.Var[int](s, "i", 0)
			for s.While(i.Lt(6)) {
				f := on(s, a.Add(i))
				v := stage.Var[int](s, "v", i.Add(f.Get()*100))
				f.Done()
				if s.If(b.Gt(3)) {
					v.Set(v.Add(5))
				}
				if s.If(b.Lt(5)) {
					x.Set(i, v)
				}
				i.Set(i.Add(1))
			}
			return i
		},
		"memory": func(s *S, x Memory, a, b Int) Int {
			f := on(s, a)
			m := stage.Make[int](s, f.Get())
			m.Set(0, f.Get()+7)
			f.Done()
			if s.If(b.Gt(3)) {
				x.Set(1, m.At(0))
			} else if s.If(b.Gt(1)) {
				x.Set(1, m.Len())
			}
			return b
		},
		"one variable or the other is returned": func(s *S, x Memory, a, b Int) Int {
			v, w := stage.Var[int](s, "v", a), stage.Var[int](s, "w", 0)
			for s.While(w.Lt(5)) {
				w.Set(w.Add(2))
				if s.If(w.Eq(b)) {
					return v
				}
				v.Set(v.Mul(3))
			}
			return w
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := stage.CompileOn[func([]int, int, int) int](t.Context(), engine.Eval, "f", fn)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			for a := range 7 {
				for b := range 7 {
					s := stage.Direct()
					one, two := make([]int, 8), make([]int, 8)
					want := fn(s, stage.Of(s, one), stage.DirectOf(s, a), stage.DirectOf(s, b)).Value()
					if got := p.Call(two, a, b); got != want || fmt.Sprint(one) != fmt.Sprint(two) {
						t.Errorf("of %d, %d: %d %v, want %d %v\n%s", a, b, got, two, want, one, p.Text())
					}
				}
			}
		})
	}
}
