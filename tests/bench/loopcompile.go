package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/tests/bench/loops"
	"github.com/irc-lang/irc/tests/fusion"
)

// compileQuery makes our sides of a query, whose columns stay bound until stop, and adds
// a row for the time that it takes from text to machine code.
func (b *bench) compileQuery(e engine.Engine, root string, q loops.Query, t *loops.Table, ours, unfused *side) (stop func()) {
	var open []*loops.Program
	stop = func() {
		for _, p := range open {
			p.Close(b.ctx)
		}
	}
	one := func(s *side, to *target.Target, err error) float64 {
		best := 0.0
		var p run.Program
		for turn := 0; turn < 3 && err == nil; turn++ {
			var each float64
			if p, each, err = b.compileOnce(e, root, q, to); turn == 0 || each < best {
				best = each
			}
		}
		var bound *loops.Program
		if err == nil {
			bound, err = loops.Bind(b.ctx, ir.NewContext(dialects.All...), p, q, t)
		}
		if s.why = err; err != nil {
			return 0
		}
		s.run = bound.Run
		open = append(open, bound)
		return best
	}
	if s := one(ours, e.Target(), nil); s > 0 {
		b.table.Absolute("loops", q.What+": text to machine code", "ms", s*1e3, s < 0.1, "< 100 ms")
	}
	if q.Kind == loops.Pipeline {
		to, err := fusion.Unfused(e.Target())
		one(unfused, to, err)
	}
	return stop
}

// compileOnce compiles the program of a query, from its text on.
func (b *bench) compileOnce(e engine.Engine, root string, q loops.Query, to *target.Target) (run.Program, float64, error) {
	start := time.Now()
	g, err := loops.Parse(root, q)
	if err != nil {
		return nil, 0, err
	}
	if g, err = lowering.Compile(b.ctx, g, to); err != nil {
		return nil, 0, err
	}
	p, err := e.Prepare(b.ctx, g)
	if err != nil {
		return nil, 0, err
	}
	return p[0], time.Since(start).Seconds(), nil
}

// loopChain is a program of n loops, each over what the one before collects.
func loopChain(n int) string {
	var w strings.Builder
	fmt.Fprintf(&w, "func.func @chain(%%x0: !loop.array<f64>) -> f64 {\n  %%c = arith.constant 0.5 : f64\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&w, `  %%n%[1]d = loop.len %%x%[2]d : !loop.array<f64>
  %%x%[1]d = loop.for %%i < %%n%[1]d -> collect(f64) {
    %%a = loop.at %%x%[2]d[%%i] : !loop.array<f64>
    %%b = arith.mulf %%a, %%c : f64
    %%d = arith.addf %%b, %%a : f64
    loop.yield %%d : f64
  }
`, i, i-1)
	}
	fmt.Fprintf(&w, `  %%n = loop.len %%x%[1]d : !loop.array<f64>
  %%s = loop.for %%i < %%n -> reduce(add reassoc : f64) {
    %%a = loop.at %%x%[1]d[%%i] : !loop.array<f64>
    loop.yield %%a : f64
  }
  return %%s : f64
}
`, n-1)
	return w.String()
}

// fuseChain measures fusion by the number of loops.
func (b *bench) fuseChain() error {
	var times [2]float64
	sizes := []int{1000, 2000}
	for i, n := range sizes {
		for turn := range 3 {
			s, err := fuseOnce(b.ctx, loopChain(n))
			if err != nil {
				return err
			}
			if turn == 0 || s < times[i] {
				times[i] = s
			}
		}
	}
	b.table.Absolute("loops", fmt.Sprintf("%s on a chain of %d loops", fusion.Fuse, sizes[0]), "s", times[0], times[0] < 1, "< 1 s")
	b.table.Compare("loops", fmt.Sprintf("  of %d, beside it", sizes[1]), "s", times[1], times[0], 4, "< quadratic: 4")
	return nil
}

// fuseOnce gives the seconds that fusion of a program takes, which is all of a lowering pipeline
// that ends where the interpreter takes the program over.
func fuseOnce(ctx context.Context, src string) (float64, error) {
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("chain.mlir", src), text.Options{})
	if err := list.Err(); err != nil {
		return 0, err
	}
	to := *target.Interp()
	to.Pipeline = fusion.Fuse
	start := time.Now()
	_, err := lowering.Compile(ctx, g, &to)
	return time.Since(start).Seconds(), err
}
