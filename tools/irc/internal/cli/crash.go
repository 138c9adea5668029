package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/internal/cli/internal/files"
	"github.com/irc-lang/irc/tools/irc/internal/replay"
)

// A reproducer shows again what failed: a program, the passes that are to run on it and how they ran. It is made of
// what the run has read, or of the graph before the pass, so that it needs nothing else of the run.
type reproducer struct {
	line   *commandLine
	from   *reader
	to     *writer
	cores  *cores
	args   []string     // as they were written
	replay *replay.Info // what the reproducer says that is run itself
}

// crashText is the reproducer of a pass that failed: the graph that it was
// given, and the pass.
func (r *reproducer) crashText(e *pass.CrashError) string {
	body, ok := "", false
	func() {
		defer func() { _ = recover() }()
		var err error
		body, err = r.printReproducer(e.Before, e.Pipeline)
		ok = err == nil
	}()
	comment := fmt.Sprintf("%v\n%s\nReplay: irc -run-reproducer THIS-FILE", e, r.commandComment())
	if !ok { // what is left is the whole input
		body, _, _ = replay.Cut(r.from.read.text)
		return replay.Write(comment+"\nThe graph before the pass does not print; this is the input.", body, r.replayOf(r.line.Str("passes")))
	}
	return replay.Write(comment, body, r.replayOf(e.Pipeline))
}

// mistake is an author's, at the line of the program that showed it, if that is known.
func (r *reproducer) mistake(e *ir.OpError) error {
	if e.Op == "" {
		return fmt.Errorf("a function outside of irc is wrong: %w", e)
	}
	if e.Loc == 0 || e.Loc&ir.LocAttr != 0 || r.from.read.text == "" {
		return e
	}
	return diagnose(nil, diag.NewSource(r.from.read.name, r.from.read.text), e)
}

// replayOf is how a pipeline of this run is run again.
func (r *reproducer) replayOf(pipeline string) replay.Info {
	if p, err := pass.Parse(pipeline, r.line.Program.Passes); err == nil {
		pipeline = p.Rooted() // the root may be written or left out
	}
	return replay.Info{Pipeline: pipeline, DisableThreading: r.cores.one(), VerifyEach: r.verifiesEach()}
}

// KeepFailure writes a reproducer of a pass that says that its input is wrong, if
// -reproduce asks for one.
func (s *Session) KeepFailure(err error) {
	var e *pass.Error
	if s.Str("reproduce") == "" || !errors.As(err, &e) {
		return
	}
	s.crash.tellReproducer(s.Stderr, askAgain, s.crash.crashText(&pass.CrashError{Pass: e.Pass, Reason: e.Err.Error(), Before: e.Before, Pipeline: e.Pipeline, Refused: true}))
}

func (r *reproducer) commandComment() string {
	return "irc " + versionText() + ", command line: irc " + strings.Join(r.args, " ")
}

// inputText is the reproducer of a failure outside of passes: the input as it
// was read.
func (r *reproducer) inputText(e *panicError) string {
	comment := fmt.Sprintf("%v\n%s", e, r.commandComment())
	if k := r.from.read.kind; k != nil && !k.Text {
		if k.Comment == "" {
			return r.from.read.text
		}
		return k.Comment + " " + strings.ReplaceAll(comment, "\n", "\n"+k.Comment+" ") + "\n" + r.from.read.text
	}
	body, again, ok := replay.Cut(r.from.read.text)
	if !ok {
		again = r.replayOf(r.line.Str("passes"))
	}
	return replay.Write(comment+"\nReplay: irc -run-reproducer THIS-FILE", body, again)
}

// What a reproducer is for: a bug of irc, or one of a pass of somebody else.
const (
	askReport = "please report it with"
	askAgain  = "it can be seen again with"
)

// tellReproducer writes a reproducer and says where.
func (r *reproducer) tellReproducer(w io.Writer, ask, text string) {
	path := r.line.Str("reproduce")
	if !r.line.keepsReproducers() {
		fmt.Fprintln(w, "irc: no reproducer is written: the program is somebody else's (-untrusted); -reproduce=FILE writes one")
		return
	}
	if path == "" {
		ext := filepath.Ext(r.from.read.name)
		if k := r.from.read.kind; k == nil || k.Text || !k.reads(ext) {
			ext = r.line.Program.Inputs[0].Extensions[0]
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
