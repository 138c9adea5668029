package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tools/irc/explain"
)

// canTime refuses -time-kernels where no native code runs, or none that has a clock, and sizes without it.
func (s *session) canTime(k *engine.Kind) error {
	switch {
	case !s.flag("time-kernels"):
		return nil
	case !k.Native:
		return usagef("leave one of them out", "-time-kernels takes the time of native code, and -engine=%s makes none", k.Name)
	case !engine.CanTime():
		return usagef("leave it out", "-time-kernels needs a clock that programs read, and is there for x86-64 alone")
	}
	return nil
}

// invoke calls the function and keeps how long it took.
func (j *job) invoke(p engine.Program, args []ir.Val) ([]ir.Val, error) {
	out, err := p.Batch(j.s.ctx, []engine.Call{{Name: j.entry, Args: args}})
	if err != nil {
		return nil, err
	}
	j.wall = out[0].Wall
	return out[0].Values, out[0].Err
}

// tellTimes shows with -time-kernels where the time went.
func (j *job) tellTimes(p engine.Program) error {
	s := j.s
	if !s.flag("time-kernels") {
		return nil
	}
	if err := engine.Uncompiled(p); err != nil {
		return diag.Errorf(diag.Span{}, "-time-kernels takes the time of native code, and the program is interpreted")
	}
	times, err := engine.Times(s.ctx, p)
	if err != nil {
		return err
	}
	sizes, err := s.loopSizes()
	if err != nil {
		return err
	}
	ctx := s.newContext()
	g, list := s.readGraph(ctx, j.src, s.readKind)
	if list.Err() != nil {
		return list.Err()
	}
	known, others := s.readKind.arguments(j.src)
	out := explain.NewLoops(j.src, j.to, slices.Concat(known, others)...)
	if err := s.countLoops(g, j.src, out, j.to); err != nil {
		return err
	}
	if err := areSizes(append(out.Params(), known...), sizes); err != nil {
		return err
	}
	out.Shared(j.down)
	if len(sizes) > 0 || out.Bounded(nil) {
		t, err := s.measured(j.to)
		var none *diag.Diagnostic
		if errors.As(err, &none) && len(sizes) == 0 {
			err = nil // nobody asked for bounds
		} else if err == nil {
			err = out.Bound(sizes, t)
		}
		if err != nil {
			return err
		}
	}
	for _, t := range times {
		out.Took(t.Function, t.At, t.Share*j.wall.Seconds(), t.Calls)
	}
	fmt.Fprint(s.stderr, out.Times(j.wall.Seconds()))
	return nil
}
