package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/poly/equations"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/tests/bench/report"
	"github.com/irc-lang/irc/tests/polybench"
)

// polybenchTurns is how often all sides run a kernel in turn.
const polybenchTurns = 3

// A loopWay is passes that the kernels go through before the lowering pipeline.
type loopWay struct {
	passes string
	ratios []float64 // to the C, a kernel each
	worst  string    // the kernel with the largest
}

func (w *loopWay) name() string {
	if w.passes == "" {
		return "as written"
	}
	return w.passes
}

// inTiles are the passes by which loops get another order, and tiles.
const inTiles = "raise-affine,poly-schedule{alg=pluto},poly-tile"

// loopWays are those that -passes names; without it others.
func (b *bench) loopWays(others string) (out []*loopWay) {
	for _, passes := range strings.Split(cmp.Or(b.passes, others), ";") {
		out = append(out, &loopWay{passes: strings.TrimSpace(passes)})
	}
	return out
}

// polybench measures affine loops beside the same in C, the kernels alone, on one core.
func (b *bench) polybench() error {
	return b.polybenchOn("polybench", 1, waysInC(polybench.PeerFlags), polybench.Kernels, nil, inTiles)
}

// polybenchShared does so on two cores, of which Polly may take both, too.
func (b *bench) polybenchShared() error {
	if err := os.Setenv("OMP_NUM_THREADS", "2"); err != nil {
		return err
	}
	return b.polybenchOn("kernels2", 2, waysInC(polybench.PeerFlags, polybench.SharedPeerFlags), polybench.Kernels, nil, inTiles)
}

// stencilSizes are sizes whose arrays are beyond the second cache by far: 64 to 128 MB.
var stencilSizes = map[string][]int{"jacobi-1d": {4_000_000, 100}, "jacobi-2d": {2800, 100}, "heat-3d": {200, 50}, "fdtd-2d": {2000, 2600, 50}, "seidel-2d": {4000, 20}}

// stencils measures stencils at large sizes, of few rounds, on one core and on two, in tiles of both shapes; one of them beside overlapped tiles, too.
func (b *bench) stencils() error {
	if err := os.Setenv("OMP_NUM_THREADS", "2"); err != nil {
		return err
	}
	var list []*polybench.Kernel
	for _, k := range polybench.All() {
		if stencilSizes[k.Name] != nil {
			list = append(list, k)
		}
	}
	for i, ways := range [][]string{waysInC(polybench.PeerFlags), waysInC(polybench.PeerFlags, polybench.SharedPeerFlags)} {
		cores := i + 1
		if err := b.polybenchOn("stencils", cores, ways, list, stencilSizes, inTiles+";"+inTiles+"{shape=skewed}"); err != nil {
			return err
		}
		if err := b.overlapped(cores); err != nil {
			return err
		}
	}
	return nil
}

// waysInC are names of ways, of which the first is clang's, without Polly.
func waysInC(of ...map[string][]string) []string {
	out := []string{"clang"}
	for _, ways := range of {
		for _, way := range slices.Sorted(maps.Keys(ways)) {
			if way != out[0] {
				out = append(out, way)
			}
		}
	}
	return out
}

// polybenchOn measures kernels on some cores beside the fastest of some ways, at some sizes or, for none, those that the C says;
// passes are ways of which -passes may name others.
func (b *bench) polybenchOn(group string, cores int, waysInC []string, kernels []*polybench.Kernel, sizes map[string][]int, passes string) error {
	root, err := repository()
	if err != nil {
		return err
	}
	if b.clang == "" {
		return errors.New("needs clang-19")
	}
	e, _, err := engine.LLVM.Start(b.ctx, engine.Options{Target: hostWith(cores)})
	if err != nil {
		return err
	}
	defer e.Close()
	ways := b.loopWays(passes)
	for _, k := range kernels {
		if !b.wants(k.Name) {
			continue
		}
		var peers []*polybench.Peer
		for _, way := range waysInC {
			peer, err := k.Build(b.ctx, b.clang, way, root, b.dir, sizes[k.Name]...)
			if err != nil {
				return err
			}
			peers = append(peers, peer)
		}
		if err := b.kernelRows(e, group, root, k, peers, ways); err != nil {
			return err
		}
	}
	for _, w := range ways {
		if len(w.ratios) == 0 {
			continue
		}
		mean := stat.GeometricMean(w.ratios, nil)
		b.table.Absolute(group, fmt.Sprintf("%d kernels, ours by C, %s", len(w.ratios), w.name()), "", mean, mean <= 0.8, "mean <= 0.8")
		b.table.Add(report.Row{Group: group, What: "  the slowest of them, " + w.worst, Ratio: slices.Max(w.ratios)})
	}
	return b.ctx.Err()
}

// fastest is the C that takes the least time, with that time and its sum. It has to compute what the first one does: Polly's
// trmm on two cores does not.
func (b *bench) fastest(peers []*polybench.Peer) (best *polybench.Peer, seconds, sum float64, err error) {
	for _, p := range peers {
		s, x, err := p.Run(b.ctx)
		switch {
		case err != nil:
			return nil, 0, 0, err
		case best == nil:
			best, seconds, sum = p, s, x
		case !polybench.Same(sum, x):
			fmt.Fprintf(os.Stderr, "bench: %s computes something else than %s, and is left out\n", p.Flags, peers[0].Flags)
		case s < seconds:
			best, seconds = p, s
		}
	}
	return best, seconds, sum, nil
}

// kernelRows measures a kernel on all ways beside the fastest C, in turn: a row for each.
func (b *bench) kernelRows(e engine.Engine, group, root string, k *polybench.Kernel, peers []*polybench.Peer, ways []*loopWay) error {
	codes, errs, ours := make([]*polybench.Code, len(ways)), make([]error, len(ways)), make([]float64, len(ways))
	for i, w := range ways {
		var p run.Program
		if p, _, errs[i] = b.compilePoly(e, filepath.Join(root, k.File()), w.passes); errs[i] != nil {
			continue
		}
		if codes[i], errs[i] = k.Bind(b.ctx, p, peers[0].Sizes); errs[i] == nil {
			defer codes[i].Close(b.ctx)
		}
	}
	peer, c, sum, err := b.fastest(peers)
	if err != nil {
		return err
	}
	for range max(1, b.size(polybenchTurns)) {
		s, _, err := peer.Run(b.ctx)
		if err != nil {
			return err
		}
		c = min(c, s)
		for i := range ways {
			if errs[i] != nil {
				continue
			}
			var got float64
			if s, got, errs[i] = codes[i].Run(); errs[i] == nil && !polybench.Same(sum, got) {
				errs[i] = fmt.Errorf("results differ: %v, in C %v", got, sum)
			}
			if ours[i] == 0 || s < ours[i] {
				ours[i] = s
			}
		}
	}
	for i, w := range ways {
		r := report.Row{Group: group, What: fmt.Sprintf("%s, %s, %d cores, beside %s", k.Name, w.name(), e.Target().Cores, peer.Flags), Unit: "ms", Ours: ours[i] * 1e3, Peer: c * 1e3, Ratio: ours[i] / c}
		if errs[i] != nil {
			r.Ours, r.Ratio, r.Note = 0, 0, firstLine(errs[i].Error())
		} else if w.ratios = append(w.ratios, r.Ratio); r.Ratio == slices.Max(w.ratios) {
			w.worst = k.Name
		}
		b.table.Add(r)
	}
	return nil
}

// polyCompile measures the way from text to machine code of the kernels and of the programs of
// equations in examples/eq.
func (b *bench) polyCompile() error {
	root, err := repository()
	if err != nil {
		return err
	}
	e, _, err := engine.LLVM.Start(b.ctx, engine.Options{})
	if err != nil {
		return err
	}
	defer e.Close()
	for _, w := range b.loopWays(inTiles) {
		var files []string
		for _, k := range polybench.Kernels {
			files = append(files, filepath.Join(root, k.File()))
		}
		b.compileRows(e, "a kernel, "+w.name(), files, w.passes)
	}
	files, err := filepath.Glob(filepath.Join(root, "examples/eq/*.eq"))
	if err != nil {
		return err
	}
	b.compileRows(e, "a program of equations", files, "")
	return b.ctx.Err()
}

// compileRows compiles programs, each three times: a row for the slowest, or for each.
func (b *bench) compileRows(e engine.Engine, what string, files []string, passes string) {
	worst, slowest := 0.0, ""
	for _, file := range files {
		best := math.Inf(1)
		for range 3 {
			_, s, err := b.compilePoly(e, file, passes)
			if err != nil {
				b.table.Add(report.Row{Group: "poly-compile", What: "  " + filepath.Base(file), Note: firstLine(err.Error())})
				break
			}
			best = min(best, s)
		}
		if math.IsInf(best, 1) {
			continue
		}
		if b.verbose {
			b.table.Add(report.Row{Group: "poly-compile", What: "  " + filepath.Base(file), Unit: "ms", Ours: best * 1e3})
		}
		if best > worst {
			worst, slowest = best, filepath.Base(file)
		}
	}
	if slowest != "" {
		b.table.Absolute("poly-compile", fmt.Sprintf("%s to machine code: the slowest, %s", what, slowest), "ms", worst*1e3, worst < 1, "< 1 s")
	}
}

// compilePoly compiles a file of loops or of equations and gives the seconds that this takes,
// from text to machine code. Passes, if there are any, run before the lowering pipeline.
func (b *bench) compilePoly(e engine.Engine, file, passes string) (run.Program, float64, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, 0, err
	}
	start := time.Now()
	c, src := ir.NewContext(dialects.All...), diag.NewSource(filepath.Base(file), string(data))
	var g *ir.Graph
	var list diag.List
	if filepath.Ext(file) == ".eq" {
		g, list = equations.Read(c, src)
	} else {
		g, list = text.Parse(c, src, text.Options{})
	}
	if err := list.Err(); err != nil {
		return nil, 0, err
	}
	if g, err = lowering.Compile(b.ctx, g, polybench.Through(e.Target(), passes)); err != nil {
		return nil, 0, err
	}
	ps, err := e.Prepare(b.ctx, g)
	if err != nil {
		return nil, 0, err
	}
	return ps[0], time.Since(start).Seconds(), nil
}
