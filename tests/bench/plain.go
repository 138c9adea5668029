package main

import (
	"embed"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/tests/bench/report"
	"github.com/irc-lang/irc/tests/polybench"
)

// plainTurns is how often ours and the C run a loop in turn.
const plainTurns = 5

//go:embed plain
var plainPrograms embed.FS

// A plainLoop is a loop that is measured beside the same in C, once with data in a cache and once in memory.
type plainLoop struct {
	name   string
	sizes  [2]int
	work   float64            // steps of a repetition, for each of n elements
	arrays func(n int) []data // of the program, in order
	near   float64            // how far apart the sums may be, of one
}

// data are the numbers of an array.
type data struct {
	elem ir.Type
	dims []int64
	at   func(i int) float64
}

// scrambled is a number that has little to do with i.
func scrambled(k uint32) func(i int) float64 {
	return func(i int) float64 {
		x := uint32(i)
		x = (x ^ 61) ^ (x >> 16)
		x *= 9
		x ^= x >> 4
		x *= 0x27d4eb2d
		return float64((x ^ (x >> 15)) % k)
	}
}

func zero(int) float64 { return 0 }

func list(t ir.Type, n int, at func(i int) float64) data { return data{t, []int64{int64(n)}, at} }

var plainLoops = []plainLoop{
	{"saxpy", [2]int{20_000, 8_000_000}, 1, func(n int) []data {
		return []data{list(ir.F32, n, scrambled(1000)), list(ir.F32, n, zero)}
	}, 0},
	{"dot", [2]int{20_000, 8_000_000}, 1, func(n int) []data {
		return []data{list(ir.F64, n, scrambled(1000)), list(ir.F64, n, func(i int) float64 { return scrambled(1000)(i + n) }), list(ir.F64, 1, zero)}
	}, 0},
	{"sum", [2]int{20_000, 8_000_000}, 1, func(n int) []data {
		return []data{list(ir.F64, n, scrambled(1000)), list(ir.F64, 1, zero)}
	}, 0},
	{"stencil", [2]int{20_000, 8_000_000}, 1, func(n int) []data {
		return []data{list(ir.F64, n, scrambled(1000)), list(ir.F64, n, zero)}
	}, 0},
	{"matvec", [2]int{200, 3000}, 0, func(n int) []data {
		return []data{list(ir.F64, n, scrambled(1000)), {ir.F64, []int64{int64(n), int64(n)}, scrambled(1000)}, list(ir.F64, n, zero)}
	}, 0},
	{"mandelbrot", [2]int{60, 400}, 0, func(n int) []data {
		return []data{list(ir.F64, n, func(i int) float64 { return -2 + 3*float64(i)/float64(n) }), list(ir.I64, n*n, zero)}
	}, 0.002}, // points at the rim leave after other numbers of steps where a product is rounded otherwise
	{"prefix", [2]int{20_000, 8_000_000}, 4, func(n int) []data {
		return []data{list(ir.F64, n, scrambled(1000)), list(ir.F64, n, zero)}
	}, 0},
	{"filter", [2]int{20_000, 8_000_000}, 8, func(n int) []data {
		return []data{list(ir.F64, n, scrambled(1000)), list(ir.F64, n, zero)}
	}, 0},
	{"histogram", [2]int{20_000, 8_000_000}, 2, func(n int) []data {
		return []data{list(ir.I32, n, scrambled(256)), list(ir.I64, 256, zero)}
	}, 0},
}

// plainSteps is about how many steps one measurement has.
const plainSteps = 4e8

// times is how often a loop is done in one measurement.
func (p *plainLoop) times(n int) int {
	work := p.work * float64(n)
	switch p.name {
	case "matvec":
		work = float64(n) * float64(n)
	case "mandelbrot":
		work = float64(n) * float64(n) * 100
	}
	return max(1, int(plainSteps/work))
}

// plain measures small loops beside the same in C, on one core: as written or through -passes.
func (b *bench) plain() error {
	exe, err := b.peer("plain.c", "-O3", "-march=native", "-ffast-math", "-w")
	if err != nil {
		return err
	}
	e, err := b.oneCore()
	if err != nil {
		return err
	}
	defer e.Close()
	ways := []string{""}
	if b.passes != "" {
		ways = strings.Split(b.passes, ";")
	}
	logs, n := make([]float64, len(ways)), 0
	for _, p := range plainLoops {
		if !b.wants(p.name) {
			continue
		}
		for i, where := range []string{"in cache", "in memory"} {
			if err := b.plainRow(e, exe, &p, ways, logs, b.size(p.sizes[i]), where); err != nil {
				b.table.Add(report.Row{Group: "plain", What: p.name + ", " + where, Note: firstLine(err.Error())})
				continue
			}
			n++
		}
	}
	for i, w := range ways {
		if n > 0 {
			mean := math.Exp(logs[i] / float64(n))
			b.table.Absolute("plain", fmt.Sprintf("%d loops, ours by C, %s", n, (&loopWay{passes: w}).name()), "", mean, mean <= 0.9, "mean <= 0.9")
		}
	}
	return b.ctx.Err()
}

// plainRow measures a loop of a size, ours and the C in turn.
func (b *bench) plainRow(e engine.Engine, exe string, p *plainLoop, ways []string, logs []float64, n int, where string) error {
	source, err := plainPrograms.ReadFile("plain/" + p.name + ".mlir")
	if err != nil {
		return err
	}
	file := filepath.Join(b.dir, p.name+".mlir")
	if err := os.WriteFile(file, source, 0o600); err != nil {
		return err
	}
	programs := make([]run.Program, len(ways))
	for i, passes := range ways {
		if programs[i], _, err = b.compilePoly(e, file, passes); err != nil {
			return err
		}
	}
	times := p.times(n)
	theirs, ours := math.Inf(1), make([]float64, len(ways))
	for range max(1, b.size(plainTurns)) {
		out, err := exec.CommandContext(b.ctx, exe, p.name, strconv.Itoa(n), strconv.Itoa(times)).Output()
		if err != nil {
			return err
		}
		var s, want float64
		if _, err := fmt.Sscan(string(out), &s, &want); err != nil {
			return err
		}
		theirs = min(theirs, s)
		for i := range ways {
			s, got, err := b.plainRun(programs[i], p, n, times)
			if err != nil {
				return err
			}
			if !polybench.Same(want, got) && math.Abs(want-got) > p.near*want {
				return fmt.Errorf("results differ: %v, in C %v", got, want)
			}
			if ours[i] == 0 || s < ours[i] {
				ours[i] = s
			}
		}
	}
	for i, w := range ways {
		logs[i] += math.Log(ours[i] / theirs)
		what := p.name + ", " + where
		if len(ways) > 1 {
			what += ", " + (&loopWay{passes: w}).name()
		}
		b.table.Add(report.Row{Group: "plain", What: what, Unit: "ms", Ours: ours[i] * 1e3, Peer: theirs * 1e3, Ratio: ours[i] / theirs})
	}
	return nil
}

// filled is memory that holds data.
func filled(c *ir.Context, a data) ir.Val {
	v := polybench.Zeros(c, a.elem, a.dims)
	buf := v.Ref.(*interp.MemRef).Buf
	for i := range int(elementsOf(a.dims)) {
		if x := a.at(i); c.IsFloat(a.elem) {
			buf.Store(i, ir.FloatVal(x, a.elem))
		} else {
			buf.Store(i, ir.IntVal(int64(x), c.Info(a.elem).Width))
		}
	}
	return v
}

// plainRun runs our program and gives the seconds of all repetitions, and the sum over what came of them.
func (b *bench) plainRun(p run.Program, loop *plainLoop, n, times int) (seconds, sum float64, err error) {
	c := ir.NewContext(dialects.All...)
	var args []ir.Val
	for _, a := range loop.arrays(n) {
		args = append(args, filled(c, a))
	}
	bound, err := run.Bind(b.ctx, p, append(args, ir.IntVal(int64(times), 64))...)
	if err != nil {
		return 0, 0, err
	}
	defer bound.Close(b.ctx)
	out, err := bound.Batch(b.ctx, []run.BoundCall{{Name: "kernel"}, {Name: "check"}})
	if err != nil {
		return 0, 0, err
	}
	for _, r := range out {
		if r.Err != nil {
			return 0, 0, r.Err
		}
	}
	return out[0].Wall.Seconds(), out[1].Values[0].F64(), nil
}
