package engine

import (
	"context"
	"errors"

	"github.com/irc-lang/irc/ir/run"
)

// Another makes a program ready once more, in a process beside the one that it has, with
// the limits that it has; nil for a program that no process runs, or one with a device.
// Its calls return what they print. It may be called while the program runs. Its Close
// ends the process.
func Another(ctx context.Context, p run.Program) (run.Program, error) {
	if c, ok := p.(chosenProgram); ok {
		p = c.Program
	}
	l, ok := p.(*llvmProgram)
	if !ok {
		return nil, nil
	}
	o := l.e.o
	o.Output = nil // which is for one goroutine
	e, err := startLLVM(ctx, o)
	if err != nil {
		return nil, err
	}
	out := &llvmProgram{e: e, m: l.m, text: l.text, ctx: l.ctx}
	if err := out.ready(ctx); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return aloneProgram{out}, nil
}

// aloneProgram is the only program of its engine.
type aloneProgram struct{ *llvmProgram }

// Close ends the engine too.
func (p aloneProgram) Close() error { return errors.Join(p.llvmProgram.Close(), p.e.Close()) }
