package cli

import (
	"errors"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/sequence"
)

// What runs although no -passes names it is shown too by -print-after-all and the
// like: the way of a model to sequential code, and that of a program to the backend.
// To look changes nothing: without these flags the same is done.

// printsPasses reports that the IR between passes is to be shown.
func (s *session) printsPasses() bool {
	return s.flag("print-before-all") || s.flag("print-after-all") || s.flag("print-after-change") || s.flag("print-after-failure") ||
		len(s.strs("print-before")) > 0 || len(s.strs("print-after")) > 0
}

// show runs a pipeline that no flag names, for what it prints.
func (s *session) show(g *ir.Graph, src *diag.Source, pipeline string, t *target.Target) (*ir.Graph, error) {
	p, err := pass.Parse(pipeline, AllPasses())
	if err != nil {
		return nil, err
	}
	m := s.manager()
	m.VerifyEach, m.Count, m.Print, m.Target = false, false, s.printer(src), t
	ctx := s.ctx
	if s.bugs != nil {
		ctx = s.bugs.Context(ctx)
	}
	n, err := m.Run(ctx, g, p)
	var failed *pass.Error
	if errors.As(err, &failed) {
		err = failed.Err
	}
	return n, err
}

// showStages shows the stages of a model, which is compiled at once, on a copy as it
// is written.
func (s *session) showStages(src *diag.Source) error {
	if s.asWritten || !s.printsPasses() {
		return nil
	}
	g, err := s.bugs.Source()
	if err == nil {
		_, err = s.show(g, src, sequence.Pipeline, nil)
	}
	return err
}

// lowered takes a program down to what the backend of a target takes.
func (s *session) lowered(g *ir.Graph, src *diag.Source, t *target.Target) (*ir.Graph, error) {
	if s.printsPasses() {
		return s.show(g, src, lowering.Pipeline(t), t)
	}
	return lowering.Compile(s.ctx, g, t)
}
