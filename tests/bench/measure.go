package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A cost is what a process took.
type cost struct {
	wall, cpu time.Duration
	rss       int64 // peak resident memory in bytes, as the kernel counted it
}

// limit is how long a process may take before its row is given up.
const limit = 5 * time.Minute

// measureEnv marks a process that runs one command for this one and says what it
// took. Linux counts into a process's peak memory what its parent held when it
// was started, so the parent must be one that holds nothing.
const measureEnv = "IRC_BENCH_MEASURE"

// order is what such a process is to run.
type order struct {
	Env, Args []string
	Path      string
}

// answer is what it found.
type answer struct {
	Wall, CPU time.Duration
	RSS       int64
	Err       string
}

// measureChild carries out the order on standard input.
func measureChild() {
	var o order
	if err := json.NewDecoder(os.Stdin).Decode(&o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Unsetenv(measureEnv)
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	cmd := exec.CommandContext(ctx, o.Path, o.Args...)
	cmd.Env = append(os.Environ(), o.Env...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	var a answer
	start := time.Now()
	err := cmd.Run()
	a.Wall = time.Since(start)
	switch {
	case ctx.Err() != nil:
		a.Err = fmt.Sprintf("%s took more than %v", o.Path, limit)
	case err != nil:
		a.Err = firstLine(strings.TrimSpace(errs.String()) + " (" + err.Error() + ")")
	default:
		a.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		a.RSS = mostMemory(cmd.ProcessState)
	}
	json.NewEncoder(os.Stdout).Encode(a)
}

// measure runs a command and charges it from start to exit.
func (b *bench) measure(env []string, path string, args ...string) (cost, error) {
	exe, err := os.Executable()
	if err != nil {
		return cost{}, err
	}
	in, err := json.Marshal(order{env, args, path})
	if err != nil {
		return cost{}, err
	}
	cmd := exec.CommandContext(b.ctx, exe)
	cmd.Env = append(os.Environ(), measureEnv+"=1")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return cost{}, fmt.Errorf("measuring process: %w", err)
	}
	var a answer
	if err := json.Unmarshal(out, &a); err != nil {
		return cost{}, err
	}
	if a.Err != "" {
		return cost{}, errors.New(a.Err)
	}
	return cost{a.Wall, a.CPU, a.RSS}, nil
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
