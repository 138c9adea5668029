package sdr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// A Peer is a benchmark in C, compiled.
type Peer struct {
	program string
	Env     []string // what it is run with, besides the environment
}

// Data is what a benchmark in C is given and what it computes, by name.
type Data map[string][]float64

// Compile compiles the peer of a benchmark, whose source is in root/tests/sdr/testdata, in a
// folder.
func (b Benchmark) Compile(ctx context.Context, root, dir, cc string, flags ...string) (*Peer, error) {
	program := filepath.Join(dir, b.Peer)
	source := filepath.Join(root, "tests/sdr/testdata/dump.c")
	args := append(flags, "-w", "-D_GNU_SOURCE", `-DPEER="`+b.Peer+`.c"`, "-DPEER_"+b.Peer, "-o", program, source, "-lm")
	if out, err := exec.CommandContext(ctx, cc, args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", cc, err, out)
	}
	return &Peer{program: program}, nil
}

// Data runs a form of the peer, such as "naive", with some sizes.
func (p *Peer) Data(ctx context.Context, form string, sizes []int) (Data, error) {
	out, err := p.run(ctx, form, sizes)
	if err != nil {
		return nil, err
	}
	d := Data{}
	for line := range bytes.Lines(out) {
		words := strings.Fields(string(line))
		elems := make([]float64, len(words)-2)
		for i, w := range words[2:] {
			if elems[i], err = strconv.ParseFloat(w, 64); err != nil {
				return nil, err
			}
		}
		d[words[0]] = elems
	}
	return d, nil
}

// Seconds runs a form of the peer with some sizes and gives the processor time of what it computes.
func (p *Peer) Seconds(ctx context.Context, form string, sizes []int) (float64, error) {
	out, err := p.run(ctx, "time:"+form, sizes)
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
}

func (p *Peer) run(ctx context.Context, mode string, sizes []int) ([]byte, error) {
	args := []string{mode}
	for _, n := range sizes {
		args = append(args, strconv.Itoa(n))
	}
	cmd := exec.CommandContext(ctx, p.program, args...)
	cmd.Env = append(os.Environ(), p.Env...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	return out, err
}
