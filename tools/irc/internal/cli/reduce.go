package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/irc-lang/irc/ir/reduce"
	"github.com/irc-lang/irc/passes/pass/symbols"
	"github.com/irc-lang/irc/tools/irc/internal/cli/internal/files"
	"github.com/irc-lang/irc/tools/irc/internal/cli/internal/process"
)

// reduceFile shrinks an input while -check fails on it: IR op by op, so that it
// stays valid; whatever does not read, and models, op by op, line by line and word by word.
func reduceFile(s *Session) error {
	if s.Str("check") == "" {
		return Usagef("write irc reduce -check='CMD {}' FILE; CMD must fail (exit status not 0) on what is worth keeping", "no -check is given")
	}
	src, kind, err := s.Input()
	if err != nil {
		return err
	}
	r := &reducer{s: s, name: filepath.Base(src.Name)}
	if src.Name == "<stdin>" {
		r.name = "stdin" + kind.Extensions[0]
	}
	if r.dir, err = s.unfinished.TempDir("irc-reducing-"); err != nil {
		return err
	}
	workers := processors()
	if n, _ := strconv.Atoi(s.Str("threads")); n > 0 {
		workers = min(n, checksPerCore*workers)
	}
	best, err := reduce.Reduce(s.NewContext(), src.Text, r.fails, reduce.Options{Context: s.Context, TextOnly: !kind.Text,
		Workers: workers, Valid: symbols.Check, Progress: func(p reduce.Progress) { r.left.Store(&p) }})
	s.progress.End()
	r.dir.Drop() // a reader of standard output may end irc while it writes
	var sig *process.SignalError
	switch {
	case errors.As(context.Cause(s.Context), &sig):
		return sig
	case r.absent != "":
		return fmt.Errorf("the check cannot be run: %s", r.absent)
	case errors.Is(err, reduce.ErrCheck) && s.Context.Err() != nil:
		return context.Cause(s.Context)
	case errors.Is(err, reduce.ErrCheck):
		return fmt.Errorf("the check does not fail on '%s' as it is: there is nothing to reduce", src.Name)
	}
	if err != nil {
		return err
	}
	s.Sayf("%d checks, %d bytes to %d", r.checks.Load(), len(src.Text), len(best))
	return s.Write([]byte(best))
}

// checksPerCore bounds how many checks run at once: they may wait for what is not this machine's processor.
const checksPerCore = 4

// reducer runs checks, several at once.
type reducer struct {
	s      *Session
	name   string        // of the file that a check gets
	dir    files.TempDir // where each check has a folder of its own
	checks atomic.Int64
	left   atomic.Pointer[reduce.Progress]
	limit  atomic.Int64 // how long a check may take, once the first has shown
	absent string       // what the shell says if it does not find the command, or cannot run it
}

// A check that takes far longer than that of the input is about something else: a
// loop that no longer ends.
const (
	patience = 10
	leisure  = 5 * time.Second
)

// fails reports that the check fails on a text. After the time is up nothing does.
func (r *reducer) fails(ctx context.Context, text string) bool {
	n := r.checks.Add(1)
	r.tell(n, len(text))
	dir := filepath.Join(string(r.dir), strconv.FormatInt(n, 10))
	file := filepath.Join(dir, r.name)
	if os.Mkdir(dir, 0o777) != nil {
		return false
	}
	defer os.RemoveAll(dir)
	if os.WriteFile(file, []byte(text), 0o666) != nil {
		return false
	}
	if limit := r.limit.Load(); limit > 0 {
		var end context.CancelFunc
		ctx, end = context.WithTimeout(ctx, time.Duration(limit))
		defer end()
	}
	cmd := r.command(ctx, dir, file)
	start := time.Now()
	runtime.LockOSThread() // the check ends with the thread that starts it
	err := cmd.Run()
	runtime.UnlockOSThread()
	if cmd.Process != nil {
		process.EndRest(cmd.Process.Pid)
	}
	if n == 1 {
		r.limit.Store(int64(max(patience*time.Since(start), leisure)))
		if code := cmd.ProcessState.ExitCode(); code == 126 || code == 127 {
			r.absent = fmt.Sprintf("exit status %d of `%s`", code, r.s.Str("check"))
			return false
		}
	}
	return err != nil && ctx.Err() == nil
}

// keeper runs a check so that what it starts ends with it when irc is killed, which
// the shell is told by SIGTERM.
const keeper = `trap 'kill -KILL 0' TERM; eval "$1" & wait $!`

// command is the check of a file. What it starts ends with it, and it may write
// what it likes where it is told to put temporary files.
func (r *reducer) command(ctx context.Context, dir, file string) *exec.Cmd {
	quoted := "'" + strings.ReplaceAll(file, "'", `'\''`) + "'"
	line := r.s.Str("check")
	if strings.Contains(line, "{}") {
		line = strings.ReplaceAll(line, "{}", quoted)
	} else {
		line += " " + quoted
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", keeper, "sh", line)
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	cmd.SysProcAttr = process.OwnSession()
	cmd.Cancel = func() error { return process.EndSession(cmd.Process.Pid) }
	return cmd
}

// tell shows how far it is.
func (r *reducer) tell(check int64, bytes int) {
	if p := r.left.Load(); p != nil && p.Ops > 0 {
		r.s.progress.Show("reduce: check %d, %d ops, %d bytes are left", check, p.Ops, p.Bytes)
		return
	}
	r.s.progress.Show("reduce: check %d, %d bytes", check, bytes)
}
