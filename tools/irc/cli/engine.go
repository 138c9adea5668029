package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// engine is the one that -engine names; nil for a command that has none.
func (s *session) engine() *engine.Kind { return engine.Find(s.prog.Engines, s.str("engine")) }

// orEngine adds the name of the first engine of which something holds to a text, which is
// empty if there is none.
func (s *session) orEngine(format string, holds func(*engine.Kind) bool) string {
	for _, k := range s.prog.Engines {
		if holds(k) {
			return fmt.Sprintf(format, k.Name)
		}
	}
	return ""
}

// modelEngine is that of a model.
func (s *session) modelEngine() (*engine.Kind, error) {
	k := s.engine()
	if k.Device {
		fix := ""
		for _, other := range s.prog.Engines {
			if other.Native {
				fix = "use -engine=" + other.Name
			}
		}
		return nil, usagef(fix, "-engine=%s runs the kernels of a program, and a model has none", k.Name)
	}
	return k, nil
}

// cannotStart is the error of an engine that does not start, with a way out.
func (s *session) cannotStart(err error) error {
	var missing *engine.UnavailableError
	if errors.As(err, &missing) {
		return diag.Errorf(diag.Span{}, "%v", err).WithFix("%s", missing.Fix)
	}
	return s.stopped(err)
}

// tellEngine says what runs a program and why; unasked, that nobody could compile it.
func (s *session) tellEngine(ctx *ir.Context, src *diag.Source, p engine.Program) {
	name, why := p.Engine()
	if why != "" {
		name += ": " + why
	}
	s.sayf("engine: %s", name)
	if err := engine.Uncompiled(p); err != nil {
		d := *diagnose(ctx, src, err)
		d.Severity, d.Message = diag.Note, "the program is interpreted, as it cannot be compiled: "+d.Message
		fmt.Fprintln(s.stderr, &d)
	}
}

// stopped is why the work was stopped, if it was, instead of how that ended it.
func (s *session) stopped(err error) error {
	if cause := context.Cause(s.ctx); err != nil && cause != nil {
		return cause
	}
	return err
}
