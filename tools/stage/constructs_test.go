package stage_test

import (
	"iter"
	"testing"

	"github.com/irc-lang/irc/tools/stage"
	"github.com/irc-lang/irc/tools/stage/stagetest"
)

// until yields under a condition of the program: to range over it is a loop of the program.
func until(s *S, n Int) iter.Seq[Int] {
	return func(yield func(Int) bool) {
		i := stage.Var[int](s, "i", 0)
		for s.While(i.Lt(n)) {
			if !yield(i.Get()) {
				return
			}
			i.Set(i.Add(1))
		}
	}
}

// Constructs of Go become what the table of docs/staging.md says.
func TestConstructs(t *testing.T) {
	for name, fn := range map[string]func(s *S, x Memory, a Int) Int{
		"defer": func(s *S, x Memory, a Int) Int {
			defer func() { x.Set(0, x.At(0).Add(7)) }()
			if s.If(a.Gt(3)) {
				x.Set(0, 1)
				return a
			}
			return a.Add(x.At(0))
		},
		"goto": func(s *S, x Memory, a Int) Int {
			v := stage.Var[int](s, "v", a)
		again:
			v.Set(v.Add(3))
			if s.If(v.Lt(10)) {
				goto again
			}
			return v
		},
		"range over a function": func(s *S, x Memory, a Int) Int {
			v := stage.Var[int](s, "v", 0)
			for i := range until(s, a) {
				if s.If(v.Gt(8)) {
					break
				}
				v.Set(v.Add(i))
			}
			return v
		},
		"switch of conditions": func(s *S, x Memory, a Int) Int {
			switch {
			case s.If(a.Lt(2)):
				return a
			case s.If(a.Lt(5)):
				return a.Mul(10)
			}
			return a.Neg()
		},
		"labels": func(s *S, x Memory, a Int) Int {
			v := stage.Var[int](s, "v", 0)
		rows:
			for i := range until(s, a) {
				for j := range until(s, a) {
					switch stage.Switch(s, i.Add(j), 3, 6) {
					case 0:
						continue rows
					case 1:
						break rows
					}
					v.Set(v.Add(i.Mul(j)).Add(1))
				}
			}
			return v
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
