package engine

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/dialects/builtin"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
)

// A program that is called once is interpreted if it is long and hardly anything of it runs often: LLVM takes some 50
// microseconds for an op of straight-line code, and the passes before it half of that, the interpreter a tenth of one.
const (
	longSource  = 1000  // ops of a program as it is given, which become some ten times as many
	longProgram = 15000 // ops of one that is lowered for machine code
	fewRepeats  = 4     // times as many as the ops of machine code that a call runs at most: functions such as lgamma are some hundred each of these
	moreRepeats = 50    // times as many of those that the interpreter takes
)

// Lowered takes a program down, and says which engine is to run it: e, or the interpreter of what is called once, for
// which lower is given a target with Once. That is asked of the program as it is given, so that what runs once
// is spared passes that do not pay, and again of what comes of it.
func Lowered(e Engine, g *ir.Graph, lower func(*ir.Graph, *target.Target) (*ir.Graph, error)) (Engine, *ir.Graph, error) {
	a, auto := e.(*autoEngine)
	if auto && a.llvm != nil && a.o.Once && e.Target().Pipeline == "" && runsOnce(longSource, moreRepeats, g) {
		once := *target.Interp()
		once.Once = true
		n, err := lower(g, &once)
		if err != nil {
			return e, nil, err
		}
		if runsOnce(longSource, moreRepeats, n) {
			return &onceEngine{a.eval}, n, nil
		}
	}
	n, err := lower(g, e.Target())
	return e, n, err
}

// onceEngine interprets what auto was asked for.
type onceEngine struct{ *contract.Interpreter }

func (e *onceEngine) Prepare(ctx context.Context, graphs ...*ir.Graph) ([]Program, error) {
	ps, err := e.Interpreter.Prepare(ctx, graphs...)
	return chosen(ps, onceReason(graphs...), nil), err
}

// interpretedOnce says why a program that is called once is better interpreted although it was lowered for machine code. ""
// is no reason.
func interpretedOnce(graphs []*ir.Graph) string {
	if !runsOnce(longProgram, fewRepeats, graphs...) {
		return ""
	}
	return onceReason(graphs...)
}

func onceReason(graphs ...*ir.Graph) string {
	return fmt.Sprintf("%d ops are called once, which takes less time than to compile them", repetitionOf(graphs).ops)
}

// runsOnce reports so many ops at least, of which at most so many times as many run.
func runsOnce(long, repeats uint64, graphs ...*ir.Graph) bool {
	r := repetitionOf(graphs)
	return r.ops >= long && r.runs <= repeats*r.ops
}

// A repetition is how many ops a program has, and how many run if each function that no other calls is called once.
type repetition struct{ ops, runs uint64 }

func repetitionOf(graphs []*ir.Graph) (all repetition) {
	for _, g := range graphs {
		module := builtin.Functions(g)
		c := &repetitions{bodies: map[string][]*ir.Graph{}, of: map[string]*repetition{}, called: map[string]bool{}}
		for _, v := range ir.ScheduleOf(module).Body(ir.Root) {
			name := module.Ctx.AttrInfo(module.Attr(v, "sym_name")).Str
			c.bodies[name] = append(c.bodies[name], module.Children(v)...)
		}
		for name := range c.bodies {
			all.ops += c.function(name).ops
		}
		for name, r := range c.of {
			if !c.called[name] {
				all.runs = sum(all.runs, r.runs)
			}
		}
	}
	return all
}

// repetitions are those of the functions of a module.
type repetitions struct {
	bodies map[string][]*ir.Graph
	of     map[string]*repetition // of what recurs: nobody knows, until all is counted
	called map[string]bool
}

func (c *repetitions) function(name string) *repetition {
	if r, ok := c.of[name]; ok {
		return r
	}
	c.of[name] = &repetition{runs: unknownRuns}
	r := &repetition{}
	for _, body := range c.bodies[name] {
		c.region(r, body, ir.ScheduleOf(body), ir.Root, 1)
	}
	c.of[name] = r
	return r
}

// region adds the ops of a region that runs so often.
func (c *repetitions) region(r *repetition, g *ir.Graph, s *ir.Schedule, in ir.Region, times uint64) {
	for _, v := range s.Body(in) {
		r.ops++
		r.runs = sum(r.runs, times)
		rounds := times
		if l, ok := ir.As[ir.LoopLike](g.NodeOf(v)); ok {
			rounds = product(times, roundsOf(g, l))
		} else if call, ok := ir.As[ir.CallLike](g.NodeOf(v)); ok {
			c.called[call.Callee] = true
			r.runs = sum(r.runs, product(times, c.callee(call.Callee)))
		}
		for _, inner := range g.Regions(v) {
			c.region(r, g, s, inner, rounds)
		}
	}
}

// callee is what a call of a function runs.
func (c *repetitions) callee(name string) uint64 {
	if name == "" {
		return unknownRuns
	}
	return max(c.function(name).runs, 1)
}

const unknownRuns = 1 << 62

func sum(x, y uint64) uint64 { return min(x+y, unknownRuns) }

func product(x, y uint64) uint64 {
	if high, low := bits.Mul64(x, y); high == 0 {
		return min(low, unknownRuns)
	}
	return unknownRuns
}

// roundsOf is how many rounds a loop has, if its bounds are numbers.
func roundsOf(g *ir.Graph, l ir.LoopLike) uint64 {
	if len(l.Indices) == 0 {
		return unknownRuns
	}
	all := uint64(1)
	number := func(b ir.Bound) (int64, bool) {
		if b.Value == 0 {
			return b.Const, true
		}
		c, ok := g.Const(b.Value)
		return int64(c.Bits), ok
	}
	for k := range l.Indices {
		low, okLow := number(l.Lower[k])
		high, okHigh := number(l.Upper[k])
		step, okStep := number(l.Step[k])
		if !okLow || !okHigh || !okStep || step < 1 {
			return unknownRuns
		}
		if l.Inclusive {
			high++
		}
		if high <= low {
			return 0
		}
		all = product(all, (uint64(high-low)-1)/uint64(step)+1)
	}
	return all
}
