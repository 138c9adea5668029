package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/internal/cli/internal/console"
	"github.com/irc-lang/irc/tools/irc/internal/cli/internal/process"
	"github.com/irc-lang/irc/tools/irc/internal/emit"
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

// A Program is an irc, as lists of rows: it knows none by name, and what no list has is no part of it. A nil list
// stands for the least: text IR, the interpreter.
type Program struct {
	Dialects []*ir.Dialect // low to high
	Passes   pass.List
	Inputs   []*Input         // the first is that of what says nothing else
	Emits    []*emit.Kind     // the first is written unasked
	Engines  []*contract.Kind // the first runs unasked
	Targets  []*Target        // the first is compiled for unasked
	Commands []*Command       // beside those that every irc has
	Checks   []*contract.Check

	Lowering *Lowering // nil: programs are taken down to no target
	Tables   *Tables   // nil: no argument is a table
	Tuner    Tuner     // nil: no sizes are searched for
	Clock    *Clock    // nil: no loops are timed

	flags    flagTable
	commands []*Command
}

// A Lowering is how programs are taken down to a target.
type Lowering struct {
	// Down is what is left of the way to a target after a pipeline, of passes of a list.
	Down func(after *pass.Pipeline, t *target.Target, level int, list pass.List) (*pass.Pipeline, error)
	// Supports reports an op that compiles, of which a dialect has the rules; Page shows the lowering pipelines.
	Supports func(*ir.Dialect, *ir.OpDef) bool
	Page     func() string
	// Processor makes a target one for a processor, of which it has been given the name.
	Processor func(s *Session, t *target.Target, name string) error
	// Derive adds the gradient of a function to a program, in loops; nil: there is no -gradient of programs.
	Derive func(s *Session, g *ir.Graph, src *diag.Source, entry string) (*Derived, error)
	// Matrix adds what sparse Jacobians and Hessians are had from; nil: there are none.
	Matrix func(s *Session, g *ir.Graph, src *diag.Source, r MatrixRequest) (*Matrix, error)
}

// A Tuner is a pipeline with the sizes that -tune finds, or that the file of -tune-file has.
type Tuner func(s *Session, r *Run) (*pass.Pipeline, error)

// A Run is a program of the command line, before it is read, and what is to run it.
type Run struct {
	Source *diag.Source
	Kind   *Input
	Passes *pass.Pipeline
	Engine *contract.Kind
	Target *target.Target
}

// A Clock takes the time of loops in native code.
type Clock struct {
	Can func() bool // there is one that programs read
	// Tell says where the time went of a call that took so long, of a program lowered to a graph.
	Tell func(s *Session, r *Run, p contract.Program, lowered *ir.Graph, wall time.Duration) error
}

// complete fills in what is nil.
func (p Program) complete() *Program {
	if p.Inputs == nil {
		p.Inputs = []*Input{TextIR}
	}
	if p.Emits == nil {
		p.Emits = emit.Text
	}
	if p.Targets == nil {
		p.Targets = Targets
	}
	if p.Engines == nil {
		p.Engines = []*contract.Kind{contract.Eval}
	}
	p.flags, p.commands = p.flagTable(), p.commandTable()
	return &p
}

// A Session is one run of the command. Its command line, what it reads and what it writes are parts, whose methods are the
// session's for commands. Its own is what has become of the program so far.
type Session struct {
	commandLine
	reader
	writer
	Context context.Context
	Stderr  io.Writer

	crash     reproducer
	progress  *console.Progress
	bugs      Model // the model, if the input is one
	extended  bool  // its program has the functions that samplers ask for
	cores     cores
	asWritten bool         // a pass of the command line works on a model as it is written
	bisect    *pass.Bisect // of -opt-bisect-limit
}

// newSession is a run of which the command line is not read yet.
func newSession(ctx context.Context, p *Program, args []string, stdin io.Reader, stdout, stderr io.Writer) *Session {
	s := &Session{Context: ctx, Stderr: stderr}
	line := &s.commandLine
	line.Program = p
	s.reader = reader{line: line, Stdin: stdin}
	s.writer = writer{line: line, Stdout: stdout}
	s.crash = reproducer{line: line, from: &s.reader, to: &s.writer, cores: &s.cores, args: args}
	return s
}

// Main runs a command line.
func (p *Program) Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := console.NewWriter(stdout)
	errs := console.NewWriter(stderr)
	ctx, end := context.WithCancelCause(context.Background())
	s := newSession(ctx, p.complete(), args, stdin, out, errs)
	s.progress = console.NewProgress(errs, stderr)
	asked, stop := process.Asked()
	defer stop()
	done := make(chan error, 1)
	go func() { done <- s.dispatch(args, end) }()
	err := s.wait(done, asked, end)
	if err == nil {
		err = out.Lost()
	}
	s.unfinished.Drop()
	out.Close()
	errs.Close()
	return s.report(err, stderr)
}

// dispatch runs the command in its own goroutine, so that one that does not
// look at the time can be given up.
func (s *Session) dispatch(args []string, end context.CancelCauseFunc) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if e := ir.AuthorError(r); e != nil {
				s.Sayf("%s", ir.PanicStack(r))
				err = s.crash.mistake(e)
				return
			}
			err = &panicError{r, []byte(ir.PanicStack(r))}
		}
	}()
	line, err := permute(args, s.Program)
	if err != nil {
		return err
	}
	if err := s.distrust(line); err != nil {
		return err
	}
	c := line.cmd
	return app(s, line, func(lib *cli.Context) error {
		s.cmd, s.lib, s.Files = c, lib, lib.Args().Slice()
		if c.isDriver() && lib.Bool("show-dialects") {
			return s.showDialects()
		}
		if err := c.checkFiles(s.Program, s.Files); err != nil {
			return err
		}
		if err := s.start(); err != nil {
			return err
		}
		stop := s.budgets(end)
		defer stop()
		defer s.cores.all()
		if s.Flag("disable-threading") {
			s.cores.useOne()
		}
		return c.start(s)
	}).Run(line.argv())
}

// grace is how long a command that is to end gets to end by itself.
const grace = 300 * time.Millisecond

// wait waits for the command, for the end of its time or memory, or for a signal. Who
// sends one wants the run to end, and is told that it did.
func (s *Session) wait(done <-chan error, asked <-chan os.Signal, end context.CancelCauseFunc) error {
	select {
	case err := <-done:
		return err
	case sig := <-asked:
		s.progress.End()
		if sig == syscall.SIGQUIT && s.Flag("v") {
			stacks := make([]byte, 1<<20)
			fmt.Fprintf(s.Stderr, "%s\n", stacks[:runtime.Stack(stacks, true)])
		}
		end(&process.SignalError{Signal: sig.(syscall.Signal)})
	case <-s.Context.Done():
	}
	var signal *process.SignalError
	select {
	case err := <-done:
		if !errors.As(context.Cause(s.Context), &signal) {
			return err
		}
	case <-time.After(grace):
	}
	return context.Cause(s.Context)
}

// panicError is a bug of ours that no pass is to blame for.
type panicError struct {
	what  any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("internal error: %v", e.what) }

// failed ends the run with status 1 when all has been said already.
var ErrSaid = errors.New("said already")

// report shows an error and returns the exit status.
func (s *Session) report(err error, w io.Writer) int {
	var usage *usageError
	var crash *pass.CrashError
	var bug *panicError
	var inv *ir.InvariantError
	var sig *process.SignalError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &sig):
		fmt.Fprintln(w, "irc: "+sig.Error())
		return exitSignal + int(sig.Signal)
	case errors.Is(err, ErrSaid):
		return exitInput
	case errors.As(err, &usage):
		fmt.Fprintln(w, "irc: "+shortLines(usage.Error()))
		return exitUsage
	case errors.As(err, &crash):
		whose, ask := "this is a bug of irc", askReport
		if crash.Author != "" {
			whose, ask = "error", askAgain
		}
		fmt.Fprintf(w, "irc: %s: %v\n", whose, crash)
		if crash.Stack != "" && s.Flag("v") {
			fmt.Fprintln(w, crash.Stack)
		}
		s.crash.tellReproducer(w, ask, s.crash.crashText(crash))
		return exitBug
	case errors.As(err, &bug):
		fmt.Fprintf(w, "irc: this is a bug of irc: %v\n", bug.what)
		if s.Flag("v") || s.read.text == "" {
			fmt.Fprintf(w, "%s\n", bug.stack)
		}
		s.crash.tellReproducer(w, askReport, s.crash.inputText(bug))
		return exitBug
	case errors.As(err, &inv):
		fmt.Fprintf(w, "irc: this is a bug of irc: %v\n", inv)
		s.crash.tellReproducer(w, askReport, s.crash.inputText(&panicError{what: inv}))
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

// Sayf tells what is done, with -v.
func (s *Session) Sayf(format string, args ...any) {
	if s.Flag("v") {
		fmt.Fprintf(s.Stderr, "irc: "+format+"\n", args...)
	}
}

// buffer collects output that is written only when all went well.
type buffer = bytes.Buffer
