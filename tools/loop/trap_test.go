package loop_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tools/loop"
)

// A trap, a context that ends and a division by zero end a run, and the program goes on.
func TestTraps(t *testing.T) {
	onEngines(t, func(t *testing.T, kind *engine.Kind) {
		in, i := loop.From[int64s]("numbers"), loop.Param[int64s]("i")
		p := compile[int64](t, kind, loop.Lit[int64](12).Div(in.At(i)), in, i)
		numbers := []int64{3, 0}
		for _, at := range []int64{1, 2, -1} {
			if x, err := p.Run(t.Context(), numbers, at); !ir.IsTrap(err) {
				t.Errorf("at %d: %v, %v; a trap is wanted", at, x, err)
			}
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := p.Run(ended, numbers, int64(0)); err == nil {
			t.Error("it ran after the end of its context")
		}
		if x, err := p.Run(t.Context(), numbers, int64(0)); x != 4 || err != nil {
			t.Errorf("%v, %v; want 4", x, err)
		}
	})
}

func line() int {
	_, _, n, _ := runtime.Caller(1)
	return n
}

// A trap is told with the line of Go that asks for what cannot be.
func TestTrapPlace(t *testing.T) {
	in, n := loop.From[int64s]("numbers"), loop.Param[int64s]("n")
	groups := loop.GroupBy(in, func(x int64s) int64s { return x }, func(k int64s, g *loop.Group[int64s]) int64s {
		return loop.Max(g, func(x int64s) int64s { return x }).Div(n.Add(k))
	})
	inGroups := line() - 2
	for _, x := range []struct {
		line int
		q    loop.Query[int64s]
		n    int64
	}{
		{line(), in.Take(n), -2},
		{line(), in.Drop(n), -2},
		{line(), loop.Range(in.At(n)), 40},
		{line(), loop.Range(n), -1},
		{line(), loop.Map(in, func(x int64s) int64s { return x.Div(n) }), 0},
		{line(), in.Filter(func(x int64s) loop.Bool { return x.Rem(n).Eq(x) }), 0},
		{line(), in.SortBy(func(x int64s) []loop.Order { return []loop.Order{loop.Desc(x)} }).Take(n), -3},
		{inGroups, groups, -1},
	} {
		onEngines(t, func(t *testing.T, kind *engine.Kind) {
			_, err := compile[[]int64](t, kind, x.q, in, n).Run(t.Context(), []int64{1, 2, 3}, x.n)
			if want := fmt.Sprintf("trap_test.go:%d: ", x.line); !ir.IsTrap(err) || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%v; want %s", err, want)
			}
		})
	}
}

// A day that there is not is no other day.
func TestNoDate(t *testing.T) {
	in := loop.From[loop.Num[int32]]("days")
	for _, day := range []loop.Num[int32]{loop.Date(2023, 2, 29), loop.Date(2023, 13, 1), loop.Date(2023, 0, 1), loop.Date(2023, 4, 31)} {
		late := in.Filter(func(x loop.Num[int32]) loop.Bool { return x.Ge(day) })
		if _, err := loop.CompileOn[[]int32](t.Context(), engine.Eval, late, in); err == nil || !strings.Contains(err.Error(), "there is no such day") {
			t.Error(err)
		}
	}
	p := compile[int32](t, engine.Eval, loop.Date(2024, 2, 29))
	if x, err := p.Run(t.Context()); x != 19782 || err != nil {
		t.Error(x, err)
	}
}

// If computes what it takes, and no more.
func TestIfIsLazy(t *testing.T) {
	onEngines(t, func(t *testing.T, kind *engine.Kind) {
		in := loop.From[int64s]("numbers")
		zero := loop.Lit[int64](0)
		p := compile[[]int64](t, kind, loop.Map(in, func(x int64s) int64s {
			return loop.If(x.Eq(zero), loop.Lit[int64](-1), loop.Lit[int64](12).Div(x))
		}), in)
		got, err := p.Run(t.Context(), []int64{3, 0, 5})
		if err != nil || len(got) != 3 || got[0] != 4 || got[1] != -1 || got[2] != 2 {
			t.Errorf("%v, %v", got, err)
		}
	})
}
