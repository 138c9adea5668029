package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/irc-lang/irc/ir/reduce"
)

// reduceFile shrinks an input while -check fails on it: IR op by op, so that it
// stays valid; whatever does not read, and models, line by line and word by word.
func reduceFile(s *session) error {
	if s.str("check") == "" {
		return usagef("write irc reduce -check='CMD {}' FILE; CMD must fail (exit status not 0) on what is worth keeping", "no -check is given")
	}
	src, kind, err := s.input()
	if err != nil {
		return err
	}
	r := &reducer{s: s, ext: filepath.Ext(src.Name)}
	if r.ext == "" {
		r.ext = map[string]string{kindIR: ".mlir", kindBUGS: ".bug"}[kind]
	}
	best, err := reduce.Reduce(s.newContext(), src.Text, r.fails, reduce.Options{Context: s.ctx, TextOnly: kind != kindIR})
	s.progressEnd()
	switch {
	case r.absent != "":
		return fmt.Errorf("the check cannot be run: %s", r.absent)
	case errors.Is(err, reduce.ErrCheck) && s.ctx.Err() != nil:
		return context.Cause(s.ctx)
	case errors.Is(err, reduce.ErrCheck):
		return fmt.Errorf("the check does not fail on '%s' as it is: there is nothing to reduce", src.Name)
	}
	if err != nil {
		return err
	}
	s.sayf("%d checks, %d bytes to %d", r.checks, len(src.Text), len(best))
	return s.write([]byte(best))
}

type reducer struct {
	s      *session
	ext    string
	checks int
	absent string // what the shell says if it does not find the command, or cannot run it
}

// fails reports that the check fails on a text. After the time is up nothing does.
func (r *reducer) fails(text string) bool {
	if r.s.ctx.Err() != nil {
		return false
	}
	r.checks++
	r.s.progress("reduce: check %d, %d bytes", r.checks, len(text))
	f, err := os.CreateTemp("", "irc-reduce-*"+r.ext)
	if err != nil {
		return false
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(text)
	if cerr := f.Close(); err != nil || cerr != nil {
		return false
	}
	command := r.s.str("check")
	if strings.Contains(command, "{}") {
		command = strings.ReplaceAll(command, "{}", "'"+f.Name()+"'")
	} else {
		command += " '" + f.Name() + "'"
	}
	cmd := exec.CommandContext(r.s.ctx, "sh", "-c", command)
	cmd.Stdout, cmd.Stderr = nil, nil
	err = cmd.Run()
	if code := cmd.ProcessState.ExitCode(); r.checks == 1 && (code == 126 || code == 127) {
		r.absent = fmt.Sprintf("exit status %d of `%s`", code, command)
		return false
	}
	return err != nil && r.s.ctx.Err() == nil
}
