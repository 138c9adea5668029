package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/poly/equations"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/tests/bench/report"
	"github.com/irc-lang/irc/tests/polybench"
	"github.com/irc-lang/irc/tests/sdr"
)

// sdrTurns is how often equations and C run in turn, and sdrTurn the seconds that such a turn takes
// at least: what is short runs many times in it.
const (
	sdrTurns = 3
	sdrTurn  = 0.1
)

// A systemsRow compares programs of equations that go through some passes first with forms of their
// peers in C.
type systemsRow struct {
	group    string
	programs []sdr.Benchmark
	sizes    func(sdr.Benchmark) []int
	forms    func(sdr.Benchmark) []form
	most     float64 // of the geometric mean of the ratios
	worst    float64 // of each
}

// A form is one of a peer, and the passes that make ours.
type form struct{ peer, passes string }

// sdr measures the programs of equations in examples/eq beside the same in C, both unsimplified.
func (b *bench) sdr() error {
	return b.systems(systemsRow{
		group: "sdr", most: 1, programs: sdr.Benchmarks,
		sizes: func(x sdr.Benchmark) []int { return x.Timed },
		forms: func(sdr.Benchmark) []form { return []form{{"naive", ""}} },
	})
}

// reductions measures them simplified, at the sizes of the paper's Table 3, beside what an expert
// writes in C; the mixtures of documents, and collapsed latent Dirichlet allocation, with words in
// tables by their data, too.
func (b *bench) reductions() error {
	return b.systems(systemsRow{
		group: "reductions", most: 0.9, worst: 1.3, programs: append(slices.Clone(sdr.Benchmarks), sdr.CollapsedLDA),
		sizes: func(x sdr.Benchmark) []int { return x.Table3 },
		forms: func(x sdr.Benchmark) (out []form) {
			if x.Eq != sdr.CollapsedLDA.Eq {
				out = append(out, form{"opt", "simplify-reductions"})
			}
			if x.Manual != "" {
				out = append(out, form{"manual", x.Manual})
			}
			return out
		},
	})
}

func (b *bench) systems(row systemsRow) error {
	root, err := repository()
	if err != nil {
		return err
	}
	var ratios []float64
	for _, x := range row.programs {
		sizes := row.sizes(x)
		if !b.wants(x.Eq) || sizes == nil {
			continue
		}
		for _, f := range row.forms(x) {
			t, err := b.equations(root, f.passes, x, f.peer, sizes)
			r := report.Row{Group: row.group, What: x.Eq + " " + strings.Trim(fmt.Sprint(sizes), "[]") + ", C " + f.peer, Unit: "ms", Ours: t.ours * 1e3, Peer: t.peer * 1e3}
			if err != nil {
				r.Note = firstLine(err.Error())
			} else {
				r.Ratio = t.ours / t.peer
				ratios = append(ratios, r.Ratio)
			}
			b.table.Add(r)
			b.table.Add(report.Row{Group: row.group, What: "  the call through irc", Unit: "ms", Ours: t.call * 1e3})
			b.table.Absolute(row.group, "  equations to machine code", "s", t.compile, t.compile < 1, "< 1 s")
		}
	}
	if len(ratios) == 0 {
		return nil
	}
	mean := stat.GeometricMean(ratios, nil)
	what := fmt.Sprintf("%d programs, ours by C", len(ratios))
	b.table.Absolute(row.group, what+", geometric mean", "", mean, mean <= row.most, fmt.Sprintf("<= %v", row.most))
	if worst := slices.Max(ratios); row.worst > 0 {
		b.table.Absolute(row.group, what+", the slowest", "", worst, worst <= row.worst, fmt.Sprintf("<= %v", row.worst))
	}
	return nil
}

// systemTimes are the times of a program of equations: of its code, and of the peer, the least of
// all turns; of a call of it, as this process sees it; and from its text to machine code.
type systemTimes struct{ ours, peer, call, compile float64 }

// equations measures a benchmark as native code and in C.
func (b *bench) equations(root, passes string, x sdr.Benchmark, form string, sizes []int) (t systemTimes, err error) {
	c, err := x.Compile(b.ctx, root, b.dir, "clang-19", "-O3", "-march=native")
	if err != nil {
		return t, err
	}
	c.Env = []string{jit.Malloc}
	data, err := c.Data(b.ctx, form, sizes)
	if err != nil {
		return t, err
	}
	e, _, err := engine.LLVM.Start(b.ctx, engine.Options{})
	if err != nil {
		return t, err
	}
	defer e.Close()
	ctx := ir.NewContext(dialects.All...)
	start, err := allTime()
	if err != nil {
		return t, err
	}
	in, p, err := b.compileEquations(e, ctx, x, root, passes)
	if err != nil {
		return t, err
	}
	end, err := allTime()
	if err != nil {
		return t, err
	}
	t.compile = (end - start).Seconds()
	args, err := sdr.Arguments(ctx, in, x.Sizes(sizes), data)
	if err != nil {
		return t, err
	}
	bound, err := run.Bind(b.ctx, p[0], args...)
	if err != nil {
		return t, err
	}
	t.ours, t.peer, t.call = math.Inf(1), math.Inf(1), math.Inf(1)
	calls := []run.BoundCall{{Name: in.Name}}
	for range sdrTurns {
		if err := b.turn(bound, &calls, &t); err != nil {
			return t, err
		}
		s, err := c.Seconds(b.ctx, form, sizes)
		if err != nil {
			return t, err
		}
		t.peer = min(t.peer, s)
	}
	if err := bound.Close(b.ctx); err != nil {
		return t, err
	}
	return t, x.Compare(ctx, in, args, data)
}

// turn runs a program once, and then as often as fills a turn. The time of its code is at most the
// processor time of the process that runs it, by the number of calls, and at most what a clock
// says of any one call: the first counts what goes to that process and comes back, the second
// what else the processor does in between.
func (b *bench) turn(bound *run.Binding, calls *[]run.BoundCall, t *systemTimes) error {
	for range 2 {
		var out []run.Result
		start := time.Now()
		s, err := b.childSeconds(func() (err error) {
			out, err = bound.Batch(b.ctx, *calls)
			return err
		})
		if err != nil {
			return err
		}
		n := len(*calls)
		t.call = min(t.call, time.Since(start).Seconds()/float64(n))
		t.ours = min(t.ours, s/float64(n))
		for _, r := range out {
			if r.Err != nil {
				return r.Err
			}
			t.ours = min(t.ours, r.Wall.Seconds())
		}
		*calls = slices.Repeat((*calls)[:1], max(1, int(sdrTurn/t.ours)))
	}
	return nil
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
	sum, err := childrenTime()
	return sum + irtest.ProcessorTime(), err
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

// compileEquations reads the equations of a benchmark and compiles them.
func (b *bench) compileEquations(e engine.Engine, ctx *ir.Context, x sdr.Benchmark, root, passes string) (in equations.Interface, p []run.Program, err error) {
	g, in, err := x.Read(ctx, root)
	if err == nil {
		g, err = lowering.Compile(b.ctx, g, polybench.Through(e.Target(), passes))
	}
	if err == nil {
		p, err = e.Prepare(b.ctx, g)
	}
	return in, p, err
}
