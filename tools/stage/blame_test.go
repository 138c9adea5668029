package stage_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tools/stage"
)

type held struct {
	last int
	of   struct{ list []int }
}

// What is set under a condition of the program is named: variables, fields, maps, what only decides where the host goes; and no other variable
// of that name in a function beside it.
func TestBlame(t *testing.T) {
	type S = stage.S
	global := 0
	for says, fn := range map[string]func(s *S, a int_) int_{
		"g.last is set": func(s *S, a int_) int_ {
			g := &held{}
			if s.If(a.Gt(0)) {
				g.last = 5
			}
			return a.Add(g.last)
		},
		"g.last is set in the host": func(s *S, a int_) int_ {
			var g held
			x := stage.Var[int](s, "x", a)
			for s.While(x.Gt(0)) {
				g.last++
				x.Set(x.Sub(1))
			}
			return x.Add(g.last)
		},
		"g.of.list is set": func(s *S, a int_) int_ {
			g := &held{}
			if s.If(a.Gt(0)) {
				g.of.list = append(g.of.list, 7)
			}
			return a.Add(len(g.of.list))
		},
		"m is set": func(s *S, a int_) int_ {
			m := map[string]int{}
			if s.If(a.Gt(0)) {
				m["x"] = 5
			}
			return a.Add(m["x"])
		},
		"full is set": func(s *S, a int_) int_ {
			full := map[string]int{"x": 5}
			if s.If(a.Gt(0)) {
				delete(full, "x")
			}
			return a.Add(full["x"])
		},
		"p is set": func(s *S, a int_) int_ {
			p := new(int)
			if s.If(a.Gt(0)) {
				*p = 5
			}
			return a.Add(*p)
		},
		"seen is set": func(s *S, a int_) int_ {
			seen := false
			x := stage.Var[int](s, "x", a)
			if s.If(a.Eq(3)) {
				seen = true
			}
			x.Set(x.Add(1))
			if s.If(x.Gt(3)) {
				if seen {
					x.Set(1000)
				}
			}
			return x
		},
		"global is set": func(s *S, a int_) int_ {
			global = 0
			if s.If(a.Gt(1)) {
				a = a.Add(1)
				global = 1
			}
			return stage.Lit(s, global)
		},
	} {
		_, _, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "f", fn)
		if err == nil || !strings.Contains(err.Error(), "\t"+says) {
			t.Errorf("%v; want %q", err, says)
		}
	}
}
