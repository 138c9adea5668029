package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/tests/bench/report"
	"github.com/irc-lang/irc/tests/polybench"
)

// coreTurns is how often a program runs on each number of cores, in turn.
const coreTurns = 5

// hopeless is how many times slower a program is as it is written than with its passes if it is not run again: the faster counts.
const hopeless = 1.5

// A shared program is measured on all cores and on one.
type sharedProgram struct {
	name, file string
	passes     string // that make its loops parallel
	args       []int64
	kernel     string // of PolyBench, whose C says the sizes
}

var sharedPrograms = []sharedProgram{
	{name: "gemm", passes: "parallelize", kernel: "gemm"},
	{name: "nussinov", passes: inTiles, kernel: "nussinov"},
	{name: "Mandelbrot", file: "examples/loops/mandelbrot.mlir", passes: "parallelize", args: []int64{1000, 4000}},
}

// cores measures programs whose loops became parallel on two cores beside one: the better of what is
// written and of what the passes made, on one.
func (b *bench) cores() error {
	return b.onCores(func(engines []engine.Engine, root string) error {
		if err := b.sharedPrograms(engines, root, sharedPrograms); err != nil {
			return err
		}
		if err := b.pool(); err != nil {
			return err
		}
		if err := b.sharedDensity(); err != nil {
			return err
		}
		if err := b.sharedEquations(engines, root); err != nil {
			return err
		}
		return b.sharedQueries(engines, root)
	})
}

// coresTiles measures kernels in tiles so.
func (b *bench) coresTiles() error {
	return b.onCores(func(engines []engine.Engine, root string) error {
		var list []sharedProgram
		for _, k := range polybench.Kernels {
			list = append(list, sharedProgram{name: k.Name + " in tiles", kernel: k.Name, passes: cmp.Or(b.passes, inTiles)})
		}
		return b.sharedPrograms(engines, root, list)
	})
}

// onCores starts an engine for one core and one for two.
func (b *bench) onCores(do func(engines []engine.Engine, root string) error) error {
	root, err := repository()
	if err != nil {
		return err
	}
	var engines []engine.Engine
	for _, n := range []int{1, 2} {
		t := *target.Host()
		t.Cores = n
		e, _, err := engine.LLVM.Start(b.ctx, engine.Options{Target: &t})
		if err != nil {
			return err
		}
		defer e.Close()
		engines = append(engines, e)
	}
	return do(engines, root)
}

func (b *bench) sharedPrograms(engines []engine.Engine, root string, list []sharedProgram) error {
	for _, p := range list {
		if !b.wants(p.kernel) && !b.wants(p.name) {
			continue
		}
		if err := b.coreRow(engines, root, p); err != nil {
			b.table.Add(report.Row{Group: "cores", What: p.name, Note: firstLine(err.Error())})
		}
		if err := b.ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// coreRow measures a program in turn as it is written on one core, with its passes on one, and with them on two.
func (b *bench) coreRow(engines []engine.Engine, root string, p sharedProgram) error {
	ways := []struct {
		e      engine.Engine
		passes string
	}{{engines[0], ""}, {engines[0], p.passes}, {engines[1], p.passes}}
	var runs []func() (seconds, sum float64, err error)
	for _, w := range ways {
		f, done, err := b.shared(w.e, root, p, w.passes)
		if err != nil {
			return err
		}
		defer done()
		runs = append(runs, f)
	}
	best, sums := make([]float64, len(runs)), make([]float64, len(runs))
	for turn := range max(1, b.size(coreTurns)) {
		for i, f := range runs {
			if i == 0 && turn > 0 && best[0] > hopeless*best[1] {
				continue
			}
			s, sum, err := f()
			if err != nil {
				return err
			}
			if sums[i] = sum; !polybench.Same(sums[0], sum) {
				return fmt.Errorf("results differ: %v and %v", sums[0], sum)
			}
			if turn == 0 || s < best[i] {
				best[i] = s
			}
		}
	}
	b.table.Compare("cores", p.name+": two cores, one core", "ms", best[2]*1e3, min(best[0], best[1])*1e3, 1/1.7, "<= 1/1.7")
	return nil
}

// shared compiles a program and gives what runs it.
func (b *bench) shared(e engine.Engine, root string, p sharedProgram, passes string) (f func() (seconds, sum float64, err error), done func(), err error) {
	if p.kernel != "" {
		k := polybench.Called(p.kernel)
		if k == nil {
			return nil, nil, fmt.Errorf("no kernel is called %s", p.kernel)
		}
		return b.sharedKernel(e, root, k, passes)
	}
	prog, _, err := b.compilePoly(e, filepath.Join(root, p.file), passes)
	if err != nil {
		return nil, nil, err
	}
	var args []ir.Val
	for _, n := range p.args {
		args = append(args, ir.IntVal(n, 64))
	}
	return func() (float64, float64, error) {
		out, err := prog.Batch(b.ctx, []run.Call{{Name: "main", Args: args}})
		if err == nil {
			err = out[0].Err
		}
		if err != nil {
			return 0, 0, err
		}
		return out[0].Wall.Seconds(), float64(out[0].Values[0].Bits), nil
	}, func() {}, nil
}

func (b *bench) sharedKernel(e engine.Engine, root string, k *polybench.Kernel, passes string) (f func() (seconds, sum float64, err error), done func(), err error) {
	prog, _, err := b.compilePoly(e, filepath.Join(root, k.File()), passes)
	if err != nil {
		return nil, nil, err
	}
	source, err := os.ReadFile(filepath.Join(root, k.Peer()))
	if err != nil {
		return nil, nil, err
	}
	sizes, err := k.Sizes(string(source))
	if err != nil {
		return nil, nil, err
	}
	code, err := k.Bind(b.ctx, prog, sizes)
	if err != nil {
		return nil, nil, err
	}
	return code.Run, func() { code.Close(b.ctx) }, nil
}
