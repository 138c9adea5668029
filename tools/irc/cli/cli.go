package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/sequence"
	"github.com/irc-lang/irc/tools/irc/emit"
	"github.com/urfave/cli/v2"
)

// Exit statuses.
const (
	exitDone  = 0
	exitInput = 1
	exitUsage = 2
	exitBug   = 3

	exitSignal = 128 // and the number of the signal
)

// A Program is an irc, as lists of rows: it knows none by name. A nil list stands for
// that of this repository.
type Program struct {
	Dialects []*ir.Dialect // low to high
	Passes   pass.List
	Routes   []lowering.Route // of the pass lower
	Inputs   []*Input         // the first is that of what says nothing else
	Emits    []*emit.Kind     // the first is written unasked
	Engines  []*engine.Kind   // the first runs unasked
	Targets  []*Target        // the first is compiled for unasked

	flags    flagTable
	commands []*command
}

// complete fills in what is nil.
func (p Program) complete() *Program {
	if p.Passes == nil {
		p.Passes = AllPasses()
	}
	if p.Routes != nil {
		p.Passes = lowering.Along(p.Routes, p.Passes)
	}
	if p.Inputs == nil {
		p.Inputs = Inputs
	}
	if p.Emits == nil {
		p.Emits = emit.All
	}
	if p.Targets == nil {
		p.Targets = Targets
	}
	if p.Engines == nil {
		p.Engines = engine.All
	}
	p.flags, p.commands = p.flagTable(), p.commandTable()
	return &p
}

// Main is irc with the given dialects and the passes of this repository. It
// returns the exit status.
func Main(dialects []*ir.Dialect, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return (&Program{Dialects: dialects}).Main(args, stdin, stdout, stderr)
}

// AllPasses lists the passes of this repository.
func AllPasses() pass.List {
	return slices.Concat(passes.All(), sequence.Passes(), lowering.Passes())
}

// session is one run of the command.
type session struct {
	prog               *Program
	ctx                context.Context
	cmd                *command
	lib                *cli.Context
	files              []string
	args               []string
	stdin              io.Reader
	stdout, stderr     io.Writer
	readName, readText string // the input, for the reproducer of a crash
	readKind           *Input
	mapped             [][]byte // large files that were read
	progressOn         bool
	beside, besideText string // a second file: the header of an object file
	unfinished         unfinished
	bugs               Model        // the model, if the input is one
	replay             *pass.Replay // what the reproducer says that is run
	oneCore            func()       // ends the use of one core only; nil without
	untrusted          bool         // the program is somebody else's
	asWritten          bool         // a pass of the command line works on a model as it is written
}

// Main runs a command line.
func (p *Program) Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := &lockedWriter{w: stdout}
	errs := &lockedWriter{w: stderr}
	ctx, end := context.WithCancelCause(context.Background())
	s := &session{prog: p.complete(), ctx: ctx, args: args, stdin: stdin, stdout: out, stderr: errs}
	s.progressOn = isTerminal(stderr)
	asked, stop := signals()
	defer stop()
	done := make(chan error, 1)
	go func() { done <- s.dispatch(args, end) }()
	err := s.wait(done, asked, end)
	if err == nil {
		err = out.lost()
	}
	s.unfinished.drop()
	out.close()
	errs.close()
	return s.report(err, stderr)
}

// dispatch runs the command in its own goroutine, so that one that does not
// look at the time can be given up.
func (s *session) dispatch(args []string, end context.CancelCauseFunc) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if e := ir.AuthorError(r); e != nil {
				err = e
				return
			}
			err = &panicError{r, []byte(ir.PanicStack(r))}
		}
	}()
	line, err := permute(args, s.prog)
	if err != nil {
		return err
	}
	if err := s.distrust(line); err != nil {
		return err
	}
	c := line.cmd
	return app(s, line, func(lib *cli.Context) error {
		s.cmd, s.lib, s.files = c, lib, lib.Args().Slice()
		if c.isDriver() && lib.Bool("show-dialects") {
			return s.showDialects()
		}
		if err := c.checkFiles(s.prog, s.files); err != nil {
			return err
		}
		stop := s.budgets(end)
		defer stop()
		defer s.allCores()
		if s.flag("disable-threading") {
			s.useOneCore()
		}
		return c.start(s)
	}).Run(line.argv())
}

// grace is how long a command that is to end gets to end by itself.
const grace = 300 * time.Millisecond

// wait waits for the command, for the end of its time or memory, or for a signal. Who
// sends one wants the run to end, and is told that it did.
func (s *session) wait(done <-chan error, asked <-chan os.Signal, end context.CancelCauseFunc) error {
	select {
	case err := <-done:
		return err
	case sig := <-asked:
		s.progressEnd()
		if sig == syscall.SIGQUIT && s.flag("v") {
			stacks := make([]byte, 1<<20)
			fmt.Fprintf(s.stderr, "%s\n", stacks[:runtime.Stack(stacks, true)])
		}
		end(&signalError{sig.(syscall.Signal)})
	case <-s.ctx.Done():
	}
	var signal *signalError
	select {
	case err := <-done:
		if !errors.As(context.Cause(s.ctx), &signal) {
			return err
		}
	case <-time.After(grace):
	}
	return context.Cause(s.ctx)
}

// panicError is a bug of ours that no pass is to blame for.
type panicError struct {
	what  any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("internal error: %v", e.what) }

// failed ends the run with status 1 when all has been said already.
var errSaid = errors.New("said already")

// report shows an error and returns the exit status.
func (s *session) report(err error, w io.Writer) int {
	var usage *usageError
	var crash *pass.CrashError
	var bug *panicError
	var inv *ir.InvariantError
	var sig *signalError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &sig):
		fmt.Fprintln(w, "irc: "+sig.Error())
		return exitSignal + int(sig.signal)
	case errors.Is(err, errSaid):
		return exitInput
	case errors.As(err, &usage):
		fmt.Fprintln(w, "irc: "+shortLines(usage.Error()))
		return exitUsage
	case errors.As(err, &crash):
		fmt.Fprintf(w, "irc: this is a bug of irc: %v\n", crash)
		if crash.Stack != "" && s.flag("v") {
			fmt.Fprintln(w, crash.Stack)
		}
		s.tellReproducer(w, askReport, s.crashText(crash))
		return exitBug
	case errors.As(err, &bug):
		fmt.Fprintf(w, "irc: this is a bug of irc: %v\n", bug.what)
		if s.flag("v") || s.readText == "" {
			fmt.Fprintf(w, "%s\n", bug.stack)
		}
		s.tellReproducer(w, askReport, s.inputText(bug))
		return exitBug
	case errors.As(err, &inv):
		fmt.Fprintf(w, "irc: this is a bug of irc: %v\n", inv)
		s.tellReproducer(w, askReport, s.inputText(&panicError{what: inv}))
		return exitBug
	}
	fmt.Fprintln(w, shortLines(message(err)))
	return exitInput
}

// shortLines cuts lines that are too long to be read.
func shortLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = diag.Short(lines[i])
	}
	return strings.Join(lines, "\n")
}

// message is an error as the user sees it: a diagnostic has its place in a
// source before it, everything else the name of the command.
func message(err error) string {
	var list diag.List
	var d *diag.Diagnostic
	switch {
	case errors.As(err, &list) && len(list) > 0:
		d = list[0]
	case !errors.As(err, &d):
		return "irc: error: " + err.Error()
	}
	if d.Span.Source == nil {
		return "irc: " + err.Error()
	}
	return err.Error()
}

// given reports a flag that is on the command line.
func (s *session) given(name string) bool { return s.lib != nil && s.lib.IsSet(name) }

// flag reads a boolean flag.
func (s *session) flag(name string) bool {
	if s.given(name) {
		return s.lib.Bool(name)
	}
	return s.byDefault(name) == "true"
}

// str reads a flag with a value.
func (s *session) str(name string) string {
	if s.given(name) {
		return s.lib.String(name)
	}
	return s.byDefault(name)
}

// byDefault is what a flag of the command says when it is not given.
func (s *session) byDefault(name string) string {
	if s.cmd == nil {
		return ""
	}
	if f := s.prog.flags.find(name); f != nil && strings.Contains(f.for_, s.cmd.letter) {
		return f.def
	}
	return ""
}

// strs reads a flag that may be given several times.
func (s *session) strs(name string) []string {
	if s.lib == nil {
		return nil
	}
	return s.lib.StringSlice(name)
}

// sayf tells what is done, with -v.
func (s *session) sayf(format string, args ...any) {
	if s.flag("v") {
		fmt.Fprintf(s.stderr, "irc: "+format+"\n", args...)
	}
}

// buffer collects output that is written only when all went well.
type buffer = bytes.Buffer
