package cli

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/internal/vet"
)

// A mistake is what -json shows of one that an author made.
type mistake struct {
	Dialect  string `json:"dialect,omitempty"`
	Op       string `json:"op,omitempty"`
	Pass     string `json:"pass,omitempty"`
	Severity string `json:"severity"`
	At       string `json:"at,omitempty"` // file:line:column of Go, or of a format
	Message  string `json:"message"`
	Help     string `json:"help,omitempty"`
}

// vettedDialects and vettedPasses say in the help what -check looks at.
func vettedDialects() string {
	return "What -check looks at:\n  " + strings.Join(vet.DialectRules(), "\n  ")
}
func vettedPasses() string {
	return "What -check looks at:\n  " + strings.Join(vet.PassRules(), "\n  ")
}

// vetted is the program as its authors' mistakes are looked for in it.
func (p *Program) vetted() vet.Program {
	return vet.Program{Dialects: p.Dialects, Passes: p.Passes, Compiles: p.compiles(), Whole: true}
}

// checkDialects tells mistakes of the authors of all dialects, or of one.
func (s *Session) checkDialects() error {
	of := func(*ir.Dialect) bool { return true }
	if len(s.Files) == 1 {
		if _, err := s.dialectNamed(s.Files[0]); err != nil {
			return err
		}
		of = func(d *ir.Dialect) bool { return d.Name == s.Files[0] }
	}
	return s.tell(s.Program.vetted().CheckDialects(of))
}

// checkPasses tells mistakes of the authors of all passes, or of one.
func (s *Session) checkPasses() error {
	of := func(*pass.Info) bool { return true }
	if len(s.Files) == 1 {
		if _, err := s.passNamed(s.Files[0]); err != nil {
			return err
		}
		of = func(row *pass.Info) bool { return row.Name == s.Files[0] }
	}
	return s.tell(s.Program.vetted().CheckPasses(of))
}

// tell shows mistakes. Warnings alone are no failure.
func (s *Session) tell(list []vet.Mistake) error {
	failed := false
	out := make([]mistake, len(list))
	for i, m := range list {
		failed = failed || m.Severity == diag.Error
		out[i] = mistake{Dialect: m.Dialect, Op: m.Op, Pass: m.Pass, Severity: m.Severity.String(), Message: m.Message, Help: m.Fix}
		if src := m.Span.Source; src != nil {
			line, col := src.Position(m.Span.Start)
			out[i].At = fmt.Sprintf("%s:%d:%d", src.Name, line, col)
		}
	}
	if s.Flag("json") {
		if err := s.WriteJSON(out); err != nil {
			return err
		}
	} else {
		s.show(list)
	}
	if failed {
		return ErrSaid
	}
	return nil
}

// start refuses to begin with dialects or passes whose names are taken twice or cannot be read: what is named in a
// program or a pipeline would be another's.
func (s *Session) start() error {
	if s.Flag("check") {
		return nil // which tells all
	}
	list := s.Program.vetted().Start()
	s.show(list)
	if len(list) > 0 {
		return ErrSaid
	}
	return nil
}

// show writes mistakes as other errors are written.
func (s *Session) show(list []vet.Mistake) {
	for _, m := range list {
		fmt.Fprintln(s.Stderr, shortLines(message(m.Diagnostic)))
	}
}
