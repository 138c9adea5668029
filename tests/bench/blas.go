package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tests/polybench"
)

// A routine is a kernel of PolyBench that OpenBLAS has a routine for, or two, which peers/blas.c calls.
type routine struct {
	kernel, name string
	flops        func(sizes []int) float64 // products and sums
}

// routines are in the order of peers/blas.c.
var routines = []routine{
	{"2mm", "dgemm twice", func(s []int) float64 { return 2 * float64(s[0]) * float64(s[1]) * float64(s[2]+s[3]) }},
	{"syr2k", "dsyr2k", func(s []int) float64 { return 2 * float64(s[0]) * float64(s[0]+1) * float64(s[1]) }},
	{"trmm", "dtrmm", func(s []int) float64 { return float64(s[0]) * float64(s[0]-1) * float64(s[1]) }},
}

// routines measures such kernels beside OpenBLAS, in turn, on some cores, and gives the ratios of what is reached.
func (b *bench) routines(list []routine, e engine.Engine, root, on string, cores int) (ratios []float64, err error) {
	for i, r := range list {
		if !strings.Contains(r.kernel, b.kernel) {
			continue
		}
		ratio, err := b.routine(e, root, on, cores, i+1, r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.kernel, err)
		}
		ratios = append(ratios, ratio)
	}
	return ratios, nil
}

// routine measures the one of a number.
func (b *bench) routine(e engine.Engine, root, on string, cores, number int, r routine) (float64, error) {
	k := polybench.Called(r.kernel)
	source, err := os.ReadFile(filepath.Join(root, k.Peer()))
	if err != nil {
		return 0, err
	}
	sizes, err := k.Sizes(string(source))
	if err != nil {
		return 0, err
	}
	exe := filepath.Join(b.dir, "blas-"+k.Name)
	args := []string{"-O2", "-w", fmt.Sprintf("-DROUTINE=%d", number), fmt.Sprintf("-DKERNEL=%q", filepath.Join(root, k.Peer())),
		filepath.Join(root, "tests/bench/peers/blas.c"), "-o", exe, "-ldl"}
	if text, err := exec.CommandContext(b.ctx, b.clang, args...).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%w: %s", err, text)
	}
	p, _, err := b.compilePoly(e, filepath.Join(root, k.File()), inTiles)
	if err != nil {
		return 0, err
	}
	code, err := k.Bind(b.ctx, p, sizes)
	if err != nil {
		return 0, err
	}
	defer code.Close(context.Background())
	both, err := inTurn(max(3, b.size(10)), func() (seconds, sum float64, err error) {
		seconds, sum, _, err = b.said(onCores(cores), exe, "2") // the least of two calls, of which the first makes OpenBLAS's memory and threads
		return seconds, sum, err
	}, code.Run)
	if err != nil {
		return 0, err
	}
	row := both.row("matmul", r.kernel+" beside "+r.name+", "+on, r.flops(sizes), "OpenBLAS", polybench.Same)
	b.table.Add(row)
	return row.Ratio, nil
}
