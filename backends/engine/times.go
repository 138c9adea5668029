package engine

import (
	"context"
	"errors"
	"runtime"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
)

// A Timed is an outermost loop with the time that it took: with what it calls, and once for each core that entered it.
type Timed struct {
	llvm.Timed
	Share float64 // of the time of all calls of the program
	Calls int64
}

// Times tells how the time of all calls of a program of the llvm engine with Options.Times, since the child that runs
// it was started, is shared by its loops.
func Times(ctx context.Context, p Program) ([]Timed, error) {
	if c, ok := p.(chosenProgram); ok {
		p = c.Program
	}
	l, ok := p.(*llvmProgram)
	if !ok || !l.e.o.Times {
		return nil, errors.New("time is taken of native code alone, with Options.Times")
	}
	if err := l.ready(ctx); err != nil {
		return nil, err
	}
	r, err := l.code.Batch(ctx, []jit.Call{{Symbol: llvm.TimesThunk, Results: llvm.TimeSlots * len(l.m.Timed)}})
	if err != nil {
		l.e.died(err)
		return nil, err
	}
	slots := r[0].Results
	var out []Timed
	for i, t := range l.m.Timed[1:] {
		at := llvm.TimeSlots * (i + 1)
		if slots[at+1] > 0 {
			out = append(out, Timed{t, float64(slots[at]) / float64(max(1, slots[0])), int64(slots[at+1])})
		}
	}
	return out, nil
}

// CanTime reports that the processor has a clock that code may read.
func CanTime() bool { return runtime.GOARCH == "amd64" }
