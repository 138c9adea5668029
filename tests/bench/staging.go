package main

import (
	"fmt"
	"time"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	engine "github.com/irc-lang/irc/ir/stage"
	"github.com/irc-lang/irc/tools/stage"
)

// A stagedProgram is a function that is staged, and in how many executions BuildIt stages it.
type stagedProgram struct {
	name     string
	fn       func(s *stage.S, a stage.Dyn[int]) stage.Dyn[int]
	branches int // of the program: an execution more is enough
	buildIt  int // 2 D + 1; of static state that meets again 2^(n+1) - 1
}

var stagedPrograms = []stagedProgram{
	{"64 conditionals", func(s *stage.S, a stage.Dyn[int]) stage.Dyn[int] {
		v := stage.Var[int](s, "v", 0)
		for i := range stage.Range(s, 64) {
			if s.If(a.Gt(i)) {
				v.Set(v.Add(1))
			}
		}
		return v
	}, 64, 129},
	{"5 loops in each other", func(s *stage.S, a stage.Dyn[int]) stage.Dyn[int] {
		v := stage.Var[int](s, "v", 0)
		nested(s, a, v, 5)
		return v
	}, 5, 11},
	{"xor under 20 conditions", func(s *stage.S, a stage.Dyn[int]) stage.Dyn[int] {
		x := stage.NewStatic(s, "x", 0)
		for i := range stage.Range(s, 20) {
			if s.If(a.Gt(i)) {
				x.Set(x.Get() ^ 1)
			}
		}
		return stage.Lit(s, x.Get())
	}, 39, 1<<21 - 1},
}

func nested(s *stage.S, a, v stage.Dyn[int], deep int) {
	if deep == 0 {
		v.Set(v.Add(1))
		return
	}
	i := stage.Var[int](s, "i", 0)
	for s.While(i.Lt(a)) {
		nested(s, a, v, deep-1)
		i.Set(i.Add(1))
	}
}

// staging counts the executions of staged functions, and takes the time that an op costs when it is found, and when it is only come by.
func (b *bench) staging() error {
	for _, p := range stagedPrograms {
		start := time.Now()
		_, stats, err := stage.Module(b.ctx, ir.NewContext(dialects.All...), "f", p.fn)
		if err != nil {
			return err
		}
		b.table.absolute("staging", fmt.Sprintf("%s: executions (BuildIt: %d), in %v", p.name, p.buildIt, time.Since(start).Round(time.Millisecond)), "", float64(stats.Runs),
			stats.Runs <= p.branches+1, fmt.Sprintf("<= %d", p.branches+1))
	}
	for _, n := range []int{1_000, 10_000, 100_000, 1_000_000} {
		found, passed, err := b.perOp(b.size(n))
		if err != nil {
			return err
		}
		b.table.absolute("staging", fmt.Sprintf("an op of %d, found", b.size(n)), "us", found*1e6, found < 5e-6, "< 5 us")
		b.table.absolute("staging", fmt.Sprintf("an op of %d, come by", b.size(n)), "us", passed*1e6, passed < 0.3e-6, "< 0.3 us")
	}
	return b.ctx.Err()
}

// perOp stages n ops and a condition, 20 calls deep: what an op costs in the execution that finds it, and in the one that finds the
// other side.
func (b *bench) perOp(n int) (found, passed float64, err error) {
	var took []time.Duration
	_, err = engine.Extract(b.ctx, func(r *engine.Run) {
		i := 0
		r.AddStatic("i", true, func() any { return i })
		x := r.Emit(engine.Op{Code: "first"})
		start := time.Now()
		for i = 1; i < n; i++ {
			x = deeper(r, x, 14)
		}
		took = append(took, time.Since(start))
		r.Ask(x, "if")
		r.Leave(x)
	}, engine.Options{})
	if err != nil || len(took) != 2 {
		return 0, 0, fmt.Errorf("%d executions: %w", len(took), err)
	}
	return took[0].Seconds() / float64(n), took[1].Seconds() / float64(n), nil
}

//go:noinline
func deeper(r *engine.Run, x engine.Value, calls int) engine.Value {
	if calls > 0 {
		return deeper(r, x, calls-1)
	}
	return r.Emit(engine.Op{Code: "op", Args: []engine.Value{x}})
}
