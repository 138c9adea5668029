package engine

import (
	"fmt"
	"math/bits"

	"github.com/irc-lang/irc/dialects/builtin"
	"github.com/irc-lang/irc/ir"
)

const (
	longProgram = 15000 // ops for which machine code takes seconds, and
	fewRepeats  = 4     // times as many that a call runs at most: the interpreter needs less than a second for these
)

// The program was lowered for machine code all the same, where functions such as lgamma are some hundred ops each: of
// thousands of their calls most of the time is the compiler's.

// A repetition counts the ops that the functions of a program have, and those that run if each is called once.
type repetition struct{ ops, runs uint64 }

// interpretedOnce says why a program that is called once is better interpreted: it is long, and hardly anything of it runs
// more than once. "" is no reason.
func interpretedOnce(graphs []*ir.Graph) string {
	var r repetition
	for _, g := range graphs {
		module := builtin.Functions(g)
		for _, v := range ir.ScheduleOf(module).Body(ir.Root) {
			for _, body := range module.Children(v) {
				r.region(body, ir.ScheduleOf(body), ir.Root, 1)
			}
		}
	}
	if r.ops < longProgram || r.runs > fewRepeats*r.ops {
		return ""
	}
	return fmt.Sprintf("%d ops are called once, which takes less time than to compile them", r.ops)
}

// region adds the ops of a region that runs so often.
func (r *repetition) region(g *ir.Graph, s *ir.Schedule, in ir.Region, times uint64) {
	for _, v := range s.Body(in) {
		r.ops++
		r.runs = sum(r.runs, times)
		rounds := times
		if l, ok := ir.As[ir.LoopLike](g.NodeOf(v)); ok {
			rounds = product(times, roundsOf(g, l))
		} else if _, call := ir.As[ir.CallLike](g.NodeOf(v)); call && times > 1 {
			r.runs = unknownRuns
		}
		for _, inner := range g.Regions(v) {
			r.region(g, s, inner, rounds)
		}
	}
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
	if len(l.Indices) == 0 || l.Inclusive {
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
		if high <= low {
			return 0
		}
		all = product(all, (uint64(high-low)-1)/uint64(step)+1)
	}
	return all
}
