package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// A cost is what a process took.
type cost struct {
	wall, cpu time.Duration
	rss       int64 // peak resident memory in bytes, as the kernel counted it
}

// limit is how long a process may take before its row is given up.
const limit = 5 * time.Minute

// measure runs a command and charges it from start to exit.
func (b *bench) measure(env []string, path string, args ...string) (cost, error) {
	ctx, stop := context.WithTimeout(b.ctx, limit)
	defer stop()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = append(os.Environ(), env...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	start := time.Now()
	err := cmd.Run()
	c := cost{wall: time.Since(start)}
	if ctx.Err() != nil && b.ctx.Err() == nil {
		return c, fmt.Errorf("%s took more than %v", path, limit)
	}
	if err != nil {
		return c, errors.New(firstLine(strings.TrimSpace(errs.String()) + " (" + err.Error() + ")"))
	}
	c.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.rss = u.Maxrss
		if runtime.GOOS == "linux" {
			c.rss *= 1024
		}
	}
	return c, nil
}

// best runs two commands turn by turn, so that a noisy machine troubles both,
// and keeps the fastest run of each. Without a peer its cost is zero.
func best(n int, ours, peer func() (cost, error)) (o, p cost, err error) {
	for i := range n {
		c, err := ours()
		if err != nil {
			return o, p, err
		}
		if i == 0 || c.wall < o.wall {
			o = c
		}
		if peer == nil {
			continue
		}
		if c, err = peer(); err != nil {
			return o, p, fmt.Errorf("the peer fails: %w", err)
		}
		if i == 0 || c.wall < p.wall {
			p = c
		}
	}
	return o, p, nil
}

const pipeline = "builtin.module(func.func(cse,canonicalize,loop-invariant-code-motion))"

// both runs irc and mlir-opt on a file. With threads they use all cores.
func (b *bench) both(n int, file string, threads bool) (ours, peer cost, left [2]int, err error) {
	out := [2]string{b.dir + "/ours.mlir", b.dir + "/peer.mlir"}
	env := []string{"GOMAXPROCS=1"}
	args := []string{"--mlir-print-op-generic", "--allow-unregistered-dialect", "-pass-pipeline=" + pipeline, file, "-o", out[1]}
	if threads {
		env = nil
	} else {
		args = append(args, "--mlir-disable-threading")
	}
	run := func() (cost, error) {
		return b.measure(env, b.irc, "-emit=generic", "-allow-unregistered-dialect", file, "-o", out[0])
	}
	var other func() (cost, error)
	if b.opt != "" {
		other = func() (cost, error) { return b.measure(nil, b.opt, args...) }
	}
	if ours, peer, err = best(n, run, other); err != nil {
		return ours, peer, left, err
	}
	for i, path := range out {
		if i == 1 && b.opt == "" {
			break
		}
		if left[i], err = countOps(path); err != nil {
			return ours, peer, left, err
		}
	}
	return ours, peer, left, nil
}
