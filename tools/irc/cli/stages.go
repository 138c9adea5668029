package cli

import (
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/pass"
)

// What runs although no -passes names it is shown too by -print-after-all and the
// like: the way of a model to sequential code, and that of a program to the backend.
// To look changes nothing: without these flags the same is done.

// printsPasses reports that the IR between passes is to be shown.
func (s *Session) printsPasses() bool {
	return s.Flag("print-before-all") || s.Flag("print-after-all") || s.Flag("print-after-change") || s.Flag("print-after-failure") ||
		len(s.strs("print-before")) > 0 || len(s.strs("print-after")) > 0
}

// ShowStages shows the stages of a model, which is compiled at once, on a copy as it
// is written.
func (s *Session) ShowStages(src *diag.Source) error {
	if s.asWritten || !s.printsPasses() {
		return nil
	}
	g, err := s.bugs.Source()
	if err == nil {
		var p *pass.Pipeline
		if p, err = pass.Parse(s.bugs.Stages(), s.Program.Passes); err == nil {
			_, err = s.Lowered(g, src, p, nil)
		}
	}
	return err
}
