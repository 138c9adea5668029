package commands

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tools/irc/explain"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
)

// Clock is the clock of native code, for -time-kernels.
var Clock = &cli.Clock{Can: engine.CanTime, Tell: tellTimes}

// tellTimes shows where the time went.
func tellTimes(run *cli.Session, r *cli.Run, p contract.Program, lowered *ir.Graph, wall time.Duration) error {
	s := &session{run}
	times, err := engine.Times(s.Context, p)
	if err != nil {
		return err
	}
	sizes, err := s.loopSizes()
	if err != nil {
		return err
	}
	ctx := s.NewContext()
	g, list := s.ReadGraph(ctx, r.Source, r.Kind)
	if list.Err() != nil {
		return list.Err()
	}
	known, others := cli.ArgumentsOf(r.Kind, r.Source)
	out := explain.NewLoops(r.Source, r.Target, slices.Concat(known, others)...)
	if err := s.countLoops(g, r.Source, out, r.Target); err != nil {
		return err
	}
	if err := areSizes(append(out.Params(), known...), sizes); err != nil {
		return err
	}
	out.Shared(lowered)
	if len(sizes) > 0 || out.Bounded(nil) {
		t, err := s.measured(r.Target)
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
		out.Took(t.Function, t.At, t.Share*wall.Seconds(), t.Calls)
	}
	fmt.Fprint(s.Stderr, out.Times(wall.Seconds()))
	return nil
}
