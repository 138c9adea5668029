package main

import (
	"bytes"
	"context"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// optimizer runs mlir-opt on many programs.
type optimizer struct {
	path string
	jobs int
}

// perRun is how many programs one process is given.
const perRun = 100

// outMark stands between what mlir-opt prints of each program.
const outMark = "// ===== next ====="

// generic gives what mlir-opt prints of each program in generic form; "" stands
// for one that it refuses, or that makes it crash.
func (o optimizer) generic(texts []string, flags ...string) []string {
	out := make([]string, len(texts))
	limit := make(chan struct{}, o.jobs)
	var wait sync.WaitGroup
	for i := 0; i < len(texts); i += perRun {
		end := min(i+perRun, len(texts))
		limit <- struct{}{}
		wait.Go(func() {
			o.batch(texts[i:end], out[i:end], flags)
			<-limit
		})
	}
	wait.Wait()
	return out
}

// batch gives programs to one process. If it dies of one of them, each half is
// tried alone.
func (o optimizer) batch(texts, out, flags []string) {
	got, ok := o.run(texts, flags)
	if ok {
		copy(out, got)
		return
	}
	if n := len(texts) / 2; n > 0 {
		o.batch(texts[:n], out[:n], flags)
		o.batch(texts[n:], out[n:], flags)
	}
}

func (o optimizer) run(texts, flags []string) ([]string, bool) {
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	args := append([]string{"-allow-unregistered-dialect", "-mlir-print-op-generic", "-split-input-file",
		"-output-split-marker=" + outMark, "-mlir-disable-threading"}, flags...)
	cmd := exec.CommandContext(ctx, o.path, args...)
	cmd.Stdin = strings.NewReader(strings.Join(texts, "\n"+mark+"\n"))
	var buf bytes.Buffer
	cmd.Stdout = &buf
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		return nil, false
	}
	got := strings.Split(buf.String(), outMark)
	for i := range got {
		got[i] = strings.TrimSpace(got[i])
	}
	return got, len(got) == len(texts)
}

// why gives the first lines of what mlir-opt says of a program it refuses.
func (o optimizer) why(text string) string {
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	cmd := exec.CommandContext(ctx, o.path, "-allow-unregistered-dialect", "-o", "/dev/null")
	cmd.Stdin = strings.NewReader(text)
	out, _ := cmd.CombinedOutput()
	lines := strings.SplitN(strings.TrimSpace(string(out)), "\n", 3)
	return strings.Join(lines[:min(2, len(lines))], "\n      ")
}
