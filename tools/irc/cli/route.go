package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/emit"
)

// What compiles or interprets runs the passes of the command line and then the way down
// to its target, unless the former end as that does: then they are all of it. So what
// -dump-pass-pipeline prints can be given to -passes, and makes the same.

// driverRoute is all that the driver runs, and for what machine.
func (s *session) driverRoute(p *pass.Pipeline) (*pass.Pipeline, *target.Target, error) {
	k := s.emitKind()
	if !k.Compiles {
		if p.End() != nil {
			return nil, nil, usagef("leave that out"+s.orEmit(", or say -emit=%s, for example", func(k *emit.Kind) bool { return k.Compiles && !k.Raw }),
				"the pipeline ends in what takes a program over, and -emit=%s writes it as it is", k.Name)
		}
		t, err := s.passTarget(p)
		return p, t, err
	}
	t, err := s.target()
	if err != nil {
		return nil, nil, err
	}
	level := lowering.MostOptimised
	if k.Raw {
		level = 0
	}
	p, err = s.completed(p, t, level)
	return p, t, err
}

// completed is a pipeline with the way down to a target after it, if it has not its own.
func (s *session) completed(p *pass.Pipeline, t *target.Target, level int) (*pass.Pipeline, error) {
	down, err := lowering.Down(p, t, level, s.prog.Passes)
	switch {
	case err != nil && p.End() == nil:
		return nil, usagef("correct its \"pipeline\"", "%v", err)
	case err != nil:
		return nil, usagef("leave its end out, or name another -target or -engine", "%v", err)
	}
	return p.Then(down), nil
}

// interpreted is a pipeline with the interpreter at its end, which runs programs as they
// are: it is what the others are checked against.
func interpreted(p *pass.Pipeline) (*pass.Pipeline, error) {
	end, err := pass.Parse("interpret", lowering.Passes())
	if err != nil {
		return nil, err
	}
	return p.Then(end), nil
}

// jitLevel is that of LLVM's optimisation with which a pipeline ends.
func jitLevel(p *pass.Pipeline) jit.Level {
	if last, ok := p.End().(*lowering.LLVM); ok {
		return jit.LevelOf(last.Level)
	}
	return jit.LevelDefault
}

// interprets reports an engine that runs programs as they are.
func interprets(k *engine.Kind) bool { return !k.Native && !k.Device }

// engineFor is the engine that runs what a pipeline makes, and the target for which it is
// lowered: that of a device is known to its engine alone. The engine that runs unasked
// leaves it to the pipeline, and to -target, whether it interprets.
func (s *session) engineFor(p *pass.Pipeline) (*engine.Kind, *target.Target, error) {
	k := s.engine()
	t, err := s.target()
	if err != nil {
		return nil, nil, err
	}
	_, interpret := p.End().(*lowering.Interpret)
	_, compile := p.End().(*lowering.LLVM)
	open, named := k == s.prog.Engines[0], s.str("target")
	checks, err := s.checks()
	if err != nil {
		return nil, nil, err
	}
	switch compiles := !interprets(k); {
	case checks != "" && compiles && !open:
		return nil, nil, usagef("leave -engine out", "the interpreter checks for %s (-check-%s), and -engine=%s compiles", checks, checks, k.Name)
	case checks != "" && compile:
		return nil, nil, usagef("leave its end out", "the interpreter checks for %s (-check-%s), and the pipeline ends in llvm", checks, checks)
	case compiles && interpret && !open:
		return nil, nil, usagef("leave -engine out", "the pipeline ends in interpret, and -engine=%s compiles", k.Name)
	case !compiles && compile:
		return nil, nil, usagef("leave -engine out", "the pipeline ends in llvm, and -engine=%s interprets", k.Name)
	case compiles && t.Kind == target.Interpreter && !open:
		return nil, nil, usagef("leave one of them out", "-engine=%s compiles, and nothing is compiled for -target=%s", k.Name, named)
	case t.Kind == target.GPU && !k.Device:
		return nil, nil, usagef("leave -target out"+s.orEngine("; -engine=%s has kernels run on a GPU", func(k *engine.Kind) bool { return k.Device }), "-target=%s is no machine that the program runs on", named)
	case !compiles && t.Kind == target.CPU && s.given("target") && named != s.prog.Targets[0].Name:
		return nil, nil, usagef("leave one of them out", "-engine=%s interprets, and -target=%s is a processor", k.Name, named)
	case interpret || checks != "" || t.Kind == target.Interpreter:
		i := slices.IndexFunc(s.prog.Engines, interprets)
		if i < 0 {
			return nil, nil, usagef("", "this irc has no engine that interprets")
		}
		k = s.prog.Engines[i]
	}
	if !k.Native && t.Kind == target.CPU {
		t = target.Interp()
	}
	return k, t, nil
}

// checks is what a run is checked for as it is interpreted, "" for nothing.
func (s *session) checks() (string, error) {
	what := ""
	for _, one := range []string{"races", "transfers", "kernels"} {
		if !s.flag("check-" + one) {
			continue
		}
		if what != "" {
			return "", usagef("run twice", "a run is checked for one thing: -check-%s and -check-%s are both there", what, one)
		}
		what = one
	}
	return what, nil
}

// dumpPipeline shows with -dump-pass-pipeline all that runs.
func (s *session) dumpPipeline(p *pass.Pipeline) {
	if !s.flag("dump-pass-pipeline") {
		return
	}
	n := 0
	p.Each(func(*pass.Info, pass.Pass) { n++ })
	fmt.Fprintf(s.stderr, "Pass Manager with %d passes:\n%s\n\n", n, p.Rooted())
}

// lowered runs what is left of a pipeline after the passes of the command line.
func (s *session) lowered(g *ir.Graph, src *diag.Source, down *pass.Pipeline, t *target.Target) (*ir.Graph, error) {
	m := s.manager()
	m.VerifyEach, m.Count, m.Print, m.Target = false, false, s.printer(src), t
	ctx := s.ctx
	if s.bugs != nil {
		ctx = s.bugs.Context(ctx)
	}
	n, err := m.Run(ctx, g, down)
	return n, plain(err)
}

// plain is what a pass says is wrong with its input, without its name.
func plain(err error) error {
	var failed *pass.Error
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// densityLowering takes a density down by a pipeline and what is to follow it.
func (s *session) densityLowering(p *pass.Pipeline, src *diag.Source) func(*ir.Graph, *target.Target) (*ir.Graph, error) {
	return func(g *ir.Graph, t *target.Target) (*ir.Graph, error) {
		whole, err := s.completed(p, t, lowering.MostOptimised)
		if err != nil {
			return nil, err
		}
		s.dumpPipeline(whole)
		m := s.manager()
		m.Print, m.Target = s.printer(src), t
		m.VerifyEach = m.VerifyEach && (len(p.Steps) > 0 || s.given("verify-each"))
		if g, err = m.Run(s.ctx, g, whole); err != nil {
			s.keepFailure(err)
			return nil, plain(err)
		}
		s.reports(m)
		return g, nil
	}
}
