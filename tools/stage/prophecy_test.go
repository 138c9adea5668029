package stage_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	engines "github.com/irc-lang/irc/ir/stage"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tools/stage"
)

// never and counting are no lattices.
// never is no join.
func never(a, _ int) int { return a }

// greater has no greatest number.
func greater(a, b int) int { return max(a, b) }

// Prophecies: as many runs as the paper has restarts, and what was found before they were asked for is kept.
func TestProphecies(t *testing.T) {
	fn := func(n int, behind bool) func(s *S, a Int) Int {
		return func(s *S, a Int) Int {
			v := stage.Var[int](s, "v", a)
			for range stage.Range(s, 5) {
				if s.If(v.Gt(100)) {
					v.Set(v.Div(3))
				}
			}
			ps := make([]*stage.Prophecy[bool], n)
			for i := range stage.Range(s, n) {
				ps[i] = stage.NewProphecy(s, "p", stage.Either)
				if ps[i].Get() {
					v.Set(v.Add(1))
				}
			}
			for i := range stage.Range(s, n) {
				if behind && s.If(v.Gt(i)) {
					continue
				}
				ps[i].Require(true)
			}
			return v
		}
	}
	for _, n := range []int{1, 2, 4, 8} {
		for _, behind := range []bool{false, true} {
			runs := map[bool]int{}
			for _, paper := range []bool{false, true} {
				g, stats, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "f", fn(n, behind), engines.Options{Restart: paper})
				if err != nil {
					t.Fatal(err)
				}
				if stats.Restarts != n {
					t.Errorf("%d prophecies, behind branches %v: %d restarts", n, behind, stats.Restarts)
				}
				if got := strings.Count(text.String(g, text.PrintOptions{}), "arith.addi"); got != n && !behind && n == 1 {
					t.Errorf("%d sums", got)
				}
				runs[paper] = stats.Runs
			}
			if runs[false] > runs[true] {
				t.Errorf("%d prophecies, behind branches %v: %d runs, from the beginning %d", n, behind, runs[false], runs[true])
			}
			t.Logf("%d prophecies, behind branches %v: %d runs, from the beginning %d", n, behind, runs[false], runs[true])
		}
	}
}

// What another path found is kept when a prophecy grows.
func TestRestartKeeps(t *testing.T) {
	runs := map[bool]int{}
	for _, paper := range []bool{false, true} {
		_, stats, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "f", func(s *S, a Int) Int {
			v := stage.Var[int](s, "v", a)
			if s.If(a.Gt(3)) {
				for i := range stage.Range(s, 10) {
					if s.If(v.Gt(i)) {
						v.Set(v.Mul(2))
					}
				}
				return v
			}
			p := stage.NewProphecy(s, "p", stage.Either)
			if p.Get() {
				v.Set(7)
			}
			v.Set(v.Add(1))
			p.Require(true)
			return v
		}, engines.Options{Restart: paper})
		if err != nil || stats.Restarts != 1 || stats.Branches != 11 {
			t.Fatalf("%+v, %v", stats, err)
		}
		runs[paper] = stats.Runs
	}
	if runs[false] != 13 || runs[true] != 24 {
		t.Errorf("%d runs, and %d from the beginning; want 13 and 24", runs[false], runs[true])
	}
}

// A prophecy grows after a variable had to be told apart.
func TestProphecyAfterSplit(t *testing.T) {
	_, stats, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "f", func(s *S, a Int) Int {
		p := stage.NewProphecy(s, "p", stage.Either)
		told := p.Get()
		f := stage.NewStatic(s, "f", 1)
		if s.If(a.Gt(3)) {
			f.Set(2)
		}
		z := stage.Var[int](s, "z", f.Get())
		late := p.Get()
		f.Set(0)
		v := stage.Var[int](s, "v", z.Add(7))
		if s.If(v.Gt(8)) {
			p.Require(true)
		}
		if told && late {
			v.Set(v.Mul(2))
		}
		return v
	})
	if err != nil || stats.Splits == 0 || stats.Restarts == 0 {
		t.Errorf("%+v, %v", stats, err)
	}
}
