package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tests/bench/report"
)

// peer compiles a program of tests/bench/peers with clang and these options, and gives where it is.
func (b *bench) peer(source string, options ...string) (exe string, err error) {
	if b.clang == "" {
		return "", errors.New("needs clang-19")
	}
	root, err := repository()
	if err != nil {
		return "", err
	}
	exe = filepath.Join(b.dir, strings.TrimSuffix(source, filepath.Ext(source)))
	args := append([]string{filepath.Join(root, "tests/bench/peers", source), "-o", exe}, options...)
	if text, err := exec.CommandContext(b.ctx, b.clang, args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, text)
	}
	return exe, nil
}

// oneCore starts native code for one core.
func (b *bench) oneCore() (engine.Engine, error) {
	e, _, err := engine.LLVM.Start(b.ctx, engine.Options{Target: hostWith(1)})
	return e, err
}

// said runs a peer in an environment with some more variables, and reads what it prints: its seconds, the sum over its result, and what it
// calls itself.
func (b *bench) said(env []string, program string, args ...string) (seconds, sum float64, name string, err error) {
	cmd := exec.CommandContext(b.ctx, program, args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		return 0, 0, "", err
	}
	words := strings.SplitN(strings.TrimSpace(string(out)), " ", 3)
	if len(words) == 3 {
		name = words[2]
	}
	if _, err := fmt.Sscan(string(out), &seconds, &sum); err != nil {
		return 0, 0, "", fmt.Errorf("it says %q", out)
	}
	return seconds, sum, name, nil
}

// A pair is the least seconds of a peer and of ours, and the sums over their results.
type pair struct{ theirs, ours, sum, got float64 }

// inTurn runs a peer and ours several times, in turn.
func inTurn(turns int, theirs, ours func() (seconds, sum float64, err error)) (p pair, err error) {
	p.theirs, p.ours = math.Inf(1), math.Inf(1)
	for range turns {
		var t, o float64
		if t, p.sum, err = theirs(); err != nil {
			return p, err
		}
		if o, p.got, err = ours(); err != nil {
			return p, err
		}
		p.theirs, p.ours = min(p.theirs, t), min(p.ours, o)
	}
	return p, nil
}

// exactly compares sums that no rounding changes.
func exactly(x, y float64) bool { return x == y }

// row is what both reach of so many operations; the name is that of the peer.
func (p pair) row(group, what string, flops float64, name string, same func(x, y float64) bool) report.Row {
	flops /= 1e9
	return p.noted(report.Row{Group: group, What: what, Unit: "GF/s", Ours: flops / p.ours, Peer: flops / p.theirs, Ratio: p.theirs / p.ours}, name, same)
}

// noted says on a row if the results differ.
func (p pair) noted(r report.Row, name string, same func(x, y float64) bool) report.Row {
	if !same(p.got, p.sum) {
		r.Note = fmt.Sprintf("results differ: %v, of %s %v", p.got, name, p.sum)
	}
	return r
}
