package main

import (
	"fmt"
	"time"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/tests/bench/report"
)

const readOne = `
func.func @at(%x: memref<?xf64>, %i: index) -> f64 {
  %v = memref.load %x[%i] : memref<?xf64>
  return %v : f64
}
`

// boundCalls is how many calls on bound data are measured.
const boundCalls = 1000

// bound measures calls of a function that reads one element of what is bound to it, on
// the engine that runs programs for users, for data of two sizes.
func (b *bench) bound() error {
	e, _, err := engine.LLVM.Start(b.ctx, engine.Options{})
	if err != nil {
		return err // libLLVM is missing: it says so
	}
	defer e.Close()
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("at.mlir", readOne), text.Options{})
	if err := list.Err(); err != nil {
		return err
	}
	low, err := lowering.Compile(b.ctx, g, e.Target())
	if err != nil {
		return err
	}
	programs, err := e.Prepare(b.ctx, low)
	if err != nil {
		return err
	}
	var on [2]*callsOn
	for i, n := range []int{1000, b.size(10_000_000)} {
		if on[i], err = b.bindNumbers(programs[0], n); err != nil {
			return err
		}
		defer on[i].Close(b.ctx)
	}
	var call [2]float64
	for turn := range 5 {
		for i, c := range on {
			each, err := c.calls()
			if err != nil {
				return err
			}
			if turn == 0 || each < call[i] {
				call[i] = each
			}
		}
	}
	small, large := count(8*on[0].n)+"B", count(8*on[1].n)+"B"
	ok := call[1] < 60e-6
	b.table.Add(report.Row{Group: "bound", What: "a call on " + large + " bound, beside one that copies", Unit: "us", Ours: call[1] * 1e6, Peer: on[1].copying * 1e6,
		Ratio: call[1] / on[1].copying, Target: "< 60 us", Met: &ok})
	b.table.Compare("bound", fmt.Sprintf("  on %s bound, beside %s", large, small), "us", call[1]*1e6, call[0]*1e6, 1.5, "the same: < 1.5")
	return nil
}

// callsOn calls a function on n numbers, each its index, that are bound to it.
type callsOn struct {
	*run.Binding
	b       *bench
	p       run.Program
	n       int
	copying float64 // the seconds of a call that copies them there and back
}

func (b *bench) bindNumbers(p run.Program, n int) (*callsOn, error) {
	data := make([]float64, n)
	for i := range data {
		data[i] = float64(i)
	}
	buf := interp.Floats(data)
	buf.Static = true
	x := (&interp.MemRef{Buf: buf, Sizes: []int64{int64(n)}, Strides: []int64{1}}).Val()
	c := &callsOn{b: b, p: p, n: n}
	last := ir.IntVal(int64(n-1), 64)
	for turn := range 3 {
		start := time.Now()
		out, _, err := p.Call(b.ctx, "at", []ir.Val{x, last})
		each := time.Since(start).Seconds()
		if err := checkElement(out, n-1, err); err != nil {
			return nil, err
		}
		if turn == 0 || each < c.copying {
			c.copying = each
		}
	}
	var err error
	c.Binding, err = run.Bind(b.ctx, p, x, last)
	return c, err
}

// calls gives the seconds of a call, the mean of boundCalls.
func (c *callsOn) calls() (float64, error) {
	before := c.p.Copied()
	start := time.Now()
	for k := range boundCalls {
		i := k * (c.n / boundCalls)
		out, _, err := c.Call(c.b.ctx, "at", run.Set(1, ir.IntVal(int64(i), 64)))
		if err := checkElement(out, i, err); err != nil {
			return 0, err
		}
	}
	each := time.Since(start).Seconds() / boundCalls
	if m := c.p.Copied().Since(before); m != (run.Copied{}) {
		return 0, fmt.Errorf("calls on bound data copied %d bytes there and %d back", m.To, m.Back)
	}
	return each, nil
}

func checkElement(out []ir.Val, i int, err error) error {
	if err == nil && out[0].F64() != float64(i) {
		err = fmt.Errorf("element %d is %v", i, out[0].F64())
	}
	return err
}
