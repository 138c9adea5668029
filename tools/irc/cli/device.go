package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/irc-lang/irc/backends/cuda"
	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// onDevice runs the program on the interpreter and its kernels on a GPU.
func (j *job) onDevice() (results []ir.Val, err error) {
	s := j.s
	e, about, err := engine.New(s.ctx, "cuda", engine.Options{Unchecked: s.flag("unchecked"), Fuel: s.fuel(), MemLimit: j.memory(), Output: j.printed, Externs: j.externs})
	var missing *cuda.MissingError
	if errors.As(err, &missing) {
		return nil, diag.Errorf(diag.Span{}, "%v", err).WithFix("-engine=eval runs kernels without a device")
	}
	if err != nil {
		return nil, s.stopped(err)
	}
	defer func() {
		if late := e.Close(); err == nil {
			err = late
		}
	}()
	s.sayf("engine: cuda: %s", about)
	s.sayf("sandbox: none: the GPU's driver opens devices")
	ps, err := e.Prepare(s.ctx, j.g)
	if err != nil {
		return nil, s.stopped(diagnose(j.g.Ctx, j.src, err))
	}
	results, _, err = ps[0].Call(s.ctx, j.entry, j.args)
	if stats, ok := engine.StatsOf(ps[0]); ok && (s.flag("v") || s.flag("stats")) {
		fmt.Fprintf(s.stderr, "irc: cuda: %s\n", stats)
	}
	return results, s.stopped(err)
}

// stopped is why the work was stopped, if it was, instead of how that ended it.
func (s *session) stopped(err error) error {
	if cause := context.Cause(s.ctx); err != nil && cause != nil {
		return cause
	}
	return err
}
