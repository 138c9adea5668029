package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
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
	theirs, ours := math.Inf(1), math.Inf(1)
	var sum, got float64
	for range max(3, b.size(10)) {
		var seconds float64
		if seconds, sum, err = b.runRoutine(exe, cores); err != nil {
			return 0, err
		}
		theirs = min(theirs, seconds)
		if seconds, got, err = code.Run(); err != nil {
			return 0, err
		}
		ours = min(ours, seconds)
	}
	flops := r.flops(sizes)
	row := Row{Group: "matmul", What: r.kernel + " beside " + r.name + ", " + on, Unit: "GF/s", Ours: flops / ours / 1e9, Peer: flops / theirs / 1e9, Ratio: theirs / ours}
	if !polybench.Same(got, sum) {
		row.Note = fmt.Sprintf("results differ: %v, of OpenBLAS %v", got, sum)
	}
	b.table.add(row)
	return row.Ratio, nil
}

// runRoutine gives the least time of two calls, of which the first makes OpenBLAS's memory and threads, and the sum over the result.
func (b *bench) runRoutine(exe string, cores int) (seconds, sum float64, err error) {
	cmd := exec.CommandContext(b.ctx, exe, "2")
	if cmd.Env = os.Environ(); cores == 1 {
		cmd.Env = append(cmd.Env, "OPENBLAS_NUM_THREADS=1")
	}
	out, err := cmd.Output()
	if err != nil {
		return 0, 0, err
	}
	words := strings.Fields(string(out))
	if len(words) != 2 {
		return 0, 0, fmt.Errorf("it says %q", out)
	}
	if seconds, err = strconv.ParseFloat(words[0], 64); err == nil {
		sum, err = strconv.ParseFloat(words[1], 64)
	}
	return seconds, sum, err
}
