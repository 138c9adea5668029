package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tools/irc/internal/emit"
)

// Engine is the one that -engine names; nil for a command that has none.
func (l *commandLine) Engine() *contract.Kind {
	return contract.Find(l.Program.Engines, l.Str("engine"))
}

// orEngine adds the name of the first engine of which something holds to a text, which is
// empty if there is none.
func (l *commandLine) orEngine(format string, holds func(*contract.Kind) bool) string {
	for _, k := range l.Program.Engines {
		if holds(k) {
			return fmt.Sprintf(format, k.Name)
		}
	}
	return ""
}

// modelEngine is that of a model.
func (l *commandLine) modelEngine() (*contract.Kind, error) {
	k := l.Engine()
	if k.Device {
		fix := ""
		for _, other := range l.Program.Engines {
			if other.Native {
				fix = "use -engine=" + other.Name
			}
		}
		return nil, Usagef(fix, "-engine=%s runs the kernels of a program, and a model has none", k.Name)
	}
	return k, nil
}

// CannotStart is the error of an engine that does not start, with a way out.
func (s *Session) CannotStart(err error) error {
	var missing *contract.UnavailableError
	if errors.As(err, &missing) {
		return diag.Errorf(diag.Span{}, "%v", err).WithFix("%s", missing.Fix)
	}
	return s.Stopped(err)
}

// tellEngine says what runs a program and why; unasked, that nobody could compile it.
func (s *Session) tellEngine(ctx *ir.Context, src *diag.Source, p contract.Program) {
	name, why := p.Engine()
	if why != "" {
		name += ": " + why
	}
	s.Sayf("engine: %s", name)
	if err := contract.Uncompiled(p); err != nil {
		d := *diagnose(ctx, src, err)
		d.Severity, d.Message = diag.Note, "the program is interpreted, as it cannot be compiled: "+d.Message
		fmt.Fprintln(s.Stderr, &d)
	}
}

// Stopped is why the work was stopped, if it was, instead of how that ended it.
func (s *Session) Stopped(err error) error {
	if cause := context.Cause(s.Context); err != nil && cause != nil {
		return cause
	}
	return err
}

// Lacking makes an error of the command line of the refusal of a processor.
func (l *commandLine) Lacking(err error) error {
	var c contract.RefusedProcessor
	if errors.As(err, &c) && l.Str("mcpu") != "" {
		if why, ok := c.NoProcessor(); ok {
			return Usagef("leave -mcpu out"+l.OrEmit("; or write an object file for that machine, with -emit=%s", func(k *emit.Kind) bool { return k.Binary }), "-mcpu: %s", why)
		}
	}
	return err
}
