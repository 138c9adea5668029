package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tests/bench/report"
)

// A network that is trained: the shapes of its input, of its parameters, and of what it is compared with, in order.
type trained struct {
	name   string
	shapes [][]int
}

var trainings = []trained{
	{"mlp", [][]int{{128, 512}, {512, 1024}, {1024}, {1024, 256}, {256}, {128, 256}}},
	{"block", [][]int{{128, 512}, {512}, {512}, {512, 8, 64}, {512, 8, 64}, {512, 8, 64}, {8, 64, 512}, {512}, {512}, {512, 2048}, {2048}, {2048, 512}, {512}, {128, 512}}},
}

// training measures the gradients of a training step beside PyTorch's, in f32, on one core and on two.
func (b *bench) training() error {
	for cores := 1; cores <= 2; cores++ {
		e, _, err := engine.LLVM.Start(b.ctx, engine.Options{Target: hostWith(cores)})
		if err != nil {
			return err
		}
		for _, t := range trainings {
			if !b.wants(t.name) {
				continue
			}
			for _, w := range b.loopWays("") {
				if err := b.trainingRow(e, t, w); err != nil {
					e.Close()
					return fmt.Errorf("%s: %w", t.name, err)
				}
			}
		}
		e.Close()
	}
	return b.ctx.Err()
}

// trainingRow measures one, through passes after differentiate.
func (b *bench) trainingRow(e engine.Engine, t trained, w *loopWay) error {
	root, err := repository()
	if err != nil {
		return err
	}
	last := len(t.shapes) - 1
	wrt := strings.Trim(strings.ReplaceAll(fmt.Sprint(seq(1, last)), " ", ","), "[]")
	passes := "differentiate{of=loss wrt=" + wrt + "}"
	if w.passes != "" {
		passes += "," + w.passes
	}
	folder := filepath.Join(root, "tests/bench/training")
	p, _, err := b.compilePoly(e, filepath.Join(folder, t.name+".mlir"), passes)
	if err != nil {
		return err
	}
	var a adArguments
	for i, shape := range t.shapes {
		by := 1.0
		if len(shape) > 1 && i > 0 && i < last {
			by = 1 / math.Sqrt(float64(shape[0]))
		}
		at := scaled(uint32(80+i), by)
		d := shaped(func(i int) float64 { return float64(float32(at(i))) }, shape...)
		d.elem = ir.F32
		a.in = append(a.in, d)
		if i > 0 && i < last {
			a.out = append(a.out, d.dims)
		}
	}
	a.rest, a.elem = []ir.Val{ir.FloatVal(1, ir.F32)}, ir.F32
	input := filepath.Join(b.dir, "training-in")
	if err := os.WriteFile(input, a.bytes(), 0o600); err != nil {
		return err
	}
	ours, theirs := math.Inf(1), math.Inf(1)
	for range max(1, b.size(adTurns)) {
		s, want, err := b.adRun(p, "loss_grad", a)
		if err != nil {
			return err
		}
		ours = min(ours, s)
		s, got, err := b.adSaid([]string{"/usr/bin/python3", filepath.Join(folder, t.name+".py")}, e.Target().Cores, nil, input)
		if err == nil {
			err = adCompare(want, got, 1e-2) // of the largest by 1000, in f32
		}
		if err != nil {
			b.table.Add(report.Row{Group: "training", What: t.name, Unit: "ms", Ours: ours * 1e3, Note: firstLine(err.Error())})
			return nil
		}
		theirs = min(theirs, s)
	}
	what := fmt.Sprintf("%s, %s, %d cores, beside PyTorch", t.name, w.name(), e.Target().Cores)
	b.table.Compare("training", what, "ms", ours*1e3, theirs*1e3, 1, "<= 1")
	return nil
}

// seq are the numbers from one to before another.
func seq(from, to int) (out []int) {
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}
