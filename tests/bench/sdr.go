package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/tests/sdr"
)

// sdrTurns is how often equations and C run in turn.
const sdrTurns = 3

// sdr measures the programs of equations in examples/eq beside the same in C, both unsimplified.
func (b *bench) sdr() error {
	root, err := repository()
	if err != nil {
		return err
	}
	var ratios []float64
	slowest := 0.0
	for _, x := range sdr.Benchmarks {
		if x.Timed == nil {
			continue
		}
		ours, peer, compile, err := b.equations(root, x)
		slowest = max(slowest, compile)
		r := Row{Group: "sdr", What: x.Eq + " " + strings.Trim(fmt.Sprint(x.Timed), "[]"), Unit: "s", Ours: ours, Peer: peer}
		if err != nil {
			r.Note = firstLine(err.Error())
		} else {
			r.Ratio = ours / peer
			ratios = append(ratios, r.Ratio)
		}
		b.table.add(r)
		b.table.absolute("sdr", "  equations to machine code", "s", compile, compile < 1, "< 1 s")
	}
	if len(ratios) == 0 {
		return nil
	}
	logs := 0.0
	for _, r := range ratios {
		logs += math.Log(r)
	}
	mean := math.Exp(logs / float64(len(ratios)))
	b.table.absolute("sdr", fmt.Sprintf("%d programs, ours by C, geometric mean", len(ratios)), "", mean, mean <= 1, "<= 1")
	return nil
}

// equations gives the processor time of a benchmark as native code and in C, the least of all
// turns, and that from its text to machine code.
func (b *bench) equations(root string, x sdr.Benchmark) (ours, peer, compile float64, err error) {
	c, err := x.Compile(b.ctx, root, b.dir, "clang-19", "-O3", "-march=native")
	if err != nil {
		return 0, 0, 0, err
	}
	c.Env = []string{jit.Malloc}
	data, err := c.Data(b.ctx, x.Timed)
	if err != nil {
		return 0, 0, 0, err
	}
	e, _, err := engine.LLVM.Start(b.ctx, engine.Options{})
	if err != nil {
		return 0, 0, 0, err
	}
	defer e.Close()
	ctx := ir.NewContext(dialects.All...)
	start, err := allTime()
	if err != nil {
		return 0, 0, 0, err
	}
	g, in, err := x.Read(ctx, root)
	if err == nil {
		g, err = lowering.Compile(b.ctx, g, e.Target())
	}
	var p []run.Program
	if err == nil {
		p, err = e.Prepare(b.ctx, g)
	}
	if err != nil {
		return 0, 0, 0, err
	}
	end, err := allTime()
	if err != nil {
		return 0, 0, 0, err
	}
	compile = (end - start).Seconds()
	args, err := sdr.Arguments(ctx, in, x.Sizes(x.Timed), data)
	if err != nil {
		return 0, 0, compile, err
	}
	bound, err := run.Bind(b.ctx, p[0], args...)
	if err != nil {
		return 0, 0, compile, err
	}
	ours, peer = math.Inf(1), math.Inf(1)
	for range sdrTurns {
		s, err := b.childSeconds(func() error {
			out, err := bound.Batch(b.ctx, []run.BoundCall{{Name: in.Name}})
			if err == nil {
				err = out[0].Err
			}
			return err
		})
		if err != nil {
			return 0, 0, compile, err
		}
		ours = min(ours, s)
		if s, err = c.Seconds(b.ctx, x.Timed); err != nil {
			return 0, 0, compile, err
		}
		peer = min(peer, s)
	}
	if err := bound.Close(b.ctx); err != nil {
		return 0, 0, compile, err
	}
	return ours, peer, compile, x.Compare(ctx, in, args, data)
}

// childSeconds is the processor time that the children of this process take while f runs, one of
// which runs native code.
func (b *bench) childSeconds(f func() error) (float64, error) {
	before, err := childrenTime()
	if err == nil {
		err = f()
	}
	after, err2 := childrenTime()
	if err == nil {
		err = err2
	}
	return (after - before).Seconds(), err
}

// allTime is the processor time of this process and of its children that live.
func allTime() (time.Duration, error) {
	var own syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err != nil {
		return 0, err
	}
	sum, err := childrenTime()
	return sum + time.Duration(own.Utime.Nano()+own.Stime.Nano()), err
}

// childrenTime is the processor time of the children that live, as Linux tells it of each thread.
func childrenTime() (sum time.Duration, err error) {
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		return 0, err
	}
	for _, list := range lists {
		text, _ := os.ReadFile(list) // a thread may have ended
		for _, pid := range strings.Fields(string(text)) {
			threads, err := filepath.Glob("/proc/" + pid + "/task/*/schedstat")
			if err != nil {
				return 0, err
			}
			for _, t := range threads {
				text, _ := os.ReadFile(t)
				first, _, _ := strings.Cut(string(text), " ")
				n, _ := strconv.ParseInt(first, 10, 64)
				sum += time.Duration(n)
			}
		}
	}
	return sum, nil
}
