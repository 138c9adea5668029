package stage_test

import (
	"testing"

	"github.com/irc-lang/irc/tools/stage"
	"github.com/irc-lang/irc/tools/stage/stagetest"
)

// deep calls f so many calls down.
func deep(calls int, f func()) {
	if calls > 0 {
		deep(calls-1, f)
		return
	}
	f()
}

// What is easily mistaken for another place or another variable is told apart.
func TestPitfalls(t *testing.T) {
	for name, fn := range map[string]func(s *S, x Memory, a Int) Int{
		"calls that differ in depth alone": func(s *S, x Memory, a Int) Int {
			v := stage.Var[int](s, "v", a)
			deep(100, func() { v.Set(v.Add(1)) })
			deep(101, func() { v.Set(v.Mul(2)) })
			return v
		},
		"one op at many depths": func(s *S, x Memory, a Int) Int {
			v := stage.Var[int](s, "v", a)
			for _, calls := range []int{62, 63, 64, 65, 127, 128} {
				deep(calls, func() { v.Set(v.Mul(3).Add(calls)) })
			}
			return v
		},
		"closures of rounds": func(s *S, x Memory, a Int) Int {
			var list []func(Int) Int
			for k := range stage.Range(s, 3) {
				list = append(list, func(v Int) Int { return v.Mul(10).Add(k) })
			}
			v := stage.Var[int](s, "v", a)
			for k := range stage.Range(s, len(list)) {
				v.Set(list[k](v.Get()))
			}
			return v
		},
		"pointers to variables": func(s *S, x Memory, a Int) Int {
			v, w := stage.Var[int](s, "v", a), stage.Var[int](s, "w", 1)
			for k := range stage.Range(s, 4) {
				p := &v
				if k%2 == 1 {
					p = &w
				}
				p.Set(p.Add(k).Mul(3))
			}
			return v.Mul(1000).Add(w)
		},
		"chained ops on one line": func(s *S, x Memory, a Int) Int { return a.Add(1).Add(1).Add(a).Add(a).Mul(a.Add(1)) },
		"arms that are alike": func(s *S, x Memory, a Int) Int {
			v := stage.Var[int](s, "v", a)
			if s.If(a.Gt(3)) {
				v.Set(v.Add(1))
			} else {
				v.Set(v.Add(1))
			}
			return v
		},
		"a recover of the function around ops": func(s *S, x Memory, a Int) Int {
			v := stage.Var[int](s, "v", a)
			func() {
				defer func() { _ = recover() }()
				if s.If(v.Gt(3)) {
					v.Set(v.Mul(2))
				}
			}()
			return v.Add(1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := stagetest.Compile[func([]int, int) int](t, fn)
			for _, a := range []int{0, 1, 3, 4, 9} {
				p.Same([]int{5, 2}, a)
			}
		})
	}
}
