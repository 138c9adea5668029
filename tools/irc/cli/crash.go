package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/cli/internal/files"
)

// crashText is the reproducer of a pass that failed: the graph that it was
// given, and the pass.
func (s *Session) crashText(e *pass.CrashError) string {
	body, ok := "", false
	func() {
		defer func() { _ = recover() }()
		var err error
		body, err = s.printReproducer(e.Before, e.Pipeline)
		ok = err == nil
	}()
	comment := fmt.Sprintf("%v\n%s\nReplay: irc -run-reproducer THIS-FILE", e, s.commandComment())
	if !ok { // what is left is the whole input
		body, _, _ = pass.CutReproducer(s.read.text)
		return pass.Reproducer(comment+"\nThe graph before the pass does not print; this is the input.", body, s.replayOf(s.Str("passes")))
	}
	return pass.Reproducer(comment, body, s.replayOf(e.Pipeline))
}

// replayOf is how a pipeline of this run is run again.
func (s *Session) replayOf(pipeline string) pass.Replay {
	if p, err := pass.Parse(pipeline, s.Program.Passes); err == nil {
		pipeline = p.Rooted() // the root may be written or left out
	}
	return pass.Replay{Pipeline: pipeline, DisableThreading: s.cores.one(), VerifyEach: s.verifiesEach()}
}

// KeepFailure writes a reproducer of a pass that says that its input is wrong, if
// -reproduce asks for one.
func (s *Session) KeepFailure(err error) {
	var e *pass.Error
	if s.Str("reproduce") == "" || !errors.As(err, &e) {
		return
	}
	s.tellReproducer(s.Stderr, "it can be seen again with", s.crashText(&pass.CrashError{Pass: e.Pass, Reason: e.Err.Error(), Before: e.Before, Pipeline: e.Pipeline, Refused: true}))
}

func (s *Session) commandComment() string {
	return "irc " + versionText() + ", command line: irc " + strings.Join(s.args, " ")
}

// inputText is the reproducer of a failure outside of passes: the input as it
// was read.
func (s *Session) inputText(e *panicError) string {
	comment := fmt.Sprintf("%v\n%s", e, s.commandComment())
	if k := s.read.kind; k != nil && !k.Text {
		if k.Comment == "" {
			return s.read.text
		}
		return k.Comment + " " + strings.ReplaceAll(comment, "\n", "\n"+k.Comment+" ") + "\n" + s.read.text
	}
	body, r, ok := pass.CutReproducer(s.read.text)
	if !ok {
		r = s.replayOf(s.Str("passes"))
	}
	return pass.Reproducer(comment+"\nReplay: irc -run-reproducer THIS-FILE", body, r)
}

const askReport = "please report it with"

// tellReproducer writes a reproducer and says where.
func (s *Session) tellReproducer(w io.Writer, ask, text string) {
	path := s.Str("reproduce")
	if !s.keepsReproducers() {
		fmt.Fprintln(w, "irc: no reproducer is written: the program is somebody else's (-untrusted); -reproduce=FILE writes one")
		return
	}
	if path == "" {
		ext := filepath.Ext(s.read.name)
		if k := s.read.kind; k == nil || k.Text || !k.reads(ext) {
			ext = s.Program.Inputs[0].Extensions[0]
		}
		f, err := os.CreateTemp(".", "irc-reproducer-*"+ext)
		if err != nil {
			fmt.Fprintf(w, "irc: the reproducer could not be written: %v\n", err)
			return
		}
		path = "." + string(filepath.Separator) + filepath.Base(f.Name())
		f.Close()
	}
	if err := files.WriteFile(nil, path, []byte(text)); err != nil {
		fmt.Fprintf(w, "irc: the reproducer could not be written: %v\n", err)
		return
	}
	fmt.Fprintf(w, "irc: %s this reproducer: %s\n", ask, path)
}
