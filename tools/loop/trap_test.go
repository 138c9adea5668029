package loop_test

import (
	"context"
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
