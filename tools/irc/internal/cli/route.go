package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering/ends"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/internal/emit"
)

// What compiles or interprets runs the passes of the command line and then the lowering pipeline
// to its target, unless the former end as that does: then they are all of it. So what
// -dump-pass-pipeline prints can be given to -passes, and makes the same.

// driverRoute is all that the driver runs, and for what machine.
func (s *Session) driverRoute(p *pass.Pipeline) (*pass.Pipeline, *target.Target, error) {
	k := s.EmitKind()
	if !k.Compiles {
		if p.End() != nil {
			return nil, nil, Usagef("leave that out"+s.OrEmit(", or say -emit=%s, for example", func(k *emit.Kind) bool { return k.Compiles && !k.Raw }),
				"the pipeline ends in what takes a program over, and -emit=%s writes it as it is", k.Name)
		}
		t, err := s.PassTarget(p)
		return p, t, err
	}
	if k.Shared && s.asWritten {
		return nil, nil, Usagef("leave one of them out", "-emit=%s writes functions of a model, and -passes names passes on models as they are written", k.Name)
	}
	t, err := s.Target()
	if err != nil {
		return nil, nil, err
	}
	level := ends.MostOptimised
	if k.Raw {
		level = 0
	}
	p, err = s.Completed(p, t, level)
	return p, t, err
}

// Completed is a pipeline with the lowering pipeline to a target after it, if it has not its own.
func (s *Session) Completed(p *pass.Pipeline, t *target.Target, level int) (*pass.Pipeline, error) {
	if s.Program.Lowering == nil {
		return nil, Usagef("", "this irc takes programs down to no target")
	}
	down, err := s.Program.Lowering.Down(p, t, level, s.Program.Passes)
	switch {
	case err != nil && p.End() == nil:
		return nil, Usagef("correct its \"pipeline\"", "%v", err)
	case err != nil:
		return nil, Usagef("leave its end out, or name another -target or -engine", "%v", err)
	}
	return p.Then(down), nil
}

// interpreted is a pipeline with the interpreter at its end, which runs programs as they
// are: it is what the others are checked against.
func interpreted(p *pass.Pipeline) (*pass.Pipeline, error) {
	end, err := pass.Parse("interpret", ends.Passes)
	if err != nil {
		return nil, err
	}
	return p.Then(end), nil
}

// LevelOf is that of LLVM's optimisation with which a pipeline ends.
func LevelOf(p *pass.Pipeline) contract.Level {
	if last, ok := p.End().(*ends.LLVM); ok {
		return contract.LevelOf(last.Level)
	}
	return contract.LevelDefault
}

// interprets reports an engine that runs programs as they are.
func interprets(k *contract.Kind) bool { return !k.Native && !k.Device }

// engineFor is the engine that runs what a pipeline makes, and the target for which it is
// lowered: that of a device is known to its engine alone. The engine that runs unasked
// leaves it to the pipeline, and to -target, whether it interprets.
func (s *Session) engineFor(p *pass.Pipeline) (*contract.Kind, *target.Target, error) {
	k := s.Engine()
	t, err := s.Target()
	if err != nil {
		return nil, nil, err
	}
	_, interpret := p.End().(*ends.Interpret)
	_, compile := p.End().(*ends.LLVM)
	open, named := k == s.Program.Engines[0], s.Str("target")
	checks, err := s.checks()
	if err != nil {
		return nil, nil, err
	}
	switch compiles := !interprets(k); {
	case checks != "" && compiles && !open:
		return nil, nil, Usagef("leave -engine out", "the interpreter checks for %s (-check-%s), and -engine=%s compiles", checks, checks, k.Name)
	case checks != "" && compile:
		return nil, nil, Usagef("leave its end out", "the interpreter checks for %s (-check-%s), and the pipeline ends in llvm", checks, checks)
	case compiles && interpret && !open:
		return nil, nil, Usagef("leave -engine out", "the pipeline ends in interpret, and -engine=%s compiles", k.Name)
	case !compiles && compile:
		return nil, nil, Usagef("leave -engine out", "the pipeline ends in llvm, and -engine=%s interprets", k.Name)
	case compiles && t.Kind == target.Interpreter && !open:
		return nil, nil, Usagef("leave one of them out", "-engine=%s compiles, and nothing is compiled for -target=%s", k.Name, named)
	case t.Kind == target.GPU && !k.Device:
		return nil, nil, Usagef("leave -target out"+s.orEngine("; -engine=%s has kernels run on a GPU", func(k *contract.Kind) bool { return k.Device }), "-target=%s is no machine that the program runs on", named)
	case !compiles && t.Kind == target.CPU && s.IsSet("target") && named != s.Program.Targets[0].Name:
		return nil, nil, Usagef("leave one of them out", "-engine=%s interprets, and -target=%s is a processor", k.Name, named)
	case interpret || checks != "" || t.Kind == target.Interpreter:
		i := slices.IndexFunc(s.Program.Engines, interprets)
		if i < 0 {
			return nil, nil, Usagef("", "this irc has no engine that interprets")
		}
		k = s.Program.Engines[i]
	}
	if !k.Native && t.Kind == target.CPU {
		t = target.Interp()
	}
	return k, t, nil
}

// checks is what a run is checked for as it is interpreted, "" for nothing.
func (l *commandLine) checks() (string, error) {
	what := ""
	for _, c := range l.Program.Checks {
		if !l.Flag("check-" + c.Name) {
			continue
		}
		if what != "" {
			return "", Usagef("run twice", "a run is checked for one thing: -check-%s and -check-%s are both there", what, c.Name)
		}
		what = c.Name
	}
	return what, nil
}

// check is what the interpreter looks for in a run; nil for nothing.
func (l *commandLine) check() *contract.Check {
	for _, c := range l.Program.Checks {
		if l.Flag("check-" + c.Name) {
			return c
		}
	}
	return nil
}

// DumpPipeline shows with -dump-pass-pipeline all that runs.
func (s *Session) DumpPipeline(p *pass.Pipeline) {
	if !s.Flag("dump-pass-pipeline") {
		return
	}
	n := 0
	p.Each(func(*pass.Info, pass.Pass) { n++ })
	fmt.Fprintf(s.Stderr, "Pass Manager with %d passes:\n%s\n\n", n, p.Rooted())
}

// Lowered runs what is left of a pipeline after the passes of the command line.
func (s *Session) Lowered(g *ir.Graph, src *diag.Source, down *pass.Pipeline, t *target.Target) (*ir.Graph, error) {
	m := s.Manager()
	m.VerifyEach, m.Count, m.Print, m.Target = false, false, s.Printer(src), t
	ctx := s.Context
	if s.bugs != nil {
		ctx = s.bugs.Context(ctx)
	}
	n, err := m.Run(ctx, g, down)
	return n, Plain(err)
}

// Plain is what a pass says is wrong with its input, without its name.
func Plain(err error) error {
	var failed *pass.Error
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// DensityLowering takes a density down by a pipeline and what is to follow it.
func (s *Session) DensityLowering(p *pass.Pipeline, src *diag.Source) func(*ir.Graph, *target.Target) (*ir.Graph, error) {
	return func(g *ir.Graph, t *target.Target) (*ir.Graph, error) {
		whole, err := s.Completed(p, t, ends.MostOptimised)
		if err != nil {
			return nil, err
		}
		s.DumpPipeline(whole)
		m := s.Manager()
		m.Print, m.Target = s.Printer(src), t
		m.VerifyEach = m.VerifyEach && (len(p.Steps) > 0 || s.IsSet("verify-each"))
		if g, err = m.Run(s.Context, g, whole); err != nil {
			s.KeepFailure(err)
			return nil, Plain(err)
		}
		s.Reports(m)
		return g, nil
	}
}
