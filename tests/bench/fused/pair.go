package fused

import (
	"context"
	"fmt"
	"math"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering"
)

// Ways of a program down: fused, and as it is written.
const (
	Fused = iota
	Unfused
	ways
)

// A Pair is what a program took in seconds, the best of all turns by each way.
type Pair struct {
	Seed uint64
	Best [ways]float64
}

// Ratio is the time fused as a share of that unfused.
func (p Pair) Ratio() float64 { return p.Best[Fused] / p.Best[Unfused] }

// Time compiles the program of a seed by both ways and runs them in turn with arrays of n
// elements: turns times, and more often, up to patient times, as long as fused is slower
// by more than the share doubt. What they give is the same, or it is an error.
func Time(ctx context.Context, seed uint64, n, turns, patient int, to [ways]*target.Target) (p Pair, err error) {
	p = Pair{Seed: seed, Best: [ways]float64{math.Inf(1), math.Inf(1)}}
	e, _, err := engine.LLVM.Start(ctx, engine.Options{})
	if err != nil {
		return p, err
	}
	defer e.Close()
	c := ir.NewContext(dialects.All...)
	args := inputs(c, n)
	var bound [ways]*run.Binding
	var results []ir.Type
	for way, t := range to {
		g, err := read(c, seed)
		if err != nil {
			return p, err
		}
		if g, err = lowering.Compile(ctx, g, t); err != nil {
			return p, err
		}
		programs, err := e.Prepare(ctx, g)
		if err != nil {
			return p, err
		}
		if _, results, err = programs[0].Signature("f"); err != nil {
			return p, err
		}
		if bound[way], err = run.Bind(ctx, programs[0], args...); err != nil {
			return p, err
		}
		defer bound[way].Close(ctx)
	}
	for turn := 0; turn < turns || turn < patient && p.Ratio() > 1+doubt; turn++ {
		var gives [ways][]ir.Val
		for way := range bound {
			out, err := bound[way].Batch(ctx, []run.BoundCall{{Name: "f"}})
			if err == nil {
				err = out[0].Err
			}
			if err != nil {
				return p, err
			}
			p.Best[way], gives[way] = min(p.Best[way], out[0].Wall.Seconds()), out[0].Values
		}
		if turn == 0 {
			if err := same(c, results, gives[Fused], gives[Unfused]); err != nil {
				return p, err
			}
		}
	}
	return p, nil
}

const (
	doubt = 0.02
	share = 1e-9 // by which sums may differ that are taken in another order
)

// same compares what two ways give.
func same(c *ir.Context, types []ir.Type, xs, ys []ir.Val) error {
	for i, t := range types {
		a, isArray := xs[i].Ref.(*interp.MemRef)
		b, _ := ys[i].Ref.(*interp.MemRef)
		switch {
		case !isArray && !near(c, t, xs[i], ys[i]):
			return fmt.Errorf("result %d is %v fused and %v unfused", i, xs[i], ys[i])
		case !isArray:
			continue
		case a.Sizes[0] != b.Sizes[0]:
			return fmt.Errorf("result %d has %d elements fused and %d unfused", i, a.Sizes[0], b.Sizes[0])
		}
		for k := range int(a.Sizes[0]) {
			if x, y := element(a, k), element(b, k); !near(c, a.Buf.Elem, x, y) {
				return fmt.Errorf("result %d has at %d %v fused and %v unfused", i, k, x, y)
			}
		}
	}
	return nil
}

func element(r *interp.MemRef, i int) ir.Val {
	return r.Buf.Load(int(r.Offset + int64(i)*r.Strides[0]))
}

// near compares two numbers, floats with a bound.
func near(c *ir.Context, t ir.Type, x, y ir.Val) bool {
	if x.Bits == y.Bits || !c.IsFloat(t) {
		return x.Bits == y.Bits
	}
	a, b := x.Float(t), y.Float(t)
	return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= share*max(math.Abs(a), math.Abs(b))
}
