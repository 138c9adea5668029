package main

import (
	"context"
	"fmt"
	"time"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/examples/stage/einsum"
	"github.com/irc-lang/irc/examples/stage/nn"
	"github.com/irc-lang/irc/ir"
	engine "github.com/irc-lang/irc/ir/stage"
	"github.com/irc-lang/irc/tools/stage"
)

// A stagedProgram is a function that is staged, and in how many executions BuildIt stages it.
type stagedProgram struct {
	name             string
	fn               any
	runs             int // ours: without prophecies one more for each function than there are branches
	buildIt          int // 2 D + 1; of static state that meets again 2^(n+1) - 1; as the paper's Figures 9 and 12 say
	restarts, papers int // of these: ours, and the paper's
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
	}, 65, 129, 0, 0},
	{"5 loops in each other", func(s *stage.S, a stage.Dyn[int]) stage.Dyn[int] {
		v := stage.Var[int](s, "v", 0)
		nested(s, a, v, 5)
		return v
	}, 6, 11, 0, 0},
	{"xor under 20 conditions", func(s *stage.S, a stage.Dyn[int]) stage.Dyn[int] {
		x := stage.NewStatic(s, "x", 0)
		for i := range stage.Range(s, 20) {
			if s.If(a.Gt(i)) {
				x.Set(x.Get() ^ 1)
			}
		}
		return stage.Lit(s, x.Get())
	}, 40, 1<<21 - 1, 0, 0},
	{"recursion on both sides, 10 deep", func(s *stage.S, a stage.Dyn[int]) stage.Dyn[int] { // a function for each depth
		var walk func(s *stage.S, k int, x stage.Dyn[int]) stage.Dyn[int]
		walk = stage.Func("walk", func(s *stage.S, k int, x stage.Dyn[int]) stage.Dyn[int] {
			if k == 0 {
				return x
			}
			if s.If(x.Lt(k)) {
				return walk(s, k-1, x.Add(1))
			}
			return walk(s, k-1, x.Sub(1))
		})
		return walk(s, 10, a)
	}, 22, 1<<11 - 1, 0, 0},
	{"product of matrices on a device", einsumOfPaper, 32, 113, 5, 7},
	{"convolutions and relus", convOfPaper, 15, 72, 3, 4},
}

// einsumOfPaper is the benchmark of section 6.1 of the paper: six tensors, three of which the device has, in a loop.
func einsumOfPaper(s *stage.S, fromX, fromY, toZ stage.Slice[float32]) {
	const m, n, o = 1024, 512, 256
	const i, j, k = einsum.Index("i"), einsum.Index("j"), einsum.Index("k")
	einsum.Run(s, func(e *einsum.E) {
		x, xb := e.New("x", m, n), e.Over("x_b", fromX, m, n)
		y, yb := e.New("y", n, o), e.Over("y_b", fromY, n, o)
		z, zb := e.New("z", m, o), e.Over("z_b", toZ, m, o)
		iter := stage.Var[int](s, "iter", 0)
		for e.While(iter.Lt(10)) {
			x.At(i, j).Set(xb.At(i, j))
			y.At(i, j).Set(yb.At(i, j))
			e.OnDevice(func() { z.At(i, j).Add(e.Mul(x.At(i, k), y.At(k, j))) })
			zb.At(i, j).Set(z.At(i, j))
			iter.Set(iter.Add(1))
		}
	})
}

// convOfPaper is that of section 6.2: relus of two thresholds follow the convolution of one loop, one that of another.
var convOfPaper = nn.Network(func(n *nn.Net, small stage.Dyn[bool], in, weights, out nn.Tensor) {
	const size = 21
	loop := func(body func()) {
		iter := stage.Var[int](n.S, "iter", 0)
		for n.While(iter.Lt(10)) {
			body()
			iter.Set(iter.Add(1))
		}
	}
	count := in.Len().Sub(size - 1)
	loop(func() {
		if n.Conv(out, in, weights, size); n.If(small) {
			n.Relu(out, count, 2)
		} else {
			n.Relu(out, count, 4)
		}
	})
	loop(func() {
		n.Conv(out, in, weights, size)
		n.Relu(out, count, 1.56)
	})
})

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

// staged extracts a program.
func staged(ctx context.Context, p *stagedProgram, o engine.Options) (engine.Stats, error) {
	_, stats, err := stage.Module(ctx, ir.NewContext(dialects.All...), "f", p.fn, o)
	return stats, err
}

// staging counts the executions of staged functions, and takes the time that an op costs when it is found, and when it is only come by.
func (b *bench) staging() error {
	for _, p := range stagedPrograms {
		start := time.Now()
		stats, err := staged(b.ctx, &p, engine.Options{})
		if err != nil {
			return err
		}
		took, most := time.Since(start), p.runs
		if p.papers > 0 {
			most = p.buildIt
		}
		b.table.Absolute("staging", fmt.Sprintf("%s: executions (BuildIt: %d), in %v", p.name, p.buildIt, took.Round(time.Millisecond)), "", float64(stats.Runs), stats.Runs <= most, fmt.Sprintf("<= %d", most))
		if p.papers == 0 {
			continue
		}
		b.table.Absolute("staging", fmt.Sprintf("  of them after a prophecy grew (BuildIt: %d)", p.papers), "", float64(stats.Restarts), stats.Restarts <= p.papers, fmt.Sprintf("<= %d", p.papers))
		anew, err := staged(b.ctx, &p, engine.Options{Restart: true})
		if err != nil {
			return err
		}
		b.table.Compare("staging", "  executions, beside restarts from the beginning", "", float64(stats.Runs), float64(anew.Runs), 1, "<= 1")
		b.table.Compare("staging", "  ops of all executions, beside these", "", float64(stats.Steps), float64(anew.Steps), 1, "<= 1")
	}
	for _, n := range []int{1_000, 10_000, 100_000, 1_000_000} {
		found, passed, err := b.perOp(b.size(n))
		if err != nil {
			return err
		}
		b.table.Absolute("staging", fmt.Sprintf("an op of %d, found", b.size(n)), "us", found*1e6, found < 5e-6, "< 5 us")
		b.table.Absolute("staging", fmt.Sprintf("an op of %d, come by", b.size(n)), "us", passed*1e6, passed < 0.3e-6, "< 0.3 us")
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
	if err != nil {
		return 0, 0, err
	}
	if len(took) < 2 { // what comes after checks what was found
		return 0, 0, fmt.Errorf("%d executions, want 2 and those that check", len(took))
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
