package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tests/bench/report"
	"github.com/irc-lang/irc/tests/polybench"
)

// overlappedSizes are sweeps, and rows and columns, of overlapped tiles: the fastest counts.
var overlappedSizes = [][3]int{{10, 64, 512}, {20, 64, 256}, {20, 128, 256}, {20, 128, 512}, {50, 256, 256}}

// overlapped measures jacobi-2d beyond the caches in the tiles that poly-tile makes beside overlapped ones in C.
func (b *bench) overlapped(cores int) error {
	const name = "jacobi-2d"
	if !b.wants(name) {
		return nil
	}
	root, err := repository()
	if err != nil {
		return err
	}
	e, _, err := engine.LLVM.Start(b.ctx, engine.Options{Target: hostWith(cores)})
	if err != nil {
		return err
	}
	defer e.Close()
	k, sizes := polybench.Called(name), stencilSizes[name]
	p, _, err := b.compilePoly(e, filepath.Join(root, k.File()), inTiles)
	if err != nil {
		return err
	}
	code, err := k.Bind(b.ctx, p, sizes)
	if err != nil {
		return err
	}
	defer code.Close(context.Background())
	ours, sum := math.Inf(1), 0.0
	for range max(1, b.size(polybenchTurns)) {
		var s float64
		if s, sum, err = code.Run(); err != nil {
			return err
		}
		ours = min(ours, s)
	}
	theirs, what := math.Inf(1), ""
	for _, tile := range overlappedSizes {
		s, got, err := b.runOverlapped(root, k, sizes, tile, cores)
		if err != nil {
			return err
		}
		if !polybench.Same(sum, got) {
			return fmt.Errorf("overlapped tiles of %v give %v, ours %v", tile, got, sum)
		}
		if s < theirs {
			theirs, what = s, fmt.Sprintf("%d sweeps of %d by %d", tile[0], tile[1], tile[2])
		}
	}
	b.table.Add(report.Row{Group: "stencils", What: fmt.Sprintf("%s, %d cores, beside overlapped tiles in C, %s", name, cores, what), Unit: "ms", Ours: ours * 1e3, Peer: theirs * 1e3, Ratio: ours / theirs})
	return nil
}

// runOverlapped gives the least time of three runs in tiles of some size, and the sum over the result.
func (b *bench) runOverlapped(root string, k *polybench.Kernel, sizes []int, tile [3]int, cores int) (seconds, sum float64, err error) {
	source, err := os.ReadFile(filepath.Join(root, k.Peer()))
	if err != nil {
		return 0, 0, err
	}
	file, exe := filepath.Join(b.dir, "overlapped.kernel.c"), filepath.Join(b.dir, "overlapped")
	if err := os.WriteFile(file, []byte(k.Resized(string(source), sizes)), 0o600); err != nil {
		return 0, 0, err
	}
	args := []string{"-O3", "-march=native", "-ffast-math", "-w", "-pthread", "-I", filepath.Join(root, filepath.Dir(k.Peer())), fmt.Sprintf("-DKERNEL=%q", file),
		fmt.Sprintf("-DSTEPS=%d", tile[0]), fmt.Sprintf("-DHIGH=%d", tile[1]), fmt.Sprintf("-DWIDE=%d", tile[2]), fmt.Sprintf("-DTHREADS=%d", cores),
		filepath.Join(root, "tests/bench/peers/overlapped.c"), "-o", exe, "-lm"}
	if text, err := exec.CommandContext(b.ctx, b.clang, args...).CombinedOutput(); err != nil {
		return 0, 0, fmt.Errorf("%w: %s", err, text)
	}
	out, err := exec.CommandContext(b.ctx, exe, "3").Output()
	if err != nil {
		return 0, 0, err
	}
	_, err = fmt.Sscan(string(out), &seconds, &sum)
	return seconds, sum, err
}
